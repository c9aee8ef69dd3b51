"""Raw agreement: the share of items on which both gave the same judgement."""

from __future__ import annotations

from judge.reports.agreement.measure import SHARE, Measure
from judge.reports.agreement.table import NO_PAIR, Cells, equal, total


def raw(n: int) -> Measure:
    """Equal judgements ÷ the ``n`` items that both judged."""
    return Measure(
        name="raw agreement",
        definition=f"equal judgements ÷ {n} items that both judged",
        undefined=NO_PAIR,
        limits=SHARE,
        ratio=_ratio,
        counts=True,
    )


def _ratio(cells: Cells) -> tuple[Cells, Cells]:
    return equal(cells), total(cells)
