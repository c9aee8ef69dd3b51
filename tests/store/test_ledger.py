"""The study's store: appended by several programs at once, found out when anything changes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from judge.canonical import canonical, sha256
from judge.clock import stepping_clock
from judge.errors import Integrity, Refused
from judge.records.run import Document
from judge.store.chain import first_break
from judge.store.ledger import GENESIS, Ledger
from tests.steps.studies import START, copy_of, stage, without_triggers


def note(name: str, text: str = "Wrong gene first") -> Document:
    return Document(record_id=name, title=text, provenance="test")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Ledger.create(tmp_path / "study.db", stepping_clock(START), "A study").close()
    return tmp_path / "study.db"


def opened(path: Path) -> Ledger:
    return Ledger.open(path, stepping_clock(START))


# --- appending ----------------------------------------------------------------------------------


def test_what_is_recorded_is_read_back_in_order(path: Path) -> None:
    with opened(path) as ledger:
        written = ledger.record(
            "checked", "f.jsonl", [note("f2"), note("f1", "α [/] \x1b[31m \u202e")]
        )
        assert [one.record_id for one in ledger.all(Document)] == ["f2", "f1"]
        assert ledger.find(Document, "f1") == note("f1", "α [/] \x1b[31m \u202e")
        assert ledger.find(Document, "f9") is None
        assert ledger.keys(Document) == {"f1", "f2"}
        assert ledger.count(Document) == 2
        events = ledger.events()
        assert [one.kind for one in events] == ["created", "checked"]
        assert events[-1] == written
        assert written.prev_hash == events[0].hash
        assert events[0].prev_hash == GENESIS


def test_a_key_that_exists_stops_the_whole_step(path: Path) -> None:
    with opened(path) as ledger:
        ledger.record("checked", "first", [note("f1")])
        before = ledger.events()
        with pytest.raises(Integrity, match="document is append-only: key already used"):
            ledger.record(
                "checked",
                "second",
                [note("f2"), note("f1", "rewritten")],
                blobs={sha256(b"x"): b"x"},
            )
        assert ledger.events() == before
        assert ledger.all(Document) == (note("f1"),)
        assert ledger.blobs() == ()


def test_raw_bytes_are_kept_once_and_as_they_came(path: Path) -> None:
    raw = bytes(range(256)) * 3
    with opened(path) as ledger:
        for subject in ("a", "b"):
            ledger.record("captured", subject, blobs={sha256(raw): raw})
        assert ledger.blobs() == (sha256(raw),)
        assert ledger.blob(sha256(raw)) == raw
        with pytest.raises(Integrity, match="missing or changed"):
            ledger.blob(sha256(b"other"))


def test_a_clock_that_goes_back_breaks_nothing(path: Path) -> None:
    times = iter(["2026-11-01T01:59:59Z", "2026-11-01T00:59:59Z", "2026-10-31T00:00:00Z"])
    with Ledger.open(path, lambda: next(times)) as ledger:
        for name in ("f1", "f2", "f3"):
            ledger.record("checked", name, [note(name)])
        assert [one.subject for one in ledger.events()] == ["A study", "f1", "f2", "f3"]
        assert [one.seq for one in ledger.events()] == [1, 2, 3, 4]
        assert ledger.problems() == []


def test_text_that_has_no_canonical_form_is_not_written(path: Path) -> None:
    with opened(path) as ledger:
        with pytest.raises(ValueError, match="no canonical form"):
            ledger.record("checked", "f", [note("f1", "\ud83d")])
        assert len(ledger.events()) == 1


# --- several writers ----------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from judge.clock import system_clock
from judge.records.run import Document
from judge.store.ledger import Ledger

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Ledger.open(path, system_clock) as ledger:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(count):
        one = Document(record_id=f"{name}-{number:03}", title="t", provenance=name)
        ledger.record("checked", one.record_id, [one])
        print(one.record_id, flush=True)
"""


def test_writers_that_race_lose_nothing_and_fork_nothing(path: Path) -> None:
    # Each append reads the head of the chain and then writes: exactly what an ordinary
    # transaction of the driver loses between a fifth and nearly all of.
    names, count = "vwxyz", 30
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    acknowledged: list[str] = []
    for writer in writers:
        out, err = writer.communicate()
        assert (writer.returncode, err) == (0, "")
        acknowledged += out.split()
    assert len(acknowledged) == len(names) * count
    with opened(path) as ledger:
        events = ledger.events()
        assert first_break(events, GENESIS) is None
        assert sorted(one.subject for one in events[1:]) == sorted(acknowledged)
        assert ledger.keys(Document) == set(acknowledged)
        assert len({one.prev_hash for one in events}) == len(events)
        assert ledger.damage() == []
        assert ledger.problems() == []


# --- a full disk --------------------------------------------------------------------------------


