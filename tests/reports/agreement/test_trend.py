from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.agreement.trend import third, trend_p


@pytest.mark.parametrize(
    ("items", "thirds"),
    [(3, "123"), (4, "1123"), (5, "11223"), (6, "112233"), (7, "1112233"), (2, "12"), (1, "1")],
)
def test_thirds_of_a_packet(items: int, thirds: str) -> None:
    assert "".join(str(third(one, items)) for one in range(1, items + 1)) == thirds


def test_two_of_six_in_the_last_third() -> None:
    # 15 placements of two among six; both in the last third or both in the first: 2 of 15.
    assert trend_p([2, 2, 2], [0, 0, 2]) == pytest.approx(2 / 15)
    assert trend_p([2, 2, 2], [1, 0, 1]) == 1


@pytest.mark.parametrize(
    ("sizes", "having"), [([2, 2, 2], [0, 0, 0]), ([2, 2, 2], [2, 2, 2]), ([3, 0, 0], [1, 0, 0])]
)
def test_where_nothing_can_differ_there_is_no_p(sizes: list[int], having: list[int]) -> None:
    assert trend_p(sizes, having) is None


@given(
    st.lists(st.integers(0, 4), min_size=3, max_size=3).flatmap(
        lambda sizes: st.tuples(st.just(sizes), st.tuples(*[st.integers(0, n) for n in sizes]))
    )
)
def test_p_is_the_share_of_placements(case: tuple[list[int], tuple[int, ...]]) -> None:
    sizes, having = case
    found = trend_p(sizes, having)
    items = [place for place, size in enumerate(sizes) for _ in range(size)]
    if found is None:
        return
    mean = sum(having) * (sizes[2] - sizes[0])
    n = len(items)

    def far(last: int, first: int) -> int:
        return abs(n * (last - first) - mean)

    placed = [
        far(sum(items[one] == 2 for one in chosen), sum(items[one] == 0 for one in chosen))
        for chosen in combinations(range(n), sum(having))
    ]
    wanted = far(having[2], having[0])
    assert found == pytest.approx(sum(one >= wanted for one in placed) / len(placed))
