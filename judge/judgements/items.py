"""From events to judged items: what each assessor's label is now, and what is final.

Only labels are compared; reasons, notes and times never make a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from judge.judgements.lifecycle import ItemState, fold
from judge.records.judgement import (
    JUDGEMENTS,
    Adjudication,
    Deal,
    DealtItem,
    GivenLabel,
    ImportedLabel,
    JudgedItem,
    Label,
    LabelEvent,
    Packet,
)
from judge.records.judgement import ItemState as StateName
from judge.records.protocol import EvidenceLevel, Protocol
from judge.records.run import PooledRecord

Key = tuple[str, str]
"""(need, record)."""

_LEVELS: tuple[EvidenceLevel, ...] = ("title", "abstract", "full_text")


def judged_items(
    pool: Iterable[PooledRecord],
    deals: Iterable[Deal],
    packets: Mapping[str, Packet],
    events: Iterable[LabelEvent],
    imported: Iterable[ImportedLabel],
    protocol: Protocol,
) -> tuple[JudgedItem, ...]:
    """The pooled records with what was said of them. Practice packets are left out."""
    assessors = protocol.people.assessors
    by_packet: dict[str, list[LabelEvent]] = {}
    for event in events:
        by_packet.setdefault(event.packet_id, []).append(event)
    labels: dict[Key, dict[str, GivenLabel]] = {}
    decisions: dict[Key, list[tuple[DealtItem, Adjudication]]] = {}
    finals: dict[Key, Label] = {}
    for deal in deals:
        own = by_packet.get(deal.packet_id)
        if own is None or deal.practice or deal.kind == "failures":
            continue
        packet = packets[deal.packet_id]
        state = fold(own, packet.items)
        for dealt in deal.items:
            if dealt.repeat_of is not None:
                continue
            key = (dealt.query_id, dealt.record_id)
            item = state.items[dealt.position]
            if deal.kind == "adjudication":
                decision = _adjudication(item, packet)
                if decision is not None:
                    decisions.setdefault(key, []).append((dealt, decision))
            elif deal.assessor in assessors and item.label is not None:
                labels.setdefault(key, {})[deal.assessor] = _given(item.label, item.note, packet)
    for label in imported:
        key = (label.query_id, label.record_id)
        if label.assessor == "final":
            finals[key] = label.label
        elif label.assessor in assessors:
            labels.setdefault(key, {}).setdefault(
                label.assessor,
                GivenLabel(assessor=label.assessor, label=label.label, origin="imported"),
            )
    return tuple(
        _judged(
            record,
            labels.get((record.query_id, record.record_id), {}),
            decisions.get((record.query_id, record.record_id), []),
            finals.get((record.query_id, record.record_id)),
            protocol,
        )
        for record in pool
    )


def _judged(
    record: PooledRecord,
    labels: dict[str, GivenLabel],
    decisions: Sequence[tuple[DealtItem, Adjudication]],
    imported_final: Label | None,
    protocol: Protocol,
) -> JudgedItem:
    ordered = {code: labels[code] for code in protocol.people.assessors if code in labels}
    state, final = _state(list(ordered.values()), len(protocol.people.assessors))
    level = protocol.rubric.evidence_level
    if state == "agree" and any(_below(given, level) for given in ordered.values()):
        state, final = "below_evidence", None
    item = JudgedItem(
        query_id=record.query_id,
        record_id=record.record_id,
        labels=ordered,
        state=state,
        final=final,
    )
    # A decision settles a disagreement and nothing else, and only the one it was made on: where
    # the first labels changed since, it has nothing to rest on.
    current = [one for dealt, one in decisions if dealt.first_labels == first_labels_of(item)]
    if current and state == "disagree":
        decision = current[-1]
        too_little = decision.decision in JUDGEMENTS and _below(decision, level)
        item = msgspec.structs.replace(
            item,
            state="adjudicated",
            final=None if too_little else decision.decision,
            adjudication=decision,
        )
    if imported_final is not None:
        item = msgspec.structs.replace(item, state="imported_final", final=imported_final)
    return item


def first_labels_of(item: JudgedItem) -> dict[str, str]:
    """The first labels of an item by assessor code."""
    return {code: given.label for code, given in item.labels.items()}


def _state(given: Sequence[GivenLabel], needed: int) -> tuple[StateName, Label | None]:
    """The state of an item from its first labels, and the final label where they agree."""
    if not given:
        return "unjudged", None
    if len(given) < needed:
        return "one_label", None
    judged = [label.label for label in given if label.label in JUDGEMENTS]
    if not judged:
        return "both_cannot_judge", None
    if len(judged) < len(given):
        return "split_access", None
    if len(set(judged)) > 1:
        return "disagree", None
    return "agree", judged[0]


def _below(given: GivenLabel | Adjudication, level: EvidenceLevel) -> bool:
    """Whether a label rests on less than the rubric asks for (R47); unknown is not less."""
    return given.evidence is not None and _LEVELS.index(given.evidence) < _LEVELS.index(level)


def _given(event: LabelEvent, note: str, packet: Packet) -> GivenLabel:
    if event.label is None:
        raise ValueError("a label event without a label")
    return GivenLabel(
        assessor=packet.assessor,
        label=event.label,
        origin=packet.origin,
        cannot_kind=event.cannot_kind,
        reason=event.reason,
        note=note,
        evidence=event.evidence,
        position=event.position,
        seconds=event.seconds,
        rubric_version=packet.rubric_version,
    )


def _adjudication(item: ItemState, packet: Packet) -> Adjudication | None:
    blind, decision = item.label, item.decision
    if blind is None or blind.label is None or decision is None or decision.label is None:
        return None
    return Adjudication(
        by=packet.assessor,
        blind=blind.label,
        decision=decision.label,
        reason=decision.reason,
        note=decision.note,
        rubric_gap=decision.rubric_gap,
        origin=packet.origin,
        evidence=decision.evidence,
    )
