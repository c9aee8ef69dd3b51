"""95 % intervals, and the sentence where there is none.

Over queries: the percentile bootstrap from 20 queries on (`judge.reports.resampling`), below that
the delete-one-query jackknife with Student's t (Efron & Tibshirani 1993, section 11; Hughes 2022
for agreement in small samples), below five queries nothing. A share that nothing contradicted has
the Clopper–Pearson interval (1934), self-consistency Wilson's (1927).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from judge.records.measured import Interval
from judge.reports.numbers import float_text
from judge.reports.resampling import Floats, Resamples, divided

LEVEL = 0.95
MANY = 20
FEW = 5
UNDEFINED_ALLOWED = 0.05

Statistic = Callable[[Floats], Floats]
"""From rows of sums to a value per row; nan where it is not defined."""

CONSTANT = "no interval: every resample gives the same value, which would claim certainty"


def few_queries(n: int) -> Interval:
    """The sentence for a figure that rests on fewer than five queries."""
    return Interval(cell=f"no interval: {n} {'query' if n == 1 else 'queries'}, fewer than {FEW}")


def over_queries(
    statistic: Statistic,
    table: Floats,
    own: NDArray[np.bool_],
    sums: Floats,
    limits: tuple[float, float],
) -> Interval:
    """The interval of a figure over queries, or why it has none.

    ``table`` has a row of summands per query and ``sums`` a row of their sums per resample
    (`Resamples.sums`); ``own`` marks the queries that the figure rests on, and their number
    decides the method. ``limits`` are the least and greatest value the figure can have.
    """
    n = int(own.sum())
    if n < FEW:
        return few_queries(n)
    if n >= MANY:
        return percentile(statistic(sums), limits, f"{n} queries resampled")
    total = table.sum(axis=0)
    point = float(statistic(total[None, :])[0])
    return jackknife_t(point, statistic(total - table[own]), limits)


def of_means(
    resamples: Resamples,
    counts: Sequence[Mapping[str, int]],
    k: int,
    limits: tuple[float, float],
) -> list[Interval]:
    """Intervals of means of count ÷ ``k`` over queries, each given as counts by query id."""
    rows = {query: row for row, query in enumerate(resamples.queries)}
    table = np.zeros((len(rows), 2 * len(counts)))
    for place, by_query in enumerate(counts):
        for query, number in by_query.items():
            table[rows[query], 2 * place : 2 * place + 2] = number, k
    sums = resamples.sums(table)

    def mean(part: Floats) -> Floats:
        return divided(part[:, 0], part[:, 1])

    found = []
    for place in range(len(counts)):
        own = slice(2 * place, 2 * place + 2)
        members = table[:, own][:, 1] > 0
        found.append(over_queries(mean, table[:, own], members, sums[:, own], limits))
    return found


def percentile(values: Floats, limits: tuple[float, float], what: str) -> Interval:
    """The middle 95 % of resampled ``values``; undefined ones are dropped, up to 5 %."""
    defined = values[~np.isnan(values)]
    dropped = len(values) - len(defined)
    if dropped > UNDEFINED_ALLOWED * len(values):
        return _undefined(dropped, len(values))
    if _all_equal(defined):
        return Interval(cell=CONSTANT)
    low, high = np.percentile(defined, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    method = f"{what} {len(values)} times"
    if dropped:
        method += f", {dropped} undefined and dropped"
    return _interval(float(low), float(high), limits, method)


def jackknife_t(point: float, left_out: Floats, limits: tuple[float, float]) -> Interval:
    """``point`` ± t(n - 1) × the jackknife's standard error over n values, each less one query.

    SE² = (n - 1)/n × Σ (value - mean of values)².
    """
    from scipy.special import stdtrit

    n = len(left_out)
    undefined = int(np.isnan(left_out).sum())
    if undefined > UNDEFINED_ALLOWED * n:
        return _undefined(undefined, n)
    if _all_equal(left_out):
        return Interval(cell=CONSTANT)
    error = float(np.sqrt((n - 1) / n * np.square(left_out - left_out.mean()).sum()))
    reach = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * error
    return _interval(point - reach, point + reach, limits, f"jackknife-t, {n} queries")


def clopper_pearson(agreed: int, n: int) -> Interval:
    """The exact interval of ``agreed`` of ``n`` items, each taken as independent."""
    return _of_share(agreed, n, "exact", f"Clopper–Pearson, {n} items")


def wilson(same: int, n: int, of: str = "pairs") -> Interval:
    """Wilson's score interval of ``same`` of ``n``; ``of`` says n of what."""
    return _of_share(same, n, "wilson", f"Wilson, {n} {of}")


def normal(point: float, error: float, limits: tuple[float, float], words: str) -> Interval:
    """``point`` ± 1.96 standard errors, for a figure whose error is published so."""
    from scipy.special import ndtri

    reach = float(ndtri((1 + LEVEL) / 2)) * error
    return _interval(point - reach, point + reach, limits, words)


def _of_share(count: int, n: int, method: Literal["exact", "wilson"], words: str) -> Interval:
    from scipy.stats import binomtest

    found = binomtest(count, n).proportion_ci(LEVEL, method)
    return _interval(float(found.low), float(found.high), (0, 1), words)


def _all_equal(values: Floats) -> bool:
    return bool(np.ptp(values) < 1e-12)


def _undefined(count: int, of: int) -> Interval:
    return Interval(
        cell=f"no interval: {count} of {of} resamples leave the figure undefined, more than 5 %"
    )


def _interval(low: float, high: float, limits: tuple[float, float], method: str) -> Interval:
    cut = [float_text(min(max(value, limits[0]), limits[1])) for value in (low, high)]
    if low < limits[0] - 1e-12 or high > limits[1] + 1e-12:
        method += ", cut at the limit of the figure"
    return Interval(
        cell=f"{cut[0]} to {cut[1]} ({method})", lower=cut[0], upper=cut[1], method=method
    )
