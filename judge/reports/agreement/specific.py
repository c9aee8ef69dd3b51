"""Agreement on one label: Dice 1945; Cicchetti & Feinstein 1990.

Of the occasions on which an assessor gave the label, the share on which the other gave it too.
"""

from __future__ import annotations

from judge.reports.agreement.measure import SHARE, Measure
from judge.reports.agreement.table import Cells, two_valued

NO_RELEVANT = "Neither assessor called any document relevant."
ALL_RELEVANT = "Both assessors called every document relevant."


def on_relevant() -> Measure:
    """2a ÷ (2a + b + c), relevant against the rest."""
    return Measure(
        name="agreement on relevant",
        definition="2a ÷ (2a + b + c), relevant against the rest (Dice 1945)",
        undefined=NO_RELEVANT,
        limits=SHARE,
        ratio=_relevant,
        counts=True,
    )


def on_not_relevant() -> Measure:
    """2d ÷ (2d + b + c), where an uncertain label belongs to the rest."""
    return Measure(
        name="agreement on not relevant",
        definition="2d ÷ (2d + b + c), where the rest (not relevant, uncertain) is one",
        undefined=ALL_RELEVANT,
        limits=SHARE,
        ratio=_rest,
        counts=True,
    )


def _relevant(cells: Cells) -> tuple[Cells, Cells]:
    a, b, c, _ = two_valued(cells)
    return 2 * a, 2 * a + b + c


def _rest(cells: Cells) -> tuple[Cells, Cells]:
    _, b, c, d = two_valued(cells)
    return 2 * d, 2 * d + b + c
