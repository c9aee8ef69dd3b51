"""Packet files: newly made, nothing in them that would unblind, nothing in their order either."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.canonical import canonical, digest
from judge.errors import Integrity, Refused
from judge.records.judgement import Deal, Packet, View
from judge.records.query import FrozenQuery
from judge.records.run import Document, PooledRecord, RunRecord
from judge.store.ledger import Ledger
from judge.store.packet_file import PacketItem, create_packet, read_packet
from tests.steps.studies import START, copy_of, stage, worked

PACKETS = ["A.packet", "B.packet", "C.packet", "D.adjudication.packet"]
"""The blind ones: a packet of failure review shows the system, after relevance is locked."""


@pytest.fixture(scope="module")
def ledger() -> Iterator[Ledger]:
    with Ledger.open(worked() / "study.db", lambda: START) as opened:
        yield opened


def deal_of(ledger: Ledger, name: str) -> Deal:
    code, kind = name.split(".")[0], "adjudication" if "adjudication" in name else "label"
    return next(deal for deal in ledger.all(Deal) if (deal.assessor, deal.kind) == (code, kind))


@pytest.mark.parametrize("name", PACKETS)
def test_no_byte_of_a_packet_names_a_system_a_run_or_a_rank(ledger: Ledger, name: str) -> None:
    data = (worked() / "packets" / name).read_bytes()
    shown = " ".join(
        text
        for document in ledger.all(Document)
        for text in (document.title, document.abstract, document.journal)
        if text
    )
    queries = ledger.all(FrozenQuery)
    needs = " ".join(one.query.need for one in queries)
    runs = ledger.all(RunRecord)
    secrets = {
        *(run.system for run in runs),
        *(run.mode for run in runs),
        *(run.endpoint for run in runs),
        *(run.adapter for run in runs),
        *(run.run_id for run in runs),
        *(f'"{run.query_id}"' for run in runs),
        *(hit.record_id for run in runs for hit in run.raw_results or ()),
        *(hit.link or "keyword" for run in runs for hit in run.raw_results or ()),
        *(record.record_id for record in ledger.all(PooledRecord)),
        *(
            text
            for one in queries
            for text in (one.query.text, *(t.text for t in one.query.translations.values()))
            if text not in shown and text not in needs
        ),
        *(deal.order_seed for deal in ledger.all(Deal)),
        "pmid:",
        "doi:",
        "found_by",
        "rank",
        "score",
        "study.db",
        "/tmp",
    } - {"unavailable"}
    shown_too = {one for one in secrets if one in shown or one in needs}
    assert shown_too <= {"rank", "score"}
    found = [one for one in secrets - shown_too if one.encode() in data]
    assert found == []
    assert len(secrets) > 400


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid").fetchall()


@pytest.mark.parametrize("name", PACKETS)
def test_rows_lie_in_the_order_that_is_shown(ledger: Ledger, name: str) -> None:
    path = worked() / "packets" / name
    items = rows(path, "item")
    assert [(row[0], row[3]) for row in items] == [
        (place, place) for place in range(1, len(items) + 1)
    ]
    assert [row[4] for row in items] == [one.view_sha256 for one in deal_of(ledger, name).items]
    views = [row[1] for row in rows(path, "view")]
    assert views == list(dict.fromkeys(row[4] for row in items))


def test_items_have_ids_that_no_other_packet_has_and_that_follow_from_nothing(
    ledger: Ledger,
) -> None:
    ids = [row[1] for name in PACKETS for row in rows(worked() / "packets" / name, "item")]
    assert len(set(ids)) == len(ids)
    assert {len(str(one)) for one in ids} == {16}
    keys = {record.record_id for record in ledger.all(PooledRecord)}
    numbers = {key.partition(":")[2] for key in keys}
    digests = {digest(text) for text in keys | numbers}
    digests |= {one.view_sha256 for deal in ledger.all(Deal) for one in deal.items}
    assert not {str(one) for one in ids} & {text[:16] for text in digests}


def test_links_are_made_from_the_identifier_alone(ledger: Ledger) -> None:
    links = set()
    for _, _, body in rows(worked() / "packets" / "A.packet", "view"):
        view = json.loads(str(body))
        links.add(view["link"])
        assert set(view) == {"abstract", "journal", "link", "need", "title", "type", "year"}
    pmids = [document.pmid for document in ledger.all(Document) if document.pmid]
    templates = {f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" for pmid in pmids}
    others = {link for link in links - templates if link}
    assert all(link.startswith("https://doi.org/10.") for link in others)
    assert "notes.example" not in " ".join(str(link) for link in links)


def test_no_time_finer_than_a_day_is_in_a_packet() -> None:
    for name in PACKETS:
        path = worked() / "packets" / name
        (head,) = rows(path, "packet")
        assert json.loads(str(head[2]))["dealt_on"] == "2026-11-30"
        for row in rows(path, "label_event"):
            event = json.loads(str(row[6]))
            assert event["on"] == "2026-11-30"
            assert not [key for key in event if "at_utc" in key or "time" in key]


def test_a_packet_holds_the_blind_half_alone_and_no_free_page(tmp_path: Path) -> None:
    path = copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        assert {name for (name,) in names} == {"packet", "view", "item", "label_event"}
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    assert stat.S_IMODE(worked().joinpath("packets", "A.packet").stat().st_mode) == 0o600


def test_a_packet_comes_back_as_it_was_dealt(ledger: Ledger) -> None:
    for name in PACKETS:
        deal = deal_of(ledger, name)
        returned = read_packet(worked() / "packets" / name)
        assert digest(returned.packet) == deal.packet_sha256
        assert returned.packet == ledger.find(Packet, deal.packet_id)
        assert returned.views == {one.position: one.view_sha256 for one in deal.items}
        assert returned.reveals == {one.position: one.reveal_sha256 for one in deal.items}


def test_a_packet_is_never_written_over(tmp_path: Path) -> None:
    path = copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"
    before = path.read_bytes()
    packet = read_packet(path).packet
    with pytest.raises(Refused, match="exists already; nothing was written"):
        create_packet(path, packet, ())
    assert path.read_bytes() == before


def test_a_packet_that_cannot_be_filled_is_not_left_behind(tmp_path: Path) -> None:
    path = copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"
    packet = read_packet(path).packet
    with closing(sqlite3.connect(path)) as connection:
        (body,) = connection.execute("SELECT body FROM view LIMIT 1").fetchone()
    view = View(**json.loads(body))
    assert canonical(view).decode() == body
    twice = [PacketItem("one id", view), PacketItem("one id", view)]
    with pytest.raises(Integrity, match="append-only: key already used"):
        create_packet(tmp_path / "new.packet", packet, twice)
    assert [one.name for one in tmp_path.iterdir()] == ["study"]
