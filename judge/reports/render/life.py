"""What became of labels, on the page."""

from __future__ import annotations

from judge.records.lived import Lived
from judge.reports.render.blocks import Block, Section, Table, Text, columns


def life(part: Lived) -> list[Section]:
    """States, settlements, freezes, steps outside the desk, and records that seem one work."""
    blocks: list[Block] = [
        Table(
            "states",
            "Items by state",
            columns("State", "#Items"),
            tuple((one.name.replace("_", " "), str(one.count)) for one in part.states),
            "Nothing is pooled.",
        )
    ]
    if part.settling:
        blocks.append(
            Table(
                "settling",
                "How decisions were reached",
                columns("What", "#Items"),
                tuple((one.name, one.text) for one in part.settling),
                "",
            )
        )
    if part.versions:
        blocks.append(
            Table(
                "rubric-versions",
                "Live labels by version of the rubric; agreement is never pooled over versions",
                columns("Version", "#Labels"),
                tuple((one.name, str(one.count)) for one in part.versions),
                "",
            )
        )
    if part.revised:
        blocks.append(
            Text(
                "Labels given after their assessor had seen another's, which count as consensus "
                f"and enter no agreement: {part.revised}."
            )
        )
    if len(part.freezes) > 1 or any(one.standing != "current" for one in part.freezes):
        blocks.append(
            Table(
                "freezes",
                "Frozen agreements and how they stand; none replaces another",
                columns("Freeze", "Frozen", "Standing", "#Retracted since", "Why"),
                tuple(
                    (str(one.freeze), one.at_utc, one.standing, str(one.retracted), one.said)
                    for one in part.freezes
                ),
                "",
            )
        )
    if part.steps:
        blocks.append(
            Table(
                "steps",
                "Labels taken out, evidence found, exclusions; nothing that was given is deleted",
                columns(
                    "#No.", "When", "What", "Query", "Record", "Label of", "By", "Reason", "Effect"
                ),
                tuple(
                    (
                        str(one.number),
                        one.at_utc,
                        one.what,
                        one.query_id,
                        one.record_id,
                        ", ".join(one.labels_of) or "nobody",
                        one.by,
                        one.reason,
                        one.effect,
                    )
                    for one in part.steps
                ),
                "",
            )
        )
    blocks.append(
        Table(
            "twins",
            "Records that seem to be one work and got different labels; listed, never merged",
            columns("Query", "Record", "Record", "Why", "Labels"),
            tuple(
                (one.query_id, one.first, one.second, one.because, one.labels) for one in part.twins
            ),
            "None.",
        )
    )
    return [Section("life", "What became of labels", 3, tuple(blocks))]
