"""What a figure shows, as plain data: names, numbers and words, and no picture yet.

A drawing is made with the page, so that every form of the report knows what is drawn; only the
HTML turns it into a picture (`judge.reports.figures.draw`), and only that needs matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.records.measured import Figure, Interval

_REASON = re.compile(r"– \((?:no list \()?(?P<why>.+?)\)*")
"""A cell without a number: the dash, and the reason, which is what there is room for."""


@dataclass(frozen=True)
class Dot:
    """One value in a row of one panel: a number, a pair of bounds, or words where there is none."""

    lower: float | None = None
    upper: float | None = None
    """Equal to ``lower`` where the value is complete."""
    interval: tuple[float, float] | None = None
    words: str = ""
    """Stands where the value would; for a bar, at its end."""

    @property
    def known(self) -> bool:
        return self.lower is not None


@dataclass(frozen=True)
class Row:
    """One line of a grid: its name, a dot for each panel, and a note at the right edge."""

    name: str
    dots: tuple[Dot, ...]
    note: str = ""
    group: str = ""
    """A heading stands above the first row of each run of rows of one group."""


@dataclass(frozen=True)
class Scale:
    """The axis that all panels of a grid share."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Grid:
    """Rows against panels on one scale, as dots or as bars."""

    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    scale: Scale
    by_row: bool = False
    """Colour and mark tell the place of a row in its group, and not the panel."""
    joined: bool = False
    """Dots of one group are joined by a line, top to bottom."""
    bars: bool = False


@dataclass(frozen=True)
class Matrix:
    """Counts of rows against columns; row and column labels are the same."""

    down: str
    across: str
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Step:
    """One stage of a flow: what is left at it, and what went another way on the way there."""

    label: str
    count: int
    aside: str = ""


@dataclass(frozen=True)
class Flow:
    """Stages from top to bottom."""

    steps: tuple[Step, ...]


Drawing = Grid | Matrix | Flow


@dataclass(frozen=True)
class Chart:
    """A figure of the page: what it is called, how it is read, and what is drawn.

    Its numbers are those of the tables that stand directly below it; in a form without pictures
    the words and the tables are all there is.
    """

    id: str
    title: str
    description: str
    tables: tuple[str, ...]
    """Ids of those tables, in their order."""
    drawing: Drawing


IN_TABLE = "The numbers are in the table below."
PAGE = 40
"""Rows of one figure: as many as a printed page holds."""
MOST_PANELS = 6

SHARES = Scale(0, 1, tuple((n / 5, f"{n / 5:.1f}") for n in range(6)))
DIFFERENCES = Scale(-1, 1, tuple((n / 2, f"{n / 2:+.1f}" if n else "0") for n in range(-2, 3)))


def dot(figure: Figure, interval: Interval | None = None) -> Dot:
    """The dot of a figure of the report; where there is no number, its reason."""
    if figure.lower is None or figure.upper is None:
        found = _REASON.fullmatch(figure.cell)
        return Dot(words=found["why"] if found else figure.cell)
    limits = None
    if interval is not None and interval.lower:
        limits = float(interval.lower), float(interval.upper)
    return Dot(value(figure.lower.fraction), value(figure.upper.fraction), limits)


def value(fraction: str) -> float:
    """A share's exact text as a place on an axis."""
    return float(Fraction(fraction))


def counts_scale(most: int) -> Scale:
    """An axis from 0 that holds ``most``, with up to five whole steps of 1, 2 or 5 times a power
    of ten."""
    step = next(
        size * 10**power
        for power in range(18)
        for size in (1, 2, 5)
        if size * 10**power * 5 >= most
    )
    high = max(step, -(-most // step) * step)
    return Scale(0, high, tuple((n, f"{n:,}") for n in range(0, high + 1, step)))


def pages(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """The rows in runs of equal length that fit a figure each."""
    count = max(1, -(-len(rows) // PAGE))
    size = -(-len(rows) // count)
    return [tuple(rows[at : at + size]) for at in range(0, len(rows), size)]


def anything(rows: Sequence[Row]) -> bool:
    """Whether there is anything to draw."""
    return any(one.known for row in rows for one in row.dots)
