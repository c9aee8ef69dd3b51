"""Failure review in the report, against values worked by hand."""

from __future__ import annotations

import msgspec
import pytest

from judge.records.failure import CodedItem
from judge.records.judgement import FailureCategory
from judge.records.reviewed import CategoryAgreement
from judge.records.run import Document
from judge.reports.build import build
from judge.reports.failures import failures
from judge.reports.material import Material
from judge.reports.render.outline import outline
from judge.reports.review import UNDECLARED, coder_agreement, failure_review
from tests.reports.studies import hit, study

X: FailureCategory = "near_semantic_match"


def item(by: str, rank: int | None, *categories: FailureCategory, note: str = "") -> CodedItem:
    return CodedItem(
        by=by,
        origin="blind",
        query_id="q1",
        system="K",
        run_id="r1-K-q1-1",
        rank=rank,
        record_id="" if rank is None else f"pmid:{rank}",
        automatic=(),
        categories=categories,
        note=note,
    )


def both(pattern: list[tuple[bool, bool]]) -> tuple[CodedItem, ...]:
    """A and D over as many hits: whether each named the category."""
    return tuple(
        item(code, rank, *((X,) if pair[who] else ()))
        for who, code in enumerate("AD")
        for rank, pair in enumerate(pattern, 1)
    )


def of(pattern: list[tuple[bool, bool]]) -> CategoryAgreement:
    pair = coder_agreement(both(pattern), "A", "D")
    return next(one for one in pair.categories if one.category == X)


def test_agreement_on_a_category_by_hand() -> None:
    """Ten items: 4 named by both, 1 by A alone, 2 by D alone, 3 by neither.

    Raw 7/10; Dice 8/11; kappa (0.7 - 0.5) / 0.5 = 0.4 with pe = 0.5 x 0.6 + 0.5 x 0.4; alpha
    1 - 0.3 / (1 - (11 x 10 + 9 x 8) / (20 x 19)) = 14/33.
    """
    found = of([(True, True)] * 4 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 3)
    assert (found.both, found.first_alone, found.second_alone, found.neither) == (4, 1, 2, 3)
    assert found.raw.lower is not None
    assert found.raw.lower.fraction == "7/10"
    assert found.on_named.lower is not None
    assert found.on_named.lower.fraction == "8/11"
    assert found.kappa.lower is not None
    assert found.kappa.lower.decimal == "0.40"
    assert found.alpha.lower is not None
    assert found.alpha.lower.decimal == "0.4242"


@pytest.mark.parametrize("said", [True, False])
def test_a_coefficient_that_is_not_defined_has_a_sentence(said: bool) -> None:
    found = of([(said, said)] * 3)
    assert found.raw.lower is not None
    assert found.raw.lower.fraction == "3/3"
    assert found.alpha.cell == found.kappa.cell == "not defined: both said the same of every item"
    assert (found.on_named.lower is None) is not said


def test_two_coders_are_compared_on_shared_items_and_whole_sets() -> None:
    coded = (
        item("A", 1, X, "wrong_literal_match"),
        item("A", 2, X),
        item("A", None),
        item("D", 1, X),  # one category of two: not the same
        item("D", None),
        item("D", 7, X),  # A never had it
    )
    pair = coder_agreement(coded, "A", "D")
    assert pair.items == 2
    assert pair.same.lower is not None
    assert pair.same.lower.fraction == "1/2"
    nothing = coder_agreement((item("A", 1),), "A", "D")
    assert nothing.same.cell == "no item was coded by both"


def with_records(**own: object) -> Material:
    """K's run of q1 with a later copy at rank 2 and no link at rank 3; S's q4 timed out."""
    hits = (hit(1, "1"), hit(2, "1"), msgspec.structs.replace(hit(3, "3"), link=None))
    runs = tuple(
        msgspec.structs.replace(one, raw_results=hits) if one.run_id == "r1-K-q1-1" else one
        for one in study().runs
    )
    documents = {"pmid:3": Document(record_id="pmid:3", type="Preprint", provenance="t")}
    return study(runs=runs, documents=documents, **own)


def test_records_and_people_are_counted_apart_by_category_and_system() -> None:
    coded = (item("A", 2, X, note="Of mice."), item("A", 3), item("D", 2, X), item("D", 3, X))
    review = failure_review(with_records(coded=coded))
    rows = {(row.category, row.system): row for row in review.categories}
    assert rows["duplicate_record", "K"].automatic == 1
    assert rows["missing_link", "K"].automatic == 1
    assert rows["preprint_as_article", "K"].automatic == 1
    assert rows["timeout", "S"].automatic == 1
    assert rows["timeout", "K"].automatic == 0
    near = rows[X, "K"]
    assert near.automatic == 0
    assert [(one.coder, one.items) for one in near.named] == [("A", 1), ("D", 2)]
    assert near.by_all == 1
    assert [(line.by, line.rank, line.text) for line in review.lines if line.text] == [
        ("A", 2, "Of mice.")
    ]


def test_what_a_coder_wrote_is_shown_with_its_request() -> None:
    """R73. One row for each request or hit, in the order of ranks, a column for each coder."""
    coded = (item("A", 3), item("A", 2, X, note="Of mice."), item("D", 2, "other", note="A poem."))
    assert outline_of(with_records(coded=(*coded, item("D", None, "other", note="Odd.")))) == (
        ("q1", "K", "–", "r1-K-q1-1", "–", "–", "other", "D: Odd."),
        (
            "q1",
            "K",
            "2",
            "r1-K-q1-1",
            "–",
            "near semantic match",
            "other",
            "A: Of mice. D: A poem.",
        ),
    )


def outline_of(material: Material) -> tuple[tuple[str, ...], ...]:
    table = outline(build(material, version="0.0")).table("failure-lines")
    assert table is not None
    return table.rows


def test_it_is_said_who_coded_and_what_nobody_did() -> None:
    scripted = msgspec.structs.replace(item("D", 1, X), origin="scripted")
    note = failure_review(with_records(coded=(item("A", 1, X), scripted))).note
    assert note.startswith("Coded by A and D (scripted, by nobody), after relevance was locked")


def test_an_undeclared_measure_is_not_printed() -> None:
    """R03."""
    review = failures(with_records(measures=("precision_at_k",))).review
    assert review.note == UNDECLARED
    assert (review.categories, review.lines) == ((), ())


def test_nothing_that_was_coded_shows_while_a_coder_is_out() -> None:
    review = failure_review(with_records(coded=(), coders_out=("D",)))
    assert "D has not handed in" in review.note
    assert review.categories  # the records speak whoever is out
    assert (review.reviewed, review.agreement, review.lines) == ((), (), ())
