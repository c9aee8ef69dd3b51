"""The pool: one item per need and record, to the declared depth, whichever systems found it."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.pool import pool
from judge.records.query import Query
from judge.records.run import Hit, Outcome, PooledRecord, RunRecord

PLAN = RunRecord(
    status="executed",
    query_id="q1",
    information_need="n",
    query="t",
    mode="m",
    cutoffs=(2,),
    run_id="r",
    round="r1",
    system="K",
    service="embedded",
    endpoint="e",
    requested=10,
    outcome="answered",
)


def query(name: str) -> Query:
    return Query(id=name, family="f", need="n", text="t", expected="ordinary")


def run(system: str, name: str, pmids: str, outcome: Outcome = "answered") -> Any:
    hits = tuple(
        Hit(rank=rank, record_id=f"N{pmid}", pmid=pmid)
        for rank, pmid in enumerate(pmids.split(), 1)
    )
    record = msgspec.structs.replace(
        PLAN,
        system=system,
        query_id=name,
        run_id=f"r1/{system}/{name}/1",
        outcome=outcome,
        raw_results=hits,
    )
    return (system, name), record


def keys(found: tuple[PooledRecord, ...]) -> list[tuple[str, str]]:
    return [(one.query_id, one.record_id) for one in found]


def test_a_record_that_two_systems_found_is_one_item() -> None:
    runs = dict([run("K", "q1", "1 2 3"), run("S", "q1", "3 4 1")])
    found = pool([query("q1")], runs, 2)
    assert keys(found) == [("q1", "pmid:1"), ("q1", "pmid:2"), ("q1", "pmid:3"), ("q1", "pmid:4")]
    places = [[(at.system, at.rank) for at in one.found_by] for one in found]
    assert places == [[("K", 1)], [("K", 2)], [("S", 1)], [("S", 2)]]


def test_the_same_record_is_an_item_of_every_need_it_was_found_for() -> None:
    runs = dict([run("K", "q1", "1"), run("K", "q2", "1")])
    assert keys(pool([query("q1"), query("q2")], runs, 5)) == [
        ("q1", "pmid:1"),
        ("q2", "pmid:1"),
    ]


def test_depth_counts_raw_ranks_so_a_duplicate_pulls_nothing_up() -> None:
    runs = dict([run("K", "q1", "1 1 2 3")])
    found = pool([query("q1")], runs, 3)
    assert keys(found) == [("q1", "pmid:1"), ("q1", "pmid:2")]
    assert [(at.system, at.rank) for at in found[0].found_by] == [("K", 1), ("K", 2)]


def test_a_request_that_gave_no_list_adds_nothing() -> None:
    runs = dict([run("K", "q1", "1", "refused"), run("S", "q1", "2", "empty_reported")])
    assert pool([query("q1")], runs, 5) == ()


def test_an_empty_answer_adds_nothing_and_is_no_failure() -> None:
    assert pool([query("q1")], dict([run("K", "q1", "", "empty")]), 5) == ()


def test_what_is_pooled_already_is_not_pooled_again() -> None:
    runs = dict([run("K", "q1", "1 2 3")])
    known = frozenset({("q1", "pmid:1"), ("q1", "pmid:2")})
    assert keys(pool([query("q1")], runs, 3, known)) == [("q1", "pmid:3")]


def test_a_query_that_is_not_asked_for_is_left_out() -> None:
    assert pool([query("q1")], dict([run("K", "dev", "1")]), 5) == ()


@given(st.lists(st.integers(1, 30), max_size=12), st.integers(1, 12))
def test_the_pool_is_the_set_of_the_first_ranks(pmids: list[int], depth: int) -> None:
    runs = dict([run("K", "q1", " ".join(map(str, pmids)))])
    found = pool([query("q1")], runs, depth)
    assert {one.record_id for one in found} == {f"pmid:{pmid}" for pmid in pmids[:depth]}
    assert len(set(keys(found))) == len(found)
    assert keys(found) == sorted(keys(found))
