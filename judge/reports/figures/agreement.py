"""Agreement before adjudication: the counts as a matrix, and drift by position."""

from __future__ import annotations

from judge.records.measured import AgreementSection, DriftRow
from judge.reports.figures.drawings import SHARES, Chart, Dot, Grid, Matrix, Row, anything

_THIRDS = {1: "first third", 2: "middle third", 3: "last third"}


def matrix(one: AgreementSection, number: int) -> list[Chart | str]:
    """Items by both labels; ``number`` tells the sections of a report apart."""
    if not any(count for row in one.table for count in row.counts):
        return []
    return [
        Chart(
            id=f"agreement-{number}",
            title=f"First labels of {one.first} against those of {one.second}",
            description="Items before adjudication. Equal labels stand in the framed cells; the "
            "more items, the darker the cell.",
            tables=(f"counts-{number}",),
            drawing=Matrix(
                down=f"{one.first} ↓",
                across=f"{one.second} →",
                labels=tuple(label.replace("_", " ") for label in one.labels),
                counts=tuple(row.counts for row in one.table),
            ),
        )
    ]


def drift(one: AgreementSection, number: int) -> list[Chart | str]:
    """Disagreements and relevant labels by third of each packet."""
    rows = [
        Row(
            _THIRDS[row.third],
            (_share(row.disagreements, row), _share(row.relevant, row)),
            note=f"{row.disagreements} and {row.relevant} of {row.items}" if row.items else "",
            group=row.assessor,
        )
        for row in one.drift
    ]
    if not anything(rows):
        return []
    return [
        Chart(
            id=f"drift-{number}",
            title="Drift by position in the packet",
            description="For each assessor, the share of items with a disagreement and the share "
            "called relevant, in the order in which the items were shown. At the right: both "
            "counts, of the items of that third.",
            tables=(f"drift-{number}",),
            drawing=Grid(
                ("Disagreements ÷ items", "Relevant ÷ items"), tuple(rows), SHARES, joined=True
            ),
        )
    ]


def _share(count: int, row: DriftRow) -> Dot:
    if not row.items:
        return Dot(words="no item")
    return Dot(count / row.items, count / row.items)
