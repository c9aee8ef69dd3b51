from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.comparison.holm import holm


def test_four_published_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_one_comparison_is_left_as_it_is() -> None:
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


def test_nothing_is_above_one() -> None:
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_a_declared_comparison_without_a_p_still_counts_in_the_family() -> None:
    assert holm([0.01, None, 0.02]) == [pytest.approx(0.03), None, pytest.approx(0.04)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_order_is_kept_and_no_p_gets_smaller(values: list[float]) -> None:
    adjusted = holm(values)
    for p, after in zip(values, adjusted, strict=True):
        assert after is not None
        assert p <= after <= 1
    ranked = [after for _, after in sorted(zip(values, adjusted, strict=True), key=lambda x: x[0])]
    assert ranked == sorted(one for one in ranked if one is not None)
