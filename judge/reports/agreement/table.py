"""The table of counts that every figure of agreement is computed from.

An item is nothing more than its pair of labels, so that a query is a table of 25 counts. Figures
are taken on the part of it that holds judgements; what is missing is counted and never compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge.errors import Invalid, Problem
from judge.records.judgement import FrozenPair

NOT_YET = "not_yet_judged"
ROWS: tuple[str, ...] = ("relevant", "not_relevant", "uncertain", "cannot_judge", NOT_YET)
"""Labels in the order of rows and columns; the first three are judgements."""
JUDGED = 3
RELEVANT = 0

Cells = NDArray[np.int64]
"""Counts by label of the first and of the second assessor: the last two axes."""

NO_PAIR = "No document has been labelled by two assessors yet."


@dataclass(frozen=True)
class Counts:
    """Items of each query by both labels."""

    queries: tuple[str, ...]
    cells: Cells
    """Shape (queries, 5, 5); labels in the order of `ROWS`."""

    @property
    def table(self) -> Cells:
        """All queries together: shape (5, 5)."""
        return np.asarray(self.cells.sum(axis=0))

    @property
    def judged(self) -> Cells:
        """The part that both judged: shape (queries, 3, 3)."""
        return self.cells[:, :JUDGED, :JUDGED]


def count(
    pairs: Sequence[FrozenPair], first: str, second: str, queries: Iterable[str] = ()
) -> Counts:
    """Counts of assessors ``first`` and ``second`` (codes) over frozen pairs of labels.

    Rows are for ``queries`` in their order, then for others that the pairs name. Raises `Invalid`
    for a label outside `ROWS` and for an item that stands twice, all of them named.
    """
    places = {label: place for place, label in enumerate(ROWS)}
    rows = {query: row for row, query in enumerate(dict.fromkeys(queries))}
    for pair in pairs:
        rows.setdefault(pair.query_id, len(rows))
    try:
        flat = [
            (rows[pair.query_id] * len(ROWS) + places[pair.labels.get(first, NOT_YET)]) * len(ROWS)
            + places[pair.labels.get(second, NOT_YET)]
            for pair in pairs
        ]
    except KeyError:
        raise _unknown(pairs, (first, second)) from None
    if len({(pair.query_id, pair.record_id) for pair in pairs}) < len(pairs):
        raise _doubled(pairs)
    size = len(rows) * len(ROWS) ** 2
    counts = np.bincount(np.array(flat, dtype=np.int64), minlength=size)
    return Counts(tuple(rows), counts.reshape(len(rows), len(ROWS), len(ROWS)))


def two_valued(cells: Cells, label: int = RELEVANT) -> tuple[Cells, Cells, Cells, Cells]:
    """a, b, c, d of ``label`` against the rest: both, first alone, second alone, neither."""
    a = cells[..., label, label]
    b = cells[..., label, :].sum(axis=-1) - a
    c = cells[..., :, label].sum(axis=-1) - a
    return a, b, c, total(cells) - a - b - c


def total(cells: Cells) -> Cells:
    """Items per table."""
    return np.asarray(cells.sum(axis=(-2, -1)))


def equal(cells: Cells) -> Cells:
    """Items with equal labels per table."""
    return np.asarray(np.trace(cells, axis1=-2, axis2=-1))


def labels_used(cells: Cells) -> int:
    """How many labels occur in one table; at least two, since one could not be told apart."""
    used = cells.sum(axis=0) + cells.sum(axis=1)
    return max(2, int((used > 0).sum()))


def _unknown(pairs: Iterable[FrozenPair], codes: tuple[str, str]) -> Invalid:
    return Invalid(
        "frozen labels outside the list of labels",
        [
            Problem(f"{pair.query_id} {pair.record_id}", repr(pair.labels[code]), ", ".join(ROWS))
            for pair in pairs
            for code in codes
            if pair.labels.get(code, NOT_YET) not in ROWS
        ],
        hint="run `judge verify`",
    )


def _doubled(pairs: Iterable[FrozenPair]) -> Invalid:
    seen: set[tuple[str, str]] = set()
    doubled = []
    for pair in pairs:
        key = (pair.query_id, pair.record_id)
        if key in seen:
            doubled.append(Problem(" ".join(key), "stands twice in one freeze", "one pair an item"))
        seen.add(key)
    return Invalid("frozen labels name an item twice", doubled, hint="run `judge verify`")
