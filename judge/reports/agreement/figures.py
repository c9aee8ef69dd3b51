"""Every figure of agreement in its fixed order, each with its intervals."""

from __future__ import annotations

import msgspec
import numpy as np

from judge.records.measured import Coefficient, Figure, Interval
from judge.reports.agreement.ac1 import ac1
from judge.reports.agreement.alpha import alpha_with_cannot_judge, alpha_within, pooled_alpha
from judge.reports.agreement.kappa import kappa, kappa_max
from judge.reports.agreement.mcnemar import mcnemar
from judge.reports.agreement.measure import Measure
from judge.reports.agreement.overlap import mean_overlap, pooled_overlap
from judge.reports.agreement.pabak import pabak
from judge.reports.agreement.raw import raw
from judge.reports.agreement.skew import bias_index, prevalence_index, share_relevant
from judge.reports.agreement.specific import on_not_relevant, on_relevant
from judge.reports.agreement.table import Counts, equal, labels_used, total, two_valued
from judge.reports.intervals import CONSTANT, clopper_pearson, over_queries, percentile
from judge.reports.numbers import counted, exact, p_text
from judge.reports.resampling import Floats, Resamples

NOTHING = Interval(cell="–")


def measures(counts: Counts) -> tuple[Measure, ...]:
    """All measures in the order in which they are printed."""
    judged = counts.judged
    pooled = judged.sum(axis=0)
    q = labels_used(pooled)
    return (
        raw(int(pooled.sum())),
        on_relevant(),
        on_not_relevant(),
        pooled_overlap(),
        mean_overlap(judged),
        pooled_alpha(),
        alpha_with_cannot_judge(),
        alpha_within(),
        kappa(),
        ac1(q),
        share_relevant(),
        pabak(q),
        prevalence_index(),
        bias_index(),
        kappa_max(),
    )


def coefficients(counts: Counts, resamples: Resamples) -> tuple[Coefficient, ...]:
    """Every figure with its interval over queries, and over items for exactly these queries."""
    chosen = measures(counts)
    # Measures on the same part of the table share its rows, and one pass over the draws.
    tables = {_rows_of(one): one.table(counts.cells) for one in chosen}
    edges = np.cumsum([table.shape[1] for table in tables.values()])[:-1]
    split = np.split(resamples.sums(np.hstack(list(tables.values()))), edges, axis=1)
    sums = dict(zip(tables, split, strict=True))
    found = [
        _coefficient(one, tables[_rows_of(one)], sums[_rows_of(one)], counts, resamples)
        for one in chosen
    ]
    return (_unanimous(found[0], counts), *found[1:], _leniency(counts))


def _rows_of(one: Measure) -> str:
    """What tells the rows of one measure's table from those of another."""
    return f"first {one.labels} labels" if one.terms is None else one.name


def _coefficient(
    one: Measure, table: Floats, sums: Floats, counts: Counts, resamples: Resamples
) -> Coefficient:
    value = one.value(counts.cells)
    interval = of_these = NOTHING
    if isinstance(value, str):
        figure = Figure(cell=value)
    else:
        numerator, denominator = one.parts(counts.cells)
        figure = counted(int(numerator), int(denominator)) if one.counts else exact(value)
        if one.interval:
            own = one.own(table)
            interval = over_queries(one.statistic, table, own, sums, one.limits)
            of_these = _over_items(one, counts, resamples)
    return Coefficient(
        name=one.name,
        definition=one.definition,
        figure=figure,
        interval=interval,
        of_these=of_these,
    )


def _over_items(one: Measure, counts: Counts, resamples: Resamples) -> Interval:
    """What other documents of these very queries might have given: items resampled."""
    if one.ratio is None:
        return NOTHING
    pooled = one.taken(counts.cells).sum(axis=0)
    drawn = resamples.items(pooled)
    values = one.statistic(drawn.reshape(len(drawn), -1).astype(np.float64))
    return percentile(values, one.limits, f"{int(pooled.sum())} items resampled")


def _unanimous(agreed: Coefficient, counts: Counts) -> Coefficient:
    """Raw agreement where no disagreement was seen: resampling would show [1, 1]."""
    n = int(total(counts.judged).sum())
    if not n or int(equal(counts.judged).sum()) < n:
        return agreed
    exactly = clopper_pearson(n, n)
    constant = agreed.interval.cell == CONSTANT
    return msgspec.structs.replace(
        agreed, interval=exactly if constant else agreed.interval, of_these=exactly
    )


def _leniency(counts: Counts) -> Coefficient:
    _, b, c, _ = (int(count) for count in two_valued(counts.judged.sum(axis=0)))
    p = mcnemar(b, c)
    return Coefficient(
        name="is one assessor more lenient?",
        definition=f"McNemar, exact and two-sided: relevant by the first alone {b}, by the second "
        f"alone {c}",
        figure=Figure(cell=p if isinstance(p, str) else f"p = {p_text(p)}"),
        interval=NOTHING,
        of_these=NOTHING,
    )
