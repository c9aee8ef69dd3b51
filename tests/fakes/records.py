"""What a capture left behind, and how it ended."""

from __future__ import annotations

import pytest

from judge.records.attempt import Attempt, Intent
from judge.records.run import RunRecord
from judge.runs.capture import current_runs
from judge.runs.exchange import Limits
from judge.steps.capturing import NO_WISH, Wish
from judge.steps.context import Context
from judge.steps.running import StoppedEarly, capture_study
from tests.fakes.adapter import FakeAdapter, listed
from tests.fakes.server import Answer, Seen
from tests.fakes.study import FAST, wire


def outcomes(context: Context, round_name: str = "r1") -> dict[str, str]:
    """By query: the newest outcome."""
    with context.study.ledger(context.clock) as ledger:
        runs = ledger.all(RunRecord)
    return {query: str(run.outcome) for (_, query), run in current_runs(runs, round_name).items()}


def records(context: Context) -> list[RunRecord]:
    with context.study.ledger(context.clock) as ledger:
        return [run for run in ledger.all(RunRecord) if run.status == "executed"]


def attempts(context: Context) -> tuple[Attempt, ...]:
    with context.study.ledger(context.clock) as ledger:
        return ledger.all(Attempt)


def intents(context: Context) -> tuple[Intent, ...]:
    with context.study.ledger(context.clock) as ledger:
        return ledger.all(Intent)


def stopped(
    context: Context, url: str, adapter: FakeAdapter, wish: Wish = NO_WISH, limits: Limits = FAST
) -> StoppedEarly:
    """The early stop that a capture ends with."""
    with pytest.raises(StoppedEarly) as caught:
        capture_study(context, wish=wish, wire=wire(url, adapter, limits=limits))
    return caught.value


def pages(seen: Seen) -> Answer:
    """Two pages of two and one."""
    name = seen.params["q"]
    if seen.params["page"] == "1":
        return Answer(listed(f"{name}-1", f"{name}-2", more=True), good=True)
    return Answer(listed(f"{name}-3"), good=True)
