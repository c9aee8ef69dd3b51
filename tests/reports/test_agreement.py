from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.records.judgement import FrozenPair
from judge.reports.agreement import (
    NO_PAIR,
    NO_RELEVANT,
    ROWS,
    Agreement,
    agreement,
    of_table,
)
from tests.reports.studies import freeze

R, N, U, C, Y = ROWS
LETTERS = {"R": R, "N": N, "U": U, "?": C, "-": Y}


def pairs(first: str, second: str) -> list[FrozenPair]:
    """Frozen pairs of two rows of letters; ``-`` is not yet judged, written as absent."""
    found = []
    for number, letters in enumerate(zip(first, second, strict=True)):
        labels = {
            code: LETTERS[letter]
            for code, letter in zip("AB", letters, strict=True)
            if letter != "-"
        }
        found.append(FrozenPair(query_id="q1", record_id=str(number), labels=labels))
    return found


def of(first: str, second: str) -> Agreement:
    return agreement(pairs(first, second), "A", "B")


def table(*rows: tuple[int, ...]) -> Agreement:
    """Counts over the judgements in the order relevant, not relevant, uncertain."""
    return of_table(
        {(ROWS[i], ROWS[j]): n for i, row in enumerate(rows) for j, n in enumerate(row)}
    )


# --- published tables ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "raw", "kappa"),
    [
        # Cohen 1960, table 1, times 200.
        (((88, 10, 2), (14, 40, 6), (18, 10, 12)), 0.7, 0.4915254),
        # Feinstein & Cicchetti 1990, tables 1 to 4.
        (((40, 9), (6, 45)), 0.85, 0.6995192),
        (((80, 10), (5, 5)), 0.85, 0.3181818),
        (((45, 15), (25, 15)), 0.6, 0.1304348),
        (((25, 35), (5, 35)), 0.6, 0.2592593),
        # Gwet, three abstractors' categories.
        (((13, 0, 0), (0, 20, 7), (0, 4, 56)), 0.89, 0.7964094),
        # Manning, Raghavan & Schuetze, table 8.2 (Cohen's kappa; the book prints Scott's pi).
        (((300, 20), (10, 70)), 0.925, 0.7761194),
        # Sim & Wright 2005.
        (((22, 2), (4, 11)), 0.8461538, 0.6666667),
    ],
)
def test_raw_agreement_and_kappa_of_published_tables(
    rows: tuple[tuple[int, ...], ...], raw: float, kappa: float
) -> None:
    found = table(*rows)
    assert isinstance(found.raw, Fraction)
    assert isinstance(found.kappa, Fraction)
    assert float(found.raw) == pytest.approx(raw, abs=5e-8)
    assert float(found.kappa) == pytest.approx(kappa, abs=5e-8)


@pytest.mark.parametrize(
    ("rows", "alpha"),
    [
        (((118, 5), (2, 0)), -0.0246914),
        (((13, 0, 0), (0, 20, 7), (0, 4, 56)), 0.7972585),
        (((300, 20), (10, 70)), 0.7761905),
        (((80, 10), (5, 5)), 0.3177),
        # 100 items, one class but for two: alpha -0.005 while 98 of 100 agree.
        (((98, 1), (1, 0)), -0.0050505),
    ],
)
def test_alpha_of_published_tables(rows: tuple[tuple[int, ...], ...], alpha: float) -> None:
    assert table(*rows).alpha == pytest.approx(alpha, abs=5e-5)


def test_krippendorff_2011_a() -> None:
    first, second = "0100000010", "1110010000"
    found = of(*(row.replace("1", "R").replace("0", "N") for row in (first, second)))
    assert found.alpha == pytest.approx(0.0952380952, abs=1e-9)


def test_agreement_on_relevant_of_published_tables() -> None:
    # Cicchetti & Feinstein 1990: .842 and .914; epiR's salmon table: .7037.
    assert table((40, 9), (6, 45)).on_relevant == Fraction(80, 95)
    assert table((80, 10), (5, 5)).on_relevant == Fraction(160, 175)
    assert table((19, 6), (10, 256)).on_relevant == Fraction(38, 54)


def test_uncertain_is_not_relevant_in_agreement_on_relevant() -> None:
    # a = 1, b = 1 (relevant, uncertain), c = 0.
    assert of("RRN", "RUN").on_relevant == Fraction(2, 3)


# --- what is missing ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "alpha"),
    [
        # The same labels with "?" as missing, as relevant, as not relevant, as a third judgement.
        ("RRN?NR?NRN", "RNNRNRNNRR", 0.5312),
        ("RRNRNRRNRN", "RNNRNRNNRR", 0.4242),
        ("RRNNNRNNRN", "RNNRNRNNRR", 0.4242),
        ("RRNUNRUNRN", "RNNRNRNNRR", 0.3504),
    ],
)
def test_cannot_judge_is_missing_and_uncertain_is_a_judgement(
    first: str, second: str, alpha: float
) -> None:
    assert of(first, second).alpha == pytest.approx(alpha, abs=5e-5)


