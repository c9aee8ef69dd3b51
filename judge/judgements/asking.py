"""Which system found it? What is asked of a person whose labels are locked, and the answers (L20).

The items are ones that exactly one system found and this person labelled, shown as they were. The
answers stand in a packet of their own and touch no label.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from judge.judgements.collect import handed_in
from judge.judgements.lifecycle import fold
from judge.judgements.pool import only_system
from judge.records.judgement import Candidate, Deal, LabelEvent
from judge.records.protocol import Protocol, System
from judge.records.run import PooledRecord

ASKED = 30
"""How many items are asked about, at most."""

MOST_SYSTEMS = 9
"""A system is one digit key at the desk."""


def candidates(systems: Sequence[System]) -> tuple[Candidate, ...]:
    """What a guess may name, in declared order."""
    return tuple(
        Candidate(code=one.code, name=f"{one.code} ({one.service}, {one.mode})") for one in systems
    )


def asked_about(labelled: Iterable[PooledRecord], seed: bytes) -> list[PooledRecord]:
    """`ASKED` of ``labelled`` that one system alone found, as evenly over systems as they allow.

    A random draw from each system in turn, until enough are drawn or none is left.
    """
    source = random.Random(seed)
    of: dict[str, list[PooledRecord]] = {}
    for record in sorted(labelled, key=lambda one: (one.query_id, one.record_id)):
        if (system := only_system(record)) is not None:
            of.setdefault(system, []).append(record)
    for records in of.values():
        source.shuffle(records)
    order = sorted(of)
    source.shuffle(order)
    drawn: list[PooledRecord] = []
    while any(of.values()) and len(drawn) < ASKED:
        drawn += [of[system].pop() for system in order if of[system]][: ASKED - len(drawn)]
    return drawn


def guess_pairs(
    deals: Iterable[Deal],
    events: Iterable[LabelEvent],
    pool: Iterable[PooledRecord],
    protocol: Protocol,
) -> dict[str, tuple[tuple[str, str], ...]]:
    """By declared assessor: the system that found each item asked about, and the one named.

    Of packets that stand handed in.
    """
    kept = tuple(events)
    found_by: Mapping[tuple[str, str], str | None] = {
        (one.query_id, one.record_id): only_system(one) for one in pool
    }
    pairs: dict[str, list[tuple[str, str]]] = {}
    for deal in deals:
        if deal.kind != "guess" or not handed_in(deal, kept):
            continue
        own = [event for event in kept if event.packet_id == deal.packet_id]
        items = fold(own, len(deal.items)).items
        for item in deal.items:
            act = items[item.position].newest("guess")
            system = found_by[item.query_id, item.record_id]
            if act is not None and act.guess is not None and system is not None:
                pairs.setdefault(deal.assessor, []).append((system, act.guess))
    return {code: tuple(pairs[code]) for code in protocol.people.assessors if code in pairs}