def test_a_full_disk_is_said_and_loses_nothing(path: Path) -> None:
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 120")

    def fill(ledger: Ledger) -> None:
        for number in range(1000):
            ledger.record("checked", "f", [note(f"f{number:03}", "word " * 200)])
            acknowledged.append(f"f{number:03}")

    acknowledged: list[str] = []
    event.listen(Engine, "connect", limit)
    try:
        with opened(path) as ledger:
            with pytest.raises(Refused) as error:
                fill(ledger)
            assert "the disk is full; free some space" in error.value.message
            assert "nothing was written" in error.value.message
            assert ledger.keys(Document) == set(acknowledged)
    finally:
        event.remove(Engine, "connect", limit)
    assert len(acknowledged) > 10
    with opened(path) as ledger:  # there is room again
        assert ledger.problems() == []
        ledger.record("checked", "f", [note("last")])
        assert ledger.keys(Document) == {*acknowledged, "last"}


# --- changed afterwards -------------------------------------------------------------------------


def harm(path: Path, statement: str, *values: object) -> None:
    without_triggers(path, (statement, values))


def test_one_byte_of_a_note_is_found(path: Path) -> None:
    with opened(path) as ledger:
        ledger.record("checked", "f", [note("f1", "Wrong gene at rank one")])
    data = path.read_bytes()
    assert data.count(b"Wrong gene at rank one") == 1
    path.write_bytes(data.replace(b"Wrong gene at rank one", b"Wrong gene at rank two"))
    with closing(sqlite3.connect(path)) as connection:  # SQLite itself sees nothing
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with opened(path) as ledger:
        assert ledger.problems() == ["document f1: does not match its digest"]
        with pytest.raises(Integrity, match="document f1: does not match its digest"):
            ledger.all(Document)
        with pytest.raises(Integrity, match="document f1"):
            ledger.find(Document, "f1")


def test_a_byte_that_is_no_text_any_more_is_found(path: Path) -> None:
    with opened(path) as ledger:
        ledger.record("checked", "f", [note("f1", "Wrong gene")])
    path.write_bytes(path.read_bytes().replace(b"Wrong gene", b"Wrong\xffgene"))
    with opened(path) as ledger:
        assert ledger.problems() == ["document f1: does not match its digest"]


def body(record: Document) -> str:
    return canonical(record).decode()


CHANGES: list[tuple[str, Callable[[Path], None], str]] = [
    (
        "body and digest",
        lambda path: harm(
            path,
            "UPDATE document SET body = ?, sha256 = ? WHERE key = 'f2'",
            body(note("f2", "rewritten")),
            sha256(body(note("f2", "rewritten")).encode()),
        ),
        "document: records of event 2 (checked) changed",
    ),
    (
        "a record deleted",
        lambda path: harm(path, "DELETE FROM document WHERE key = 'f1'"),
        "document: event 2 (checked) wrote 3, 2 are here",
    ),
    (
        "a record added",
        lambda path: harm(
            path,
            "INSERT INTO document (event, key, body, sha256) VALUES (1, 'f9', ?, ?)",
            body(note("f9")),
            sha256(body(note("f9")).encode()),
        ),
        "document: 1 records belong to no event",
    ),
    (
        "two records in the other order",
        lambda path: harm(path, "UPDATE document SET seq = seq + 10 WHERE key = 'f1'"),
        "document: records of event 2 (checked) changed",
    ),
    (
        "another key",
        lambda path: harm(path, "UPDATE document SET key = 'f7' WHERE key = 'f1'"),
        "document f7: holds the record of another key",
    ),
    (
        "an event deleted",
        lambda path: harm(path, "DELETE FROM study_event WHERE seq = 1"),
        "the study's chain is broken: event 1 is missing (event 2 stands in its place)",
    ),
    (
        "an event rewritten",
        lambda path: harm(
            path, "UPDATE study_event SET body = replace(body, 'f.jsonl', 'g.jsonl')"
        ),
        "the study's chain is broken: event 2 was changed after it was written",
    ),
    (
        "the time of an event",
        lambda path: harm(
            path, "UPDATE study_event SET at_utc = '2020-01-01T00:00:00Z' WHERE seq = 2"
        ),
        "event 2: its columns do not say what it says",
    ),
    (
        "raw bytes",
        lambda path: harm(path, "UPDATE blob SET bytes = x'00'"),
        "are missing or changed",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES]
)
def test_what_was_changed_by_hand_is_found(
    path: Path, change: Callable[[Path], None], words: str
) -> None:
    with opened(path) as ledger:
        ledger.record(
            "checked",
            "f.jsonl",
            [note("f1"), note("f2"), note("f3")],
            blobs={sha256(b"raw"): b"raw"},
        )
        assert ledger.problems() == []
    change(path)
    with opened(path) as ledger:
        assert any(words in problem for problem in ledger.problems())


def test_an_event_that_is_no_record_any_more_is_named(path: Path) -> None:
    harm(path, "UPDATE study_event SET body = '{' WHERE seq = 1")
    with opened(path) as ledger, pytest.raises(Integrity, match="event 1 of the study's chain"):
        ledger.events()


def test_the_store_of_a_whole_study_has_no_problem(tmp_path: Path) -> None:
    with opened(copy_of(stage("settled"), tmp_path) / "study.db") as ledger:
        assert ledger.problems() == []
        assert len(ledger.all(Document)) == 7
