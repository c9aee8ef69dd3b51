"""The leak audit on the page: whether anything an assessor saw could tell the system."""

from __future__ import annotations

from collections.abc import Sequence

from judge.records.audit import LeakAudit
from judge.records.judgement import PacketKind
from judge.reports.render.blocks import Block, Section, Table, Text, columns

_KINDS = {"form": "form", "deal": "order and ids"}
_PACKETS: dict[PacketKind, str] = {
    "label": "packet",
    "adjudication": "adjudication packet",
    "discussion": "packet of the discussion",
    "failures": "packet of failure review",
    "guess": "packet of questions after the lock",
}
_TELLS = {"system": "system", "best_rank": "upper half by rank"}
_WHAT = (
    "The best guess from one visible feature alone, on items that exactly one system found: "
    "five-fold balanced accuracy. The threshold is the 99.9th percentile of the best feature over "
    "1,000 permutations of the labels within needs. A packet in which form, order or an id is "
    "above it is not dealt."
)
_NONE_BACK = "No packet that was dealt here has come back."


def leak_audits(audits: Sequence[LeakAudit]) -> Section:
    """One table for each packet that came back, less what is residual (`residuals`)."""
    blocks: list[Block] = [Text(_WHAT if audits else _NONE_BACK)]
    for number, one in enumerate(audits, 1):
        name = _PACKETS[one.kind]
        blocks += [
            Text(f"{one.assessor}, {name} of {one.items} items. {one.said}"),
            Table(
                f"audit-{number}",
                f"Leak audit of the {name} of {one.assessor}: {one.single} items found by one "
                f"system only, {one.exchangeable} of them in needs where two systems have such",
                columns("Feature", "Tells", "Kind", "#Values", "#Accuracy", "#Threshold"),
                tuple(
                    (
                        line.name,
                        _TELLS[line.tells],
                        _KINDS[line.kind],
                        str(line.values),
                        line.accuracy.replace("_", " "),
                        line.threshold.replace("_", " "),
                    )
                    for line in one.lines
                    if line.kind != "residual"
                ),
                "",
            ),
        ]
    return Section("leak-audit", "Leak audit", 3, tuple(blocks))


def residuals(audits: Sequence[LeakAudit]) -> Section:
    """How well content alone tells the system: printed, never refused (L13)."""
    return Section(
        "residual",
        "Residual: what the content tells",
        3,
        (
            Text(
                "The same guess from what a record says, which comes from the record whichever "
                "system found it. Chance is one over the number of systems that found items alone."
            ),
            Table(
                "residual-table",
                "How well content alone tells the system",
                columns("Assessor", "Packet", "Feature", "#Values", "#Accuracy"),
                tuple(
                    (
                        one.assessor,
                        _PACKETS[one.kind],
                        line.name,
                        str(line.values),
                        line.accuracy.replace("_", " "),
                    )
                    for one in audits
                    for line in one.lines
                    if line.kind == "residual"
                ),
                "No packet that was dealt here has come back.",
            ),
        ),
    )
