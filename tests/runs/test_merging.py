"""One record under two identifiers is one item, as the policy says and never further (R67)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.pool import pool
from judge.records.protocol import SameRecord
from judge.records.query import Query
from judge.records.run import Document, FoundAt, Hit, PooledRecord, RunRecord
from judge.runs.merging import merged_records

TITLE = "Loss of TP53 in pancreatic organoids"
RUN = RunRecord(
    status="executed",
    query_id="q1",
    information_need="n",
    query="t",
    mode="m",
    cutoffs=(2,),
    run_id="r",
    round="r1",
    system="S",
    service="web",
    endpoint="e",
    requested=10,
    outcome="answered",
)
BOTH: tuple[SameRecord, ...] = ("same_id", "same_doi", "same_title")


def runs(*hits: Hit) -> dict[tuple[str, str], RunRecord]:
    """Each hit from a system of its own, at rank 1."""
    return {
        (f"S{at}", "q1"): msgspec.structs.replace(RUN, system=f"S{at}", raw_results=(hit,))
        for at, hit in enumerate(hits)
    }


def hit(
    record_id: str, *, pmid: str | None = None, doi: str | None = None, title: str | None = None
) -> Hit:
    return Hit(rank=1, record_id=record_id, pmid=pmid, doi=doi, title=title)


def item(key: str) -> PooledRecord:
    return PooledRecord(
        query_id="q1", record_id=key, found_by=(FoundAt(system="S0", run_id="r", rank=1),)
    )


NUMBERED = hit("a", pmid="1", doi="10.1000/X", title=TITLE)
NAMED = hit("b", doi="https://doi.org/10.1000/x", title=TITLE + ": a cohort")
BARE = hit("c", title="Loss of TP53 in pancreatic organoids.")


@pytest.mark.parametrize(
    ("policy", "hits", "merged"),
    [
        (("same_id",), (NUMBERED, NAMED, BARE), {}),
        (("same_doi",), (NUMBERED, NAMED, BARE), {"doi:10.1000/x": "pmid:1"}),
        (("same_title",), (NUMBERED, NAMED, BARE), {"id:web:c": "pmid:1"}),
        (BOTH, (NUMBERED, NAMED, BARE), {"doi:10.1000/x": "pmid:1", "id:web:c": "pmid:1"}),
        # A title joins through the record that the DOI joined already.
        (
            BOTH,
            (hit("a", pmid="1", doi="10.1000/x"), hit("b", doi="10.1000/x", title=TITLE), BARE),
            {"doi:10.1000/x": "pmid:1", "id:web:c": "pmid:1"},
        ),
        # Two public identifiers and one title: a preprint and its article, two items.
        (BOTH, (hit("a", pmid="1", title=TITLE), hit("b", doi="10.2000/y", title=TITLE)), {}),
        # Which of two papers of one title an address means cannot be told.
        (
            BOTH,
            (hit("a", pmid="1", title=TITLE), hit("b", doi="10.2000/y", title=TITLE), BARE),
            {},
        ),
        # Two chapters of a book, whose DOI both have.
        (
            BOTH,
            (
                hit("a", pmid="1", doi="10.1201/b14859", title="A chapter on the liver in mice"),
                hit("b", doi="10.1201/b14859", title="A chapter on the kidney in people"),
            ),
            {},
        ),
        # Two PMIDs with one DOI are an error of somebody's, not one record.
        (BOTH, (hit("a", pmid="1", doi="10.1000/x"), hit("b", pmid="2", doi="10.1000/x")), {}),
        # Addresses alone.
        (BOTH, (BARE, hit("d", title=TITLE)), {"id:web:d": "id:web:c"}),
        # "Reply" names no paper.
        (BOTH, (hit("c", title="Reply"), hit("d", title="Reply")), {}),
    ],
)
def test_what_joins_two_keys(
    policy: tuple[SameRecord, ...], hits: tuple[Hit, ...], merged: dict[str, str]
) -> None:
    assert merged_records(runs(*hits), {}, policy, ()).get("q1", {}) == merged


def test_a_title_or_doi_that_was_looked_up_counts_too() -> None:
    documents = {
        "pmid:1": Document(record_id="pmid:1", title=TITLE, doi="10.1000/X", provenance="PubMed")
    }
    found = merged_records(
        runs(hit("a", pmid="1"), hit("b", doi="10.1000/x"), BARE), documents, BOTH, ()
    )
    assert found == {"q1": {"doi:10.1000/x": "pmid:1", "id:web:c": "pmid:1"}}


def test_a_pooled_record_keeps_its_name_when_a_better_one_is_found() -> None:
    found = merged_records(runs(NUMBERED, NAMED, BARE), {}, BOTH, [item("doi:10.1000/x")])
    assert found == {"q1": {"pmid:1": "doi:10.1000/x", "id:web:c": "doi:10.1000/x"}}


def test_two_items_that_were_pooled_apart_stay_apart() -> None:
    apart = [item("doi:10.1000/x"), item("pmid:1")]
    found = merged_records(runs(NUMBERED, NAMED, BARE), {}, BOTH, apart)
    assert found == {"q1": {"id:web:c": "pmid:1"}}


def test_the_pool_holds_one_item_that_all_three_systems_found() -> None:
    query = Query(id="q1", family="f", need="n", text="t", expected="ordinary")
    captured = runs(NUMBERED, NAMED, BARE)
    (one,) = pool([query], captured, 5, merged=merged_records(captured, {}, BOTH, ()))
    assert one.record_id == "pmid:1"
    assert [at.system for at in one.found_by] == ["S0", "S1", "S2"]


_HITS = st.lists(
    st.builds(
        hit,
        st.sampled_from("abcd"),
        pmid=st.sampled_from([None, "1", "2"]),
        doi=st.sampled_from([None, "10.1000/x", "10.1000/y"]),
        title=st.sampled_from([None, TITLE, TITLE + " again"]),
    ),
    max_size=7,
)


@given(_HITS)
def test_a_second_pool_of_the_same_answers_adds_nothing(hits: list[Hit]) -> None:
    query = Query(id="q1", family="f", need="n", text="t", expected="ordinary")
    captured = runs(*hits)
    first = pool([query], captured, 5, merged=merged_records(captured, {}, BOTH, ()))
    known = frozenset((one.query_id, one.record_id) for one in first)
    again = merged_records(captured, {}, BOTH, first)
    assert pool([query], captured, 5, known, again) == ()
    assert not {one.record_id for one in first} & set(again.get("q1", {}))


def test_a_hit_stays_with_the_record_it_was_pooled_as_whatever_is_looked_up_later() -> None:
    query = Query(id="q1", family="f", need="n", text="t", expected="ordinary")
    captured = {
        place: msgspec.structs.replace(run, run_id=f"r {place[0]}")
        for place, run in runs(
            hit("a", pmid="1", doi="10.1000/x"), hit("b", doi="10.1000/x", title=TITLE), BARE
        ).items()
    }
    first = pool([query], captured, 5, merged=merged_records(captured, {}, BOTH, ()))
    assert [one.record_id for one in first] == ["pmid:1"]
    # Another title under the PMID: the two would not be joined any more.
    other = {"pmid:1": Document(record_id="pmid:1", title="In another tongue", provenance="t")}
    again = merged_records(captured, other, BOTH, first)
    assert again == {"q1": {"doi:10.1000/x": "pmid:1", "id:web:c": "pmid:1"}}
    # A PMID that a DOI was resolved to: the record keeps the name it was judged under.
    resolved = captured | {
        ("S1", "q1"): msgspec.structs.replace(
            captured["S1", "q1"], raw_results=(hit("b", pmid="2", title=TITLE),)
        )
    }
    assert merged_records(resolved, {}, BOTH, first)["q1"]["pmid:2"] == "pmid:1"
