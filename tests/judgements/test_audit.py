"""The leak audit finds what is planted, and little else.

Planted leaks are the ones of the services seen in the field: link hosts, titles with a closing
full stop, dates with a month, snippets, no abstracts, packets in pool order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.judgements.audit import deals_again, known_of, leak_audit, leaks, marks
from judge.judgements.packet import deal, fixed_entropy, view_of
from judge.judgements.visible import Shown, features
from judge.records.audit import FeatureLine, LeakAudit
from judge.records.judgement import Packet, View
from judge.records.query import Query
from judge.records.run import Document, FoundAt, PooledRecord
from tests.judgements.audited import PACKET, clean
from tests.steps.studies import TWO_ASSESSORS


def planted(change: Callable[[View], dict[str, Any]], items: list[Shown]) -> list[Shown]:
    """The views of system K changed."""
    return [
        replace(item, view=msgspec.structs.replace(item.view, **change(item.view)))
        if item.system == "K"
        else item
        for item in items
    ]


def reordered(key: Callable[[Shown], Any]) -> list[Shown]:
    """A clean packet in another order within its needs."""
    items = sorted(clean(), key=lambda item: (item.pooled.query_id, key(item)))
    return [replace(item, position=place) for place, item in enumerate(items, 1)]


def flagged(table: LeakAudit) -> set[str]:
    return {line.name for line in table.lines if line.flagged}


def line_of(table: LeakAudit, name: str) -> FeatureLine:
    return next(line for line in table.lines if line.name == name and line.tells == "system")


# --- what a guess learns ------------------------------------------------------------------------

STYLES: dict[str, tuple[str, Callable[[View], dict[str, Any]]]] = {
    "L4 link host": (
        "link host",
        lambda view: {"link": f"https://lexisearch.example{(view.link or '')[32:]}"},
    ),
    "L4 tracking": ("link shape", lambda view: {"link": f"{view.link}?utm_source=x"}),
    "L5 closing full stop": (
        "title last character",
        lambda view: {"title": (view.title or "").rstrip(".?") + "."},
    ),
    "L5 capitals": ("title style", lambda view: {"title": (view.title or "").title()}),
    "L5 quoted title": ("title first character", lambda view: {"title": f'"{view.title}"'}),
    "L5 entity": ("title style", lambda view: {"title": f"{view.title} &amp; more"}),
    "L5 highlight": ("abstract markup", lambda view: {"abstract": f"<b>A</b> {view.abstract}"}),
    "L5 snippet": ("abstract length", lambda view: {"abstract": (view.abstract or "x")[:120]}),
    "L5 cut": ("abstract last character", lambda view: {"abstract": f"{view.abstract}…"}),
    "L5 date": ("year shape", lambda view: {"year": f"{view.year}-Jan"}),
    "L5 short journal": ("journal last character", lambda view: {"journal": "J. Biol. Chem."}),
    "L6 no abstracts": ("missing fields", lambda view: {"abstract": None}),
    "L6 no journal": ("missing fields", lambda view: {"journal": None}),
}


@pytest.mark.parametrize("leak", STYLES)
def test_a_planted_style_is_refused_by_its_name(leak: str) -> None:
    name, change = STYLES[leak]
    table = leak_audit(PACKET, planted(change, clean()))
    assert name in flagged(table)
    assert any(told.startswith(f"field {name!r} tells the system") for told in leaks(table, ()))
    assert not deals_again(table)


def test_what_tells_every_item_is_told_with_its_number() -> None:
    table = leak_audit(PACKET, planted(lambda view: {"link": "https://x.example/"}, clean()))
    told = next(one for one in leaks(table, ()) if "'link host'" in one)
    assert told.startswith("field 'link host' tells the system (balanced accuracy 1.000, threshold")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("position", lambda item: item.system),
        ("position", lambda item: item.pooled.found_by[0].rank),
        ("row order", lambda item: item.system),
    ],
)
def test_an_order_that_tells_is_dealt_again(name: str, key: Callable[[Shown], Any]) -> None:
    table = leak_audit(PACKET, reordered(key))
    assert name in flagged(table)
    assert deals_again(table)


def test_systems_in_turn_are_an_order_that_tells() -> None:
    items = sorted(clean(needs=1), key=lambda item: item.system or "")
    few = items[:30] + items[-30:]
    turns = [item for pair in zip(few[:30], few[30:], strict=True) for item in pair]
    table = leak_audit(
        PACKET, [replace(item, position=place) for place, item in enumerate(turns, 1)]
    )
    assert "position parity" in flagged(table)


def test_rows_in_pool_order_tell_although_positions_are_shuffled() -> None:
    rows = sorted(clean(), key=lambda item: (item.pooled.query_id, item.system))
    table = leak_audit(PACKET, rows)
    assert flagged(table) == {"row order"}


def test_an_id_with_a_prefix_tells() -> None:
    items = [
        replace(item, item_id=("1" if item.system == "K" else "2") + item.item_id[1:])
        for item in clean()
    ]
    assert flagged(leak_audit(PACKET, items)) == {"id first character"}


def test_second_copies_of_one_systems_titles_tell() -> None:
    items = clean()
    copies = [
        replace(
            item,
            view=msgspec.structs.replace(item.view, title=f"{item.view.title} !"),
            pooled=msgspec.structs.replace(item.pooled, record_id=f"{item.pooled.record_id}0"),
        )
        for item in items
        if item.system == "K"
    ]
    assert "repeated titles" in flagged(leak_audit(PACKET, [*items, *copies]))


def test_content_is_residual_however_well_it_tells() -> None:
    items = planted(
        lambda view: {"title": "Zinc", "abstract": "Zinc.", "journal": "Zinc J", "type": "trial"},
        clean(),
    )
    table = leak_audit(PACKET, items)
    residual = [line for line in table.lines if line.kind == "residual"]
    assert {line.name for line in residual} >= {"term overlap with the need", "journal", "year"}
    assert line_of(table, "journal").accuracy == "1.000"
    assert not any(line.flagged for line in residual)
    assert {line.threshold for line in residual} == {"not_applicable"}


def test_four_in_forty_the_wrong_way_round_is_nine_tenths() -> None:
    """Worked by hand: in each system 36 of 40 items have its own year shape, and no fold can turn
    that majority, so 36/40 of each system are guessed."""
    items = clean(80)
    for index, item in enumerate(items):
        system = "KS"[index % 2]
        odd = index // 2 % 10 == 0
        items[index] = replace(
            item,
            view=msgspec.structs.replace(
                item.view, year="2020" if (system == "K") != odd else "2020-01"
            ),
            pooled=msgspec.structs.replace(
                item.pooled, found_by=(FoundAt(system=system, run_id="r", rank=1),)
            ),
        )
    table = leak_audit(PACKET, items)
    assert line_of(table, "year shape").accuracy == "0.900"
    assert line_of(table, "type style").accuracy == "0.500"  # one value for all


def test_what_stands_once_cannot_be_learnt() -> None:
    """Tried on the items it was fitted on, a guess from 14 different journals would be right
    every time; on items it has not seen it knows nothing."""
    items = [with_journal(item, f"Journal {number}") for number, item in enumerate(clean(14))]
    accuracy = line_of(leak_audit(PACKET, items), "journal").accuracy
    assert float(accuracy) < 0.8


def with_journal(item: Shown, name: str) -> Shown:
    return replace(item, view=msgspec.structs.replace(item.view, journal=name))


def test_three_systems_start_from_a_third() -> None:
    table = leak_audit(PACKET, clean(120, systems=("K", "S", "T")))
    assert line_of(table, "type style").accuracy == "0.333"
    assert flagged(table) == set()


def test_what_the_need_alone_tells_is_not_the_features() -> None:
    """One system refused half of the needs, whose papers are all preprints at a DOI."""
    items = [
        item if item.pooled.query_id in ("q0", "q1") else one
        for item, one in zip(
            clean(), planted(lambda view: {"link": "https://doi.org/x"}, clean()), strict=True
        )
    ]
    items = [
        item
        if item.pooled.query_id in ("q0", "q1")
        else replace(
            item,
            view=msgspec.structs.replace(item.view, link="https://doi.org/x"),
            pooled=msgspec.structs.replace(
                item.pooled, found_by=(FoundAt(system="K", run_id="r", rank=index % 20 + 1),)
            ),
        )
        for index, item in enumerate(items)
    ]
    assert flagged(leak_audit(PACKET, items)) == set()


def test_under_thirty_items_there_is_no_power_and_nothing_is_refused() -> None:
    leaking = planted(lambda view: {"link": "https://x.example/"}, clean(29))
    table = leak_audit(PACKET, leaking)
    assert (table.single, table.permutations, flagged(table)) == (29, 0, set())
    assert table.said.startswith(
        "The audit has no power: 29 items were found by one system only, fewer than 30."
    )
    assert line_of(table, "link host").accuracy == "1.000"  # still printed
    enough = planted(lambda view: {"link": "https://x.example/"}, clean(30))
    assert "link host" in flagged(leak_audit(PACKET, enough))


def test_needs_of_one_system_each_have_no_power() -> None:
    items = [
        replace(
            item,
            pooled=msgspec.structs.replace(
                item.pooled,
                found_by=(FoundAt(system=item.pooled.query_id, run_id="r", rank=1),),
            ),
        )
        for item in clean()
    ]
    table = leak_audit(PACKET, items)
    assert (table.exchangeable, flagged(table)) == (0, set())
    assert "no need holds items of two systems" in table.said


def test_clean_packets_pass() -> None:
    """Each test of a clean packet is false with probability 2/1001 at most (the observed value
    must be among the two largest of 1,001 exchangeable ones), and there are two: 60 packets have
    0.24 false alarms in the mean, and more than two in fewer than one of 400 sets of seeds."""
    alarms = [
        seed for seed in range(60) if flagged(leak_audit(packet_no(seed), clean(60, seed=seed)))
    ]
    assert len(alarms) <= 2


def packet_no(number: int) -> Packet:
    return msgspec.structs.replace(PACKET, packet_id=f"{number:032x}")


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), names=st.permutations(["K", "S", "z"]))
def test_no_name_of_a_system_changes_the_table(seed: int, names: list[str]) -> None:
    items = clean(40, seed=seed, systems=("K", "S", "z"))
    other = dict(zip(("K", "S", "z"), names, strict=True))
    renamed = [
        replace(
            item,
            pooled=msgspec.structs.replace(
                item.pooled,
                found_by=tuple(
                    msgspec.structs.replace(found, system=other[found.system])
                    for found in item.pooled.found_by
                ),
            ),
        )
        for item in items
    ]
    assert leak_audit(PACKET, renamed) == leak_audit(PACKET, items)
    assert leak_audit(PACKET, items) == leak_audit(PACKET, items)


@settings(max_examples=50, deadline=None)
@given(
    text=st.none() | st.text(max_size=30),
    link=st.none() | st.text(max_size=30),
    need=st.text(max_size=30),
)
def test_every_text_has_its_features(text: str | None, link: str | None, need: str) -> None:
    item = clean(1)[0]
    view = View(need=need, title=text, journal=text, year=text, type=text, abstract=text, link=link)
    found = features([replace(item, view=view)])
    assert all(len(one.values) == 1 for one in found)
    assert len({one.name for one in found}) == len(found)


def test_packets_as_they_are_dealt_pass() -> None:
    """The deal itself, over a pool in which one system's items come first and rank highest."""
    pool, documents, queries = [], {}, {}
    for number in range(120):
        need, key = f"q{number // 40}", f"pmid:{number + 1}"
        queries[need] = Query(
            id=need,
            family="f",
            need=f"Papers on {need}.",
            text=f"{need} NOT x",
            expected="ordinary",
        )
        documents[key] = Document(
            record_id=key, title=f"Paper {number % 7}x{number}", abstract="Text.", provenance="test"
        )
        found = FoundAt(system="KS"[number % 40 // 20], run_id="r", rank=number % 20 + 1)
        pool.append(PooledRecord(query_id=need, record_id=key, found_by=(found,)))
    by_key = {(one.query_id, one.record_id): one for one in pool}
    alarms = 0
    for number in range(20):
        dealt = deal(
            pool,
            kind="label",
            assessor="A",
            practice=False,
            scripted=False,
            protocol=TWO_ASSESSORS,
            freeze_id="f" * 64,
            rubric="",
            queries=queries,
            documents=documents,
            day="2026-11-30",
            entropy=fixed_entropy(f"deal {number}"),
        )
        shown = [
            Shown(item.item_id, at.position, item.view, by_key[at.query_id, at.record_id])
            for item, at in zip(dealt.items, dealt.deal.items, strict=True)
        ]
        assert shown[0].view == view_of(
            queries[shown[0].pooled.query_id], documents[shown[0].pooled.record_id]
        )
        known = known_of(TWO_ASSESSORS, list(queries.values()), [])
        assert marks(dealt.packet, shown, known) == ()
        alarms += bool(flagged(leak_audit(dealt.packet, shown)))
    assert alarms <= 1
