"""What stands below the paper: where the item is, and what the desk asks for. Pure functions."""

from __future__ import annotations

from textual.geometry import Size

from judge.judgements.sitting import Sitting
from judge.records.judgement import JUDGEMENTS, Label
from judge.records.protocol import EvidenceLevel, Reason
from judge.tui import words
from judge.tui.keymap import Keymap
from judge.tui.modes import Mode
from judge.tui.pending import Pending
from judge.tui.widgets.layout import Block, Facts, Keys, Row, Text

_ROWS_ABOVE = 13
"""Rows that the reasons leave to everything else: progress, need, some of the paper, state."""


def item_facts(
    sitting: Sitting, pending: Pending | None, evidence: EvidenceLevel, rubric_gap: bool
) -> Facts:
    """The label that the item has or is about to get, what was read, and the note."""
    item, reasons = sitting.item(), sitting.packet.reasons
    facts = []
    if pending is not None:
        facts.append(f"{words.LABEL[pending.label]}, not saved yet")
    elif sitting.discussing:
        facts.append("both labels shown" if item.revealed else "labels not shown yet")
    elif item.label is None:
        facts.append("no label yet")
    else:
        name = "blind label" if sitting.adjudicating else "label"
        facts.append(words.standing(name, item.label, reasons))
    if pending is None and item.decision is not None:
        facts.append(words.standing("decision", item.decision, reasons))
    elif pending is None and item.revealed:
        facts.append("no decision yet")
    if rubric_gap:
        facts.append("the rubric has a gap here")
    facts.append(f"read: {words.EVIDENCE[evidence]}")
    facts.append("terms on" if sitting.highlight else "terms off")
    if item.note.strip() or pending is None:  # while a reason is asked for, a line counts
        facts.append(f"note: {item.note}" if item.note.strip() else "no note")
    return Facts(tuple(facts))


def warning(sitting: Sitting, keys: Keymap, label: Label, evidence: EvidenceLevel) -> str:
    """What to say of a judgement on too little evidence (R47); nothing where it is enough."""
    if label in JUDGEMENTS and sitting.below_level(evidence):
        return words.below(evidence, sitting.packet.evidence_level, keys)
    return ""


def question(
    mode: Mode,
    keymap: Keymap,
    label: Label,
    reasons: tuple[Reason, ...],
    warned: str,
    size: Size,
) -> list[Block]:
    """The kinds, or the reasons with their keys, on a terminal of ``size``."""
    keys = Keys(keymap.lines(mode, without=frozenset(reason.key for reason in reasons)))
    if mode is Mode.KIND:
        return [Text(f"{words.LABEL[label]}: which kind?", "strong"), keys]
    below: list[Block] = [Text(warned, "warn"), keys] if warned else [keys]
    width = size.width - 2
    taken = sum(len(list(block.lines(width))) for block in below)
    return [
        Text(f"{words.LABEL[label]}: why? The key of a reason saves it.", "strong"),
        *reason_rows(reasons, width, size.height - _ROWS_ABOVE - taken, keymap.key("criteria")),
        *below,
    ]


def reason_rows(reasons: tuple[Reason, ...], width: int, height: int, criteria: str) -> list[Block]:
    """One row per reason. Each on one line if they do not all fit; none is ever left out unsaid.

    ``criteria`` is the key that shows all of them.
    """
    rows = [words.reason_row(reason) for reason in reasons]
    if sum(len(list(row.lines(width))) for row in rows) > height:
        rows = [words.reason_row(reason, limit=1) for reason in reasons]
    if len(rows) <= height:
        return list(rows)
    cut = max(0, height - 1)
    keys = " ".join(reason.key for reason in reasons[cut:])
    more: Row = Row("", f"more reasons: {keys} ({criteria} shows them all)", 3, "warn", limit=1)
    return [*rows[:cut], more]
