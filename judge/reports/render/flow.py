"""The flow on the page: one table, a step's total before its parts."""

from __future__ import annotations

from judge.records.flow import Flow
from judge.reports.render.blocks import Section, Table, Text, columns


def flow(part: Flow) -> list[Section]:
    """The section of the flow."""
    heading = "From queries to final labels"
    if part.absent_reason:
        return [Section("flow", heading, 2, (Text(part.absent_reason, "note"),))]
    rows: list[tuple[str, ...]] = []
    for step in part.steps:
        rows.append((step.name, "in all", str(step.total), ""))
        rows += [
            (step.name, one.name, str(one.count), "yes" if one.goes_on else "no")
            for one in step.parts
        ]
    table = Table(
        "flow-table",
        "Every step and what was lost at it",
        columns("Step", "Part", "#Number", "Goes on"),
        tuple(rows),
        "",
    )
    return [Section("flow", heading, 2, (Text(part.note), table))]
