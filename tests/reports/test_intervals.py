from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from judge.reports.intervals import (
    CONSTANT,
    clopper_pearson,
    jackknife_t,
    of_means,
    over_queries,
    percentile,
    wilson,
)
from judge.reports.resampling import Floats, Resamples

WIDE = (-100.0, 100.0)


def mean(sums: Floats) -> Floats:
    """Of tables with a value and a 1 per query."""
    return np.asarray(sums[:, 0] / sums[:, 1])


def table(*values: float) -> Floats:
    return np.array([(value, 1.0) for value in values])


def limits(values: list[float], *, bounds: tuple[float, float] = WIDE) -> tuple[float, float]:
    found = percentile(np.array(values), bounds, "queries resampled")
    return float(found.lower), float(found.upper)


# --- percentile ---------------------------------------------------------------------------------


def test_all_resamples_of_four_queries() -> None:
    # Efron & Tibshirani: 0 2 4 10, all 256 resamples; standard error sqrt(56)/4.
    means = [sum(chosen) / 4 for chosen in product((0, 2, 4, 10), repeat=4)]
    assert np.std(means) == pytest.approx(1.8708286933869707, abs=1e-12)
    assert limits(means) == (1.0, 8.0)


def test_twenty_queries_by_the_percentile_bootstrap() -> None:
    # The same data, resampled by another library with another seed: 0.39 to 0.64.
    values = [1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4, 0.2, 0.2, 0, 0, 1, 0.6, 0.8, 0.4, 0.2, 0.6, 0.4]
    values += [0.8, 0.6]
    queries = tuple(f"q{number}" for number in range(20))
    counts = {query: round(5 * value) for query, value in zip(queries, values, strict=True)}
    (found,) = of_means(Resamples(queries, seed=1), [counts], 5, (0, 1))
    assert found.method == "20 queries resampled 2000 times"
    assert float(found.lower) == pytest.approx(0.39, abs=0.02)
    assert float(found.upper) == pytest.approx(0.64, abs=0.02)


def test_undefined_resamples_are_dropped_and_counted() -> None:
    values = [float(number) for number in range(1, 96)] + [float("nan")] * 5
    found = percentile(np.array(values), WIDE, "queries resampled")
    assert found.method == "queries resampled 100 times, 5 undefined and dropped"


def test_more_than_one_in_twenty_undefined_leaves_no_interval() -> None:
    values = [float(number) for number in range(94)] + [float("nan")] * 6
    found = percentile(np.array(values), WIDE, "queries resampled")
    assert found.cell == (
        "no interval: 6 of 100 resamples leave the figure undefined, more than 5 %"
    )
    assert found.lower == ""


def test_resamples_that_all_say_the_same_are_no_certainty() -> None:
    assert percentile(np.ones(50), WIDE, "queries resampled").cell == CONSTANT


# --- jackknife ----------------------------------------------------------------------------------


def test_jackknife_of_five_queries_by_hand() -> None:
    # 0 2 4 10 12: means less one are 7, 6.5, 6, 4.5, 4; SE² = 4/5 × 6.7 = 5.36; t(4) = 2.776445.
    found = over_queries(mean, table(0, 2, 4, 10, 12), np.ones(5, bool), np.empty((0, 2)), WIDE)
    assert found.method == "jackknife-t, 5 queries"
    reach = 2.776445 * 5.36**0.5
    assert float(found.lower) == pytest.approx(5.6 - reach, abs=1e-4)
    assert float(found.upper) == pytest.approx(5.6 + reach, abs=1e-4)


def test_an_interval_is_cut_at_the_limit_of_its_figure_and_says_so() -> None:
    found = over_queries(mean, table(0, 1, 1, 1, 1), np.ones(5, bool), np.empty((0, 2)), (0, 1))
    assert found.upper == "1.00"
    assert found.method == "jackknife-t, 5 queries, cut at the limit of the figure"


def test_one_undefined_value_among_few_leaves_no_interval() -> None:
    found = jackknife_t(1.0, np.array([1.0, 2.0, float("nan"), 1.5, 1.2]), WIDE)
    assert found.cell.startswith("no interval: 1 of 5 resamples leave the figure undefined")


def test_equal_queries_have_no_interval() -> None:
    found = over_queries(mean, table(*[3] * 6), np.ones(6, bool), np.empty((0, 2)), WIDE)
    assert found.cell == CONSTANT


# --- which method -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "start"),
    [
        (1, "no interval: 1 query, fewer than 5"),
        (4, "no interval: 4 queries, fewer than 5"),
        (5, "jackknife-t, 5 queries"),
        (19, "jackknife-t, 19 queries"),
        (20, "20 queries resampled 2000 times"),
    ],
)
def test_the_number_of_queries_decides(n: int, start: str) -> None:
    queries = tuple(f"q{number}" for number in range(30))
    counts = {query: place % 4 for place, query in enumerate(queries[:n])}
    (found,) = of_means(Resamples(queries, seed=2), [counts], 10, (0, 1))
    assert start in (found.cell, found.method.removesuffix(", cut at the limit of the figure"))


def test_queries_that_a_mean_does_not_have_change_nothing_in_a_jackknife() -> None:
    counts = {"a": 1, "b": 2, "c": 3, "d": 5, "e": 0}
    few, many = (tuple("abcde"), (*"xyz", *"abcde", "w"))
    (one,), (other,) = (
        of_means(Resamples(queries, seed=2), [counts], 5, (0, 1)) for queries in (few, many)
    )
    assert one == other


def test_means_of_one_call_and_of_two_are_the_same() -> None:
    queries = tuple(f"q{number}" for number in range(22))
    first = {query: place % 3 for place, query in enumerate(queries)}
    second = {query: place % 5 for place, query in enumerate(queries[:21])}
    resamples = Resamples(queries, seed=4)
    together = of_means(resamples, [first, second], 5, (0, 1))
    assert together == [
        *of_means(resamples, [first], 5, (0, 1)),
        *of_means(resamples, [second], 5, (0, 1)),
    ]


# --- shares -------------------------------------------------------------------------------------


def test_no_disagreement_in_a_hundred_is_not_certainty() -> None:
    # Clopper–Pearson of 100 of 100: 0.025^(1/100) = 0.9638.
    found = clopper_pearson(100, 100)
    assert (found.lower, found.upper) == ("0.9638", "1.00")


def test_wilson_of_nothing_the_same() -> None:
    # z²/(n + z²) = 3.8415/13.8415.
    found = wilson(0, 10)
    assert (found.lower, found.upper) == ("0.00", "0.2775")
