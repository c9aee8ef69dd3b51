"""What a report says of lists cut off at a query's year: the raw ranks, and those derived."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

Why = Literal["kept", "too_late", "year_unknown", "copy"]


class CutSystem(Record, frozen=True, kw_only=True):
    """One system's lists of queries that have a cut-off year, in hits."""

    system: str
    lists: int
    raw: int
    """Hits of the raw lists."""
    kept: int
    """Hits of the derived lists."""
    too_late: int
    year_unknown: int
    copies: int
    filtered: int
    """Further lists, which the service itself was asked to cut off."""


class CutHit(Record, frozen=True, kw_only=True):
    """A hit within pool depth whose rank differs in the derived list."""

    query_id: str
    system: str
    record_id: str
    raw_rank: int
    rank: int | None
    """In the derived list; null where it is left out."""
    why: Why
    year: str
    year_from: str


class Cut(Record, frozen=True, kw_only=True):
    """Lists cut off by year, beside the raw ones. No score rests on a derived list."""

    summary: str
    systems: tuple[CutSystem, ...] = ()
    moved: tuple[CutHit, ...] = ()
