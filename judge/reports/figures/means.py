"""Means of P@k and of differences, each with its interval and n."""

from __future__ import annotations

from judge.records.measured import ComparisonSection, MeanRow, PrecisionSection
from judge.reports.figures.drawings import (
    DIFFERENCES,
    MOST_PANELS,
    PAGE,
    SHARES,
    Chart,
    Dot,
    Grid,
    Row,
    anything,
    dot,
)
from judge.reports.render.cells import short

_READ = (
    "A filled mark is a mean, the line through it its 95 % interval over queries. Two hollow marks "
    "joined by a line are bounds of a mean that is not decided."
)


def means(part: PrecisionSection) -> list[Chart | str]:
    """P@k by cutoff and system."""
    found = [row for row in part.means if row.over == "queries"]
    rows = [
        Row(
            row.system,
            (dot(row.figure, row.interval),),
            note=f"{short(row.figure)}; n = {len(row.members)}" if row.members else "",
            group=f"P@{row.cutoff}",
        )
        for row in found
    ]
    if not anything(rows):
        return []
    return [
        Chart(
            id="means",
            title="Mean P@k by cutoff and system",
            description=f"{_READ} At the right: the mean and n, the queries in it.",
            tables=tuple(f"means-{k}" for k in part.cutoffs),
            drawing=Grid(("Mean P@k over queries",), tuple(rows), SHARES, by_row=True),
        )
    ]


def families(part: PrecisionSection, k: int) -> list[Chart | str]:
    """Mean P@k by family, a panel for each system."""
    found = [row for row in part.per_family if row.cutoff == k]
    systems = list(dict.fromkeys(row.system for row in found))
    names = list(dict.fromkeys(row.family for row in found))
    by_place = {(row.family, row.system): row for row in found}
    rows = [
        Row(name, tuple(_family_dot(by_place.get((name, one))) for one in systems))
        for name in names
    ]
    if not anything(rows):
        return []
    if len(rows) > PAGE or len(systems) > MOST_PANELS:
        return [
            f"No figure by family: {len(rows)} families of {len(systems)} systems are more than "
            "can be read as rows. Every mean is in the table."
        ]
    return [
        Chart(
            id=f"per-family-{k}",
            title=f"Mean P@{k} by family and system",
            description=_READ,
            tables=(f"per-family-{k}",),
            drawing=Grid(tuple(systems), tuple(rows), SHARES),
        )
    ]


def _family_dot(row: MeanRow | None) -> Dot:
    return Dot() if row is None else dot(row.figure, row.interval)


def comparisons(part: ComparisonSection) -> list[Chart | str]:
    """Mean difference of every declared pair, cutoff by cutoff."""
    rows = [
        Row(
            f"{row.first} - {row.second}",
            (dot(row.difference, row.interval),),
            note=f"{short(row.difference)}; n = {row.queries}" if row.queries else "",
            group=f"P@{row.cutoff}",
        )
        for row in part.rows
    ]
    if not anything(rows):
        return []
    whole = len(rows) <= PAGE
    groups = ["" if whole else group for group in dict.fromkeys(row.group for row in rows)]
    return [
        Chart(
            id="comparisons" + (f"-{number}" if group else ""),
            title=f"Mean difference of {group or 'P@k'} by pair of systems",
            description=f"{_READ} Right of 0 the first system is ahead. At the right: the mean "
            "difference and n, the queries that are decided for both.",
            tables=("comparisons",),
            drawing=Grid(
                ("First less second",),
                tuple(row for row in rows if group in ("", row.group)),
                DIFFERENCES,
            ),
        )
        for number, group in enumerate(dict.fromkeys(groups), 1)
    ]
