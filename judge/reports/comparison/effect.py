"""d_z, the standardised mean difference of pairs (Cohen 1988; Sakai 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

ONE_QUERY = "d_z needs two queries."
NO_SPREAD = "d_z is not defined: every query has the same difference."


def spread(differences: Sequence[int]) -> float:
    """Standard deviation of whole-number differences, over n - 1; 0 where all are equal."""
    n = len(differences)
    squares = n * sum(one * one for one in differences) - sum(differences) ** 2
    return sqrt(squares / (n * (n - 1)))


def effect_size(differences: Sequence[int]) -> float | str:
    """Mean ÷ standard deviation of the differences; a sentence where it is not defined."""
    if len(differences) < 2:
        return ONE_QUERY
    deviation = spread(differences)
    if deviation == 0:
        return NO_SPREAD
    return sum(differences) / len(differences) / deviation
