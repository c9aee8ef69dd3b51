"""Bang's index against published values, and what is printed where it has none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.guesses import NO_SPREAD, bang, guess_rows

# Right, wrong, asked; index, lower, upper. The first two are the example of the R package BI as its
# port BlindingIndex.jl prints it (x = [48 22; 4 30; 330 319]); the others are worked by hand from
# Bang, Ni & Davis 2004, equation for 3 answers: 82, 25, 277 gives 57/277 = .2058, variance
# (107/277 - .2058²)/277 = .0012416, standard error .03524; 29, 27, 139 gives 2/139 = .0144,
# variance (56/139 - .0144²)/139 = .0028969, standard error .05382.
PUBLISHED = [
    (48, 4, 382, 0.115, 0.080, 0.150),
    (30, 22, 371, 0.022, -0.016, 0.060),
    (82, 25, 277, 0.206, 0.137, 0.275),
    (29, 27, 139, 0.014, -0.091, 0.120),
]


@pytest.mark.parametrize(("right", "wrong", "asked", "index", "lower", "upper"), PUBLISHED)
def test_the_index_is_the_published_one(
    right: int, wrong: int, asked: int, index: float, lower: float, upper: float
) -> None:
    value, interval = bang(right, wrong, asked)
    assert round(float(value), 3) == index
    assert float(interval.lower) == pytest.approx(lower, abs=6e-4)  # printed to four places
    assert float(interval.upper) == pytest.approx(upper, abs=6e-4)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_the_two_forms_of_the_index_are_one(right: int, wrong: int, unknown: int) -> None:
    """(2c/(c + w) - 1)(c + w)/n = (c - w)/n, between -1 and 1, and its mirror where all turn."""
    asked = right + wrong + unknown
    if not right + wrong:
        return
    value, interval = bang(right, wrong, asked)
    long_form = (2 * Fraction(right, right + wrong) - 1) * Fraction(right + wrong, asked)
    assert value == long_form == -bang(wrong, right, asked)[0]
    assert -1 <= value <= 1
    if interval.lower:
        assert -1 <= float(interval.lower) <= value <= float(interval.upper) <= 1


@pytest.mark.parametrize(("right", "wrong"), [(15, 0), (0, 15), (0, 0)])
def test_answers_of_one_kind_claim_no_certainty(right: int, wrong: int) -> None:
    value, interval = bang(right, wrong, 15)
    assert value == Fraction(right - wrong, 15)
    assert (interval.cell, interval.lower) == (NO_SPREAD, "")


def test_an_interval_is_cut_at_the_limit() -> None:
    _, interval = bang(14, 1, 15)
    assert interval.upper == "1.00"
    assert "cut at the limit" in interval.method


def test_two_systems_have_a_row_each() -> None:
    pairs = [("K", "K")] * 6 + [("K", "S")] * 2 + [("K", "?")] * 2 + [("S", "?")] * 3
    one, other = guess_rows({"A": pairs}, ["K", "S"])
    assert (one.system, one.items, one.right, one.wrong, one.dont_know) == ("K", 10, 6, 2, 2)
    assert (one.share.cell, one.chance.decimal, one.bang.cell) == ("0.75", "0.50", "0.40")
    assert one.share_interval.method == "Wilson, 8 answers that named a system"
    assert (other.system, other.items, other.dont_know, other.bang.cell) == ("S", 3, 3, "0.00")
    assert other.share.cell == "– (no system was named)"
    assert other.bang_interval.cell == NO_SPREAD


def test_three_systems_stand_beside_chance_without_an_index() -> None:
    (row,) = guess_rows({"B": [("K", "K"), ("K", "T"), ("K", "K")]}, ["K", "S", "T"])
    assert (row.share.cell, row.chance.fraction) == ("0.6667", "1/3")
    assert row.bang.cell == "– (for two systems; here are 3)"
    assert row.bang.lower is None
