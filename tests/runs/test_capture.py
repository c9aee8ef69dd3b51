"""What is still to be asked, and which of several executions counts."""

from __future__ import annotations

from typing import Any

import msgspec

from judge.protocol.freeze import planned_runs, run_id
from judge.records.query import Query
from judge.records.run import Hit, Outcome, RunRecord
from judge.runs.capture import DEVELOPMENT, current_runs, pending, plan_round
from tests.steps.studies import START
from tests.steps.studies import TWO_ASSESSORS as PROTOCOL


def query(name: str) -> Query:
    return Query(id=name, family="f", need="n", text=name, expected="ordinary")


PLANNED = planned_runs(PROTOCOL, [query("q1"), query("q2")])


def executed(plan: RunRecord, attempt: int, outcome: Outcome, **fields: Any) -> RunRecord:
    return msgspec.structs.replace(
        plan,
        status="executed",
        attempt=attempt,
        run_id=run_id(plan.round, plan.system, plan.query_id, attempt),
        retrieved_at_utc=START,
        outcome=outcome,
        **fields,
    )


def pairs(runs: Any) -> list[tuple[str, str]]:
    return [(run.query_id, run.system) for run in runs]


def test_what_has_no_execution_is_asked_in_the_order_of_the_plan() -> None:
    assert pairs(pending(PLANNED, "r1")) == [("q1", "K"), ("q1", "S"), ("q2", "K"), ("q2", "S")]
    done = [executed(PLANNED[1], 1, "answered", raw_results=(Hit(rank=1, record_id="x"),))]
    assert pairs(pending([*PLANNED, *done], "r1")) == [("q1", "K"), ("q2", "K"), ("q2", "S")]


def test_an_answer_is_an_answer_an_empty_or_refused_one_too() -> None:
    done = [
        executed(PLANNED[0], 1, "empty", raw_results=()),
        executed(PLANNED[1], 1, "refused"),
        executed(PLANNED[2], 1, "rejected"),
        executed(PLANNED[3], 1, "bad_reply"),
    ]
    assert pending([*PLANNED, *done], "r1") == ()


def test_another_round_is_another_matter() -> None:
    done = [
        msgspec.structs.replace(executed(plan, 1, "answered"), round="development")
        for plan in PLANNED
    ]
    assert pending([*PLANNED, *done], "r1") == PLANNED
    assert pending([*PLANNED, *done], "r2") == ()
    assert current_runs([*PLANNED, *done], "r1") == {}


def test_a_later_execution_counts_and_the_earlier_one_stays() -> None:
    first = executed(PLANNED[0], 1, "timeout")
    second = executed(PLANNED[0], 2, "answered", raw_results=(Hit(rank=1, record_id="x"),))
    for order in ([first, second], [second, first]):
        runs = [*PLANNED, *order]
        assert current_runs(runs, "r1") == {("K", "q1"): second}
        assert [run for run in runs if run.status == "executed"] == order


def test_a_plan_is_no_execution() -> None:
    assert current_runs(PLANNED, "r1") == {}


def test_development_queries_are_planned_in_a_round_that_is_never_scored() -> None:
    plans = plan_round(PROTOCOL, [query("d1")], DEVELOPMENT)
    assert {plan.round for plan in plans} == {"development"}
    assert [plan.run_id for plan in plans] == ["development/K/d1/0", "development/S/d1/0"]
    assert PROTOCOL.scored_round == "r1"
