"""The end of `report.json`: acceptance criteria, limitations, and what was left out."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.measured import Figure, Share

Verdict = Literal["met", "not_met", "cannot_be_told", "unanswered"]
ToldBy = Literal["mean", "team", "nobody"]
"""Whether a verdict was computed from a mean or given by the team."""


class CriterionRow(Record, frozen=True, kw_only=True):
    """One acceptance criterion of the team and its verdict (R80)."""

    code: str
    text: str
    reason: str
    """Why it fits the task, as declared."""
    post_hoc: bool
    """It was declared or changed after runs had been made."""
    verdict: Verdict
    told_by: ToldBy
    measured: str
    """Which mean the criterion is about; empty where it names none."""
    at_least: Share | None
    """The declared threshold; null where the criterion names no mean."""
    figure: Figure | None
    """That mean, or its bounds; null where there is none."""
    remark: str
    """The team's own words."""


class CriteriaSection(Record, frozen=True, kw_only=True):
    """Acceptance criteria; the tool ships none."""

    absent_reason: str
    """Why no criterion has a verdict yet; empty once verdicts may be given."""
    note: str
    rows: tuple[CriterionRow, ...]


class Limitations(Record, frozen=True, kw_only=True):
    """What a reader must not take from the report."""

    always: tuple[str, ...]
    """True of any such test (R08, R43, R48, R72)."""
    here: tuple[str, ...]
    """True of this study, each sentence with its count."""


class OmittedRow(Record, frozen=True, kw_only=True):
    """Something that no figure of the report holds, how much of it, and why."""

    what: str
    count: int
    why: str


class Omitted(Record, frozen=True, kw_only=True):
    """What was left out: by the data, then in the team's words."""

    rows: tuple[OmittedRow, ...]
    said: tuple[str, ...]
