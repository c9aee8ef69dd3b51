"""Which items come again, and that what is said the second time counts nowhere else."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from typing import get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.canonical import canonical
from judge.clock import stepping_clock
from judge.judgements.collect import agreement_freeze
from judge.judgements.packet import Dealt, deal, fixed_entropy
from judge.judgements.repeats import APART, coming_again, repeat_labels
from judge.records.judgement import Label, LabelEvent
from judge.records.query import Query
from judge.records.run import Document, FoundAt, PooledRecord
from tests.judgements.judging import judged_items
from tests.steps.studies import TWO_ASSESSORS as TWO

POOL = [
    PooledRecord(
        query_id=need,
        record_id=f"pmid:{number}",
        found_by=(FoundAt(system="K", run_id="r1/x", rank=1),),
    )
    for need in ("q1", "q2", "q3")
    for number in range(1, 16)
]
LABELS: tuple[Label, ...] = get_args(Label)
SHARES = st.fractions(0, 1, max_denominator=30)


def dealt(share: str, *, code: str = "A", practice: bool = False, kind: str = "x") -> Dealt:
    return deal(
        POOL,
        kind="label",
        assessor=code,
        practice=practice,
        scripted=False,
        protocol=msgspec.structs.replace(TWO, repeats_share=share),
        freeze_id="f" * 64,
        rubric="1.1 1.2",
        queries={
            name: Query(id=name, family="f", need=f"On {name}.", text=name, expected="ordinary")
            for name in ("q1", "q2", "q3")
        },
        documents={
            f"pmid:{number}": Document(
                record_id=f"pmid:{number}", title=f"Paper {number}", provenance="test"
            )
            for number in range(1, 16)
        },
        day="2026-11-30",
        entropy=fixed_entropy(f"{kind} {code}"),
    )


# --- the choice ---------------------------------------------------------------------------------


@given(st.integers(0, 45), SHARES, st.binary(min_size=32, max_size=32))
def test_a_share_comes_again_from_those_early_enough(
    size: int, share: Fraction, seed: bytes
) -> None:
    ordered = POOL[:size]
    again = coming_again(ordered, share, seed)
    eligible = max(0, size - 20)
    wanted = -(-share.numerator * size // share.denominator)  # rounded up
    assert len(again) == min(wanted, eligible)
    assert len(set(map(id, again))) == len(again)
    assert all(ordered.index(one) < eligible for one in again)


def test_every_early_item_comes_again_as_often_as_any_other() -> None:
    counts: Counter[int] = Counter()
    for seed in range(2000):
        again = coming_again(POOL, Fraction(1, 9), seed.to_bytes(32, "big"))
        counts.update(POOL.index(one) for one in again)
    # 5 of 25, so 400 of 2,000 expected, standard deviation 18.
    assert sorted(counts) == list(range(25))
    assert all(310 < count < 490 for count in counts.values())


def test_the_block_is_spread_over_the_needs() -> None:
    """Of 45 items in three needs the first 25 may come again: five of 15 and 10 are 3 and 2."""
    made = dealt("1/9")
    needs = [item.query_id for item in made.deal.items if item.repeat_of is not None]
    first, second = made.deal.items[0].query_id, made.deal.items[15].query_id
    assert Counter(needs) == {first: 3, second: 2}


# --- the packet ---------------------------------------------------------------------------------


def test_repeats_are_a_block_at_the_end_one_need_after_the_other() -> None:
    made = dealt("1/3")
    assert made.packet.items == len(made.items) == len(made.deal.items) == 45 + 15
    block = made.deal.items[45:]
    assert all(item.repeat_of is None for item in made.deal.items[:45])
    by_position = {item.position: item for item in made.deal.items}
    for item in block:
        assert item.repeat_of is not None
        earlier = by_position[item.repeat_of]
        assert (earlier.query_id, earlier.record_id) == (item.query_id, item.record_id)
        assert earlier.view_sha256 == item.view_sha256
        assert item.position - item.repeat_of > APART
    changes = sum(a.query_id != b.query_id for a, b in itertools.pairwise(block))
    assert changes == len({item.query_id for item in block}) - 1


def test_nothing_that_goes_into_the_packet_tells_a_repeat() -> None:
    made, plain = dealt("1/3"), dealt("0")
    assert len({item.item_id for item in made.items}) == 60
    assert not any(item.reveal for item in made.items)
    head = msgspec.structs.replace(made.packet, packet_id="", items=0)
    assert head == msgspec.structs.replace(plain.packet, packet_id="", items=0)
    for data in (canonical(made.packet), *(canonical(item.view) for item in made.items)):
        assert b"repeat" not in data


def test_no_share_and_a_practice_packet_have_none() -> None:
    for made in (dealt("0"), dealt("1/3", practice=True)):
        assert len(made.items) == 45
        assert not any(item.repeat_of for item in made.deal.items)


# --- the labels ---------------------------------------------------------------------------------


def events_of(made: Dealt, labels: list[Label]) -> list[LabelEvent]:
    """One label event for each position, in a drawn order, then the hand-in."""
    places = list(enumerate(labels, 1))
    random.Random(made.packet.packet_id).shuffle(places)
    events = [
        LabelEvent(
            packet_id=made.packet.packet_id,
            seq=seq,
            kind="label",
            position=position,
            label=label,
            cannot_kind="other" if label == "cannot_judge" else None,
            evidence="abstract",
            on="2026-11-30",
            prev_hash="",
            hash=f"{seq}",
        )
        for seq, (position, label) in enumerate(places, 1)
    ]
    end = msgspec.structs.replace(
        events[-1], seq=len(events) + 1, kind="hand_in", position=None, label=None
    )
    return [*events, end]


@settings(max_examples=40)
@given(st.data(), SHARES)
def test_with_any_repeats_everything_is_as_with_none(data: st.DataObject, share: Fraction) -> None:
    """The same first labels: the same judged items and the same frozen agreement, whatever was
    said the second time; so the same P@k and export, which are made of nothing else."""
    told = {
        code: {(one.query_id, one.record_id): data.draw(st.sampled_from(LABELS)) for one in POOL}
        for code in "AB"
    }
    seen = {}
    for name, declared in (("with", str(share)), ("without", "0")):
        made = {code: dealt(declared, code=code, kind=name) for code in "AB"}
        events: list[LabelEvent] = []
        second: dict[str, list[tuple[Label, Label]]] = {"A": [], "B": []}
        for code, one in made.items():
            labels: list[Label] = []
            for item in one.deal.items:
                label = told[code][item.query_id, item.record_id]
                if item.repeat_of is not None:
                    again = data.draw(st.sampled_from(LABELS))
                    second[code].append((label, again))
                    label = again
                labels.append(label)
            events += events_of(one, labels)
        deals = [one.deal for one in made.values()]
        packets = {one.packet.packet_id: one.packet for one in made.values()}
        items = judged_items(POOL, deals, packets, events, (), TWO)
        frozen = agreement_freeze(
            1,
            stepping_clock("2026-11-30T09:00:00Z")(),
            {(item.query_id, item.record_id): item.labels for item in items},
            deals,
            events,
            TWO,
        )
        bare = tuple(
            msgspec.structs.replace(
                item,
                labels={
                    code: msgspec.structs.replace(given, position=0, id="")
                    for code, given in item.labels.items()
                },
            )
            for item in items
        )
        seen[name] = (bare, frozen.pairs)
        kept = {code: tuple(pairs) for code, pairs in second.items() if pairs}
        assert repeat_labels(deals, events, items, TWO) == kept
    assert seen["with"] == seen["without"]


def test_a_packet_that_is_open_again_tells_nothing_of_its_repeats() -> None:
    made = dealt("1/3")
    events = events_of(made, ["relevant"] * 60)
    items = judged_items(POOL, [made.deal], {made.packet.packet_id: made.packet}, events, (), TWO)
    assert len(repeat_labels([made.deal], events, items, TWO)["A"]) == 15
    opened = msgspec.structs.replace(events[-1], seq=62, kind="unlock")
    assert repeat_labels([made.deal], [*events, opened], items, TWO) == {}


def test_a_first_label_that_counts_no_more_is_compared_with_nothing() -> None:
    made = dealt("1/3")
    events = events_of(made, ["relevant"] * 60)
    items = judged_items(POOL, [made.deal], {made.packet.packet_id: made.packet}, events, (), TWO)
    gone = made.deal.items[-1]
    without = [
        msgspec.structs.replace(item, labels={})
        if (item.query_id, item.record_id) == (gone.query_id, gone.record_id)
        else item
        for item in items
    ]
    assert len(repeat_labels([made.deal], events, without, TWO)["A"]) == 14
