"""A cut-off year for services that cannot filter by one: a derived list beside the raw one.

Raw ranks never change (R35). The derived list is renumbered, each of its entries with its raw rank;
every hit that is not in it is named with the reason. Pure functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.records.cut import CutSystem, Why
from judge.records.run import Document, Hit, RunRecord
from judge.runs.identity import hit_key
from judge.runs.providers.reading import read_date


@dataclass(frozen=True)
class Placed:
    """A hit of the raw list and what became of it."""

    hit: Hit
    key: str
    why: Why
    rank: int | None
    """In the derived list; null where it is not in it. The raw rank is the hit's own."""
    year: str | None
    year_from: str
    """Who said the year: a source, or the search service itself; empty where nobody did."""


@dataclass(frozen=True)
class CutList:
    """One run, cut off."""

    run: RunRecord
    max_year: int
    placed: tuple[Placed, ...]

    @property
    def kept(self) -> tuple[Placed, ...]:
        """The derived list, in order."""
        return tuple(one for one in self.placed if one.rank is not None)

    def count(self, why: Why) -> int:
        """How many raw hits ended so."""
        return sum(one.why == why for one in self.placed)


def cut(run: RunRecord, max_year: int, documents: Mapping[str, Document]) -> CutList:
    """The hits of ``run`` that were published by the end of ``max_year``, one for each record.

    The year is that of the record's neutral text where it has one, else what the service said. A
    year that nobody knows never passes. Later copies of a record (its PubMed and its PMC page)
    are left out.
    """
    placed: list[Placed] = []
    seen: set[str] = set()
    rank = 0
    for hit in sorted(run.raw_results or (), key=lambda one: one.rank):
        key = hit_key(hit, run.service)
        year, said_by = _year(hit, documents.get(key), run.service)
        in_time = read_date(year).by_end_of(max_year)
        why: Why = "kept"
        if key in seen:
            why = "copy"
        elif in_time is None:
            why = "year_unknown"
        elif not in_time:
            why = "too_late"
        seen.add(key)
        if why == "kept":
            rank += 1
        placed.append(Placed(hit, key, why, rank if why == "kept" else None, year, said_by))
    return CutList(run, max_year, tuple(placed))


def filtered(run: RunRecord) -> bool:
    """Whether the service itself was asked to cut off."""
    return any(notice.kind == "year_filter" for notice in run.errors_and_notices or ())


def _year(hit: Hit, document: Document | None, service: str) -> tuple[str | None, str]:
    if document is not None and document.year:
        return document.year, document.provenance
    return (hit.year, service) if hit.year else (None, "")


def tally(system: str, lists: Sequence[CutList], filtered: int) -> CutSystem:
    """What became of the hits of a system's lists; ``filtered`` lists the service itself cut."""
    return CutSystem(
        system=system,
        lists=len(lists),
        raw=sum(len(one.placed) for one in lists),
        kept=sum(one.count("kept") for one in lists),
        too_late=sum(one.count("too_late") for one in lists),
        year_unknown=sum(one.count("year_unknown") for one in lists),
        copies=sum(one.count("copy") for one in lists),
        filtered=filtered,
    )
