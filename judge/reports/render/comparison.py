"""Comparing systems, on the page: queries, then families, then pairs, then the order (R69)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import ComparisonRow, ComparisonSection, DifferenceRow, LeftOut
from judge.reports.render.blocks import Block, Section, Table, Text, columns
from judge.reports.render.cells import full


def comparison(part: ComparisonSection) -> list[Section]:
    """The whole section, or why there is none."""
    heading = "Comparing systems"
    if part.absent_reason:
        return [Section("comparison", heading, 2, (Text(part.absent_reason, "note"),))]
    blocks: list[Block] = [Text(sentence) for sentence in part.method]
    if part.rows:
        blocks += [
            _differences("differences", "Query", part.per_query),
            _differences("family-differences", "Family", part.per_family),
            _pairs(part.rows),
            _tests(part.rows),
            _signs(part.rows),
        ]
    return [
        Section("comparison", heading, 2, tuple(blocks)),
        Section("order", "Order of the systems under each set of labels", 3, _order(part)),
    ]


def _pair(row: ComparisonRow | DifferenceRow) -> str:
    return f"{row.first} - {row.second}"


def _differences(table_id: str, first: str, rows: Iterable[DifferenceRow]) -> Table:
    return Table(
        table_id,
        f"Difference of P@k by {first.lower()}; open ranks as bounds",
        columns(first, "Systems", "#k", "#Queries", "#Difference"),
        tuple(
            (row.name, _pair(row), str(row.cutoff), str(row.queries), full(row.figure))
            for row in rows
        ),
        "No query has a list from both systems.",
    )


def _pairs(rows: Iterable[ComparisonRow]) -> Table:
    return Table(
        "comparisons",
        "Mean difference of P@k, first less second, on queries where it is decided",
        columns(
            "Systems",
            "#k",
            "#n",
            "#Mean difference",
            "95 % interval",
            "#Wins / ties / losses",
            "#Queries with a list from both",
            "#Bounds over those",
            "Left out of n",
        ),
        tuple(
            (
                _pair(row),
                str(row.cutoff),
                str(row.queries),
                full(row.difference),
                row.interval.cell,
                f"{row.wins} / {row.ties} / {row.losses}",
                str(row.bounded_queries),
                full(row.bounds),
                _left_out(row.left_out),
            )
            for row in rows
        ),
        "",
    )


def _tests(rows: Iterable[ComparisonRow]) -> Table:
    return Table(
        "comparison-tests",
        "Size of the difference, and how it stands against chance",
        columns("Systems", "#k", "#n", "#d_z", "#p", "#p after Holm", "#Smallest difference"),
        tuple(
            (
                _pair(row),
                str(row.cutoff),
                str(row.queries),
                row.effect.cell,
                full(row.p),
                row.adjusted.cell,
                row.detectable.cell,
            )
            for row in rows
        ),
        "",
    )


def _signs(rows: Iterable[ComparisonRow]) -> Table:
    return Table(
        "comparison-signs",
        "The same differences, on the same queries, under each assessor's own labels",
        columns("Systems", "#k", "Labels of", "#Mean difference", "Against the final labels"),
        tuple(
            (_pair(row), str(row.cutoff), one.labels, full(one.figure), one.sign)
            for row in rows
            for one in row.signs
        ),
        "No query is decided for both.",
    )


def _order(part: ComparisonSection) -> tuple[Block, ...]:
    return (
        Text(part.order_note),
        Table(
            "order-means",
            "Mean P@k on the common complete queries",
            columns("System", "#k", "#n", *(f"#{name}" for name in part.order_names)),
            tuple(
                (
                    row.system,
                    str(row.cutoff),
                    str(row.queries),
                    *(full(figure) for figure in row.figures),
                )
                for row in part.order_means
            ),
            "",
        ),
        Table(
            "order-table",
            "Order under two sets of labels",
            columns("Labels", "#k", "#n", "#Tau-b", "Pairs that change places"),
            tuple(
                (
                    f"{row.first} and {row.second}",
                    str(row.cutoff),
                    str(row.queries),
                    row.tau_b.cell,
                    "; ".join(row.swapped) or "none",
                )
                for row in part.order
            ),
            "",
        ),
    )


def _left_out(rows: Iterable[LeftOut]) -> str:
    return "; ".join(f"{row.id} ({row.reason})" for row in rows) or "–"
