"""Tables of counts for tests, from rows of numbers or of letters."""

from __future__ import annotations

import numpy as np

from judge.records.judgement import FrozenPair
from judge.reports.agreement.table import JUDGED, ROWS, Cells, Counts

LETTERS = dict(zip("RNU?-", ROWS, strict=True))


def cells(*tables: tuple[tuple[int, ...], ...]) -> Cells:
    """One 5 × 5 table of counts per query, from its upper left corner."""
    found = np.zeros((len(tables), len(ROWS), len(ROWS)), dtype=np.int64)
    for query, rows in enumerate(tables):
        found[query, : len(rows), : len(rows)] = rows
    return found


def counts(*tables: tuple[tuple[int, ...], ...]) -> Counts:
    """The same, with queries q0, q1, …"""
    return Counts(tuple(f"q{number}" for number in range(len(tables))), cells(*tables))


def pairs(first: str, second: str, query: str = "q1") -> list[FrozenPair]:
    """Frozen pairs of two rows of letters; ``-`` is not yet judged, written as absent."""
    return [
        FrozenPair(
            query_id=query,
            record_id=str(number),
            labels={
                code: LETTERS[letter]
                for code, letter in zip("AB", letters, strict=True)
                if letter != "-"
            },
        )
        for number, letters in enumerate(zip(first, second, strict=True))
    ]


def square(numbers: tuple[int, ...]) -> Cells:
    """One query's table from nine counts of judgements."""
    size = JUDGED
    return cells(tuple(numbers[size * row : size * row + size] for row in range(size)))
