from __future__ import annotations

import pytest

from judge.reports.comparison.effect import NO_SPREAD, ONE_QUERY, effect_size, spread
from judge.reports.comparison.power import detectable_effect, power
from tests.reports.comparison.test_randomisation import DARWIN, TEN


def test_published_effect_sizes() -> None:
    assert effect_size(DARWIN) == pytest.approx(0.5546079777065185, abs=1e-12)
    # Mean 0.1, standard deviation 0.1414 as P@5.
    assert effect_size(TEN) == pytest.approx(0.7071067811865475, abs=1e-12)
    assert spread(TEN) / 5 == pytest.approx(0.14142135623730953, abs=1e-12)


def test_no_spread_and_one_query_have_a_sentence() -> None:
    assert effect_size([2, 2, 2]) == NO_SPREAD
    assert effect_size([0, 0]) == NO_SPREAD
    assert effect_size([3]) == ONE_QUERY


@pytest.mark.parametrize(
    ("n", "effect"),
    [
        # statsmodels TTestPower, two-sided, 0.05, power 0.8; its root is good to some 2e-6.
        (10, 0.9960019107624178),
        (25, 0.5840261396263716),
        (50, 0.4041829997377859),
        (100, 0.2829117119690806),
        (200, 0.19906465946973934),
        (500, 0.12553231642698945),
        (1000, 0.08868101827724957),
        (5486, 0.03783131125296542),
    ],
)
def test_smallest_effect_with_power_four_fifths(n: int, effect: float) -> None:
    assert detectable_effect(n) == pytest.approx(effect, abs=3e-6)


def test_power_of_a_small_effect() -> None:
    assert power(0.2, 100) == pytest.approx(0.508264806621038, abs=1e-9)
    # The same function read the other way: d 0.5 needs 33.4 pairs, d 0.2 needs 198.2.
    assert power(0.5, 33) < 0.8 < power(0.5, 34)
    assert power(0.2, 198) < 0.8 < power(0.2, 199)


def test_below_five_queries_no_effect_is_named() -> None:
    assert [detectable_effect(n) for n in (1, 2, 4)] == [None, None, None]
    assert power(detectable_effect(5) or 0.0, 5) == pytest.approx(0.8, abs=1e-9)
