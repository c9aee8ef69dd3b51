"""The end of the page: acceptance criteria, conclusions, limitations, what was left out, checks."""

from __future__ import annotations

from judge.records.closing import CriteriaSection, CriterionRow, Omitted, ToldBy, Verdict
from judge.records.measured import Computation
from judge.records.report import Report
from judge.reports.render.blocks import Block, Items, Section, Table, Text, columns
from judge.reports.render.cells import full

_VERDICTS: dict[Verdict, str] = {
    "met": "met",
    "not_met": "not met",
    "cannot_be_told": "cannot be told",
    "unanswered": "unanswered",
}
_TOLD_BY: dict[ToldBy, str] = {"mean": "by the mean", "team": "by the team", "nobody": ""}


def criteria(part: CriteriaSection) -> list[Section]:
    """Each criterion with its reason, then its verdict (R80)."""
    blocks: list[Block] = [Text(part.note)] if part.rows else []
    if part.absent_reason:
        blocks.append(Text(part.absent_reason, "note"))
    blocks.append(
        Table(
            "criteria",
            "Criteria, reasons and verdicts",
            columns("Criterion", "What it asks", "Reason", "Measured", "Verdict", "Remark"),
            tuple(
                (
                    f"{one.code}{' (post hoc)' if one.post_hoc else ''}",
                    one.text,
                    one.reason,
                    _measured(one),
                    "none yet" if part.absent_reason else _verdict(one),
                    one.remark or "–",
                )
                for one in part.rows
            ),
            "No acceptance criterion is declared; the tool ships none.",
        )
    )
    return [Section("acceptance", "Acceptance criteria", 2, tuple(blocks))]


def _measured(one: CriterionRow) -> str:
    if one.at_least is None:
        return "–"
    least = f"{one.measured}: at least {one.at_least.fraction} ({one.at_least.decimal})"
    return least if one.figure is None else f"{least}; measured {full(one.figure)}"


def _verdict(one: CriterionRow) -> str:
    told_by = _TOLD_BY[one.told_by]
    return f"{_VERDICTS[one.verdict]}, {told_by}" if told_by else _VERDICTS[one.verdict]


def closing(report: Report) -> list[Section]:
    """Conclusions in the team's words, limitations, what was left out, how to check."""
    return [
        Section(
            "conclusions",
            "What the team concludes",
            2,
            (Items(report.conclusions, "No conclusion is stated."),),
        ),
        Section("limitations", "Limitations", 2, (Items(report.limitations.always),)),
        Section(
            "limitations-here",
            "Of this study, from its data",
            3,
            (Items(report.limitations.here, "The data show none."),),
        ),
        Section("left-out", "What was left out and why", 2, tuple(_left_out(report.left_out))),
        Section(
            "verify",
            "How to check this report",
            2,
            (*_computation(report.computation), Items(report.verify)),
        ),
    ]


def _left_out(part: Omitted) -> list[Block]:
    table = Table(
        "omitted",
        "Left out of every figure, or of the figure that is named",
        columns("What", "#Number", "Why"),
        tuple((row.what, str(row.count), row.why) for row in part.rows),
        "Nothing.",
    )
    if not part.said:
        return [table]
    return [table, Text("In the team's words:"), Items(part.said)]


def _computation(part: Computation) -> list[Block]:
    """Nothing for a plan, which resamples nothing."""
    if not part.libraries:
        return []
    return [
        Table(
            "computation",
            "What resampled figures rest on",
            columns("What", "Value"),
            (
                ("Seed (protocol.resampling_seed)", str(part.seed)),
                ("Resamples", f"{part.replicates} of the {part.queries} evaluation queries"),
                *((f"Version of {one.name}", one.text) for one in part.libraries),
            ),
            "",
        )
    ]
