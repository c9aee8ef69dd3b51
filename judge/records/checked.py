"""What a report says of records that were checked at their sources, apart from every service."""

from __future__ import annotations

from judge.records.base import Record
from judge.records.source import SourceName


class VerdictCount(Record, frozen=True, kw_only=True):
    """How many records have which verdict of one source on one question (R36)."""

    source: SourceName
    question: str
    """``retraction``, ``correction``, ``concern``, ``preprint``, ``type`` or ``updated``."""
    yes: int
    no_signal: int
    """The source has the record and says nothing: no proof of absence."""
    not_found: int
    not_checked: int
    error: int


class FlaggedRecord(Record, frozen=True, kw_only=True):
    """A source's ``yes`` on a retraction, a concern or a correction, with its evidence (R78)."""

    record_id: str
    question: str
    source: SourceName
    signals: tuple[str, ...]
    """Every signal of that source, in its own words."""
    at_utc: str
    body: str
    """SHA-256 of the reply; its bytes lie under `runs/raw/`."""


class Checked(Record, frozen=True, kw_only=True):
    """Records at their sources. Without a row nothing was checked, and ``summary`` says so."""

    summary: str
    counts: tuple[VerdictCount, ...] = ()
    flagged: tuple[FlaggedRecord, ...] = ()
