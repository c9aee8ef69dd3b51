from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec
import pytest

from judge.records.query import GoldPaper, Query
from judge.records.report import Report
from judge.records.run import Document, RunRecord
from judge.reports.recall.published import published_tables
from judge.reports.recall.section import ceiling, published_beside
from judge.reports.render.outline import outline
from tests.reports.declared import QUERIES
from tests.reports.studies import hit, report_of, study

BIOASQ = "52b06a68f828ad283c000005"


def cells(report: Report, query: str, system: str) -> list[str]:
    return [
        row.figure.cell
        for row in report.recall.per_query
        if (row.query_id, row.system) == (query, system)
    ]


def runs_with(change: Callable[[RunRecord], RunRecord]) -> tuple[RunRecord, ...]:
    """The study's runs with K's answer to q1 changed."""
    return tuple(change(one) if one.run_id == "r1-K-q1-1" else one for one in study().runs)


def test_recall_of_the_small_study(report: Report) -> None:
    # q1 has four gold papers; K finds PMID 3 at rank 3, S at rank 1. q4: K finds one of two.
    assert cells(report, "q1", "K") == ["0.00", "0.25"]
    assert cells(report, "q1", "S") == ["0.25", "0.25"]
    assert cells(report, "q4", "K") == ["0.50", "0.50"]
    assert cells(report, "q4", "S") == ["– (no list (timeout))"] * 2
    means = {(row.system, row.cutoff): row for row in report.recall.means}
    at_five = means["K", 5]
    assert at_five.figure.lower is not None
    assert (at_five.figure.lower.fraction, at_five.queries, at_five.asked) == ("3/8", 2, 2)
    assert (means["S", 5].figure.cell, means["S", 5].queries) == ("0.25", 1)


def test_micro_recall_pools_the_queries_of_the_mean(report: Report) -> None:
    pooled = {(row.system, row.cutoff): row for row in report.recall.pooled}
    exact = {key: row.figure.lower.fraction for key, row in pooled.items() if row.figure.lower}
    # K at 5: one of four and one of two; S: q1 alone gave a list.
    assert exact == {("K", 2): "1/6", ("K", 5): "2/6", ("S", 2): "1/4", ("S", 5): "1/4"}
    assert (pooled["K", 5].gold, pooled["S", 5].gold) == (6, 4)
    tiers = {row.system: (row.pmid, row.doi, row.title) for row in report.recall.tiers}
    assert tiers == {"K": (2, 0, 0), "S": (1, 0, 0)}


def test_the_service_s_own_identifiers_come_first_then_the_neutral_record() -> None:
    own = (hit(1, "31"), msgspec.structs.replace(hit(2, "500"), doi="10.1000/abc"))
    runs = runs_with(lambda run: msgspec.structs.replace(run, raw_results=own))
    assert cells(report_of(runs=runs), "q1", "K") == ["0.25", "0.25"]
    # A hit that says nothing but its PMID is the paper whose record has the gold DOI.
    known = Document(record_id="pmid:500", doi="10.1000/ABC", provenance="test")
    runs = runs_with(lambda run: msgspec.structs.replace(run, raw_results=(hit(1, "500"),)))
    report = report_of(runs=runs, documents={"pmid:500": known})
    assert cells(report, "q1", "K") == ["0.25", "0.25"]


def test_what_the_matching_rules_pass_over_stands_in_the_section() -> None:
    unread = (msgspec.structs.replace(hit(1, "3"), pmid="PMID:3", record_id="x"),)
    runs = runs_with(lambda run: msgspec.structs.replace(run, raw_results=unread))
    report = report_of(runs=runs)
    assert cells(report, "q1", "K") == ["0.00", "0.00"]
    (warning,) = report.recall.warnings
    assert (warning.kind, warning.count) == ("pmid_prefixed", 1)
    assert warning.example == "q1, K: rank 1: 'PMID:3'"


@pytest.mark.parametrize(
    ("k", "gold", "precision", "recall"),
    [
        (10, [10], "1", "1"),
        (10, [5], "1/2", "1"),
        (10, [20], "1", "1/2"),
        # Means of 1/2, 1 and of 1, 1/2; then of 1/5, 3/5, 1 and of 1, 1, 5/8.
        (10, [5, 20], "3/4", "3/4"),
        (5, [1, 3, 8], "3/5", "7/8"),
    ],
)
def test_the_ceiling_that_a_gold_set_allows(
    k: int, gold: list[int], precision: str, recall: str
) -> None:
    row = ceiling(k, gold)
    assert row.precision.upper is not None
    assert row.recall.upper is not None
    assert Fraction(row.precision.upper.fraction) == Fraction(precision)
    assert Fraction(row.recall.upper.fraction) == Fraction(recall)


