"""The paired randomisation test, exact at any n (Fisher 1935; Smucker, Allan & Carterette 2007).

If the two systems are alike, each query's difference could as well have had the other sign. p is
the share of all 2^n sign patterns whose sum is at least as far from 0 as the observed one. The
distribution comes from convolving whole-number differences, query by query, in O(n × sum of |d|).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

COUNTED_UP_TO = 52
"""Up to so many queries the share is an exact fraction with denominator 2^n in a float."""


def paired_randomisation(differences: Sequence[int]) -> float:
    """Two-sided p of whole-number differences, one per query. Raises ``ValueError`` for none."""
    if not differences:
        raise ValueError("no query to compare on")
    total = sum(abs(one) for one in differences)
    observed = abs(sum(differences))
    if observed == 0:
        return 1.0
    # chances[t]: the chance that the differences given a plus sum to t; the sum is 2t - total.
    chances = np.zeros(total + 1)
    chances[0] = 1.0
    reach = 0
    for size in sorted(abs(one) for one in differences if one):
        half = chances[: reach + 1] / 2
        chances[: reach + 1] = half
        chances[size : reach + size + 1] += half
        reach += size
    return float(2 * chances[: (total - observed) // 2 + 1].sum())


def as_count(p: float, n: int) -> Fraction | None:
    """p as the count of sign patterns over 2^n, where that is exact; None for more queries."""
    return Fraction(p) if n <= COUNTED_UP_TO else None
