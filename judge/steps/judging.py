"""Pool, deal, collect, settle: from hits to final labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.errors import Refused
from judge.files import aside, nearest, write_atomic
from judge.judgements import export as forms
from judge.judgements.audit import deals_again
from judge.judgements.collect import (
    handed_in,
    new_events,
    voided_packets,
)
from judge.judgements.failure_review import coders_out, refuse_after_review
from judge.judgements.life import labellers, to_settle
from judge.judgements.packet import deal
from judge.judgements.pool import pool
from judge.judgements.sitting import Sitting
from judge.records.judgement import (
    AgreementFreeze,
    PacketKind,
)
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord
from judge.steps.auditing import audit_dealt, refuse_aligned, refuse_leaks
from judge.steps.context import Context, Work
from judge.steps.openness import (
    freeze_first_labels,
    live_deals,
    openness_of,
    refuse_while_out,
)
from judge.store.desk import Desk
from judge.store.packet_file import create_packet, locked, read_packet

DEALS = 5
"""Draws of order and ids before a position that tells the system is called a fault."""


def pool_study(context: Context) -> tuple[PooledRecord, ...]:
    """Pools the scored round to the declared depth; returns what is new in the pool.

    Raises `Refused` while a (query, system) of the round has neither an outcome nor the written
    reason that the round was closed with (R26), and, where there would be something new, once
    failure review has begun: nobody could label it any more.
    """
    with context.frozen() as work:
        if work.open_queries:
            some = ", ".join(f"{query} at {system}" for system, query in work.open_queries[:3])
            raise Refused(
                f"{len(work.open_queries)} queries have no outcome yet ({some}…); "
                "nothing was pooled",
                hint="judge capture, judge import-run, or judge round close with reasons",
            )
        known = frozenset((record.query_id, record.record_id) for record in work.pool)
        new = pool(work.evaluation, work.current, work.protocol.depth.pool, known, work.merged)
        if new:
            refuse_after_review(work.deals, "another pool")
            work.ledger.record("pooled", f"{len(new)} items", new)
        return new


def make_packet(context: Context, code: str, *, scripted: bool = False) -> Path:
    """Deals all pooled items that ``code`` has no standing label of; returns the packet's path.

    Those are the ones not dealt yet, and those whose label lapsed (`dealt_to`).

    Raises `Refused` before the pool, for somebody the protocol does not name, for whom labels were
    imported, and where there is nothing left to deal.
    """
    with context.frozen() as work:
        people = work.protocol.people
        known = (*people.assessors, *people.practice)
        if code not in known:
            raise Refused(
                f"{code!r} is no assessor of this study{nearest(code, known)}; "
                f"one of {', '.join(known)}",
                hint=f"judge packet make {known[0]}",
            )
        if not work.pool:
            raise Refused("nothing is pooled yet", hint="judge pool")
        if code in people.assessors:
            refuse_after_review(work.deals, "another packet")
            _refuse_imported(work, code)
        if finished_draft(context.study.packet(code), work):
            return context.study.packet(code)
        had = dealt_to(work, code)
        rest = [one for one in work.pool if (one.query_id, one.record_id) not in had]
        if not rest:
            raise Refused(
                f"every pooled item was dealt to {code} already; nothing was written",
                hint=f"judge label {code}",
            )
        return deal_packet(context, work, rest, "label", code, code in people.practice, scripted)


def dealt_to(work: Work, code: str) -> set[tuple[str, str]]:
    """The (need, record) pairs that ``code`` is not to be dealt (again).

    Those in a packet that stands and whose label there did not lapse; those that ``code`` is not
    to judge any more (a conflict of interest); and those that were excluded.
    """
    held: dict[tuple[str, str], set[str]] = {}
    for one in live_deals(work):
        if one.assessor == code and one.kind == "label":
            for item in one.items:
                held.setdefault((item.query_id, item.record_id), set()).add(one.packet_id)
    kept = set()
    for key, unit in work.units.items():
        ended = {
            chain.packet_id
            for chain in unit.chains.get(code, [])
            if unit.dead(code, chain, work.rubrics)
        }
        if held.get(key, set()) - ended or unit.barred(code) or unit.excluded:
            kept.add(key)
    # A practice packet makes no unit: nothing in it can lapse.
    return kept | {key for key in held if code in work.protocol.people.practice}


def _refuse_imported(work: Work, code: str) -> None:
    """Refuses a packet where labels from elsewhere would mix with those given in it (R51)."""
    elsewhere = {label.assessor for label in work.imported}
    if code in elsewhere:
        raise Refused(
            f"labels of {code} were imported, and labels from elsewhere do not mix with those "
            "given here; nothing was dealt",
            hint=f"judge import-labels with the rest of the labels of {code}, or judge amend "
            "names another assessor in protocol.people.assessors",
        )
    if "final" in elsewhere:
        raise Refused(
            "final labels were imported, and they would stand in place of what is labelled here; "
            "nothing was dealt",
            hint="judge report, or judge init DIR makes a study of its own for labels given here",
        )


def deal_packet(
    context: Context,
    work: Work,
    records: Sequence[PooledRecord],
    kind: PacketKind,
    code: str,
    practice: bool,
    scripted: bool,
) -> Path:
    """Deals ``records`` to ``code``, audits what was dealt, and writes the packet.

    Raises `Refused` where a packet of that name exists, and for one that leaks.
    """
    path = context.study.packet(code, kind)
    make_room(path, work, code)
    if kind == "label":
        refuse_aligned(work)
    for _ in range(DEALS):
        dealt = deal(
            records,
            kind=kind,
            assessor=code,
            practice=practice,
            scripted=scripted,
            protocol=work.protocol,
            freeze_id=work.freeze_id,
            rubric=context.rubric(work),
            queries={query.id: query for query in work.evaluation},
            documents=work.documents,
            day=context.today(),
            entropy=context.entropy,
            judged={(item.query_id, item.record_id): item for item in work.items},
            links=work.links,
        )
        table, found = audit_dealt(work, dealt.packet, dealt.deal, tuple(enumerate(dealt.items, 1)))
        if found or not deals_again(table):
            break
    refuse_leaks(table, found)
    # The packet gets its name only after the study knows of it: stopped in between, the next
    # call finds the draft and finishes (`finished_draft`).
    create_packet(draft_of(path), dealt.packet, dealt.items)
    work.ledger.record("dealt", dealt.packet.packet_id, [dealt.deal], [dealt.packet], [table])
    give_name(draft_of(path), path)
    return path


def make_room(path: Path, work: Work, code: str) -> None:
    """Sets a packet that came back aside, so that another can be dealt under its name.

    Raises `Refused` for one that did not come back.
    """
    if not path.exists():
        return
    if not is_collected(path, work):
        raise Refused(
            f"{path.name} exists; it must be collected before another is dealt",
            hint=f"judge collect {code}",
        )
    with locked(path):
        path.rename(aside(path, "collected"))


def give_name(draft: Path, path: Path) -> None:
    """Gives a draft its name. A file of that name is never written over, whoever made it."""
    try:
        os.link(draft, path)
    except FileExistsError:
        if not draft.samefile(path):  # the same file: only the unlink was cut short
            raise Refused(
                f"{path.name} exists, and the packet that was dealt as {draft.name} cannot get "
                "that name; nothing was written over",
                hint="move the file away, then run this again",
            ) from None
    draft.unlink()


def draft_of(path: Path) -> Path:
    """The name of a packet that the study does not know of yet."""
    return path.with_name(path.name + ".draft")


def finished_draft(path: Path, work: Work) -> bool:
    """Finishes or clears away a deal that was stopped half-way; true where it was finished."""
    draft = draft_of(path)
    if not draft.is_file():
        return False
    packet_id = read_packet(draft).packet.packet_id
    draft.with_name(draft.name + ".lock").unlink(missing_ok=True)
    if any(one.packet_id == packet_id for one in live_deals(work)):
        give_name(draft, path)
        return True
    draft.unlink()
    return False


@dataclass(frozen=True)
class Collected:
    """What a collection brought in."""

    assessor: str
    events: int
    waiting: tuple[str, ...]
    """Assessors who are still out; for a packet of failure review, coders."""
    frozen: AgreementFreeze | None
    """The first labels, where this packet was the last to come in."""
    ask_guesses: bool = False
    """Whether the assessor is in now and was not asked yet which system found what (L20)."""


def collect_packet(context: Context, path: Path, assessor: str | None = None) -> Collected:
    """Takes a packet back: all of it or nothing.

    ``assessor`` is whose packet it should be; None takes whoever's it is. Once all declared
    assessors are in, their first labels are frozen before anything else can be done with them.
    """
    with context.frozen() as work:
        returned = read_packet(path)
        packet = returned.packet
        if packet.packet_id in voided_packets(work.ledger.events()):
            raise Refused(
                f"this packet of {packet.assessor} was voided and another dealt in its place; "
                "nothing was changed",
                hint=f"judge collect {packet.assessor} takes the one that stands",
            )
        known = [event for event in work.label_events if event.packet_id == packet.packet_id]
        deals = {one.packet_id: one for one in work.deals}
        outcomes = {run.run_id: str(run.outcome) for run in work.runs}
        new = new_events(returned, deals, known, work.freeze_id, assessor, outcomes)
        if new:
            work.ledger.record("collected", packet.packet_id, new)
        work = Work(work.ledger)
        frozen = freeze_first_labels(context, work)
        reviewing = packet.kind == "failures"
        waiting = openness_of(work).waiting
        out = coders_out(live_deals(work), work.label_events) if reviewing else waiting
        asked = any(one.kind == "guess" and one.assessor == packet.assessor for one in work.deals)
        return Collected(
            packet.assessor,
            len(new),
            out,
            frozen,
            ask_guesses=packet.kind == "label"
            and packet.assessor in work.protocol.people.assessors
            and packet.assessor not in out
            and not asked,
        )


def settling_seat(protocol: Protocol) -> tuple[str, PacketKind]:
    """Who settles disagreements, and the kind of their packet.

    In a discussion the assessors sit at one packet together: its code is all of theirs.
    """
    people = protocol.people
    if people.adjudication == "discussion":
        return "-".join(people.assessors), "discussion"
    return people.adjudicator, "adjudication"


def adjudication_packet(context: Context, *, scripted: bool = False) -> Path:
    """The packet of whoever settles: all that is to be settled, or the one that is still out.

    To be settled are open disagreements, those whose decision went stale, and what somebody could
    not judge and was looked for in vain. Raises `Refused` before the first labels are frozen,
    while an assessor is out, where the adjudicator labelled one of the items, and where nothing is
    in dispute.
    """
    with context.frozen() as work:
        code, kind = settling_seat(work.protocol)
        path = context.study.packet(code, kind)
        if finished_draft(path, work) or (path.exists() and not is_collected(path, work)):
            return path
        if any(item.labels for item in work.items):
            freeze_first_labels(context, work)
        refuse_while_out(work, "adjudication")
        refuse_after_review(work.deals, "adjudication")
        if not work.ledger.count(AgreementFreeze):
            raise Refused("no first labels are frozen yet", hint="judge pool, judge packet make")
        pooled = {(one.query_id, one.record_id): one for one in work.pool}
        keys = [(item.query_id, item.record_id) for item in work.items if to_settle(item)]
        if not keys:
            raise Refused("no disagreement is open; nothing to adjudicate", hint="judge report")
        own = [key for key in keys if code in labellers(work.units[key])]
        if own:
            raise Refused(
                f"{code} labelled {len(own)} of the {len(keys)} items to settle, and nobody "
                "settles what they labelled; nothing was dealt",
                hint="judge amend --target protocol.people.adjudicator names somebody else",
            )
        return deal_packet(
            context, work, [pooled[key] for key in keys], kind, code, False, scripted
        )


def is_collected(path: Path, work: Work) -> bool:
    """Whether the packet in this file has come back."""
    packet_id = read_packet(path).packet.packet_id
    return any(
        deal.packet_id == packet_id and handed_in(deal, work.label_events) for deal in work.deals
    )


def unlock_packet(context: Context, code: str, reason: str) -> PacketKind:
    """Opens a packet that was handed in again, for a reason that the chain records; its kind.

    A packet that was collected is then out again, and labels are closed until it comes back.
    """
    there = context.study.packets(code)
    # Failure review locks what came before it: it is what can be opened again, once there.
    first = sorted(there, key=lambda one: one != context.study.packet(code, "failures"))
    path = first[0] if first else context.study.packet(code)
    with context.frozen() as work, Desk(path) as desk:
        packet_id = desk.packet.packet_id
        deal = next((one for one in work.deals if one.packet_id == packet_id), None)
        if deal is None:
            raise Refused(f"{path.name} was not dealt by this study; nothing was changed")
        if deal.kind != "failures":
            refuse_after_review(work.deals, "unlocking a packet of labels")
        known = tuple(event for event in work.label_events if event.packet_id == packet_id)
        if desk.events()[: len(known)] != known:
            raise Refused(f"{path.name} is not the copy that was collected; nothing was changed")
        event = Sitting(desk, monotonic=context.monotonic, today=context.today).unlock(reason)
        collected = handed_in(deal, known)
        work.ledger.record("unlocked", f"{code}: {reason}", [event] if collected else [])
        return deal.kind


def export_labels(context: Context, folder: Path) -> dict[str, dict[str, int]]:
    """Writes qrels per assessor and final, CSV and JSON Lines; returns what qrels left out."""
    with context.frozen() as work:
        refuse_while_out(work, "export")
        if not any(item.labels or item.final for item in work.items):
            raise Refused("no label is in yet; nothing was written", hint="judge status")
        left_out = {}
        for code in (None, *work.protocol.people.assessors):
            data, without = forms.qrels(work.items, code)
            name = f"{code or 'final'}.qrels"
            write_atomic(folder / "qrels" / name, data)
            left_out[name] = without
        write_atomic(folder / "items.jsonl", forms.jsonl(work.items))
        write_atomic(folder / "items.csv", forms.table(work.items, work.protocol.people.assessors))
        return left_out
