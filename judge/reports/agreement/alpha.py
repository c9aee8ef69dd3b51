"""Krippendorff's alpha, nominal (Krippendorff 2011, 2018): 1 - observed ÷ expected disagreement.

For two assessors and N items, with n = 2N values of which n_v are the label v: Do = (N - equal) ÷ N
and De = 1 - sum n_v(n_v - 1) ÷ (n(n - 1)). The value comes from that arithmetic, exactly, and must
equal the krippendorff library's. The library is called in one way only: whether alpha is defined is
decided before the call, because "everyone said the same" ends as nan, an exception or 1.0 depending
on how it is spelt, and a label in the wrong place is read as another shape without a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge.errors import JudgeError
from judge.reports.agreement.measure import Measure
from judge.reports.agreement.table import NO_PAIR, Cells, equal, total

ONE_LABEL = "Alpha is not defined: every document labelled by both got the same label."
NO_QUERY = "Alpha within queries is not defined: no query has both labels."
TOLERANCE = 1e-12


def pooled_alpha() -> Measure:
    """Alpha over all items that both judged, three judgements; anything else is missing."""
    return Measure(
        name="Krippendorff's alpha, pooled",
        definition="1 - Do ÷ De, nominal, three judgements; a missing judgement is missing",
        undefined=ONE_LABEL,
        ratio=alpha_ratio,
    )


def alpha_with_cannot_judge() -> Measure:
    """The same with `cannot_judge` as a label of its own: the sensitivity to what is missing."""
    return Measure(
        name="alpha, cannot judge as a label (sensitivity)",
        definition="as above, with cannot judge as a fourth label",
        undefined=ONE_LABEL,
        ratio=alpha_ratio,
        labels=4,
    )


def alpha_within() -> Measure:
    """1 - sum n_q Do_q ÷ sum n_q De_q over queries q: what differs between queries is taken out.

    A query where every item got one label adds nothing to either sum.
    """
    return Measure(
        name="Krippendorff's alpha, within queries",
        definition="1 - (sum of n Do) ÷ (sum of n De), both summed over queries",
        undefined=NO_QUERY,
        terms=_within,
    )


def alpha_ratio(cells: Cells) -> tuple[Cells, Cells]:
    """Numerator and denominator of alpha, both × n(n - 1)."""
    expected = _expected(cells)
    n = total(cells)
    return expected - (n - equal(cells)) * 2 * (2 * n - 1), expected


def _expected(cells: Cells) -> Cells:
    """De × n(n - 1): ordered pairs of values with different labels."""
    values = cells.sum(axis=-1) + cells.sum(axis=-2)
    n = 2 * total(cells)
    return np.asarray(n * (n - 1) - (values * (values - 1)).sum(axis=-1))


def _within(cells: Cells) -> tuple[Cells, Cells, Cells]:
    expected = _expected(cells)
    n = total(cells)
    # n De = expected ÷ (2N - 1) and n Do = 2 (N - equal), for n = 2N values.
    over = np.maximum(2 * n - 1, 0)
    return expected - 2 * (n - equal(cells)) * over, expected, over


def library_alpha(value_counts: NDArray[np.integer[Any]]) -> float | str:
    """Alpha as the krippendorff library computes it, or a sentence where it is not defined.

    ``value_counts`` has a row per item and a column per label, and holds how many assessors gave
    the item the label: any number of assessors. Items with fewer than two labels take no part.
    """
    if value_counts.ndim != 2 or (value_counts < 0).any():
        raise ValueError("counts are items by labels, and none is negative")
    shared = value_counts[value_counts.sum(axis=1) >= 2]
    if not len(shared):
        return NO_PAIR
    if (shared.sum(axis=0) > 0).sum() == 1:
        return ONE_LABEL
    import krippendorff

    # int64: counts in a narrow type overflow in silence. The domain and the level are always
    # stated: the defaults are the labels present, and intervals between them.
    return float(
        krippendorff.alpha(
            value_counts=shared.astype(np.int64),
            value_domain=list(range(shared.shape[1])),
            level_of_measurement="nominal",
        )
    )


def items_of(cells: Cells) -> NDArray[np.int64]:
    """One table of counts as items by labels, the form `library_alpha` takes."""
    size = len(cells)
    patterns = np.zeros((size * size, size), dtype=np.int64)
    for row in range(size):
        for column in range(size):
            patterns[row * size + column, row] += 1
            patterns[row * size + column, column] += 1
    return np.repeat(patterns, cells.ravel(), axis=0)


def check_against_library(cells: Cells) -> str:
    """Says that the library agrees on one table of judgements, with its version.

    Raises `JudgeError` where it does not: then one of the two is wrong, and nothing is printed.
    """
    from importlib.metadata import version

    numerator, denominator = alpha_ratio(cells)
    library = library_alpha(items_of(cells))
    name = f"krippendorff {version('krippendorff')}"
    if isinstance(library, str):
        return f"Alpha has no value to compare with {name}."
    own = int(numerator) / int(denominator)
    if not abs(own - library) < TOLERANCE:
        raise JudgeError(
            f"alpha is {own!r} by cell counts and {library!r} by {name}: a fault of this program "
            "or of the library; no report was written"
        )
    return f"{name} gives the same pooled alpha, to 1e-12."
