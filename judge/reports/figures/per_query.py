"""P@k of every query, a panel for each system; and the differences, a panel for each pair."""

from __future__ import annotations

from collections.abc import Sequence

from judge.records.measured import ComparisonSection, PrecisionSection
from judge.reports.figures.drawings import (
    DIFFERENCES,
    MOST_PANELS,
    SHARES,
    Chart,
    Dot,
    Grid,
    Row,
    Scale,
    anything,
    dot,
    pages,
)

MOST_QUERIES = 240
_BOUNDS = (
    "Two hollow marks joined by a line are bounds: ranks that are not decided could put the value "
    "anywhere between them."
)


def per_query(part: PrecisionSection, k: int) -> list[Chart | str]:
    """The figures of one cutoff, in pages; or why there is none."""
    found = [row for row in part.per_query if row.cutoff == k]
    systems = list(dict.fromkeys(row.system for row in found))
    dots = {(row.query_id, row.system): dot(row.figure) for row in found}
    families = {row.query_id: row.family for row in found}
    rows = [
        Row(query, tuple(dots.get((query, one), Dot()) for one in systems), note=family)
        for query, family in families.items()
    ]
    return _paged(
        f"per-query-{k}",
        f"P@{k} of every query, by system",
        f"A row for each query. A filled mark is a complete P@{k}. {_BOUNDS} Words stand where "
        "there is no P@k. The family stands at the right.",
        systems,
        rows,
        SHARES,
    )


def differences(part: ComparisonSection) -> list[Chart | str]:
    """The figures of the paired differences, cutoff by cutoff; or why there is none."""
    charts: list[Chart | str] = []
    for k in dict.fromkeys(row.cutoff for row in part.per_query):
        found = [row for row in part.per_query if row.cutoff == k]
        pairs = list(dict.fromkeys((row.first, row.second) for row in found))
        dots = {(row.name, (row.first, row.second)): dot(row.figure) for row in found}
        rows = [
            Row(query, tuple(dots.get((query, pair), Dot(words="–")) for pair in pairs))
            for query in dict.fromkeys(row.name for row in found)
        ]
        charts += _paged(
            "differences",
            f"Difference of P@{k} on every query",
            f"Right of 0 the first system has more relevant hits in ranks 1 to {k}, left of 0 the "
            f"second. {_BOUNDS} A dash: not a list from both.",
            [f"{first} - {second}" for first, second in pairs],
            rows,
            DIFFERENCES,
            suffix=f"-{k}",
        )
    return charts


def _paged(
    table: str,
    title: str,
    description: str,
    panels: Sequence[str],
    rows: Sequence[Row],
    scale: Scale,
    suffix: str = "",
) -> list[Chart | str]:
    if not anything(rows):
        return [f"No figure of “{title}”: no query has a value."] if rows else []
    if len(rows) > MOST_QUERIES or len(panels) > MOST_PANELS:
        return [
            f"No figure of “{title}”: {len(rows)} queries in {len(panels)} panels are more than "
            "can be read as rows. Every value is in the table."
        ]
    parts = pages(rows)
    charts: list[Chart | str] = []
    start = 1
    for number, part in enumerate(parts, 1):
        end = start + len(part) - 1
        name = f"{title}: rows {start} to {end} of {len(rows)}" if len(parts) > 1 else title
        charts.append(
            Chart(
                id=f"{table}{suffix}" + (f"-page-{number}" if len(parts) > 1 else ""),
                title=name,
                description=description,
                tables=(table,),
                drawing=Grid(tuple(panels), part, scale),
            )
        )
        start = end + 1
    return charts
