"""Does something change along the packet? Counts by third of its positions, with an exact p.

Given how many items of each third there are, and how many have the trait, every way to place the
trait is equally likely if position does not matter. The statistic is how many more of the last
third than of the first have it; p is the share of placements at least as far from what is expected
(the permutation form of the linear-by-linear association, Agresti 2013, section 3.4).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

THIRDS = 3


def third(position: int, items: int) -> int:
    """1, 2 or 3: which third of ``items`` positions (1..items) a position lies in."""
    return 1 + THIRDS * (position - 1) // items


def trend_p(sizes: Sequence[int], having: Sequence[int]) -> float | None:
    """Two-sided exact p; None where all items or none have the trait, or one third holds all.

    ``sizes`` and ``having`` give, for each third, its items and those with the trait.
    """
    from scipy.special import gammaln

    first, middle, last = sizes
    n, traits = sum(sizes), sum(having)
    if traits in (0, n) or max(sizes) == n:
        return None

    def log_choose(of: int, take: np.ndarray) -> np.ndarray:
        return np.asarray(gammaln(of + 1) - gammaln(take + 1) - gammaln(of - take + 1))

    # Compared as whole numbers, n × (last - first) against its mean, so that no tie is lost.
    mean = traits * (last - first)
    observed = abs(n * (having[2] - having[0]) - mean)
    whole = float(log_choose(n, np.array([traits]))[0])
    logs = []
    for in_middle in range(max(0, traits - first - last), min(middle, traits) + 1):
        rest = traits - in_middle
        in_first = np.arange(max(0, rest - last), min(first, rest) + 1)
        far = np.abs(n * (rest - 2 * in_first) - mean) >= observed
        chosen = in_first[far]
        logs.append(
            log_choose(middle, np.array([in_middle]))
            + log_choose(first, chosen)
            + log_choose(last, rest - chosen)
            - whole
        )
    return min(1.0, float(np.exp(np.concatenate(logs)).sum()))
