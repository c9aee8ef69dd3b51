"""The order of systems under two sets of labels: tau-b (Kendall 1938; Voorhees 2000), and swaps.

With few systems tau has few pairs and one swap moves it far, so that the pairs that change places
are what to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

ONE_SYSTEM = "With one system there is no order."
ALL_TIE = "Tau-b is not defined: all systems tie under {}."


def tau_b(first: Sequence[int], second: Sequence[int], names: tuple[str, str]) -> float | str:
    """Kendall's tau-b of two lists of whole numbers, one per system; a sentence where undefined.

    ``names`` are those of the two sets of labels.
    """
    if len(first) < 2:
        return ONE_SYSTEM
    for values, name in zip((first, second), names, strict=True):
        if len(set(values)) == 1:
            return ALL_TIE.format(name)
    from scipy.stats import kendalltau

    return float(kendalltau(first, second).statistic)


def swapped(first: Mapping[str, int], second: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Pairs of systems whose order under ``first`` is the reverse of that under ``second``."""
    return tuple(
        (a, b)
        for a, b in combinations(first, 2)
        if (first[a] - first[b]) * (second[a] - second[b]) < 0
    )
