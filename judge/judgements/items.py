"""From events to judged items: what each person said of a unit, in the order it came in.

What that amounts to is in `judge.judgements.life`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from judge.judgements.life import Chain, Unit, chained, judged
from judge.judgements.lifecycle import ItemState, fold
from judge.protocol.rubric import Rubrics
from judge.records.judgement import (
    SETTLING,
    Adjudication,
    Deal,
    GivenLabel,
    ImportedLabel,
    JudgedItem,
    LabelEvent,
    Packet,
)
from judge.records.life import UnitStep
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord

Key = tuple[str, str]
"""(need, record)."""

IMPORTED = "imported"
"""What stands for the packet of a label made elsewhere."""


def units_of(
    deals: Iterable[Deal],
    packets: Mapping[str, Packet],
    events: Iterable[LabelEvent],
    imported: Iterable[ImportedLabel],
    steps: Iterable[UnitStep] = (),
    families: Mapping[str, str] | None = None,
) -> dict[Key, Unit]:
    """Everything that was said and done about each (need, record). Practice packets are left out.

    ``events`` are in the order they came in, which says what was given after a reveal; ``families``
    maps each query to its family.
    """
    known = families or {}
    units: dict[Key, Unit] = {}

    def unit(key: Key) -> Unit:
        return units.setdefault(key, Unit(known.get(key[0], "")))

    dealt_to = [
        deal
        for deal in deals
        if not deal.practice and (deal.kind == "label" or deal.kind in SETTLING)
    ]
    by_packet: dict[str, list[LabelEvent]] = {}
    kept = tuple(events)
    for event in kept:
        by_packet.setdefault(event.packet_id, []).append(event)
    late = _after_reveal(dealt_to, kept)
    for deal in dealt_to:
        own = by_packet.get(deal.packet_id)
        packet = packets.get(deal.packet_id)
        state = fold(own, packet.items) if own and packet else None
        for dealt in deal.items:
            if dealt.repeat_of is not None:  # a second label counts in self-consistency alone
                continue
            here = unit((dealt.query_id, dealt.record_id))
            item = state.items[dealt.position] if state else ItemState()
            if deal.kind == "label":
                acts = chained(
                    _given(act, packet, (deal.packet_id, act.seq) not in late)
                    for act in item.acts
                    if packet and act.kind == "label"
                )
                if acts:
                    acts = (*acts[:-1], msgspec.structs.replace(acts[-1], note=item.note))
                here.chains.setdefault(deal.assessor, []).append(Chain(deal.packet_id, acts))
            elif packet and (decision := _adjudication(item, packet)) is not None:
                here.decisions.append((dealt, decision))
    for label in imported:
        here = unit((label.query_id, label.record_id))
        if label.assessor == "final":
            here.imported_final = label.label
        else:
            here.chains.setdefault(label.assessor, []).insert(0, _imported(label))
    for step in steps:
        unit((step.query_id, step.record_id)).steps.append(step)
    return units


def _after_reveal(deals: Iterable[Deal], events: Iterable[LabelEvent]) -> set[tuple[str, int]]:
    """Labels (packet, act) given once their assessor had seen the others' on that very unit."""
    places = {
        deal.packet_id: (deal, {item.position: item for item in deal.items}) for deal in deals
    }
    seen: dict[Key, set[str]] = {}
    late = set()
    for event in events:
        if event.packet_id not in places or event.position is None:
            continue
        deal, items = places[event.packet_id]
        item = items[event.position]
        key = (item.query_id, item.record_id)
        if event.kind == "reveal" and deal.kind == "discussion":
            seen.setdefault(key, set()).update(item.shown)
        elif event.kind == "label" and deal.assessor in seen.get(key, ()):
            late.add((event.packet_id, event.seq))
    return late


def items_of(
    pool: Iterable[PooledRecord], units: Mapping[Key, Unit], protocol: Protocol, rubrics: Rubrics
) -> tuple[JudgedItem, ...]:
    """The state of every pooled record, in pool order."""
    codes, level = protocol.people.assessors, protocol.rubric.evidence_level
    keys = [(record.query_id, record.record_id) for record in pool]
    return tuple(judged(key, units.get(key, Unit()), codes, level, rubrics) for key in keys)


def _imported(label: ImportedLabel) -> Chain:
    given = GivenLabel(
        assessor=label.assessor,
        label=label.label,
        origin="imported",
        id=f"imported {label.source}",
    )
    return Chain(IMPORTED, (given,))


def _given(event: LabelEvent, packet: Packet, independent: bool) -> GivenLabel:
    if event.label is None:
        raise ValueError("a label event without a label")
    return GivenLabel(
        assessor=packet.assessor,
        label=event.label,
        origin=packet.origin if independent or packet.origin == "scripted" else "consensus",
        cannot_kind=event.cannot_kind,
        reason=event.reason,
        note=event.note,
        evidence=event.evidence,
        position=event.position,
        seconds=event.seconds,
        rubric_version=packet.rubric_version,
        id=f"{event.packet_id} {event.seq}",
        independent=independent,
    )


def _adjudication(item: ItemState, packet: Packet) -> Adjudication | None:
    """The decision that stands in a packet; None before both labels were shown and it was made."""
    blind, decision = item.label, item.decision
    if not item.revealed or decision is None or decision.label is None:
        return None
    discussion = packet.kind == "discussion"
    if not discussion and (blind is None or blind.label is None):
        return None
    together = discussion and packet.origin == "blind"
    return Adjudication(
        by=packet.assessor,
        blind=None if discussion or blind is None else blind.label,
        decision=decision.label,
        reason=decision.reason,
        note=decision.note,
        rubric_gap=decision.rubric_gap,
        origin="consensus" if together else packet.origin,
        evidence=decision.evidence,
        form="discussion" if discussion else "third_person",
        rubric_version=packet.rubric_version,
    )
