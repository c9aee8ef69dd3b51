"""Taking packets back: everything is checked before anything is kept (all or nothing).

Also who is still out, and the freezing of the first labels once everybody is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge.canonical import digest
from judge.errors import Integrity, Invalid, Problem, Refused
from judge.judgements.coding import allowed, code_fault
from judge.judgements.lifecycle import CLOSING, fold
from judge.records.event import StudyEvent
from judge.records.judgement import (
    DONT_KNOW,
    GUESSES,
    AgreementFreeze,
    Deal,
    FrozenPair,
    GivenLabel,
    ImportedLabel,
    LabelEvent,
    Packet,
    PacketKind,
)
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord
from judge.store.packet_file import ReturnedPacket


def new_events(
    returned: ReturnedPacket,
    deals: Mapping[str, Deal],
    known: Sequence[LabelEvent],
    freeze_id: str,
    assessor: str | None,
    outcomes: Mapping[str, str],
) -> tuple[LabelEvent, ...]:
    """The events of a returned packet that the study does not have yet; empty where it has all.

    ``known`` are the events of this packet collected before; ``assessor`` is whose packet was
    asked for, None for whoever's it is; ``outcomes`` are those of the runs, by run id. Raises
    `Refused` for a packet of another study, freeze or person, one not handed in, or a second copy
    that went its own way; `Integrity` where it does not match what was dealt.
    """
    packet = returned.packet
    deal = deals.get(packet.packet_id)
    if deal is None or packet.freeze_id != freeze_id:
        raise Refused(
            f"this packet was not dealt by this study (packet {packet.packet_id[:12]}…, "
            f"freeze {packet.freeze_id[:12]}…); nothing was changed",
            hint="collect it in the study it was dealt by",
        )
    if assessor is not None and packet.assessor != assessor:
        raise Refused(
            f"this is the packet of {packet.assessor}, not of {assessor}; nothing was changed"
        )
    if digest(packet) != deal.packet_sha256:
        raise Integrity("the head of the packet is not what was dealt")
    dealt = {item.position: item.view_sha256 for item in deal.items}
    if returned.views != dealt:
        changed = sorted(p for p in dealt if returned.views.get(p) != dealt[p])
        raise Integrity(f"items {changed[:5]} do not show what was dealt")
    if returned.reveals != {item.position: item.reveal_sha256 for item in deal.items}:
        raise Integrity("the first labels in the packet are not those that were dealt")
    strange = [
        event.seq
        for event in returned.events
        if event.position is not None and event.view_sha256 != dealt.get(event.position, "")
    ]
    if strange:
        raise Integrity(f"events {strange[:5]} are not about what was dealt")
    state = fold(returned.events, packet.items)
    if not state.handed_in:
        raise Refused(
            f"{packet.assessor} has not handed in; labels stay closed and nothing was changed",
            hint=f"{desk_command(packet.kind, packet.assessor)}, then hand in",
        )
    every = (state.items[position] for position in range(1, packet.items + 1))
    if any(item.newest(CLOSING[deal.kind]) is None for item in every):
        raise Integrity("the packet is handed in with items that have no label")
    shared = returned.events[: len(known)]
    if len(known) > len(shared) and tuple(known[: len(shared)]) == shared:
        raise Refused(
            f"this is an older copy of the packet of {packet.assessor}: it ends at act "
            f"{len(shared)}, and {len(known)} were collected; nothing was changed",
            hint="nothing is to do; the newer one is in the record",
        )
    if tuple(known) != shared:
        raise Refused(
            f"a packet of {packet.assessor} was collected that does not go on to this one: "
            "two copies were labelled; the first is kept and nothing was changed",
            hint="ask which copy is right; the other is not part of the record",
        )
    _check_vocabulary(returned.events, packet)
    _check_codes(returned.events, deal, outcomes)
    return returned.events[len(known) :]


def _check_vocabulary(events: Iterable[LabelEvent], packet: Packet) -> None:
    problems = []
    named = {DONT_KNOW, *(system.code for system in packet.systems)}
    for event in events:
        where = f"event {event.seq}"
        if (event.kind == "guess") != (event.guess is not None) or (
            event.guess is not None and (packet.kind != "guess" or event.guess not in named)
        ):
            problems.append(Problem(where, f"guess {event.guess!r}", "a system of the packet or ?"))
        if event.kind not in ("label", "decision"):
            continue
        if packet.kind == "guess":
            problems.append(Problem(where, "a label among guesses"))
        allowed = [reason.code for reason in packet.reasons if event.label in reason.labels]
        if event.label == "cannot_judge" and event.cannot_kind is None:
            problems.append(Problem(where, "cannot judge without its kind"))
        if allowed and event.reason not in allowed:
            problems.append(
                Problem(where, f"reason {event.reason!r}", "one of " + ", ".join(allowed))
            )
        if event.kind == "label" and event.evidence is None:
            problems.append(Problem(where, "no evidence level", "what was read"))
        if event.kind == "decision" and packet.kind == "label":
            problems.append(Problem(where, "a decision in a labelling packet"))
        if packet.note == "required" and not event.note.strip():
            problems.append(Problem(where, "no note", "the protocol asks for one"))
    if problems:
        raise Invalid("the packet holds labels outside the rubric; nothing was changed", problems)


def _check_codes(events: Iterable[LabelEvent], deal: Deal, outcomes: Mapping[str, str]) -> None:
    """Every code names what the evidence of its item bears, and nothing else is coded (R73-R75)."""
    places = {item.position: item for item in deal.items}
    problems = []
    for event in events:
        where = f"event {event.seq}"
        if (event.kind == "code") != (deal.kind == "failures") and event.kind in CLOSING.values():
            problems.append(Problem(where, f"a {event.kind} in a packet of kind {deal.kind}"))
        elif event.kind == "code" and event.position is not None:
            item = places[event.position]
            may = allowed(hit=item.rank is not None, outcome=outcomes.get(item.run_id, ""))
            if fault := code_fault(event.categories, event.note, may):
                problems.append(Problem(where, *fault))
        elif event.categories:
            problems.append(Problem(where, f"categories in a {event.kind}"))
    if problems:
        raise Invalid("the packet holds codes outside the list; nothing was changed", problems)


def desk_command(kind: PacketKind, assessor: str) -> str:
    """The command that opens the packet of this kind at the desk."""
    match kind:
        case "adjudication" | "discussion":
            return "judge adjudicate"
        case "failures":
            return f"judge failures {assessor}"
        case "guess":
            return f"judge label {assessor}{GUESSES}"
        case "label":
            return f"judge label {assessor}"


def not_handed_in(people: Sequence[str]) -> str:
    """``A has not handed in``, ``A and B have not handed in``."""
    *others, last = people
    if not others:
        return f"{last} has not handed in"
    return f"{', '.join(others)} and {last} have not handed in"


def handed_in(deal: Deal, events: Iterable[LabelEvent]) -> bool:
    """Whether a packet was collected and stands handed in."""
    own = [event for event in events if event.packet_id == deal.packet_id]
    return bool(own) and fold(own, len(deal.items)).handed_in


def declarations(
    deals: Iterable[Deal], events: Sequence[LabelEvent]
) -> tuple[tuple[str, str], ...]:
    """Person and declaration of the newest hand-in of every packet of labels that counts."""
    texts = {event.packet_id: event.note for event in events if event.kind == "hand_in"}
    return tuple(
        (deal.assessor, texts[deal.packet_id])
        for deal in deals
        if deal.kind == "label" and not deal.practice and deal.packet_id in texts
    )


def unlocks(
    deals: Iterable[Deal], events: Sequence[LabelEvent]
) -> tuple[tuple[str, str, str], ...]:
    """Person, kind of packet and reason of every time that a packet was opened again."""
    dealt = {deal.packet_id: deal for deal in deals if not deal.practice}
    return tuple(
        (dealt[event.packet_id].assessor, dealt[event.packet_id].kind, event.note)
        for event in events
        if event.kind == "unlock" and event.packet_id in dealt
    )


def waiting_for(
    pool: Iterable[PooledRecord],
    deals: Iterable[Deal],
    events: Iterable[LabelEvent],
    imported: Iterable[ImportedLabel],
    protocol: Protocol,
) -> tuple[str, ...]:
    """The declared assessors whose labels of the pool are not all in yet.

    An assessor is in when every pooled record was in a packet of theirs that stands handed in, or
    has an imported label of theirs, and no packet of theirs is out (R51). A label that lapsed was
    in all the same. Nobody is out where final labels were imported instead. ``deals`` are those
    that stand: a voided packet never comes back.
    """
    pooled = {(record.query_id, record.record_id) for record in pool}
    kept, dealt = tuple(events), tuple(deals)
    covered: dict[str, set[tuple[str, str]]] = {}
    out = set()
    for deal in dealt:
        if deal.kind == "label" and not deal.practice:
            if handed_in(deal, kept):
                covered.setdefault(deal.assessor, set()).update(
                    (item.query_id, item.record_id) for item in deal.items
                )
            else:
                out.add(deal.assessor)
    for label in imported:
        covered.setdefault(label.assessor, set()).add((label.query_id, label.record_id))
    if "final" in covered and not any(deal.kind == "label" and not deal.practice for deal in dealt):
        return ()
    return tuple(
        code
        for code in protocol.people.assessors
        if not pooled or code in out or pooled - covered.get(code, set())
    )


def voided_packets(events: Iterable[StudyEvent]) -> frozenset[str]:
    """Ids of packets that another was dealt in place of; none of them is taken back."""
    return frozenset(one.subject.partition(":")[0] for one in events if one.kind == "voided")


def agreement_freeze(
    number: int,
    at_utc: str,
    first: Mapping[tuple[str, str], Mapping[str, GivenLabel]],
    deals: Iterable[Deal],
    events: Sequence[LabelEvent],
    protocol: Protocol,
    steps: int = 0,
) -> AgreementFreeze:
    """The first labels of all declared assessors, as they stand before adjudication (R53).

    ``first`` holds the independent labels of every pooled record, by assessor; ``steps`` is the
    number of the newest step in the life of a unit.
    """
    heads = {event.packet_id: event.hash for event in events}
    codes = protocol.people.assessors
    return AgreementFreeze(
        number=number,
        at_utc=at_utc,
        packets={
            f"{deal.assessor} {deal.packet_id}": heads[deal.packet_id]
            for deal in deals
            if deal.kind == "label" and not deal.practice and deal.packet_id in heads
        },
        pairs=tuple(
            FrozenPair(
                query_id=query_id,
                record_id=record_id,
                labels={
                    code: given[code].label if code in given else "not_yet_judged" for code in codes
                },
                versions={
                    code: given[code].rubric_version
                    for code in codes
                    if code in given and given[code].rubric_version
                },
            )
            for (query_id, record_id), given in first.items()
        ),
        steps=steps,
    )
