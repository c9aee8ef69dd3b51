"""The difference of P@k of two systems on one query, and its worst cases.

An open rank may turn out either way (Manski's worst-case bounds). A document that is open in both
lists is one document: it turns out the same in both, so that the bounds of the difference are
narrower than the difference of the bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from judge.reports.precision import Precision


def difference_bounds(first: Precision, second: Precision) -> tuple[int, int]:
    """Least and greatest difference of relevant hits, first less second; both at one k.

    P@k differs by these over k. Equal where every open record stands as often in both lists.
    """
    if first.k != second.k:
        raise ValueError(f"P@{first.k} against P@{second.k}")
    weights = Counter(first.open)
    weights.subtract(Counter(second.open))
    known = first.relevant - second.relevant
    return (
        known + sum(min(0, weight) for weight in weights.values()),
        known + sum(max(0, weight) for weight in weights.values()),
    )


def wins_ties_losses(differences: Sequence[int]) -> tuple[int, int, int]:
    """Queries where the first has more relevant hits, as many, or fewer."""
    return (
        sum(one > 0 for one in differences),
        sum(one == 0 for one in differences),
        sum(one < 0 for one in differences),
    )
