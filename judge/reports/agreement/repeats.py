"""Self-consistency: what an assessor said of the same item, unmarked, a second time.

The first label counts everywhere else; repeats enter neither agreement nor P@k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from judge.records.measured import Interval
from judge.reports.agreement.alpha import alpha_with_cannot_judge
from judge.reports.agreement.table import ROWS
from judge.reports.intervals import wilson


@dataclass(frozen=True)
class SelfConsistency:
    """How one assessor's second labels compare with the first."""

    repeats: int
    same: int
    interval: Interval
    """Of the share ``same ÷ repeats`` (Wilson): how little a few repeats prove."""
    alpha: Fraction | str
    """Alpha of (first, second), `cannot_judge` a label like any other."""


def self_consistency(pairs: Sequence[tuple[str, str]]) -> SelfConsistency:
    """Of (first, second) labels, at least one pair. Raises ``ValueError`` for none."""
    if not pairs:
        raise ValueError("no repeats")
    cells = np.zeros((1, len(ROWS), len(ROWS)), dtype=np.int64)
    for first, second in pairs:
        cells[0, ROWS.index(first), ROWS.index(second)] += 1
    same = int(np.trace(cells[0]))
    return SelfConsistency(
        repeats=len(pairs),
        same=same,
        interval=wilson(same, len(pairs)),
        alpha=alpha_with_cannot_judge().value(cells),
    )
