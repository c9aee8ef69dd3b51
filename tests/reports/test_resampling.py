from __future__ import annotations

import numpy as np
import pytest

from judge.reports.resampling import Resamples

QUERIES = tuple(f"q{number}" for number in range(25))


def test_every_resample_draws_as_many_queries_as_there_are() -> None:
    sums = Resamples(QUERIES, seed=1, replicates=50).sums(np.ones((25, 1)))
    assert sums.shape == (50, 1)
    assert set(sums[:, 0]) == {25.0}


def test_a_seed_gives_the_same_draws_and_another_seed_others() -> None:
    table = np.arange(25.0).reshape(25, 1)
    one, again, other = (Resamples(QUERIES, seed=seed).sums(table) for seed in (7, 7, 8))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_two_tables_see_the_same_draws() -> None:
    resamples = Resamples(QUERIES, seed=3, replicates=40)
    left, right = np.arange(25.0).reshape(25, 1), np.arange(25.0, 50.0).reshape(25, 1)
    both = resamples.sums(np.hstack([left, right]))
    assert np.array_equal(both[:, :1], resamples.sums(left))
    assert np.array_equal(both[:, 1:], resamples.sums(right))
    # Drawn together: 25 queries, each 25 more in the second column.
    assert np.array_equal(both[:, 1] - both[:, 0], np.full(40, 625.0))


def test_draws_do_not_depend_on_how_many_are_held_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = np.arange(25.0).reshape(25, 1)
    whole = Resamples(QUERIES, seed=5, replicates=100).sums(table)
    monkeypatch.setattr("judge.reports.resampling._CELLS", 25 * 7)
    assert np.array_equal(whole, Resamples(QUERIES, seed=5, replicates=100).sums(table))


def test_resampled_means_spread_as_they_should() -> None:
    # Of 25 queries the mean of 0..24 is 12, its standard error sqrt(52/25) = 1.442.
    sums = Resamples(QUERIES, seed=11, replicates=20_000).sums(np.arange(25.0).reshape(25, 1))
    means = sums[:, 0] / 25
    assert means.mean() == pytest.approx(12, abs=0.05)
    assert means.std() == pytest.approx((52 / 25) ** 0.5, rel=0.03)


def test_items_are_drawn_by_their_pattern() -> None:
    cells = np.array([[60, 0], [0, 40]], dtype=np.int64)
    drawn = Resamples((), seed=1, replicates=4000).items(cells)
    assert drawn.shape == (4000, 2, 2)
    assert set(drawn.sum(axis=(1, 2)).tolist()) == {100}
    assert not drawn[:, 0, 1].any()
    assert drawn[:, 0, 0].mean() == pytest.approx(60, abs=0.5)


def test_a_table_of_other_queries_is_refused() -> None:
    with pytest.raises(ValueError, match="3 rows for 25 queries"):
        Resamples(QUERIES, seed=1).sums(np.ones((3, 1)))
