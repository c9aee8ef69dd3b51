"""What a team says in its own words for a report: `reports/statement.toml`."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record


class FailureAnswer(Record, frozen=True, kw_only=True):
    """The answer to one declared unacceptable failure (R09)."""

    code: str
    answer: Literal["seen", "not_seen", "not_testable_here"]
    queries: tuple[str, ...] = ()
    text: str = ""


class CriterionAnswer(Record, frozen=True, kw_only=True):
    """The answer to one acceptance criterion (R80).

    Where the criterion names a threshold the verdict is computed; the answer then adds words.
    """

    code: str
    met: Literal["met", "not_met", "cannot_be_told"]
    text: str = ""


class Statement(Record, frozen=True, kw_only=True):
    """Answers, conclusions and what was left out."""

    answers: tuple[FailureAnswer, ...] = ()
    criteria: tuple[CriterionAnswer, ...] = ()
    conclusions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
