"""Failure review as `report.json` prints it: by category and system, and how coders agree."""

from __future__ import annotations

from judge.records.base import Record
from judge.records.measured import Figure


class NamedBy(Record, frozen=True, kw_only=True):
    """How many items one coder named."""

    coder: str
    items: int


class CategoryRow(Record, frozen=True, kw_only=True):
    """One category at one system. What the records say is counted apart from what people named."""

    category: str
    system: str
    automatic: int
    """Requests and hits where the records alone say it, down to the deepest cutoff."""
    named: tuple[NamedBy, ...]
    """What each coder named beside that."""
    by_all: int | None
    """Items at which every coder named it; null with fewer than two coders."""


class ReviewedRow(Record, frozen=True, kw_only=True):
    """How much of one system's answers was reviewed by one coder."""

    system: str
    coder: str
    requests: int
    requests_coded: int
    hits: int
    """Hits of ordinary queries down to the deepest cutoff."""
    hits_coded: int
    nothing: int
    """Coded items at which nothing was named."""


class CategoryAgreement(Record, frozen=True, kw_only=True):
    """One category: the items that two coders coded, named by both, one or neither."""

    category: str
    both: int
    first_alone: int
    second_alone: int
    neither: int
    raw: Figure
    on_named: Figure
    """2 both ÷ (2 both + the first alone + the second alone)."""
    alpha: Figure
    kappa: Figure


class CoderAgreement(Record, frozen=True, kw_only=True):
    """Two coders over the items that both coded; what the records say takes no part."""

    first: str
    second: str
    items: int
    same: Figure
    """Items at which both named exactly the same categories."""
    categories: tuple[CategoryAgreement, ...]


class CodedLine(Record, frozen=True, kw_only=True):
    """One request or hit that somebody said something of (R73); no label, no score (R77)."""

    run_id: str
    query_id: str
    system: str
    rank: int | None
    """Null where it is the request itself."""
    record_id: str
    automatic: tuple[str, ...]
    named: tuple[str, ...]
    text: str
    by: str


class FailureReview(Record, frozen=True, kw_only=True):
    """What went wrong by category: from the records, and as people named it."""

    note: str
    """Whether there is a review, by whom, and whether it is open yet."""
    rule: str
    """What went into the packets, and the cap."""
    categories: tuple[CategoryRow, ...]
    reviewed: tuple[ReviewedRow, ...]
    agreement: tuple[CoderAgreement, ...]
    lines: tuple[CodedLine, ...]
