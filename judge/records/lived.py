"""What became of labels and decisions, as a report says it."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.measured import Pair


class Tally(Record, frozen=True, kw_only=True):
    """A name and how many."""

    name: str
    count: int


class StepLine(Record, frozen=True, kw_only=True):
    """One step outside the desk: a retraction, evidence found, an exclusion."""

    number: int
    at_utc: str
    what: str
    query_id: str
    record_id: str
    labels_of: tuple[str, ...]
    """Assessors whose label stands no longer by it."""
    by: str
    reason: str
    effect: str
    """What it does to labels, agreement, decision and P@k, by the table of consequences."""


class FreezeLine(Record, frozen=True, kw_only=True):
    """How a frozen agreement stands today."""

    freeze: int
    at_utc: str
    standing: Literal["current", "superseded", "invalid"]
    retracted: int
    """Labels in it that were retracted since."""
    said: str


class TwinLine(Record, frozen=True, kw_only=True):
    """Two records of one need that seem to be one work, and got different labels."""

    query_id: str
    first: str
    second: str
    because: str
    labels: str
    """Each set of labels in which they differ, as ``A: relevant / not_relevant``."""


class Lived(Record, frozen=True, kw_only=True):
    """States of the pool, and everything that changed a label's standing."""

    states: tuple[Tally, ...]
    settling: tuple[Pair, ...]
    """How decisions were reached, each as a count of a count."""
    versions: tuple[Tally, ...]
    """Live labels by version of the rubric; empty while there was one version only."""
    revised: int
    """Live labels that their assessor gave after seeing another's."""
    steps: tuple[StepLine, ...]
    freezes: tuple[FreezeLine, ...]
    twins: tuple[TwinLine, ...]
