"""What a measure of agreement is: a ratio, of pooled counts or of sums over queries.

Stated so, one formula serves the exact value, every resample and every query left out in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from judge.reports.agreement.table import JUDGED, NO_PAIR, Cells
from judge.reports.resampling import Floats, divided

SHARE = (0.0, 1.0)
COEFFICIENT = (-1.0, 1.0)


@dataclass(frozen=True)
class Measure:
    """One figure of agreement. Either ``ratio`` or ``terms`` says what it is."""

    name: str
    definition: str
    undefined: str
    """The sentence where the denominator is 0 though items were labelled by both."""
    limits: tuple[float, float] = COEFFICIENT
    ratio: Callable[[Cells], tuple[Cells, Cells]] | None = None
    """Numerator and denominator of pooled tables (..., labels, labels), as whole numbers."""
    terms: Callable[[Cells], tuple[Cells, Cells, Cells]] | None = None
    """Of each query's table what it adds to numerator and denominator, both over a third number
    (0 where the query adds nothing)."""
    labels: int = JUDGED
    """The first so many labels of the table take part: 3, or 4 with `cannot_judge`."""
    counts: bool = False
    """Whether numerator and denominator are counts that a reader may want to see as they are."""
    interval: bool = True

    def taken(self, cells: Cells) -> Cells:
        """The part of tables (..., 5, 5) that the measure is taken on."""
        return cells[..., : self.labels, : self.labels]

    def parts(self, cells: Cells) -> tuple[Fraction, Fraction]:
        """Exact numerator and denominator over all queries; ``cells`` has shape (queries, 5, 5)."""
        own = self.taken(cells)
        if self.terms is not None:
            numerator, denominator, over = self.terms(own)
            return _exact_sum(numerator, over), _exact_sum(denominator, over)
        if self.ratio is None:
            raise TypeError(f"{self.name} says not what it is")
        numerator, denominator = self.ratio(own.sum(axis=0))
        return Fraction(int(numerator)), Fraction(int(denominator))

    def value(self, cells: Cells) -> Fraction | str:
        """The exact value over all queries, or a sentence where it is not defined."""
        if not self.taken(cells).any():
            return NO_PAIR
        numerator, denominator = self.parts(cells)
        return numerator / denominator if denominator else self.undefined

    def table(self, cells: Cells) -> Floats:
        """A row of summands per query, such that `statistic` of their sum is the value."""
        own = self.taken(cells)
        if self.terms is not None:
            numerator, denominator, over = self.terms(own)
            both = np.stack([divided(numerator, over), divided(denominator, over)], axis=1)
            return np.nan_to_num(both)
        return own.reshape(len(own), self.labels**2).astype(np.float64)

    def statistic(self, sums: Floats) -> Floats:
        """Values for rows of sums; nan where not defined."""
        if self.ratio is None:
            return divided(sums[:, 0], sums[:, 1])
        # Sums of counts are whole numbers; rounding only takes them back from floats.
        cells = np.rint(sums).astype(np.int64).reshape(-1, self.labels, self.labels)
        return divided(*self.ratio(cells))

    def own(self, table: Floats) -> NDArray[np.bool_]:
        """Which queries the measure rests on, for the rows of `table`."""
        rows = table if self.ratio is not None else table[:, 1:]
        return np.asarray(rows.any(axis=1))


def _exact_sum(numerators: Cells, over: Cells) -> Fraction:
    """Sum of numerator ÷ over; few different divisors make few fractions."""
    return sum(
        (
            Fraction(int(numerators[over == one].sum()), one)
            for one in np.unique(over).tolist()
            if one
        ),
        Fraction(0),
    )
