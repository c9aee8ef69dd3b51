"""What coders do in tests: the small study with failure review declared, and its packets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from judge.judgements.coding import CodingSitting
from judge.records.judgement import FailureCategory
from judge.records.protocol import Amendment
from judge.steps.context import Context
from judge.steps.judging import (
    collect_packet,
)
from judge.steps.reviewing import failure_packet
from judge.store.desk import Desk
from tests.steps.studies import START

Choice = Callable[[str, int | None], tuple[FailureCategory, ...]]


def declare(context: Context) -> Context:
    """The protocol declares the measure, by amendment: the small study's own does not."""
    said = Amendment(
        number=1,
        at_utc=START,
        author="R1",
        reason="Failures are coded too.",
        seen="results_seen",
        target="protocol.measures",
        before='["precision_at_k","agreement"]',
        after='["precision_at_k","agreement","failure_categories"]',
    )
    with context.frozen() as work:
        work.ledger.record("amended", said.target, [said])
    return context


def near(system: str, rank: int | None) -> tuple[FailureCategory, ...]:
    return ("near_semantic_match",) if rank is not None and system == "S" else ()


def literal(system: str, rank: int | None) -> tuple[FailureCategory, ...]:
    return ("wrong_literal_match",) if rank is not None else ()


def coding_at(desk: Desk) -> CodingSitting:
    return CodingSitting(desk, monotonic=iter(range(10_000)).__next__, today=lambda: START[:10])


def code_packet(path: Path, choice: Choice, *, hand_in: bool = True) -> None:
    """Codes every item of a packet by its system and rank."""
    with Desk(path) as desk:
        sitting = coding_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            view = sitting.shown()
            sitting.code(choice(view.system, view.hit.rank if view.hit else None))
        if hand_in:
            sitting.hand_in("I coded alone.")


def reviewed(context: Context, code: str, choice: Choice) -> Path:
    path = failure_packet(context, code)
    code_packet(path, choice)
    collect_packet(context, path, code)
    return path
