from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.comparison.randomisation import as_count, paired_randomisation

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
TEN = [1, 0, 1, 1, -1, 1, 0, 1, 0, 1]


def test_darwins_maize() -> None:
    # Fisher 1935: 863 patterns on one side, 1726 of 32768 on both.
    assert paired_randomisation(DARWIN) == 1726 / 32768


def test_ten_queries_keep_their_ties() -> None:
    # Differences of P@5 as floats would lose ties and give 112/1024.
    assert paired_randomisation(TEN) == 128 / 1024
    assert as_count(128 / 1024, 10) == Fraction(128, 1024)


@pytest.mark.parametrize(("differences", "p"), [([0, 0, 0], 1.0), ([3], 1.0), ([2, -2], 1.0)])
def test_all_ties_one_query_and_no_difference_are_p_one(differences: list[int], p: float) -> None:
    assert paired_randomisation(differences) == p


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ValueError, match="no query"):
        paired_randomisation([])


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_p_is_the_share_of_all_sign_patterns(differences: list[int]) -> None:
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    share = Fraction(sum(one >= abs(sum(differences)) for one in sums), len(sums))
    assert as_count(paired_randomisation(differences), len(differences)) == share


def test_thousands_of_queries_are_exact_too() -> None:
    # 3,000 differences of one hit, 1,600 one way: twice the upper tail of a fair coin.
    from scipy.stats import binom

    found = paired_randomisation([1] * 1600 + [-1] * 1400)
    assert found == pytest.approx(2 * binom.sf(1599, 3000, 0.5), rel=1e-9)
    assert as_count(found, 3000) is None


def test_a_very_small_p_is_not_zero() -> None:
    found = paired_randomisation([1] * 900)
    assert np.log2(found) == pytest.approx(-899)
