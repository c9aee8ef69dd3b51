"""What other sources say of a record: apart from all that a search service said (R37)."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.run import Document

Verdict = Literal["yes", "no_signal", "not_found", "not_checked", "error"]
"""``no_signal`` is no proof of absence; ``not_found`` and ``error`` say nothing at all."""
SourceName = Literal["pubmed", "europepmc", "crossref", "openalex"]


class SourceSays(Record, frozen=True, kw_only=True):
    """One source on one record (R36)."""

    source: SourceName
    retraction: Verdict
    correction: Verdict
    concern: Verdict
    """An expression of concern."""
    preprint: Verdict
    signals: tuple[str, ...] = ()
    """Every signal in the source's own words, each of them kept."""
    types: tuple[str, ...] = ()
    """Publication types."""
    updated: str | None = None
    """When the source last changed its record."""
    at_utc: str | None = None
    """When it answered; null where it was not asked."""
    body: str | None = None
    """SHA-256 of the reply; the bytes are in the store."""
    said: str = ""
    """Why there is no verdict."""


class SourceCheck(Record, frozen=True, kw_only=True):
    """One check of a record at its sources; the newest of a record counts."""

    record_id: str
    number: int
    """1, 2, … for the record."""
    says: tuple[SourceSays, ...]
    document: Document | None
    """The neutral text from now on; null where it stays as it was."""


class ImportedText(Record, frozen=True, kw_only=True):
    """The neutral text that a team brought for a record; the newest of a record counts."""

    number: int
    """1, 2, … for the record."""
    document: Document


class ResolvedId(Record, frozen=True, kw_only=True):
    """What NCBI's ID converter makes of a PMCID; the newest of a PMCID counts.

    Hits are never changed: keys alone are derived with it.
    """

    pmcid: str
    """``PMC`` and digits, without padding and version."""
    number: int
    state: Literal["resolved", "no_pmid", "not_found", "not_live", "error"]
    """``not_found`` is not in PMC; ``not_live`` a withdrawn or superseded version, never used."""
    pmid: str | None = None
    doi: str | None = None
    live: str | None = None
    """As the converter says it."""
    at_utc: str
    body: str | None = None
    said: str = ""
