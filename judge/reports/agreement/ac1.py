"""Gwet's AC1 (Gwet 2008): chance agreement from how uneven the labels are.

pe = sum m(1 - m) ÷ (q - 1), m the mean of the two marginals of a label and q the number of labels.
Defined where everyone gave one label too, which is why the share of the label stands beside it.
"""

from __future__ import annotations

import numpy as np

from judge.reports.agreement.measure import Measure
from judge.reports.agreement.table import NO_PAIR, Cells, equal, total


def ac1(q: int) -> Measure:
    """(po - pe) ÷ (1 - pe) over ``q`` labels, at least 2."""

    def ratio(cells: Cells) -> tuple[Cells, Cells]:
        n = total(cells)
        given = cells.sum(axis=-1) + cells.sum(axis=-2)
        twice = 2 * n[..., None]
        chance = np.asarray((given * (twice - given)).sum(axis=-1))
        whole = 4 * (q - 1) * n
        return whole * equal(cells) - chance, whole * n - chance

    return Measure(
        name="Gwet's AC1",
        definition=f"(po - pe) ÷ (1 - pe), pe = sum of m(1 - m) ÷ (q - 1), over q = {q} labels "
        "that were used",
        undefined=NO_PAIR,
        ratio=ratio,
    )
