"""How uneven the labels are: what kappa and alpha suffer from (Byrt, Bishop & Carlin 1993).

All relevant against the rest.
"""

from __future__ import annotations

from judge.reports.agreement.measure import SHARE, Measure
from judge.reports.agreement.table import NO_PAIR, Cells, total, two_valued


def share_relevant() -> Measure:
    """The prevalence: labels `relevant` ÷ labels of both assessors."""
    return Measure(
        name="share called relevant",
        definition="labels relevant ÷ labels of both: (2a + b + c) ÷ 2N",
        undefined=NO_PAIR,
        limits=SHARE,
        ratio=_share,
        counts=True,
    )


def prevalence_index() -> Measure:
    """(a - d) ÷ N: 0 where relevant and the rest are as frequent, ±1 where one is all there is."""
    return Measure(
        name="prevalence index",
        definition="(a - d) ÷ N, relevant against the rest",
        undefined=NO_PAIR,
        ratio=_prevalence,
        counts=True,
        interval=False,
    )


def bias_index() -> Measure:
    """(b - c) ÷ N: how much more often the first assessor says relevant."""
    return Measure(
        name="bias index",
        definition="(b - c) ÷ N: relevant by the first alone less by the second alone",
        undefined=NO_PAIR,
        ratio=_bias,
        counts=True,
        interval=False,
    )


def _share(cells: Cells) -> tuple[Cells, Cells]:
    a, b, c, _ = two_valued(cells)
    return 2 * a + b + c, 2 * total(cells)


def _prevalence(cells: Cells) -> tuple[Cells, Cells]:
    a, _, _, d = two_valued(cells)
    return a - d, total(cells)


def _bias(cells: Cells) -> tuple[Cells, Cells]:
    _, b, c, _ = two_valued(cells)
    return b - c, total(cells)
