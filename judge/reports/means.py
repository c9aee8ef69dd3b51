"""Means of P@k: over queries, over the queries of a family, and over families (R69, R70).

Every query weighs the same in the first two, every family the same in the third. A mean over
nothing is None: not 0, not NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.reports.precision import Precision


@dataclass(frozen=True)
class Mean:
    """The mean of P@k over queries; a pair of bounds where one of them has bounds."""

    queries: tuple[str, ...]
    """Ids of the queries that enter, in the order of the query set."""
    k: int
    relevant: int
    """Relevant ranks over all queries: the numerator over k x n."""
    undecided: int

    @property
    def denominator(self) -> int:
        return self.k * len(self.queries)

    @property
    def lower(self) -> Fraction | None:
        return Fraction(self.relevant, self.denominator) if self.queries else None

    @property
    def upper(self) -> Fraction | None:
        if not self.queries:
            return None
        return Fraction(self.relevant + self.undecided, self.denominator)


def mean(values: Mapping[str, Precision], k: int) -> Mean:
    """Mean over the queries of ``values``, equal weight. All values are at cutoff ``k``."""
    return Mean(
        queries=tuple(values),
        k=k,
        relevant=sum(value.relevant for value in values.values()),
        undecided=sum(value.undecided for value in values.values()),
    )


def mean_of_means(means: Sequence[Mean]) -> tuple[Fraction, Fraction] | None:
    """Lower and upper mean over the families that have a mean; None where none has."""
    bounds = [
        (one.lower, one.upper) for one in means if one.lower is not None and one.upper is not None
    ]
    if not bounds:
        return None
    return (
        sum((lower for lower, _ in bounds), Fraction(0)) / len(bounds),
        sum((upper for _, upper in bounds), Fraction(0)) / len(bounds),
    )
