"""PABAK, the prevalence-adjusted bias-adjusted kappa (Byrt, Bishop & Carlin 1993).

2 po - 1 for two labels; (q po - 1) ÷ (q - 1) for q of them (Brennan & Prediger 1981).
"""

from __future__ import annotations

from judge.reports.agreement.measure import Measure
from judge.reports.agreement.table import NO_PAIR, Cells, equal, total


def pabak(q: int) -> Measure:
    """(q po - 1) ÷ (q - 1) over ``q`` labels, at least 2."""

    def ratio(cells: Cells) -> tuple[Cells, Cells]:
        return q * equal(cells) - total(cells), (q - 1) * total(cells)

    return Measure(
        name="PABAK",
        definition=f"(q po - 1) ÷ (q - 1), over q = {q} labels that were used",
        undefined=NO_PAIR,
        ratio=ratio,
    )
