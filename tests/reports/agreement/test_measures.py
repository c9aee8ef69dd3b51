"""Identities and undefined cases of the measures that are not alpha."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.agreement.ac1 import ac1
from judge.reports.agreement.alpha import alpha_within, pooled_alpha
from judge.reports.agreement.figures import measures
from judge.reports.agreement.kappa import kappa
from judge.reports.agreement.mcnemar import NO_DISAGREEMENT, mcnemar
from judge.reports.agreement.overlap import mean_overlap, pooled_overlap
from judge.reports.agreement.pabak import pabak
from judge.reports.agreement.raw import raw
from judge.reports.agreement.skew import bias_index, prevalence_index, share_relevant
from judge.reports.agreement.specific import ALL_RELEVANT, on_not_relevant, on_relevant
from judge.reports.agreement.table import NO_PAIR
from tests.reports.agreement.tables import cells, counts, square

NINE = st.tuples(*[st.integers(0, 9)] * 9)
FOUR = st.tuples(*[st.integers(0, 9)] * 4)


def fraction(value: Fraction | str) -> Fraction:
    assert isinstance(value, Fraction)
    return value


# --- undefined ----------------------------------------------------------------------------------


def test_nothing_labelled_by_both_is_one_sentence_for_every_measure() -> None:
    nothing = counts(((0,),), ((0,),))
    assert {one.value(nothing.cells) for one in measures(nothing)} == {NO_PAIR}
    assert NO_PAIR == "No document has been labelled by two assessors yet."


def test_nobody_called_anything_relevant() -> None:
    table = cells(((0, 0, 0), (0, 4, 1), (0, 0, 2)))
    for one in (on_relevant(), pooled_overlap(), mean_overlap(table[:, :3, :3])):
        assert one.value(table) == "Neither assessor called any document relevant."
    assert on_not_relevant().value(table) == 1


def test_everything_relevant_leaves_agreement_on_the_rest_undefined() -> None:
    assert on_not_relevant().value(cells(((5,),))) == ALL_RELEVANT


def test_kappa_is_undefined_where_everyone_said_the_same_and_ac1_is_not() -> None:
    same = cells(((5,),))
    assert kappa().value(same) == (
        "Kappa is not defined: every document labelled by both got the same label."
    )
    assert ac1(2).value(same) == 1
    assert share_relevant().value(same) == 1


# --- worked by hand -----------------------------------------------------------------------------


def test_uncertain_belongs_to_the_rest() -> None:
    # (R, R), (R, U), (N, N): a = 1, b = 1, c = 0, d = 1.
    table = cells(((1, 0, 1), (0, 1, 0), (0, 0, 0)))
    assert on_relevant().value(table) == Fraction(2, 3)
    assert on_not_relevant().value(table) == Fraction(2, 3)
    assert pooled_overlap().value(table) == Fraction(1, 2)


def test_mean_overlap_is_over_queries_with_something_relevant() -> None:
    # 1/2, 2/2, and one without: mean 3/4 over two, pooled 3/4 by chance here; then 1/4.
    tables = (((1, 1), (0, 3)), ((2, 0), (0, 1)), ((0, 0), (0, 4)))
    table = cells(*tables)
    one = mean_overlap(table[:, :3, :3])
    assert one.value(table) == Fraction(3, 4)
    assert one.definition == (
        "mean over 2 queries where either called a document relevant; 1 without one left out"
    )
    more = cells(*tables, ((1, 3), (0, 0)))
    assert mean_overlap(more[:, :3, :3]).value(more) == Fraction(7, 12)
    assert pooled_overlap().value(more) == Fraction(4, 8)


def test_ac1_and_pabak_count_the_labels_that_were_used() -> None:
    # 10 items, po = 8/10; marginal means .55, .40, .05 of three labels.
    table = cells(((5, 1, 0), (0, 3, 1), (0, 0, 0)))
    m = [Fraction(11, 20), Fraction(8, 20), Fraction(1, 20)]
    chance = sum((one * (1 - one) for one in m), Fraction(0)) / 2
    assert ac1(3).value(table) == (Fraction(8, 10) - chance) / (1 - chance)
    assert pabak(3).value(table) == (3 * Fraction(8, 10) - 1) / 2
    assert [
        one.name for one in measures(counts(((5, 1), (0, 3)))) if "q = 2" in one.definition
    ] == [
        "Gwet's AC1",
        "PABAK",
    ]


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        # 2 × (1 + 13 + 78 + 286 + 715 + 1287) ÷ 2^13; 2 × 1 ÷ 2^5; a tie is 1, not more.
        (5, 8, 2 * 2380 / 8192),
        (0, 5, 2 / 32),
        (3, 3, 1.0),
        (1, 0, 1.0),
    ],
)
def test_mcnemar_is_a_fair_coin(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c) == pytest.approx(p, abs=1e-12)
    assert mcnemar(c, b) == pytest.approx(p, abs=1e-12)


def test_without_a_disagreement_mcnemar_has_a_sentence() -> None:
    assert mcnemar(0, 0) == NO_DISAGREEMENT


# --- identities ---------------------------------------------------------------------------------


@given(FOUR)
def test_byrts_identity(four: tuple[int, ...]) -> None:
    # Byrt, Bishop & Carlin 1993: kappa = (PABAK - PI² + BI²) ÷ (1 - PI² + BI²).
    table = cells((four[:2], four[2:]))
    value = kappa().value(table)
    if isinstance(value, str):
        return
    adjusted, pi, bi = (
        fraction(one.value(table)) for one in (pabak(2), prevalence_index(), bias_index())
    )
    assert value == (adjusted - pi**2 + bi**2) / (1 - pi**2 + bi**2)


@given(NINE)
def test_alpha_is_scotts_pi_and_a_correction_for_few_items(nine: tuple[int, ...]) -> None:
    table = square(nine)
    value = pooled_alpha().value(table)
    if isinstance(value, str):
        return
    n = sum(nine)
    means = [Fraction(sum(nine[3 * v : 3 * v + 3]) + sum(nine[v::3]), 2 * n) for v in range(3)]
    chance = sum((one * one for one in means), Fraction(0))
    pi = (Fraction(nine[0] + nine[4] + nine[8], n) - chance) / (1 - chance)
    assert value == pi + (1 - pi) / (2 * n)


@given(NINE)
def test_overlap_follows_from_agreement_on_relevant(nine: tuple[int, ...]) -> None:
    share, overlap = on_relevant().value(square(nine)), pooled_overlap().value(square(nine))
    if isinstance(share, str):
        assert overlap == share
    else:
        assert overlap == share / (2 - share)


@given(st.lists(NINE, min_size=1, max_size=4))
def test_swapping_the_assessors_changes_no_figure_but_the_bias(
    tables: list[tuple[int, ...]],
) -> None:
    one = counts(*((table[:3], table[3:6], table[6:]) for table in tables))
    other = counts(
        *(tuple(tuple(table[3 * j + i] for j in range(3)) for i in range(3)) for table in tables)
    )
    for measure in measures(one):
        mine, theirs = measure.value(one.cells), measure.value(other.cells)
        if measure.name == "bias index" and not isinstance(mine, str):
            assert mine == -fraction(theirs)
        else:
            assert mine == theirs


@given(st.lists(NINE, min_size=1, max_size=4))
def test_resampled_arithmetic_is_the_exact_one(tables: list[tuple[int, ...]]) -> None:
    # A resample that draws every query once is the study itself.
    found = counts(*((table[:3], table[3:6], table[6:]) for table in tables))
    for measure in measures(found):
        exact = measure.value(found.cells)
        sums = measure.table(found.cells).sum(axis=0)[None, :]
        value = float(measure.statistic(sums)[0])
        if isinstance(exact, str):
            assert np.isnan(value)
        else:
            assert value == pytest.approx(float(exact), abs=1e-9)


def test_measures_stand_in_the_fixed_order() -> None:
    assert [one.name for one in measures(counts(((5, 1), (1, 3))))] == [
        "raw agreement",
        "agreement on relevant",
        "agreement on not relevant",
        "overlap, pooled",
        "overlap, mean over queries",
        "Krippendorff's alpha, pooled",
        "alpha, cannot judge as a label (sensitivity)",
        "Krippendorff's alpha, within queries",
        "Cohen's kappa",
        "Gwet's AC1",
        "share called relevant",
        "PABAK",
        "prevalence index",
        "bias index",
        "largest kappa with these marginals",
    ]


def test_raw_agreement_is_over_items_that_both_judged() -> None:
    assert raw(4).value(cells(((2, 1), (0, 1)))) == Fraction(3, 4)
    assert alpha_within().limits == (-1.0, 1.0)
