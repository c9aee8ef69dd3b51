"""The two doors to a SQLite file, and what is refused before a door opens."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from judge.errors import Integrity, JudgeError, Refused
from judge.store import engine, tables
from judge.store.desk import Desk
from judge.store.engine import Database
from judge.store.ledger import Ledger
from judge.store.packet_file import read_packet
from tests.steps.studies import START, copy_of, stage

APPLICATION = tables.STUDY_APPLICATION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Database.create(tmp_path / "s.db", tables.open_half, APPLICATION).close()
    return tmp_path / "s.db"


def opened(path: Path) -> Database:
    return Database.existing(path, tables.open_half, APPLICATION, "study store")


BLOB = insert(tables.blob).values(sha256="a", bytes=b"raw")


# --- doors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "delete"),
        ("synchronous", 3),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("secure_delete", 1),
        ("trusted_schema", 0),
        ("busy_timeout", 30_000),
    ],
)
def test_every_connection_has_the_settings_that_were_measured(
    path: Path, pragma: str, value: object
) -> None:
    database = opened(path)
    with database.read() as connection:
        assert connection.execute(text(f"PRAGMA {pragma}")).scalar() == value
    with database.write() as connection:
        assert connection.execute(text(f"PRAGMA {pragma}")).scalar() == value
    database.close()


def test_a_setting_that_does_not_hold_stops_the_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(engine._PRAGMAS, "cell_size_check", ("OFF", 1))
    with pytest.raises(JudgeError, match="SQLite keeps cell_size_check=0; 1 is needed"):
        opened(path)


def test_nothing_is_written_through_the_reading_door(path: Path) -> None:
    database = opened(path)
    with pytest.raises(Refused, match="cannot be written"), database.read() as connection:
        connection.execute(BLOB)
    # The same connection writes through the right door afterwards, and only reads after that.
    with database.write() as connection:
        connection.execute(BLOB)
    with pytest.raises(Refused, match="cannot be written"), database.read() as connection:
        connection.execute(insert(tables.blob).values(sha256="b", bytes=b"raw"))
    with database.read() as connection:
        assert connection.execute(select(tables.blob.c.sha256)).scalars().all() == ["a"]
    database.close()


def test_an_error_undoes_the_whole_transaction(path: Path) -> None:
    database = opened(path)

    def fail() -> None:
        with database.write() as connection:
            connection.execute(BLOB)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.read() as connection:
        assert connection.execute(select(tables.blob)).all() == []
    database.close()


def test_evidence_belongs_to_an_event(path: Path) -> None:
    database = opened(path)
    row = {"event": 9, "key": "k", "body": "{}", "sha256": "d"}
    with pytest.raises(Integrity, match="FOREIGN KEY"), database.write() as connection:
        connection.execute(insert(tables.EVIDENCE["run"]), row)
    database.close()


def test_an_error_does_not_print_what_was_written(path: Path) -> None:
    database = opened(path)
    with pytest.raises(Integrity) as error, database.write() as connection:
        connection.execute(
            insert(tables.EVIDENCE["document"]),
            {"event": 9, "key": "k", "body": "SECRET TITLE", "sha256": "d"},
        )
    assert "SECRET" not in error.value.message
    database.close()


def test_a_writer_waits_for_no_reader_that_has_finished(path: Path) -> None:
    first, second = opened(path), opened(path)
    with first.read() as connection:
        connection.execute(select(tables.blob)).all()
    with second.write() as connection:
        connection.execute(BLOB)
    first.close()
    second.close()


def test_a_file_that_another_program_holds_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0)
    database = opened(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Refused, match="another program holds it"), database.write():
            pass
    database.close()


# --- making a file ------------------------------------------------------------------------------


def test_a_new_file_is_its_owners_alone(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["s.db"]


def test_a_file_that_exists_is_not_replaced(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(Refused, match="exists already; nothing was written"):
        Database.create(path, tables.open_half, APPLICATION)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["a?b=c", "50% #1", "münchen [x]", "a b"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "s.db"
    database = Database.create(path, tables.open_half, APPLICATION)
    with database.write() as connection:
        connection.execute(BLOB)
    database.close()
    opened(path).close()
    assert sorted(one.relative_to(tmp_path).as_posix() for one in tmp_path.rglob("*")) == [
        name,
        f"{name}/s.db",
    ]


MAKER = """
import sys
from pathlib import Path
from judge.errors import Refused
from judge.store import tables
from judge.store.engine import Database
print("ready", flush=True)
sys.stdin.readline()
try:
    Database.create(Path(sys.argv[1]), tables.open_half, tables.STUDY_APPLICATION).close()
    print("made")
except Refused:
    print("refused")
