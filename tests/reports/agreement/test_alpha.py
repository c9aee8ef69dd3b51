from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import JudgeError
from judge.reports.agreement import alpha
from judge.reports.agreement.alpha import (
    NO_QUERY,
    ONE_LABEL,
    alpha_with_cannot_judge,
    alpha_within,
    check_against_library,
    items_of,
    library_alpha,
    pooled_alpha,
)
from judge.reports.agreement.table import NO_PAIR, count
from tests.reports.agreement.tables import cells, pairs, square

CELLS = st.tuples(*[st.integers(0, 9)] * 9)


def of(first: str, second: str) -> Fraction | str:
    return pooled_alpha().value(count(pairs(first, second), "A", "B").cells)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        # The same labels with "?" as missing, as relevant, as not relevant, as a third judgement.
        ("RRN?NR?NRN", "RNNRNRNNRR", 0.5312),
        ("RRNRNRRNRN", "RNNRNRNNRR", 0.4242),
        ("RRNNNRNNRN", "RNNRNRNNRR", 0.4242),
        ("RRNUNRUNRN", "RNNRNRNNRR", 0.3504),
    ],
)
def test_cannot_judge_is_missing_and_uncertain_is_a_judgement(
    first: str, second: str, value: float
) -> None:
    assert float(of(first, second)) == pytest.approx(value, abs=5e-5)


def test_one_label_for_everything_is_undefined_and_says_so() -> None:
    assert of("RRRRR", "RRRRR") == ONE_LABEL
    # Another label on an item that only one judged does not define it: the library gives nan.
    assert of("RRRN", "RRR-") == ONE_LABEL
    assert of("RRRN", "RRR?") == ONE_LABEL


def test_no_shared_item_is_not_agreement() -> None:
    assert of("R-", "-R") == NO_PAIR
    assert of("", "") == NO_PAIR


def test_one_dissent_in_a_constant_table_is_zero() -> None:
    # Two raters, five items, one dissent: Do = 1/5, De = 1 - (9 × 8)/(10 × 9) = 1/5.
    assert of("RRRRR", "RRRRN") == 0


def test_all_small_tables_are_the_librarys_or_a_sentence() -> None:
    for numbers in product(range(4), repeat=4):
        table = np.array(numbers, dtype=np.int64).reshape(2, 2)
        own = pooled_alpha().value(cells((numbers[:2], numbers[2:])))
        library = library_alpha(items_of(table))
        if isinstance(own, str):
            assert library == own
        else:
            assert library == pytest.approx(float(own), abs=1e-12)


@given(CELLS)
def test_the_librarys_value_is_that_of_the_cells(numbers: tuple[int, ...]) -> None:
    table = square(numbers)
    own, library = pooled_alpha().value(table), library_alpha(items_of(table[0, :3, :3]))
    if isinstance(own, str):
        assert library == own
    else:
        assert library == pytest.approx(float(own), abs=1e-12)


def test_the_check_says_so_with_the_librarys_version() -> None:
    said = check_against_library(cells(((40, 9), (6, 45)))[0])
    assert said.startswith("krippendorff 0.")
    assert said.endswith("gives the same pooled alpha, to 1e-12.")
    assert "no value" in check_against_library(cells(((5,),))[0])


def test_a_library_that_says_otherwise_stops_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alpha, "library_alpha", lambda items: 0.5)
    with pytest.raises(JudgeError, match=r"alpha is 0\.70.* by cell counts and 0\.5 by"):
        check_against_library(cells(((40, 9), (6, 45)))[0])


def test_counts_in_a_narrow_type_do_not_overflow() -> None:
    # The library itself gives -1.97 for such counts in eight bits.
    narrow = np.array([[100, 20], [20, 100]], dtype=np.int8)
    assert library_alpha(narrow) == pytest.approx(library_alpha(narrow.astype(np.int64)))


def test_counts_that_are_no_counts_are_refused() -> None:
    for wrong in ([[-1, 3]], [1, 2]):
        with pytest.raises(ValueError, match="counts"):
            library_alpha(np.array(wrong, dtype=np.int64))


# --- within queries -----------------------------------------------------------------------------


def test_pooling_can_turn_little_agreement_within_queries_into_much() -> None:
    # Each query alone has alpha 14/47; one is mostly relevant, the other mostly not.
    mostly, hardly = ((45, 2), (2, 1)), ((1, 2), (2, 45))
    assert pooled_alpha().value(cells(mostly)) == Fraction(14, 47)
    assert alpha_within().value(cells(mostly, hardly)) == Fraction(14, 47)
    assert pooled_alpha().value(cells(mostly, hardly)) == Fraction(1051, 1250)


def test_a_query_with_one_label_adds_nothing() -> None:
    one = ((3, 1), (1, 3))
    assert alpha_within().value(cells(one, ((9,),))) == alpha_within().value(cells(one))


def test_without_a_query_that_has_two_labels_it_is_undefined() -> None:
    found = alpha_within().value(cells(((5,),), ((0, 0), (0, 5))))
    assert found == NO_QUERY == "Alpha within queries is not defined: no query has both labels."


@given(st.lists(CELLS, min_size=1, max_size=5))
def test_within_is_one_less_the_ratio_of_the_weighed_sums(tables: list[tuple[int, ...]]) -> None:
    observed = expected = Fraction(0)
    for table in tables:
        n = 2 * sum(table)
        if not n:
            continue
        totals = [sum(table[3 * v : 3 * v + 3]) + sum(table[v::3]) for v in range(3)]
        disagree = Fraction(sum(table) - table[0] - table[4] - table[8], sum(table))
        observed += n * disagree
        expected += n * (1 - Fraction(sum(t * (t - 1) for t in totals), n * (n - 1)))
    found = alpha_within().value(np.concatenate([square(table) for table in tables]))
    if expected:
        assert found == 1 - observed / expected
    else:
        assert isinstance(found, str)


# --- cannot judge as a label --------------------------------------------------------------------


def test_cannot_judge_as_a_label_is_a_sensitivity() -> None:
    first, second = "RRNN??", "RRNN?R"
    table = count(pairs(first, second), "A", "B").cells
    assert pooled_alpha().value(table) == 1
    # Six items: R 5, N 4, ? 3 of 12 values; Do = 1/6, De = 1 - (20 + 12 + 6)/132 = 94/132.
    assert alpha_with_cannot_judge().value(table) == 1 - Fraction(1, 6) / Fraction(94, 132)
