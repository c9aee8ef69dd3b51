"""Dealing: an order that says nothing of systems or ranks, and sides that say nothing of people."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import digest
from judge.errors import Refused
from judge.judgements.packet import Dealt, deal, fixed_entropy, shuffled, system_entropy, view_of
from judge.records.judgement import GivenLabel, JudgedItem, Label
from judge.records.query import Query, Translation
from judge.records.run import Document, FoundAt, PooledRecord
from tests.steps.studies import TWO_ASSESSORS as TWO


def record(query: str, number: int, *, system: str = "K") -> PooledRecord:
    return PooledRecord(
        query_id=query,
        record_id=f"pmid:{number}",
        found_by=(FoundAt(system=system, run_id=f"r1/{system}/{query}/1", rank=number),),
    )


def query(name: str) -> Query:
    return Query(
        id=name,
        family="f",
        need=f"Papers on {name}.",
        text=f'"{name}" NOT x',
        expected="ordinary",
        translations={"S": Translation(text=f"about {name}", note="plain words")},
    )


def document(number: int, **fields: Any) -> Document:
    plain = Document(
        record_id=f"pmid:{number}",
        title=f"Paper {number}",
        abstract="Text",
        journal="Journal",
        year="2020",
        type="article",
        pmid=str(number),
        provenance="test",
    )
    return msgspec.structs.replace(plain, **fields)


POOL = [record(name, number) for name in ("q1", "q2", "q3") for number in range(1, 11)]


def dealt(
    pool: Sequence[PooledRecord] = POOL, *, seed: str = "x", kind: Any = "label", **fields: Any
) -> Dealt:
    given_: dict[str, Any] = {
        "assessor": "A",
        "practice": False,
        "scripted": False,
        "protocol": TWO,
        "freeze_id": "f" * 64,
        "rubric": "1.1 1.2",
        "queries": {name: query(name) for name in ("q1", "q2", "q3")},
        "documents": {f"pmid:{number}": document(number) for number in range(1, 21)},
        "day": "2026-11-30",
        "entropy": fixed_entropy(seed),
    }
    return deal(pool, kind=kind, **given_ | fields)


@given(st.binary(min_size=32, max_size=32), st.permutations(POOL))
def test_each_item_is_dealt_once_one_need_after_the_other(
    seed: bytes, pool: list[PooledRecord]
) -> None:
    order = shuffled(pool, seed)
    assert Counter(map(digest, order)) == Counter(map(digest, POOL))
    needs = [one.query_id for one in order]
    blocks = [need for place, need in enumerate(needs) if place == 0 or needs[place - 1] != need]
    assert sorted(blocks) == ["q1", "q2", "q3"]
    # The order in which hits were pooled does not matter: the seed alone does.
    assert order == shuffled(POOL, seed)


def spearman(first: Sequence[int], second: Sequence[int]) -> float:
    """For ranks without ties: 1 - 6 Σd² / n(n² - 1)."""
    n = len(first)
    squares = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    return 1 - 6 * squares / (n * (n * n - 1))


def test_positions_do_not_follow_ranks() -> None:
    # One need, twenty hits, a thousand seeds: the mean correlation is 0 but for chance
    # (standard error 1/sqrt(19 · 1000) = 0.007). A tool that favours high ranks gives 0.46.
    pool = [record("q1", number) for number in range(1, 21)]
    source = random.Random(20261130)
    found = []
    for _ in range(1000):
        order = shuffled(pool, source.randbytes(32))
        ranks = [one.found_by[0].rank for one in order]
        found.append(spearman(ranks, range(1, 21)))
    assert abs(sum(found) / len(found)) < 0.03
    assert min(found) < -0.3
    assert max(found) > 0.3


def test_needs_come_in_any_order() -> None:
    source = random.Random(20261130)
    firsts = Counter(shuffled(POOL, source.randbytes(32))[0].query_id for _ in range(900))
    assert set(firsts) == {"q1", "q2", "q3"}
    assert all(240 <= count <= 360 for count in firsts.values())  # 300 ± 4.2 standard deviations


def test_two_packets_share_nothing_but_what_they_are_about() -> None:
    one, other = dealt(entropy=system_entropy), dealt(entropy=system_entropy, assessor="B")
    assert one.deal.packet_id != other.deal.packet_id
    assert one.deal.order_seed != other.deal.order_seed
    assert not {item.item_id for item in one.items} & {item.item_id for item in other.items}
    orders = [[(x.query_id, x.record_id) for x in d.deal.items] for d in (one, other)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])


def test_the_deal_says_what_each_position_is_and_the_packet_does_not() -> None:
    made = dealt()
    assert [one.position for one in made.deal.items] == list(range(1, 31))
    for item, place in zip(made.items, made.deal.items, strict=True):
        number = int(place.record_id.removeprefix("pmid:"))
        assert digest(item.view) == place.view_sha256
        assert item.view == view_of(query(place.query_id), document(number))
    assert made.deal.packet_sha256 == digest(made.packet)
    assert (made.packet.items, made.packet.origin, made.packet.assessor) == (30, "blind", "A")
    assert dealt(scripted=True).packet.origin == "scripted"


def test_a_view_shows_the_need_and_the_neutral_text_alone() -> None:
    view = view_of(query("q1"), document(31234567, doi="10.1/x", retracted=True))
    assert msgspec.to_builtins(view) == {
        "need": "Papers on q1.",
        "title": "Paper 31234567",
        "journal": "Journal",
        "year": "2020",
        "type": "article",
        "abstract": "Text",
        "link": "https://pubmed.ncbi.nlm.nih.gov/31234567/",
    }


def test_nothing_is_dealt_of_nothing() -> None:
    with pytest.raises(Refused, match="there is nothing to deal to A; nothing was written"):
        dealt([])


def test_a_record_without_any_text_stops_the_deal() -> None:
    documents = {f"pmid:{number}": document(number) for number in range(1, 21)}
    documents["pmid:3"] = document(3, title=None, abstract=None)
    del documents["pmid:4"]
    with pytest.raises(Refused) as error:
        dealt([record("q1", number) for number in range(1, 6)], documents=documents)
    assert "2 pooled records have no text to show (pmid:3, pmid:4…)" in error.value.message


def judged(first: Label, second: Label, third: Label | None = None) -> JudgedItem:
    labels = {"A": first, "B": second} | ({"E": third} if third else {})
    return JudgedItem(
        query_id="q1",
        record_id="pmid:1",
        labels={
            code: GivenLabel(
                assessor=code,
                label=label,
                origin="blind",
                reason=f"r{code}",
                evidence="abstract",
                id=f"p-{code} 1",
            )
            for code, label in labels.items()
        },
        state="disagree",
        final=None,
    )


def adjudicated(item: JudgedItem, seed: str) -> Dealt:
    return dealt(
        [record("q1", 1)],
        seed=seed,
        kind="adjudication",
        assessor="D",
        judged={("q1", "pmid:1"): item},
    )


def test_sides_are_drawn_for_each_item() -> None:
    # A is on the left about half the time: 200 ± 3.5 standard deviations of 10.
    lefts = 0
    for number in range(400):
        made = adjudicated(judged("relevant", "not_relevant"), str(number))
        reveal = made.items[0].reveal
        assert reveal is not None
        lefts += reveal.first.label == "relevant"
        assert {reveal.first.label, reveal.second.label} == {"relevant", "not_relevant"}
        first = "A" if reveal.first.label == "relevant" else "B"
        assert made.deal.items[0].shown == (first, "B" if first == "A" else "A")
    assert 165 <= lefts <= 235


def test_a_side_has_no_name_and_the_deal_says_what_was_shown() -> None:
    made = adjudicated(judged("relevant", "uncertain"), "x")
    reveal = made.items[0].reveal
    assert reveal is not None
    assert set(msgspec.to_builtins(reveal.first)) == {
        "label",
        "cannot_kind",
        "reason",
        "note",
        "evidence",
    }
    (item,) = made.deal.items
    assert item.rests_on == {"A": "p-A 1", "B": "p-B 1"}
    assert sorted(item.shown) == ["A", "B"]
    assert item.reveal_sha256 == digest(reveal)


@pytest.mark.parametrize(
    "labels",
    [
        ("relevant", "relevant", "not_relevant"),
        ("uncertain", "relevant", "relevant"),
        ("relevant", "uncertain", "not_relevant"),
    ],
)
def test_of_three_labels_all_are_shown_in_any_order(labels: tuple[Label, Label, Label]) -> None:
    orders = set()
    for number in range(120):
        made = adjudicated(judged(*labels), str(number))
        reveal = made.items[0].reveal
        assert reveal is not None
        shown = [reveal.first.label, reveal.second.label, *(one.label for one in reveal.others)]
        assert sorted(shown) == sorted(labels)
        (item,) = made.deal.items
        assert [dict(zip("ABE", labels, strict=True))[code] for code in item.shown] == shown
        orders.add(item.shown)
    # Six orders, each with 1/6: that one is missing after 120 draws has a chance below 10**-8.
    assert len(orders) == 6


def test_a_labelling_packet_shows_no_other_label() -> None:
    made = dealt(judged={("q1", "pmid:1"): judged("relevant", "not_relevant")})
    assert {item.reveal for item in made.items} == {None}
    assert {item.reveal_sha256 for item in made.deal.items} == {None}


def test_fixed_entropy_follows_from_its_label_and_the_systems_from_nothing() -> None:
    one, other = fixed_entropy("a"), fixed_entropy("a")
    assert [one(4), one(4)] == [other(4), other(4)]
    assert fixed_entropy("a")(16) != fixed_entropy("b")(16)
    assert len({system_entropy(16) for _ in range(100)}) == 100
