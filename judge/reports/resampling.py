"""Resamples of queries: drawn once from the protocol's seed, the same for every figure.

A resample draws as many queries as the evaluation set holds, with replacement (the cluster
bootstrap of Efron & Tibshirani 1993, section 8; for kappa Kang et al. 2013). Whatever is a function
of sums over queries is then arithmetic on a table of sums: no document is touched again. Since
every figure rests on the same draws, the intervals of agreement and of precision speak of the same
queries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REPLICATES = 2000
_CELLS = 1 << 20
"""Draws that are held in memory at a time."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Resamples:
    """How queries are resampled: from which list, from which seed, how often."""

    queries: tuple[str, ...]
    """Ids of the evaluation queries, in the order of the set."""
    seed: int
    replicates: int = REPLICATES

    def sums(self, table: Floats) -> Floats:
        """Sums of the rows of ``table`` over each resample.

        ``table`` has a row per query, in the order of `queries`, and a column per summand; the
        result a row per resample. Two calls see the same draws
        (``numpy.random.default_rng(seed).integers``).
        """
        n = len(self.queries)
        if table.shape[0] != n:
            raise ValueError(f"{table.shape[0]} rows for {n} queries")
        random = np.random.default_rng(self.seed)
        found = np.empty((self.replicates, table.shape[1]))
        at_once = max(1, _CELLS // max(n, 1))
        for start in range(0, self.replicates if n else 0, at_once):
            size = min(at_once, self.replicates - start)
            drawn = random.integers(0, n, size=(size, n))
            drawn += n * np.arange(size)[:, None]
            weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
            found[start : start + size] = weights.astype(np.float64) @ table
        return found

    def items(self, cells: Ints) -> Ints:
        """Resamples of single items: ``cells`` holds how many items show each pattern.

        One draw of a multinomial is what drawing items one by one amounts to, since an item is
        nothing more than its pattern. Returns counts of the shape (replicates, \\*cells.shape).
        """
        total = int(cells.sum())
        random = np.random.default_rng([self.seed, 1])
        drawn = random.multinomial(total, cells.ravel() / total, size=self.replicates)
        return drawn.reshape(self.replicates, *cells.shape)


def divided(numerator: Floats | Ints, denominator: Floats | Ints) -> Floats:
    """Element by element; nan where the denominator is 0."""
    found = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=found, where=np.abs(denominator) > 1e-12)
    return found