def test_the_section_states_the_ceiling_of_its_gold_set(report: Report) -> None:
    # Four and two gold papers: P@2 at most 1 and 1, P@5 at most 4/5 and 2/5.
    found = {row.cutoff: (row.precision.cell, row.recall.cell) for row in report.recall.ceilings}
    assert found == {2: ("1.00", "0.75"), 5: ("0.60", "1.00")}


def test_gold_set_and_final_labels_are_set_against_each_other() -> None:
    # q1: 1, 3 and 4 are relevant here; 3 is gold, and 5, made gold, is not relevant here. The
    # gold paper of q4 that nobody found is no judgement.
    gold = (*QUERIES[0].gold, GoldPaper(pmid="0005"))
    queries = (msgspec.structs.replace(QUERIES[0], gold=gold), *QUERIES[1:])
    part = report_of(evaluation=queries).recall
    assert [(row.query_id, row.record_id) for row in part.relevant_not_gold] == [
        ("q1", "pmid:1"),
        ("q1", "pmid:4"),
        ("q4", "pmid:32"),
    ]
    (denied,) = part.gold_not_relevant
    assert (denied.query_id, denied.record_id, denied.title) == ("q1", "pmid:5", "Paper 5")


def named(*names: str) -> list[Query]:
    return [msgspec.structs.replace(QUERIES[0], id=name) for name in names]


def test_published_figures_stand_only_beside_bioasq_questions(report: Report) -> None:
    assert report.recall.published == ()
    assert "2 of 2 queries with gold papers here have no BioASQ question id (q1 is the first)" in (
        report.recall.published_note
    )
    assert published_beside(named(BIOASQ, "q4"))[0] == ()
    assert "1 of 2 queries" in published_beside(named(BIOASQ, "q4"))[1]
    tables, note = published_beside(named(BIOASQ, f"golden_enriched:{BIOASQ[:-1]}6"))
    assert tables == published_tables()
    assert "published over 5,486 questions, here over 2" in note


def test_the_two_published_tables_stay_apart_and_dated() -> None:
    academic, web = published_tables()
    assert [row.system for row in academic.rows][:2] == ["Elicit", "Consensus"]
    assert academic.rows[1].cells == ("0.369", "0.434", "–", "–", "–")
    assert [row.cells[0] for row in web.rows] == ["0.391", "0.357", "0.319", "0.292", "0.281"]
    assert web.rows[2].cells == ("0.319", "0.363", "0.379*", "0.379*", "–")
    assert "ceiling" in web.rows[2].note
    assert "July 2026" in academic.dated
    assert "5 August 2026" in web.dated
    for table in (academic, web):
        assert table.rules
        assert table.source
        assert {len(row.cells) for row in table.rows} == {len(table.cutoffs)} == {5}


def test_recall_stands_in_its_own_sections_with_its_limits(report: Report) -> None:
    page = outline(report)
    ids = [section.id for section in page.sections]
    at = ids.index("recall")
    assert ids[at : at + 3] == ["recall", "recall-differences", "recall-published"]
    text = str([section for section in page.sections if section.id.startswith("recall")])
    for limit in report.recall.limits:
        assert limit in text
    assert "Courtesy of the U.S. National Library of Medicine" in text
    others = str([section for section in page.sections if section.id.startswith("precision")])
    assert "recall" not in others


def test_recall_is_printed_only_where_declared_and_where_there_is_gold() -> None:
    undeclared = report_of(measures=("precision_at_k",)).recall
    assert undeclared.absent_reason == "Recall is not a declared measure of this protocol."
    assert (undeclared.per_query, undeclared.published) == ((), ())
    no_gold = tuple(msgspec.structs.replace(query, gold=()) for query in QUERIES)
    absent = report_of(evaluation=no_gold).recall
    assert absent.absent_reason == "Recall needs a gold set; no query of this study has one."
    assert absent.means == ()


def test_no_recall_shows_while_labels_are_closed() -> None:
    half = tuple(
        msgspec.structs.replace(one, labels={"A": one.labels["A"]}, state="one_label", final=None)
        for one in study().items
    )
    part = report_of(items=half, agreement=(), closed=True).recall
    assert "R51" in part.absent_reason
    assert (part.per_query, part.means, part.relevant_not_gold) == ((), (), ())


def test_the_published_tables_reach_the_page_apart_from_each_other(report: Report) -> None:
    part = msgspec.structs.replace(report.recall, published=published_tables())
    page = outline(msgspec.structs.replace(report, recall=part))
    first, second = (page.table(f"recall-published-{number}") for number in (1, 2))
    assert first is not None
    assert second is not None
    assert first.caption == "Academic search: macro recall, published July 2026"
    assert first.rows[0] == ("Elicit", "0.390", "0.483", "0.603", "0.670", "0.708")
    assert second.caption.endswith("2026; Exa as corrected on 5 August 2026")
    assert second.rows[0] == ("Elicit", "0.391", "0.483", "0.603", "0.670", "0.708")
