"""Sensitivity on the page: what P@k would be under other rules, after every declared figure."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import ReturnedSection, SensitivitySection, VariantRow, VariantTable
from judge.reports.render.blocks import Section, Table, Text, columns
from judge.reports.render.cells import full

_NOTE = "None of these is the declared measure; they show how far it rests on rules and on gaps."
_BOUNDS = "Bounds of P@k; where the two differ, neither is P@k"


def sensitivity(part: SensitivitySection) -> list[Section]:
    """Bounds, duplicates, labels, then a measure of another name."""
    heading = "Sensitivity"
    if part.absent_reason:
        shown = [Section("sensitivity", heading, 2, (Text(part.absent_reason, "note"),))]
    else:
        shown = [
            Section("sensitivity", heading, 2, (Text(_NOTE),)),
            _variants("bounds", "Bounds where ranks are open", part.bounds, _BOUNDS),
            _variants("duplicates", "Under other rules for duplicates", part.duplicates),
            _variants("labellings", "Under each assessor's labels", part.labellings),
        ]
    if part.over_returned.absent_reason == part.absent_reason != "":
        return shown
    return [*shown, _over_returned(part.over_returned)]


def _variants(
    section_id: str, heading: str, part: VariantTable, caption: str = "P@k in each way"
) -> Section:
    return Section(
        section_id,
        heading,
        3,
        (
            Text(part.note),
            _variant_table(f"{section_id}-table", caption, part.names, part.rows),
        ),
    )


def _over_returned(part: ReturnedSection) -> Section:
    heading = "Precision over returned results, a different measure"
    if part.absent_reason:
        return Section("over-returned", heading, 3, (Text(part.absent_reason, "note"),))
    table = _variant_table(
        "over-returned-table",
        "Relevant ÷ returned at ranks 1 to k; not P@k",
        ("precision over returned (a different measure)",),
        part.rows,
    )
    return Section("over-returned", heading, 3, (Text(part.definition), table))


def _variant_table(
    table_id: str, caption: str, names: Iterable[str], rows: Iterable[VariantRow]
) -> Table:
    over = {"query": "query {}", "family": "mean, family {}", "queries": "mean, all queries"}
    return Table(
        table_id,
        caption,
        columns("Over", "System", "#k", "#n", *(f"#{name}" for name in names)),
        tuple(
            (
                over[row.over].format(row.name),
                row.system,
                str(row.cutoff),
                str(row.queries),
                *(full(figure) for figure in row.figures),
            )
            for row in rows
        ),
        "No query has a P@k.",
    )
