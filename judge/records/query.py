"""Queries: the information need, and the exact text submitted for it, byte for byte (R15)."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

QuerySet = Literal["evaluation", "development"]
Expected = Literal["ordinary", "no_match_control", "invalid_by_design", "documented_guard"]


class Translation(Record, frozen=True, kw_only=True):
    """The text one system gets instead of the query's own, and why (R27)."""

    text: str
    note: str
    """Why this system gets another text."""


class ControlCheck(Record, frozen=True, kw_only=True):
    """How, when and by whom it was checked that a no-match control has no match (R17)."""

    how: str
    on: str
    """A day as YYYY-MM-DD."""
    by: str


class GoldPaper(Record, frozen=True, kw_only=True):
    """A paper known to answer the query, for recall. At least one identifier is set."""

    pmid: str | None = None
    doi: str | None = None
    title: str | None = None


class Query(Record, frozen=True, kw_only=True):
    """One query of the evaluation or the development set."""

    id: str
    """Text without blanks; unique, and never changed after the freeze."""
    family: str
    """Code of a family of the protocol (R06)."""
    need: str
    """The information need, as a person would say it. Assessors see this, never `text`."""
    text: str
    """What is submitted, unless a system has a translation. Never trimmed or normalised."""
    expected: Expected
    """What the query is for: only `ordinary` ones have a P@k (R21)."""
    entity: str = ""
    """The one gene, drug, disease … that the query is about; empty where there is none (R19)."""
    strata: dict[str, str] = {}
    """Value by name of a declared stratum (R18)."""
    translations: dict[str, Translation] = {}
    """By system code."""
    tests: tuple[str, ...] = ()
    """Ids of documented claims whose behaviour this query tests (R20)."""
    control_check: ControlCheck | None = None
    """Needed where `expected` is `no_match_control` (R17)."""
    max_year: int | None = None
    """Publications after this year do not count, where the need has a cut-off."""
    gold: tuple[GoldPaper, ...] = ()
    """Known answers, for recall beside P@k (R60)."""
    note: str = ""
    """A remark; the report shows it for a query that is invalid by design."""

    def submitted(self, system: str) -> str:
        """The text that ``system`` gets."""
        translation = self.translations.get(system)
        return self.text if translation is None else translation.text


class FrozenQuery(Record, frozen=True, kw_only=True):
    """A query as it was frozen, with the set it belongs to (R11)."""

    set: QuerySet
    query: Query
