"""Dealing: what goes into a packet, in which order, and the key to it that stays behind.

Entropy is passed in: the system's own for people, a fixed one for scripted labels and tests.
"""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.canonical import digest
from judge.errors import Refused
from judge.judgements.asking import candidates
from judge.judgements.repeats import coming_again
from judge.protocol.lint import share_of
from judge.records.judgement import (
    SETTLING,
    Deal,
    DealtItem,
    GivenLabel,
    JudgedItem,
    Packet,
    PacketKind,
    Reveal,
    Side,
    View,
)
from judge.records.protocol import Protocol
from judge.records.query import Query
from judge.records.run import Document, PooledRecord
from judge.runs.identity import canonical_link
from judge.store.packet_file import PacketItem

Entropy = Callable[[int], bytes]
"""Returns that many unpredictable bytes."""

system_entropy: Entropy = secrets.token_bytes


def fixed_entropy(label: str) -> Entropy:
    """Bytes that follow from ``label`` alone: for scripted packets and tests, never for people."""
    counter = 0

    def draw(size: int) -> bytes:
        nonlocal counter
        counter += 1
        return hashlib.shake_256(f"{label} {counter}".encode()).digest(size)

    return draw


@dataclass(frozen=True)
class Dealt:
    """A packet ready to be written, and the open half that tells its positions."""

    packet: Packet
    items: tuple[PacketItem, ...]
    deal: Deal


def deal(
    pooled: Sequence[PooledRecord],
    *,
    kind: PacketKind,
    assessor: str,
    practice: bool,
    scripted: bool,
    protocol: Protocol,
    freeze_id: str,
    rubric: str,
    queries: Mapping[str, Query],
    documents: Mapping[str, Document],
    day: str,
    entropy: Entropy,
    judged: Mapping[tuple[str, str], JudgedItem] | None = None,
    links: Mapping[str, str] | None = None,
) -> Dealt:
    """Deals ``pooled`` to one person: needs in random order, items in random order within each.

    A labelling packet that counts ends with the hidden repeats that the protocol declares. For a
    packet that settles ``judged`` holds the live labels, whose order is drawn per item. ``links``
    are places where a record can be read that somebody found, by record.
    Raises `Refused` where nothing is to be dealt or a record has no neutral text to show.
    """
    if not pooled:
        raise Refused(f"there is nothing to deal to {assessor}; nothing was written")
    bare = [
        record
        for record in dict.fromkeys(one.record_id for one in pooled)
        if not _has_text(documents, record)
    ]
    if bare:
        raise Refused(
            f"{len(bare)} pooled records have no text to show ({', '.join(bare[:3])}…); "
            "nothing was written",
            hint="judge check-sources, or judge import-texts FILE",
        )
    packet_id = entropy(16).hex()
    order_seed = entropy(32)
    ordered = shuffled(pooled, order_seed)
    share = share_of(protocol.repeats_share) if kind == "label" and not practice else None
    again = coming_again(ordered, share or Fraction(0), order_seed)
    again = shuffled(again, b"again" + order_seed)
    first_at = {(one.query_id, one.record_id): at for at, one in enumerate(ordered, 1)}
    items: list[PacketItem] = []
    dealt: list[DealtItem] = []
    for position, record in enumerate((*ordered, *again), 1):
        query, document = queries[record.query_id], documents[record.record_id]
        view = view_of(query, document, (links or {}).get(record.record_id))
        shown: tuple[str, ...] = ()
        reveal, rests_on = None, {}
        if kind in SETTLING:
            item = (judged or {})[record.query_id, record.record_id]
            shown = _drawn(tuple(item.labels), entropy)
            reveal = _reveal(item, shown)
            rests_on = {code: given.id for code, given in item.labels.items()}
        items.append(PacketItem(entropy(8).hex(), view, reveal))
        dealt.append(
            DealtItem(
                position=position,
                query_id=record.query_id,
                record_id=record.record_id,
                view_sha256=digest(view),
                shown=shown,
                rests_on=rests_on,
                reveal_sha256=None if reveal is None else digest(reveal),
                repeat_of=first_at[record.query_id, record.record_id]
                if position > len(ordered)
                else None,
            )
        )
    packet = Packet(
        packet_id=packet_id,
        kind=kind,
        assessor=assessor,
        origin="scripted" if scripted else "blind",
        study_title=protocol.title,
        freeze_id=freeze_id,
        rubric_version=protocol.rubric.version,
        rubric=rubric,
        reasons=protocol.reasons,
        evidence_level=protocol.rubric.evidence_level,
        note=protocol.rubric.note,
        items=len(items),
        dealt_on=day,
        systems=candidates(protocol.systems) if kind == "guess" else (),
    )
    return Dealt(
        packet,
        tuple(items),
        Deal(
            packet_id=packet_id,
            assessor=assessor,
            kind=kind,
            practice=practice,
            order_seed=order_seed.hex(),
            packet_sha256=digest(packet),
            items=tuple(dealt),
        ),
    )


def view_of(query: Query, document: Document, link: str | None = None) -> View:
    """What an assessor sees: the need, and the neutral text. Never the submitted query (L12)."""
    return View(
        need=query.need,
        title=document.title,
        journal=document.journal,
        year=document.year,
        type=document.type,
        abstract=document.abstract,
        link=link or canonical_link(document.record_id),
    )


def shuffled(pooled: Iterable[PooledRecord], seed: bytes) -> list[PooledRecord]:
    """One need after the other in random order, items in random order within each (L2)."""
    source = random.Random(seed)
    by_need: dict[str, list[PooledRecord]] = {}
    for record in pooled:
        by_need.setdefault(record.query_id, []).append(record)
    needs = sorted(by_need)
    source.shuffle(needs)
    ordered = []
    for need in needs:
        records = sorted(by_need[need], key=lambda record: record.record_id)
        source.shuffle(records)
        ordered += records
    return ordered


def _has_text(documents: Mapping[str, Document], record_id: str) -> bool:
    document = documents.get(record_id)
    return document is not None and bool(document.title or document.abstract)


def _drawn(codes: tuple[str, ...], entropy: Entropy) -> tuple[str, ...]:
    """``codes`` in a random order, each order as likely (Fisher and Yates)."""
    order = list(codes)
    for last in range(len(order) - 1, 0, -1):
        # 256 bits over a handful of people: the bias of the remainder is below 2 to the -250.
        other = int.from_bytes(entropy(32), "big") % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _reveal(item: JudgedItem, shown: tuple[str, ...]) -> Reveal:
    """Every live label, in the order drawn: no one is left out because another said the same."""
    first, second, *others = (_side(item.labels[code]) for code in shown)
    return Reveal(first=first, second=second, others=tuple(others))


def _side(given: GivenLabel) -> Side:
    return Side(
        label=given.label,
        cannot_kind=given.cannot_kind,
        reason=given.reason,
        note=given.note,
        evidence=given.evidence or "unavailable",
    )
