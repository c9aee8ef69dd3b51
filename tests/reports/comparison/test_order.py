from __future__ import annotations

import pytest

from judge.reports.comparison.order import ONE_SYSTEM, swapped, tau_b

NAMES = ("A", "B")


def test_one_swap_among_five_is_four_fifths() -> None:
    assert tau_b([5, 4, 3, 2, 1], [5, 3, 4, 2, 1], NAMES) == pytest.approx(0.8)
    assert tau_b([5, 4, 3, 2, 1], [1, 2, 3, 4, 5], NAMES) == pytest.approx(-1)


def test_a_tie_under_one_assessor() -> None:
    # .62 .58 .51 .40 under A, .55 .57 .45 .45 under B.
    assert tau_b([62, 58, 51, 40], [55, 57, 45, 45], NAMES) == pytest.approx(0.5477225575051662)


def test_what_has_no_order_has_a_sentence() -> None:
    assert tau_b([3], [4], NAMES) == ONE_SYSTEM == "With one system there is no order."
    assert tau_b([3, 3], [4, 5], NAMES) == "Tau-b is not defined: all systems tie under A."
    assert tau_b([3, 4], [5, 5], NAMES) == "Tau-b is not defined: all systems tie under B."


def test_pairs_that_change_places_are_named_and_ties_are_not() -> None:
    first = {"s1": 62, "s2": 58, "s3": 51, "s4": 40}
    second = {"s1": 55, "s2": 57, "s3": 45, "s4": 45}
    assert swapped(first, second) == (("s1", "s2"),)
    assert swapped(first, first) == ()
