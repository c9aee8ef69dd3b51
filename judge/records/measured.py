"""The measured part of `report.json`: every number that is not a plain count, and its tables.

Numbers are `Share`: text, never a float, so that canonical bytes exist and every form of the
report prints the same digits.
"""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record


class Share(Record, frozen=True, kw_only=True):
    """An exact number: the fraction as it was counted, and its decimal (`reports.numbers`)."""

    fraction: str
    decimal: str


class Figure(Record, frozen=True, kw_only=True):
    """A number, or bounds where it is incomplete, or a sentence where there is none."""

    cell: str
    """The figure as every form of the report prints it."""
    lower: Share | None = None
    upper: Share | None = None
    """Equal to ``lower`` where the figure is complete."""


class Pair(Record, frozen=True, kw_only=True):
    """A name and what stands for it."""

    name: str
    text: str


class Coefficient(Record, frozen=True, kw_only=True):
    """One agreement figure with its definition; the cell is a sentence where it is undefined."""

    name: str
    definition: str
    figure: Figure


class TableRow(Record, frozen=True, kw_only=True):
    """One row of the table of counts: the first assessor's label against the second's."""

    label: str
    counts: tuple[int, ...]


class AgreementSection(Record, frozen=True, kw_only=True):
    """Two assessors at one freeze of the first labels."""

    freeze: int
    at_utc: str
    first: str
    second: str
    pooled: int
    both_judged: int
    coverage: tuple[Pair, ...]
    labels: tuple[str, ...]
    table: tuple[TableRow, ...]
    coefficients: tuple[Coefficient, ...]


class QueryRow(Record, frozen=True, kw_only=True):
    """P@k of one query at one system and cutoff."""

    query_id: str
    family: str
    system: str
    cutoff: int
    standing: Literal["scored", "incomplete", "excluded"]
    figure: Figure
    returned: int | None
    filled: int | None
    judged: int | None
    unjudged: int | None
    cannot_judge: int | None
    uncertain: int | None
    duplicates: int | None
    left_out: str
    """Why the query is not in the mean; empty where it is."""


class LeftOut(Record, frozen=True, kw_only=True):
    """A query (or a family) that a mean leaves out, and why."""

    id: str
    reason: str


class MeanRow(Record, frozen=True, kw_only=True):
    """A mean of P@k at one system and cutoff, and what is in it (R70)."""

    over: Literal["queries", "families"]
    family: str
    """The family of a per-family mean; empty for a mean over the whole set."""
    system: str
    cutoff: int
    figure: Figure
    members: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class AccountRow(Record, frozen=True, kw_only=True):
    """The parts of the frozen set at one system and cutoff; they add up (R66)."""

    system: str
    cutoff: int
    frozen: int
    scored: int
    incomplete: int
    excluded: int
    controls: int
    guards: int
    invalid: int


class PrecisionSection(Record, frozen=True, kw_only=True):
    """Precision at fixed depth."""

    absent_reason: str
    """Why there are no figures; empty where there are."""
    cutoffs: tuple[int, ...]
    post_hoc: tuple[int, ...]
    """Cutoffs that came by an amendment after runs had been made (R59)."""
    definition: str
    handling: str
    rounding: str
    per_query: tuple[QueryRow, ...]
    per_family: tuple[MeanRow, ...]
    means: tuple[MeanRow, ...]
    accounting: tuple[AccountRow, ...]


class RecallRow(Record, frozen=True, kw_only=True):
    """Share of a query's gold papers, or the mean of the shares, at one system and cutoff."""

    query_id: str
    """Empty for the mean."""
    system: str
    cutoff: int
    gold: int
    figure: Figure
    queries: int
    """Queries in the figure, of ``asked`` that have gold papers; 1 of 1 for one query."""
    asked: int


class RecallSection(Record, frozen=True, kw_only=True):
    """Recall against gold papers, in its own section (R60)."""

    absent_reason: str
    definition: str
    per_query: tuple[RecallRow, ...]
    means: tuple[RecallRow, ...]
