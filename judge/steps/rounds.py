"""Opening and closing rounds of capture, and what each holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judge.errors import Refused
from judge.records.attempt import RoundStep
from judge.records.run import RunRecord
from judge.runs.capture import current_runs, plan_round
from judge.runs.journal import doubts_of, past_of
from judge.runs.rounds import (
    Round,
    check_closable,
    check_known,
    check_new,
    excuses,
    open_round,
    rounds,
)
from judge.steps.context import Context, Work


@dataclass(frozen=True)
class RoundLine:
    """A round with what it holds."""

    name: str
    opened_utc: str
    closed_utc: str | None
    scored: bool
    planned: int
    outcomes: dict[str, int]
    excused: int


def rounds_of(work: Work) -> tuple[Round, ...]:
    """Every round of a study."""
    frozen_utc = next(e.at_utc for e in work.ledger.events() if e.kind == "frozen")
    return rounds(
        work.ledger.all(RoundStep),
        first=work.frozen.protocol.scored_round,
        frozen_utc=frozen_utc,
        scored=work.protocol.scored_round,
    )


def refuse_closed(work: Work) -> None:
    """Raises `Refused` where the scored round is closed: nothing more goes into it (R26)."""
    for one in rounds_of(work):
        if one.scored and one.closed_utc is not None:
            raise Refused(
                f"the scored round {one.name} was closed on {one.closed_utc}; a closed round "
                "does not change, and nothing was imported",
                hint="judge round open NAME starts a new one",
            )


def start_round(context: Context, name: str) -> int:
    """Opens a round and plans every evaluation query at every system; returns how many.

    Raises `Refused` for a name that was used and while another round is open.
    """
    with context.frozen() as work:
        check_new(name, rounds_of(work))
        plans = plan_round(work.protocol, work.evaluation, name)
        step = RoundStep(name=name, step="opened", at_utc=context.clock())
        work.ledger.record("round_opened", name, [step], plans)
        return len(plans)


def finish_round(context: Context, reasons: Sequence[str] = ()) -> RoundLine:
    """Closes the open round. Raises `Refused` naming every (query, system) that has neither an
    outcome nor one of ``reasons`` (R26), and while a paid request has no record of its end."""
    with context.frozen() as work:
        own = open_round(rounds_of(work))
        planned, current = _of(work.runs, own.name)
        check_known(doubts_of(past_of(work.ledger, own.name), work.runs, own.name))
        missing = [pair for pair in planned if pair not in current]
        excused = excuses(reasons, missing, planned)
        check_closable(missing, excused)
        step = RoundStep(name=own.name, step="closed", at_utc=context.clock(), excused=excused)
        work.ledger.record("round_closed", own.name, [step])
        closed = Round(own.name, own.opened_utc, step.at_utc, own.scored, excused)
        return _line(closed, work.runs)


def list_rounds(context: Context) -> tuple[RoundLine, ...]:
    """Every round with its dates and outcomes."""
    with context.frozen() as work:
        return tuple(_line(one, work.runs) for one in rounds_of(work))


def _of(
    runs: Sequence[RunRecord], name: str
) -> tuple[list[tuple[str, str]], dict[tuple[str, str], RunRecord]]:
    planned = [
        (run.system, run.query_id) for run in runs if run.round == name and run.status == "planned"
    ]
    return planned, current_runs(runs, name)


def _line(one: Round, runs: Sequence[RunRecord]) -> RoundLine:
    planned, current = _of(runs, one.name)
    return RoundLine(
        name=one.name,
        opened_utc=one.opened_utc,
        closed_utc=one.closed_utc,
        scored=one.scored,
        planned=len(planned),
        outcomes=dict(Counter(str(run.outcome) for run in current.values())),
        excused=len(one.excused),
    )
