"""Blinding on the page: what it could not cover, the audits, and the guesses after the lock."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import GuessRow
from judge.records.report import Blinding
from judge.reports.render.audit import leak_audits, residuals
from judge.reports.render.blocks import Block, Items, Section, Table, Text, columns
from judge.reports.render.cells import full


def blinding(part: Blinding) -> list[Section]:
    """The section and the leak audits under it."""
    if part.closed_reason:
        return [Section("blinding", "Blinding", 2, (Text(part.closed_reason, "note"),))]
    blocks: list[Block] = [
        Items(part.said),
        Table(
            "declarations",
            "What was declared at each hand-in",
            columns("Assessor", "Declaration"),
            tuple((one.name, one.text) for one in part.declared),
            "No packet that was dealt here has come back.",
        ),
        Text(part.guesses_note),
    ]
    if part.guesses:
        blocks.append(guesses(part.guesses))
    return [
        Section("blinding", "Blinding", 2, tuple(blocks)),
        leak_audits(part.audits),
        residuals(part.audits),
    ]


def guesses(rows: Iterable[GuessRow]) -> Table:
    """Which system found it, as answered after the lock."""
    return Table(
        "guesses",
        "Which system found it: answers after the lock, on items that one system alone found",
        columns(
            "Assessor",
            "Found by",
            "#Items",
            "#Right",
            "#Wrong",
            "#Don't know",
            "#Share right",
            "95 % interval",
            "#Chance",
            "#Bang's index",
            "95 % interval of the index",
        ),
        tuple(
            (
                row.assessor,
                row.system,
                str(row.items),
                str(row.right),
                str(row.wrong),
                str(row.dont_know),
                full(row.share),
                row.share_interval.cell,
                row.chance.decimal,
                full(row.bang),
                row.bang_interval.cell,
            )
            for row in rows
        ),
        "",
    )
