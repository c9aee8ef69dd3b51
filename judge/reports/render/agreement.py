"""Agreement before adjudication, on the page."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import AgreementRow, AgreementSection, RepeatsRow
from judge.reports.render.blocks import Block, Table, Text, columns
from judge.reports.render.cells import fractions, full

_THIRDS = {1: "first", 2: "middle", 3: "last"}


def agreement(one: AgreementSection, number: int) -> list[Block]:
    """One pair of assessors at one freeze; ``number`` keeps the ids of its tables apart."""
    return [
        Text(
            f"Freeze {one.freeze} ({one.at_utc}), assessors {one.first} and {one.second}: "
            f"{one.pooled} items, {one.both_judged} judged by both."
            + (f" {one.standing}" if one.standing else "")
            + (f" Labels under rubric version {one.rubric}." if one.rubric else "")
        ),
        Table(
            f"coverage-{number}",
            f"Coverage, {_which(one)}",
            columns("Assessor", "Labels"),
            tuple((row.name, row.text) for row in one.coverage),
            "",
        ),
        Table(
            f"counts-{number}",
            f"Items by label of {one.first} (rows) and {one.second} (columns), {_which(one)}",
            columns(f"{one.first} \\ {one.second}", *(f"#{label}" for label in one.labels)),
            tuple((row.label, *map(str, row.counts)) for row in one.table),
            "",
        ),
        Table(
            f"coefficients-{number}",
            f"Agreement of {one.first} and {one.second}, {_which(one)}; none stands alone",
            columns(
                "Measure",
                "#Value",
                "#Exact",
                "95 % interval over queries",
                "95 % interval over items, for exactly these queries",
                "Definition",
            ),
            tuple(
                (
                    row.name,
                    row.figure.cell,
                    fractions(row.figure),
                    row.interval.cell,
                    row.of_these.cell,
                    row.definition,
                )
                for row in one.coefficients
            ),
            "",
        ),
        Text(one.checked),
        _counts(one, f"agreement-per-query-{number}", "Query", one.per_query),
        _counts(one, f"agreement-per-family-{number}", "Family", one.per_family),
        Table(
            f"drift-{number}",
            f"By third of each assessor's packet, items that {one.first} and {one.second} judged",
            columns("Assessor", "Third", "#Items", "#Disagreements", "#Relevant"),
            tuple(
                (
                    row.assessor,
                    _THIRDS[row.third],
                    str(row.items),
                    str(row.disagreements),
                    str(row.relevant),
                )
                for row in one.drift
            ),
            "No position is known.",
        ),
        Text(one.drift_note),
    ]


def _which(one: AgreementSection) -> str:
    """Which freeze a table is of, whether it is the current one, and the rubric's version."""
    current = one.standing.partition(".")[0].partition(":")[0].partition(" since")[0].lower()
    said = f"freeze {one.freeze}" + (f" ({current})" if current else "")
    return said + (f", rubric version {one.rubric}" if one.rubric else "")


def _counts(
    one: AgreementSection, table_id: str, first: str, rows: Iterable[AgreementRow]
) -> Table:
    return Table(
        table_id,
        f"Counts by {first.lower()}; so few items bear no coefficient",
        columns(
            first,
            "#Judged by both",
            "#Equal",
            f"#Relevant by {one.first}",
            f"#Relevant by {one.second}",
            "#By both",
            "#Overlap",
        ),
        tuple(
            (
                row.name,
                str(row.both_judged),
                str(row.equal),
                str(row.first_relevant),
                str(row.second_relevant),
                str(row.both_relevant),
                full(row.overlap),
            )
            for row in rows
        ),
        "Nothing is pooled.",
    )


def repeats(rows: Iterable[RepeatsRow]) -> Table:
    """Self-consistency; printed only where items were shown twice."""
    return Table(
        "repeats",
        "Self-consistency on items shown twice, unmarked; the first label counts everywhere else",
        columns("Assessor", "#Repeats", "#Same label", "95 % interval", "#Alpha of both labels"),
        tuple(
            (
                row.assessor,
                str(row.repeats),
                full(row.same),
                row.interval.cell,
                full(row.alpha),
            )
            for row in rows
        ),
        "",
    )
