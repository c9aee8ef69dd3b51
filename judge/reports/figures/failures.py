"""What went wrong, by kind and by system."""

from __future__ import annotations

from collections.abc import Mapping

from judge.records.report import Failures
from judge.reports.figures.drawings import MOST_PANELS, Chart, Dot, Grid, Row, counts_scale


def outcomes(part: Failures) -> list[Chart | str]:
    """Requests by outcome and system."""
    counts = {(row.outcome, row.system): row.requests for row in part.by_outcome}
    return _bars(
        "outcomes",
        "Requests by outcome and system",
        "Only “answered” and “empty” are lists; every other outcome gave none, and has no P@k.",
        counts,
    )


def categories(counts: Mapping[tuple[str, str], int], table: str) -> list[Chart | str]:
    """What went wrong, from counts by (category, system), above the table of this id."""
    return _bars(
        table,
        "What went wrong, by category and system",
        "How often the records say so; what people named beside that stands in the table. No label "
        "and no score changes.",
        counts,
    )


def _bars(
    table: str, title: str, description: str, counts: Mapping[tuple[str, str], int]
) -> list[Chart | str]:
    """A bar for each (kind, system); a kind that no system has is no row."""
    kinds = list(dict.fromkeys(kind for (kind, _), count in counts.items() if count))
    systems = list(dict.fromkeys(system for _, system in counts))
    if not kinds:
        return []
    if len(systems) > MOST_PANELS:
        return [f"No figure of “{title}”: {len(systems)} systems are too many for one. See below."]
    rows = []
    for kind in kinds:
        found = [counts.get((kind, system), 0) for system in systems]
        rows.append(
            Row(
                kind.replace("_", " "),
                tuple(Dot(n, n, words=f"{n}" if n else "none") for n in found),
            )
        )
    return [
        Chart(
            id=table,
            title=title,
            description=description,
            tables=(table,),
            drawing=Grid(
                tuple(systems), tuple(rows), counts_scale(max(counts.values())), bars=True
            ),
        )
    ]
