"""Hidden repeats: a share of a person's items comes again, unmarked, as a block at the end.

Which items those are is in the deal, in the open half, and nowhere else: a repeat is an item of
the packet like any other, with an id and a position of its own. The first label counts everywhere;
what was said the second time is kept for self-consistency alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil

from judge.judgements.collect import handed_in
from judge.judgements.lifecycle import fold
from judge.records.judgement import Deal, JudgedItem, Label, LabelEvent
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord

APART = 20
"""At least so many items stand between the first time and the second: what was just judged is
remembered. A packet of so few items has no repeats."""


def coming_again(
    ordered: Sequence[PooledRecord], share: Fraction, seed: bytes
) -> list[PooledRecord]:
    """Which of ``ordered``, the items of a packet in their order, come a second time.

    ``share`` of all items, rounded up, as far as there are items early enough (`APART`). Every
    eligible item has the same chance: a systematic sample with a random start, which spreads over
    the needs as the items do. Their order as a block is not drawn here.
    """
    early = ordered[: max(0, len(ordered) - APART)]
    count = min(ceil(share * len(ordered)), len(early))
    if not count:
        return []
    start = random.Random(b"repeats" + seed).randrange(len(early))
    return [early[(start + place * len(early)) // count] for place in range(count)]


def repeat_labels(
    deals: Iterable[Deal],
    events: Iterable[LabelEvent],
    items: Iterable[JudgedItem],
    protocol: Protocol,
) -> dict[str, tuple[tuple[Label, Label], ...]]:
    """By declared assessor: first and second label of each item that came twice.

    Of packets that stand handed in, in the order of the second time. Where the first label does
    not count any more in ``items``, there is nothing to compare the second one with.
    """
    kept = tuple(events)
    counted = {(one.query_id, one.record_id): one.labels for one in items}
    found: dict[str, list[tuple[Label, Label]]] = {}
    for deal in deals:
        if deal.assessor not in protocol.people.assessors or not handed_in(deal, kept):
            continue
        own = [event for event in kept if event.packet_id == deal.packet_id]
        said = fold(own, len(deal.items)).items
        for item in deal.items:
            stands = counted.get((item.query_id, item.record_id), {}).get(deal.assessor)
            if item.repeat_of is None or stands is None:
                continue
            first, second = said[item.repeat_of].label, said[item.position].label
            if first and second and first.label == stands.label and second.label:
                found.setdefault(deal.assessor, []).append((stands.label, second.label))
    return {code: tuple(found[code]) for code in protocol.people.assessors if code in found}
