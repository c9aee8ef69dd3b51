"""The desk: what was acknowledged is on disk, one person at a time, locked when handed in."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Integrity, Refused
from judge.records.judgement import LabelEvent
from judge.store.chain import first_break
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.studies import copy_of, give, label_packet, labels_of, sitting_at, stage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A packet of seven items that nobody has touched."""
    return copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"


def draft(kind: Any = "later", position: int | None = 1, **fields: Any) -> LabelEvent:
    return LabelEvent(
        packet_id="",
        seq=0,
        kind=kind,
        position=position,
        on="2026-11-30",
        prev_hash="",
        hash="",
        **fields,
    )


def test_an_act_is_on_disk_when_append_returns(path: Path) -> None:
    with Desk(path) as desk:
        first = desk.append(draft("note", 3, note="Only mice"))
        second = desk.append(draft("later", 3))
        # Another connection reads the file as it is now.
        with closing(sqlite3.connect(path)) as other:
            rows = other.execute("SELECT seq, kind, hash FROM label_event ORDER BY seq").fetchall()
        assert rows == [(1, "note", first.hash), (2, "later", second.hash)]
        assert desk.events() == (first, second)
        assert first.packet_id == desk.packet.packet_id
        assert first.view_sha256 == read_view_digest(path, 3)
    returned = read_packet(path)
    assert returned.events == (first, second)


def read_view_digest(path: Path, position: int) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute(
            "SELECT view_sha256 FROM item WHERE position = ?", (position,)
        ).fetchone()
    return str(found)


def test_what_the_caller_says_of_the_chain_does_not_count(path: Path) -> None:
    with Desk(path) as desk:
        stored = desk.append(
            LabelEvent(
                packet_id="another",
                seq=99,
                kind="later",
                position=1,
                view_sha256="0" * 64,
                on="2026-11-30",
                prev_hash="0" * 64,
                hash="0" * 64,
            )
        )
        assert (stored.seq, stored.packet_id) == (1, desk.packet.packet_id)
        assert stored.view_sha256 == read_view_digest(path, 1)
    assert read_packet(path).events == (stored,)


def test_an_item_that_is_not_there_is_no_place_for_a_label(path: Path) -> None:
    with Desk(path) as desk:
        for position in (0, 8, -1):
            with pytest.raises(Integrity, match=f"item {position} is missing"):
                desk.append(draft(position=position))
        assert desk.events() == ()


# --- killed -------------------------------------------------------------------------------------

WRITER = """
import itertools, sys
from pathlib import Path
from judge.records.judgement import LabelEvent
from judge.store.desk import Desk

with Desk(Path(sys.argv[1])) as desk:
    for number in itertools.count(1):
        event = desk.append(LabelEvent(
            packet_id="", seq=0, kind="label", position=number % 7 + 1, label="relevant",
            reason="on_topic", evidence="abstract", note=f"note {number}", on="2026-11-30",
            prev_hash="", hash="",
        ))
        print(event.seq, event.hash, flush=True)
"""


