"""Amendments: beside the frozen bytes, in order, each with what had been seen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judge.errors import Invalid, Refused
from judge.protocol.amend import effective, effective_query, propose
from judge.protocol.freeze import freeze
from judge.records.protocol import Amendment
from judge.records.query import Query, Translation
from tests.steps.studies import START
from tests.steps.studies import TWO_ASSESSORS as PROTOCOL

FROZEN = freeze(PROTOCOL, b"rubric", {}, None)


def query(name: str, **fields: Any) -> Query:
    return Query(id=name, family="f", need=f"On {name}", text=name, expected="ordinary", **fields)


QUERIES = {
    one.id: one
    for one in (
        query("q1", translations={"S": Translation(text="about q1", note="words")}),
        query("1.1"),
        query("1"),
        query("q1.text"),
    )
}


def proposed(
    target: str, after: str, *earlier: Amendment, least_seen: Any = "nothing_run", **fields: Any
) -> Amendment:
    said = {"author": "R1", "reason": "A slip.", "seen": "results_seen"}
    return propose(
        FROZEN,
        QUERIES,
        earlier,
        target=target,
        after=after,
        least_seen=least_seen,
        at_utc=START,
        **said | fields,
    )


def test_an_amendment_says_what_changed_from_what_to_what() -> None:
    found = proposed("protocol.depth.cutoffs", "[4]", seen="nothing_run")
    assert found == Amendment(
        number=1,
        at_utc=START,
        author="R1",
        reason="A slip.",
        seen="nothing_run",
        target="protocol.depth.cutoffs",
        before="[2,4]",
        after="[4]",
    )
    assert effective(FROZEN, [found]).depth.cutoffs == (4,)
    assert FROZEN.protocol.depth.cutoffs == (2, 4)


def test_amendments_hold_in_the_order_of_filing() -> None:
    first = proposed("protocol.depth.pool", "3")
    second = proposed("protocol.title", "Another title", first)
    third = proposed("protocol.depth.pool", "5", first, second)
    assert (second.number, third.number) == (2, 3)
    assert (third.before, third.after) == ("3", "5")
    found = effective(FROZEN, [first, second, third])
    assert (found.depth.pool, found.title) == (5, "Another title")
    assert effective(FROZEN, [first]).depth.pool == 3


@pytest.mark.parametrize(
    ("target", "after", "field", "value"),
    [
        ("queries.q1.need", "On q1, in people", "need", "On q1, in people"),
        ("queries.q1.max_year", "2019", "max_year", 2019),
        ("queries.q1.text", '"2019"', "text", "2019"),
        ("queries.q1.strata", '{"organism": "human"}', "strata", {"organism": "human"}),
        ("queries.1.1.need", "On 1.1 anew", "need", "On 1.1 anew"),
        ("queries.q1.text.need", "On q1.text anew", "need", "On q1.text anew"),
    ],
)
def test_a_query_is_amended_by_its_field(target: str, after: str, field: str, value: Any) -> None:
    found = proposed(target, after)
    changed = [name for name, one in QUERIES.items() if effective_query(one, [found]) != one]
    assert len(changed) == 1
    assert target == f"queries.{changed[0]}.{field}"
    assert getattr(effective_query(QUERIES[changed[0]], [found]), field) == value


def test_a_field_inside_a_query_is_reached() -> None:
    found = proposed("queries.q1.translations.S.text", "on q1")
    assert effective_query(QUERIES["q1"], [found]).submitted("S") == "on q1"
    assert json.loads(found.before) == "about q1"


@pytest.mark.parametrize(
    ("claimed", "known", "good"),
    [
        ("nothing_run", "nothing_run", True),
        ("results_seen", "nothing_run", True),
        ("run_results_not_seen", "run_results_not_seen", True),
        ("nothing_run", "run_results_not_seen", False),
        ("nothing_run", "results_seen", False),
        ("run_results_not_seen", "results_seen", False),
    ],
)
def test_nobody_claims_to_have_seen_less_than_is_known(
    claimed: Any, known: Any, good: bool
) -> None:
    if good:
        found = proposed("protocol.depth.pool", "3", least_seen=known, seen=claimed)
        assert found.seen == claimed
        return
    with pytest.raises(Refused) as error:
        proposed("protocol.depth.pool", "3", least_seen=known, seen=claimed)
    assert f"--seen {claimed} is less than the store knows ({known})" in error.value.message
    assert error.value.hint == f"say --seen {known}"


@pytest.mark.parametrize(
    ("target", "after", "said"),
    [
        ("protocol.depth.cutofs", "[2]", "no field 'cutofs' (did you mean 'cutoffs'?)"),
        ("protocol.dept.pool", "3", "no field 'dept' (did you mean 'depth'?)"),
        ("protocol.depth.pool.deep", "3", "no field 'deep'"),
        ("protocol.depth.pool", "three", "depth.pool cannot take this value"),
        ("protocol.depth.pool", "3.5", "depth.pool cannot take this value"),
        ("protocol.depth", '{"pool": 3}', "depth cannot take this value"),
        ("protocol.choices.gaps", "guess", "choices.gaps cannot take this value"),
        ("protocol.title", "2024", "title cannot take this value"),
        ("queries.q1.needs", "x", "no field 'needs' (did you mean 'need'?)"),
        ("queries.q9.need", "x", "names nothing that was frozen"),
        ("queries.q1.id", "q2", "the id of a query never changes"),
        ("rubric", "x", "names nothing that was frozen"),
        ("protocol.depth.pool", "\ud800", "--after: character 1 is a lone surrogate"),
    ],
)
def test_what_cannot_be_changed_so_is_refused(target: str, after: str, said: str) -> None:
    with pytest.raises(Invalid) as error:
        proposed(target, after)
    assert said in "\n".join(error.value.lines())


def test_a_change_that_changes_nothing_is_refused() -> None:
    with pytest.raises(Refused, match=r"protocol.depth.pool is 4 already; nothing was written"):
        proposed("protocol.depth.pool", "4")
    first = proposed("protocol.depth.pool", "3")
    with pytest.raises(Refused, match="is 3 already"):
        proposed("protocol.depth.pool", "3", first)
    assert proposed("protocol.depth.pool", "4", first).before == "3"


def test_who_and_why_are_always_said() -> None:
    with pytest.raises(Invalid) as error:
        proposed("protocol.depth.pool", "3", author=" ", reason="")
    assert [problem.where for problem in error.value.problems] == ["--author", "--reason"]
    with pytest.raises(Invalid) as error:
        proposed("protocol.depth.pool", "3", author="R\udcff", reason="a\x00b")
    assert [problem.where for problem in error.value.problems] == ["--author", "--reason"]
