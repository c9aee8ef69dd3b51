"""Which queries a capture asks, and which of several executions counts. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from judge.protocol.freeze import planned_runs
from judge.records.protocol import Protocol
from judge.records.query import Query
from judge.records.run import LIST_OUTCOMES, OUTCOMES, Outcome, RunRecord

DEVELOPMENT = "development"
"""The round of the development queries, which is never scored (R12)."""

ASKED_AGAIN: frozenset[Outcome] = frozenset({"auth", "quota", "timeout", "unavailable"})
"""Outcomes that say nothing about the query: the next capture asks it again.

Each execution stays on record (R14).
"""
FAILED: frozenset[Outcome] = frozenset(
    outcome for outcome in OUTCOMES if outcome not in LIST_OUTCOMES and outcome != "in_doubt"
)
"""What ``--retry-failed`` asks again: everything without a list but what may have been paid for."""


def pending(
    runs: Iterable[RunRecord], round_name: str, again: Collection[Outcome] = ASKED_AGAIN
) -> tuple[RunRecord, ...]:
    """What of a round is still to be asked, in planned order: each query without an execution, or
    whose newest one ended in ``again``. ``attempt`` is how many executions there are already."""
    own = [run for run in runs if run.round == round_name]
    newest = current_runs(own, round_name)
    chosen = []
    for plan in own:
        if plan.status != "planned":
            continue
        last = newest.get((plan.system, plan.query_id))
        if last is None:
            chosen.append(plan)
        elif last.outcome in again:
            chosen.append(msgspec.structs.replace(plan, attempt=last.attempt))
    return tuple(chosen)


def pending_development(
    plans: Iterable[RunRecord], runs: Iterable[RunRecord], *, resend_in_doubt: bool = False
) -> tuple[RunRecord, ...]:
    """The development plans with the fewest executions: a run that was stopped goes on, and one
    that was finished starts again. Nothing of it is ever scored."""
    newest = current_runs(runs, DEVELOPMENT)
    counted = []
    for plan in plans:
        last = newest.get((plan.system, plan.query_id))
        if last is None:
            counted.append(plan)
        elif resend_in_doubt or last.outcome != "in_doubt":
            counted.append(msgspec.structs.replace(plan, attempt=last.attempt))
    fewest = min((plan.attempt for plan in counted), default=0)
    return tuple(plan for plan in counted if plan.attempt == fewest)


def plan_round(
    protocol: Protocol, queries: Iterable[Query], round_name: str
) -> tuple[RunRecord, ...]:
    """Planned records of another round than the scored one."""
    moved = msgspec.structs.replace(protocol, scored_round=round_name)
    return planned_runs(moved, queries)


def current_runs(runs: Iterable[RunRecord], round_name: str) -> dict[tuple[str, str], RunRecord]:
    """The newest executed record of each (system, query) in a round; earlier ones stay (R14)."""
    newest: dict[tuple[str, str], RunRecord] = {}
    for run in runs:
        if run.round == round_name and run.status == "executed":
            key = (run.system, run.query_id)
            if key not in newest or newest[key].attempt < run.attempt:
                newest[key] = run
    return newest