def test_no_acknowledged_label_is_lost_to_a_kill(path: Path) -> None:
    # Two rounds at a time on two packets: most of a round is the start of Python.
    packets = [path, path.with_name("B.packet")]
    acknowledged: dict[Path, dict[int, str]] = {one: {} for one in packets}
    for number in range(10):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(one)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for one in packets
        ]
        for one, writer in zip(packets, writers, strict=True):
            assert writer.stdout is not None
            first = [writer.stdout.readline() for _ in range(1 + number)]
            writer.kill()
            # Not communicate(): it passes over what readline() has read ahead.
            rest = writer.stdout.read()
            assert writer.stderr is not None
            assert writer.stderr.read() == ""
            writer.wait()
            writer.stdout.close()
            writer.stderr.close()
            for line in (*first, *rest.splitlines(keepends=True)):
                if line.endswith("\n"):
                    seq, link = line.split()
                    acknowledged[one][int(seq)] = link
    for one in packets:
        with closing(sqlite3.connect(one)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        returned = read_packet(one)  # checks the chain
        stored = {event.seq: event.hash for event in returned.events}
        assert len(acknowledged[one]) >= 55  # 1 + 2 + … + 10
        assert acknowledged[one].items() <= stored.items()


# --- handed in ----------------------------------------------------------------------------------


def test_a_packet_that_is_handed_in_takes_no_act_but_an_unlock(path: Path) -> None:
    label_packet(path, labels_of(0))
    with Desk(path) as desk:
        before = desk.events()
        assert before[-1].kind == "hand_in"
        for kind in ("label", "note", "later", "undo", "hand_in", "reveal", "decision"):
            with pytest.raises(Refused) as error:
                desk.append(draft(kind, 1, label="relevant"))
            assert "handed in and locked" in error.value.message
            assert error.value.hint == "judge unlock A --reason '…'"
        assert desk.events() == before
        unlock = desk.append(draft("unlock", None, note="item 2 was a slip"))
        assert desk.append(draft("later", 2)).prev_hash == unlock.hash
    assert [one.kind for one in read_packet(path).events[-3:]] == ["hand_in", "unlock", "later"]


def test_a_direct_write_to_a_locked_packet_breaks_its_chain(path: Path) -> None:
    label_packet(path, labels_of(0))
    with closing(sqlite3.connect(path)) as connection:
        row = list(connection.execute("SELECT * FROM label_event ORDER BY seq LIMIT 1").fetchone())
        row[1], row[6], row[7] = 99, "x", "y"
        connection.execute("INSERT INTO label_event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.commit()
    with pytest.raises(Integrity, match="the chain of labels is broken"):
        read_packet(path)


# --- what is shown ------------------------------------------------------------------------------


def shown(desk: Desk, position: int) -> str:
    """Why a view is not shown; empty where it is."""
    try:
        desk.view(position)
    except Integrity as error:
        return error.message
    return ""


def flip(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


@pytest.mark.parametrize(
    "harm", [b"Aspirin for pAin.", b"Aspirin for pa\xffn.", b'Aspirin for p","']
)
def test_a_view_that_was_changed_is_not_shown(path: Path, harm: bytes) -> None:
    flip(path, b"Aspirin for pain.", harm.ljust(17, b" "))
    with Desk(path) as desk:
        said = {position: shown(desk, position) for position in range(1, 8)}
    (refused,) = [position for position, words in said.items() if words]
    assert f"the view of item {refused} does not match its digest" in said[refused]
    with pytest.raises(Integrity, match="a view does not match its digest"):
        read_packet(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"note":"seven of them"', b'"note":"eight of them"', "event 1 was changed"),
        (b'"note":"seven of them"', b'"note":"seven of the\xff"', "event 1 was changed"),
        (b'"note":"seven of them"', b'"note":"seven of them}', "event 1 of the packet cannot"),
        (b'"reason":"on_topic"', b'"raeson":"on_topic"', "event 2 of the packet cannot be read"),
    ],
)
def test_one_byte_of_a_label_is_found(path: Path, old: bytes, new: bytes, words: str) -> None:
    with Desk(path) as desk:
        desk.append(draft("note", 1, note="seven of them"))
        desk.append(draft("label", 1, label="relevant", reason="on_topic", evidence="abstract"))
    flip(path, old, new)
    with closing(sqlite3.connect(path)) as connection:  # SQLite itself sees nothing
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with pytest.raises(Integrity, match=words):
        read_packet(path)


def test_a_head_that_was_changed_is_found(path: Path) -> None:
    flip(path, b'"assessor":"A"', b'"assessor":"B"')
    for opening in (Desk, read_packet):
        with pytest.raises(Integrity, match="head of the packet does not match its digest"):
            opening(path)


def test_an_open_desk_goes_on_where_it_was(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for _ in range(3):
            give(sitting, "relevant")
        root = read_root(path)
        assert first_break(desk.events(), root) is None
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        assert sitting.position == 4
        give(sitting, "not_relevant")
        assert [one.seq for one in desk.events()] == [1, 2, 3, 4]
        assert first_break(desk.events(), root) is None


def read_root(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("SELECT sha256 FROM packet").fetchone()
    return str(found)
