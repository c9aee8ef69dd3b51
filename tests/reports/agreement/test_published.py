"""The measures against the values that their sources print."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from judge.reports.agreement.ac1 import ac1
from judge.reports.agreement.alpha import items_of, library_alpha, pooled_alpha
from judge.reports.agreement.kappa import kappa, kappa_max
from judge.reports.agreement.measure import Measure
from judge.reports.agreement.overlap import pooled_overlap
from judge.reports.agreement.pabak import pabak
from judge.reports.agreement.raw import raw
from judge.reports.agreement.skew import bias_index, prevalence_index
from judge.reports.agreement.specific import on_not_relevant, on_relevant
from judge.reports.agreement.table import labels_used
from tests.reports.agreement.cases import CASES, Case
from tests.reports.agreement.tables import cells

IDS = [case.source for case in CASES]


def measure(name: str, q: int) -> Measure:
    return {
        "raw": raw(1),
        "on relevant": on_relevant(),
        "on not relevant": on_not_relevant(),
        "overlap": pooled_overlap(),
        "alpha": pooled_alpha(),
        "kappa": kappa(),
        "largest kappa": kappa_max(),
        "ac1": ac1(q),
        "pabak": pabak(q),
        "prevalence index": prevalence_index(),
        "bias index": bias_index(),
    }[name]


def by_item(case: Case) -> NDArray[np.int64]:
    """A case as items by labels."""
    if case.counts:
        return np.array(case.counts, dtype=np.int64)
    if case.table:
        return items_of(np.array(case.table, dtype=np.int64))
    labels = sorted(set("".join(case.raters)) - {"."})
    return np.array(
        [[column.count(label) for label in labels] for column in zip(*case.raters, strict=True)],
        dtype=np.int64,
    )


def test_there_are_twenty_one_published_cases() -> None:
    assert len(CASES) == 21


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_published_case_has_its_published_values(case: Case) -> None:
    compared = 0
    for name, value in case.values.items():
        if case.table:
            table = cells(case.table)
            q = labels_used(table[0, :3, :3])
            found = measure(name, q).value(table)
            assert isinstance(found, Fraction)
            assert float(found) == pytest.approx(value, abs=5e-7), name
            compared += 1
        if name == "alpha":
            assert library_alpha(by_item(case)) == pytest.approx(value, abs=5e-7)
            compared += 1
    if case.fleiss is not None:
        # alpha = kappa + (1 - kappa) ÷ (items × raters), where every item has as many raters.
        values = by_item(case).sum()
        alpha = case.fleiss + (1 - case.fleiss) / values
        assert library_alpha(by_item(case)) == pytest.approx(alpha, abs=1e-7)
        compared += 1
    assert compared


def test_the_books_kappa_is_scotts_pi() -> None:
    # pi from pooled marginals: pe = (630/800)² + (170/800)²; alpha = pi + (1 - pi) ÷ 2N.
    chance = Fraction(630, 800) ** 2 + Fraction(170, 800) ** 2
    pi = (Fraction(370, 400) - chance) / (1 - chance)
    assert round(float(pi), 3) == 0.776
    assert pooled_alpha().value(cells(((300, 20), (10, 70)))) == pi + (1 - pi) / 800


def test_one_coefficient_alone_would_mislead() -> None:
    # 98 of 100 agree on one label and on nothing else: Do = 2/100, De = 792/39800.
    table = cells(((98, 1), (1, 0)))
    assert pooled_alpha().value(table) == 1 - Fraction(2, 100) / Fraction(792, 39800)
    assert float(ac1(2).value(table)) == pytest.approx(0.980, abs=5e-4)
    assert on_not_relevant().value(table) == 0