def test_cannot_judge_and_not_yet_judged_are_counted_apart() -> None:
    found = of("RR?-", "R?--")
    assert found.table[R, R] == 1
    assert found.table[R, C] == 1
    assert found.table[C, Y] == 1
    assert found.table[Y, Y] == 1
    assert (found.pooled, found.both_judged) == (4, 1)
    assert (found.given(0, C), found.given(1, C), found.given(1, Y)) == (1, 1, 2)


def test_no_shared_item_is_not_agreement() -> None:
    # One finished item 1, the other item 2.
    found = of("R-", "-R")
    assert found.raw == found.on_relevant == found.alpha == found.kappa == NO_PAIR
    assert of("", "").raw == NO_PAIR


def test_one_label_for_everything_is_undefined_and_says_so() -> None:
    found = of("RRRRR", "RRRRR")
    assert found.raw == 1
    assert found.on_relevant == 1
    assert found.alpha == (
        "Alpha is not defined: every document labelled by both got the same label."
    )
    assert found.kappa == (
        "Kappa is not defined: every document labelled by both got the same label."
    )


def test_another_label_on_an_item_only_one_judged_does_not_define_alpha() -> None:
    # The library returns nan here.
    assert isinstance(of("RRRN", "RRR-").alpha, str)
    assert isinstance(of("RRRN", "RRR?").alpha, str)


def test_nobody_called_anything_relevant() -> None:
    assert of("NNU", "NNN").on_relevant == NO_RELEVANT


def test_one_dissent_in_a_constant_table_is_zero() -> None:
    # Two raters, five items, one dissent: Do = 1/5, De = 1 - (9 * 8)/(10 * 9) = 1/5.
    assert of("RRRRR", "RRRRN").alpha == pytest.approx(0.0, abs=1e-12)


def test_perfect_disagreement_on_two_items_is_minus_a_half() -> None:
    assert of("RN", "NR").alpha == pytest.approx(-0.5, abs=1e-12)


def test_who_is_first_is_fixed_by_code_not_by_order() -> None:
    found = pairs("RRN", "RNN")
    swapped = [
        FrozenPair(
            query_id=one.query_id,
            record_id=one.record_id,
            labels=dict(reversed(list(one.labels.items()))),
        )
        for one in found
    ]
    assert agreement(found, "A", "B") == agreement(swapped, "A", "B")


def test_the_small_study() -> None:
    # 8 both relevant, 1 (relevant, not), 4 both not, 1 both uncertain.
    found = agreement(freeze().pairs, "A", "B")
    assert (found.pooled, found.both_judged) == (16, 14)
    assert found.raw == Fraction(13, 14)
    assert found.on_relevant == Fraction(16, 17)
    assert found.kappa == Fraction(89, 103)
    assert found.alpha == pytest.approx(356 / 410, abs=1e-12)


# --- invariants ---------------------------------------------------------------------------------

CELLS = st.tuples(*[st.integers(0, 9)] * 9)


def square(cells: tuple[int, ...]) -> Agreement:
    return table(cells[:3], cells[3:6], cells[6:])


@given(CELLS)
def test_alpha_is_the_cell_arithmetic_or_a_sentence(cells: tuple[int, ...]) -> None:
    # Krippendorff 2011: 1 - Do/De from the coincidence counts.
    found = square(cells)
    n = sum(cells)
    totals = [sum(cells[3 * v : 3 * v + 3]) + sum(cells[v::3]) for v in range(3)]
    same = sum(total * (total - 1) for total in totals)
    if n == 0 or same == 2 * n * (2 * n - 1):
        assert isinstance(found.alpha, str)
        return
    observed = Fraction(n - cells[0] - cells[4] - cells[8], n)
    expected = 1 - Fraction(same, 2 * n * (2 * n - 1))
    assert found.alpha == pytest.approx(float(1 - observed / expected), abs=1e-12)


@given(CELLS)
def test_swapping_the_assessors_changes_no_coefficient(cells: tuple[int, ...]) -> None:
    one, other = square(cells), square(tuple(cells[3 * j + i] for i in range(3) for j in range(3)))
    assert (one.raw, one.on_relevant, one.kappa) == (other.raw, other.on_relevant, other.kappa)
    assert one.alpha == (
        other.alpha if isinstance(other.alpha, str) else pytest.approx(other.alpha, abs=1e-12)
    )
