"""The flow of a study: from frozen queries to final labels, every loss named."""

from __future__ import annotations

from judge.records.base import Record


class FlowPart(Record, frozen=True, kw_only=True):
    """One part of a step: what goes on to the next step, or a loss with its name."""

    name: str
    count: int
    goes_on: bool


class FlowStep(Record, frozen=True, kw_only=True):
    """One step. Its parts add up to ``total``."""

    code: str
    name: str
    total: int
    parts: tuple[FlowPart, ...]


class Flow(Record, frozen=True, kw_only=True):
    """All steps in order, or the sentence that says why there are none."""

    absent_reason: str
    note: str
    steps: tuple[FlowStep, ...]