"""


def test_of_two_programs_that_make_one_file_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", MAKER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for maker in makers:
        assert maker.stdout is not None
        assert maker.stdout.readline() == "ready\n"
    for maker in makers:
        assert maker.stdin is not None
        maker.stdin.write("\n")
        maker.stdin.flush()
    said = sorted(maker.communicate()[0].strip() for maker in makers)
    assert said == ["made", "refused", "refused"]
    opened(path).close()
    assert [one.name for one in tmp_path.iterdir()] == ["s.db"]


# --- opening a file -----------------------------------------------------------------------------


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def header_overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:16] = b"not a database!!"
    path.write_bytes(data)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 8192 * 4096])


def page_zeroed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    page = data.rindex(b"CREATE TRIGGER") // 4096  # one that opening reads
    data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(data)


def newer_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def made_of_text(path: Path) -> None:
    path.write_text("query_id,record_id\n" * 300)


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")


def without_a_trigger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        name = sorted(name for (name,) in names if name.endswith("_no_update"))[0]
        connection.execute(f"DROP TRIGGER {name}")


def gone(path: Path) -> None:
    path.unlink()


DAMAGED = "is damaged or not a store of this tool"
CORRUPTION: list[tuple[Callable[[Path], None], type[JudgeError], str]] = [
    (gone, Refused, "there is no"),
    (emptied, Refused, "(or it is empty); nothing was changed"),
    (of_another_program, Refused, "(or it is empty); nothing was changed"),
    (newer_schema, Refused, "was made by schema 99; this version reads schema 2"),
    (header_overwritten, Integrity, f"{DAMAGED} (SQLITE_NOTADB)"),
    (made_of_text, Integrity, f"{DAMAGED} (SQLITE_NOTADB)"),
    (truncated, Integrity, f"{DAMAGED} (SQLITE_CORRUPT)"),
    (page_zeroed, Integrity, f"{DAMAGED} (SQLITE_CORRUPT)"),
    (without_a_trigger, Integrity, "append-only triggers are gone: "),
]


@pytest.mark.parametrize(
    ("harm", "kind", "words"), CORRUPTION, ids=[one[0].__name__ for one in CORRUPTION]
)
def test_a_store_that_was_harmed_is_not_opened(
    tmp_path: Path, harm: Callable[[Path], None], kind: type[JudgeError], words: str
) -> None:
    path = copy_of(stage("pooled"), tmp_path) / "study.db"
    harm(path)
    with pytest.raises(kind) as error:
        Ledger.open(path, lambda: START)
    assert words in error.value.message
    assert str(path) in error.value.message or "no" in words


# A packet is there for its owner's path only: "there is no packet here".
PACKET = [
    *(one for one in CORRUPTION if one[0] not in (emptied, header_overwritten, made_of_text)),
    (emptied, Integrity, "is empty: a copy that was cut short, or a file that was never a packet"),
    (header_overwritten, Integrity, "is no packet: it holds something else, or its start was"),
    (made_of_text, Integrity, "is no packet: it holds something else, or its start was"),
]


@pytest.mark.parametrize(("harm", "kind", "words"), PACKET, ids=[one[0].__name__ for one in PACKET])
def test_a_packet_that_was_harmed_is_not_opened(
    tmp_path: Path, harm: Callable[[Path], None], kind: type[JudgeError], words: str
) -> None:
    path = copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"
    harm(path)
    with pytest.raises(kind) as error:
        read_packet(path)
    assert words in error.value.message


def test_a_newer_schema_names_the_two_commands_that_move_it(tmp_path: Path) -> None:
    path = copy_of(stage("pooled"), tmp_path) / "study.db"
    newer_schema(path)
    with pytest.raises(Refused) as error:
        Ledger.open(path, lambda: START)
    assert "`judge publish`" in error.value.hint
    assert "`judge rebuild DIR`" in error.value.hint


@pytest.mark.parametrize(
    ("harm", "hint"),
    [
        (emptied, "another copy of the packet, or where there is none: judge packet make A"),
        (made_of_text, "another copy of the packet, or where there is none: judge packet make A"),
        (of_another_program, "name the packet itself, such as packets/A.packet"),
        (newer_schema, "finish it with the version that made it, or deal it again with this one"),
    ],
)
def test_what_is_no_packet_is_told_what_to_do_for_a_packet(
    tmp_path: Path, harm: Callable[[Path], None], hint: str
) -> None:
    path = copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"
    harm(path)
    for opens in (read_packet, Desk):
        with pytest.raises(JudgeError) as error:
            opens(path)
        assert error.value.hint.startswith(hint)


def test_a_packet_is_no_store_and_a_store_no_packet(tmp_path: Path) -> None:
    root = copy_of(stage("dealt"), tmp_path)
    with pytest.raises(Refused, match="is not a study store"):
        Ledger.open(root / "packets" / "A.packet", lambda: START)
    with pytest.raises(Refused, match="is not a packet"):
        read_packet(root / "study.db")


def test_a_transaction_that_a_crash_cut_short_is_undone(tmp_path: Path) -> None:
    root = copy_of(stage("pooled"), tmp_path)
    with Ledger.open(root / "study.db", lambda: START) as ledger:
        before = ledger.events()
    # A copy taken in the middle of a transaction, with its journal: what a crash leaves behind.
    source = sqlite3.connect(root / "study.db", isolation_level=None)
    source.execute("PRAGMA cache_size = 1")
    source.execute("BEGIN IMMEDIATE")
    for number in range(200):
        source.execute("INSERT INTO blob VALUES (?, ?)", (f"{number:064}", os.urandom(4000)))
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("study.db", "study.db-journal"):
        (crashed / name).write_bytes((root / name).read_bytes())
    source.execute("ROLLBACK")
    source.close()
    assert (crashed / "study.db").stat().st_size > (root / "study.db").stat().st_size
    with Ledger.open(crashed / "study.db", lambda: START) as ledger:
        assert ledger.events() == before
        assert ledger.damage() == []
        assert ledger.problems() == []
    assert [one.name for one in crashed.iterdir()] == ["study.db"]
