"""The leak audit of a packet: when it is dealt, and again as its file lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.errors import Invalid, Refused
from judge.judgements.audit import has_power, known_of, leak_audit, leaks, marks
from judge.judgements.visible import Shown
from judge.judgements.wording import aligned, source_of
from judge.records.audit import LeakAudit
from judge.records.judgement import Deal, Packet
from judge.steps.context import Context, Work
from judge.store.packet_file import PacketItem, read_shown


def audit_dealt(
    work: Work, packet: Packet, dealt: Deal, rows: Sequence[tuple[int, PacketItem]]
) -> tuple[LeakAudit, tuple[str, ...]]:
    """The table of a packet, and the marks in it; ``rows`` are positions and items."""
    pooled = {(one.query_id, one.record_id): one for one in work.pool}
    of = {item.position: item for item in dealt.items}
    twice = {item.repeat_of for item in dealt.items}
    shown = [
        Shown(
            item.item_id,
            position,
            item.view,
            pooled[of[position].query_id, of[position].record_id],
            source=source_of(work.documents[of[position].record_id]),
            again=position in twice,
            repeat=of[position].repeat_of is not None,
        )
        for position, item in rows
    ]
    known = known_of(work.protocol, work.evaluation, work.runs, work.links)
    return leak_audit(packet, shown), marks(packet, shown, known)


def refuse_aligned(work: Work) -> None:
    """Raises `Invalid` where the source of a text tells the system and no audit could find it out.

    With enough items the audit decides by what the texts look like; with few it cannot, and titles
    that one service wrote beside neutral text are read off at a glance (L5, L6).
    """
    problems = aligned(work.pool, work.documents)
    if problems and not has_power(work.pool):
        raise Invalid(
            "texts came with the run of one system and stand beside others; with so few items the "
            "leak audit has no power to clear them, and nothing was dealt",
            problems,
            hint="judge check-sources gives every record its title and abstract from one neutral "
            "source; for records it does not know, judge import-texts FILE",
        )


def refuse_leaks(table: LeakAudit, found: Sequence[str]) -> None:
    """Raises `Refused` with every leak of a packet that was not dealt yet."""
    if told := leaks(table, found):
        raise Refused(
            f"packet leaks: {'; '.join(told)}",
            hint="judge check-sources gives every record its text from one neutral source; "
            "a word of the study's own is changed with judge amend",
        )


@dataclass(frozen=True)
class Audited:
    """The audit of a packet file as it lies there."""

    table: LeakAudit
    leaks: tuple[str, ...]
    stored: LeakAudit | None
    """The table of the day it was dealt."""


def audit_packet(context: Context, path: Path) -> Audited:
    """Audits a packet file of this study again. Raises `Refused` for one it did not deal."""
    with context.frozen() as work:
        packet, rows = read_shown(path)
        dealt = next((one for one in work.deals if one.packet_id == packet.packet_id), None)
        if dealt is None or {place for place, _ in rows} != {item.position for item in dealt.items}:
            raise Refused(f"{path.name} is not a packet that this study dealt")
        table, found = audit_dealt(work, packet, dealt, rows)
        return Audited(table, leaks(table, found), work.ledger.find(LeakAudit, packet.packet_id))
