"""Overlap of the two sets of relevant documents: Voorhees 1998 (SIGIR), 2000 (IPM 36:697).

Intersection ÷ union. With s for agreement on relevant it is s ÷ (2 - s).
"""

from __future__ import annotations

from judge.reports.agreement.measure import SHARE, Measure
from judge.reports.agreement.specific import NO_RELEVANT
from judge.reports.agreement.table import Cells, two_valued


def pooled_overlap() -> Measure:
    """a ÷ (a + b + c) over all items."""
    return Measure(
        name="overlap, pooled",
        definition="both relevant ÷ either relevant: a ÷ (a + b + c)",
        undefined=NO_RELEVANT,
        limits=SHARE,
        ratio=union,
        counts=True,
    )


def mean_overlap(cells: Cells) -> Measure:
    """Mean of a ÷ (a + b + c) over queries where either called something relevant.

    ``cells`` (queries, labels, labels) tells how many queries that leaves out.
    """
    _, either = union(cells)
    judged = cells.any(axis=(1, 2))
    used, dropped = int((either > 0).sum()), int((judged & (either == 0)).sum())
    return Measure(
        name="overlap, mean over queries",
        definition=f"mean over {used} queries where either called a document relevant; "
        f"{dropped} without one left out",
        undefined=NO_RELEVANT,
        limits=SHARE,
        terms=_terms,
    )


def union(cells: Cells) -> tuple[Cells, Cells]:
    """Items that both, and that either, called relevant."""
    a, b, c, _ = two_valued(cells)
    return a, a + b + c


def _terms(cells: Cells) -> tuple[Cells, Cells, Cells]:
    both, either = union(cells)
    return both, either, either
