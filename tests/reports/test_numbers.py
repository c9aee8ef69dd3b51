from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.numbers import (
    bounds,
    counted_bounds,
    decimal_text,
    exact,
    float_text,
    p_text,
    reduced,
    share,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 10), "0.30"),
        (Fraction(0), "0.00"),
        (Fraction(1), "1.00"),
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 1000), "0.001"),
        # Ties at the fifth place go to the even fourth: 0.03125 and 0.09375.
        (Fraction(1, 32), "0.0312"),
        (Fraction(3, 32), "0.0938"),
        (Fraction(-1, 3), "-0.3333"),
        (Fraction(-1, 100_000), "0.00"),
        (Fraction(99_999, 100_000), "1.00"),
    ],
)
def test_decimals_are_rounded_half_to_even_to_two_to_four_places(
    value: Fraction, text: str
) -> None:
    assert decimal_text(value) == text


def test_a_fraction_is_written_as_it_was_counted() -> None:
    assert (share(5, 10).fraction, share(5, 10).decimal) == ("5/10", "0.50")
    assert reduced(Fraction(5, 10)).fraction == "1/2"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0952380952, "0.0952"),
        (-0.5, "-0.50"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        # 23/32 = 0.71875 is a tie: the last bits of a float must not decide it.
        (0.71875, "0.7188"),
        (0.7187499999999999, "0.7188"),
        (0.7187500000000002, "0.7188"),
    ],
)
def test_a_float_is_written_like_a_fraction(value: float, text: str) -> None:
    assert float_text(value) == text


@given(st.fractions(min_value=-1, max_value=1, max_denominator=10_000))
def test_a_decimal_is_within_half_a_unit_of_the_fourth_place(value: Fraction) -> None:
    assert abs(Fraction(decimal_text(value)) - value) <= Fraction(1, 20_000)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.00"),
        (0.125, "0.125"),
        (1726 / 32768, "0.0527"),
        (0.0001, "0.0001"),
        # A p is never written as 0.
        (0.000099, "9.9e-05"),
        (1.6e-240, "1.6e-240"),
        (1e-310, "less than 1e-300"),
        (0.0, "less than 1e-300"),
    ],
)
def test_a_p_value_is_never_written_as_zero(p: float, text: str) -> None:
    assert p_text(p) == text


def test_a_fraction_too_long_to_read_is_left_out() -> None:
    assert exact(Fraction(89, 103)).lower == reduced(Fraction(89, 103))
    long = exact(Fraction(10**15 + 1, 3 * 10**15))
    assert (long.cell, long.lower) == ("0.3333", None)


def test_bounds_are_one_number_where_they_meet() -> None:
    assert counted_bounds(2, 4, 5).cell == "– (between 0.40 and 0.80)"
    assert counted_bounds(-2, -2, 10).cell == "-0.20"
    assert bounds(Fraction(1, 3), Fraction(1, 3)).cell == "0.3333"
