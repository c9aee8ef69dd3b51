"""Cohen's kappa (Cohen 1960) and the greatest value that the marginals let it have."""

from __future__ import annotations

import numpy as np

from judge.reports.agreement.measure import Measure
from judge.reports.agreement.table import Cells, equal, total

ONE_LABEL = "Kappa is not defined: every document labelled by both got the same label."


def kappa() -> Measure:
    """(po - pe) ÷ (1 - pe) with pe from each assessor's own marginals, three judgements."""
    return Measure(
        name="Cohen's kappa",
        definition="(po - pe) ÷ (1 - pe), three judgements",
        undefined=ONE_LABEL,
        ratio=_ratio,
    )


def kappa_max() -> Measure:
    """Kappa if the two agreed as often as their marginals allow (Cohen 1960; Sim & Wright 2005)."""
    return Measure(
        name="largest kappa with these marginals",
        definition="(sum of the smaller marginals - pe) ÷ (1 - pe)",
        undefined=ONE_LABEL,
        ratio=_largest,
        interval=False,
    )


def _marginals(cells: Cells) -> tuple[Cells, Cells, Cells]:
    """Items, sum of products of marginals (pe × N²), sum of the smaller marginals."""
    first, second = cells.sum(axis=-1), cells.sum(axis=-2)
    chance = np.asarray((first * second).sum(axis=-1))
    return total(cells), chance, np.asarray(np.minimum(first, second).sum(axis=-1))


def _ratio(cells: Cells) -> tuple[Cells, Cells]:
    n, chance, _ = _marginals(cells)
    return n * equal(cells) - chance, n * n - chance


def _largest(cells: Cells) -> tuple[Cells, Cells]:
    n, chance, smaller = _marginals(cells)
    return n * smaller - chance, n * n - chance
