"""Holm's step-down correction (Holm 1979) over the declared family of comparisons."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p values in the given order.

    A comparison without a p (None) was declared all the same: it counts in the family, last.
    """
    size = len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * size
    so_far = 0.0
    for step, (p, place) in enumerate(order):
        so_far = max(so_far, min(1.0, (size - step) * p))
        adjusted[place] = so_far
    return adjusted
