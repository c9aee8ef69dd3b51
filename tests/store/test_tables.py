"""Evidence stays: what SQL can do to a table is refused by the file itself.

Tried with a plain connection, without any setting of ours: the triggers alone must hold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from judge.store import tables
from judge.store.engine import Database

UNIQUE: dict[str, list[tuple[str, ...]]] = {
    "packet": [("packet_id",)],
    "view": [("sha256",)],
    "item": [("item_id",), ("packet_id", "position")],
    "label_event": [("packet_id", "seq"), ("hash",), ("packet_id", "prev_hash")],
    "study_event": [("seq",), ("prev_hash",), ("hash",)],
    "blob": [("sha256",)],
    **{name: [("seq",), ("key",)] for name in tables.EVIDENCE},
}
KEYS = [(table, key) for table, keys in UNIQUE.items() for key in keys]
WORDS = ["INSERT OR REPLACE", "INSERT OR IGNORE", "REPLACE", "INSERT"]

Row = dict[str, object]


def some_row(table: str, place: int) -> Row:
    """A row that the table takes; two places share no key."""
    rows: dict[str, Row] = {
        "packet": {"packet_id": f"p{place}", "body": "{}", "sha256": "d"},
        "view": {"sha256": f"v{place}", "body": "{}"},
        "item": {"item_id": f"i{place}", "packet_id": "p", "position": place, "view_sha256": "v"},
        "label_event": {
            "packet_id": "p",
            "seq": place,
            "kind": "later",
            "body": "{}",
            "prev_hash": f"b{place}",
            "hash": f"h{place}",
        },
        "study_event": {
            "seq": place,
            "at_utc": "2026-11-30T09:00:00Z",
            "kind": "created",
            "body": "{}",
            "prev_hash": f"b{place}",
            "hash": f"h{place}",
        },
        "blob": {"sha256": f"s{place}", "bytes": b"raw"},
    }
    evidence = {"seq": place, "event": 1, "key": f"k{place}", "body": "{}", "sha256": "d"}
    return rows.get(table, evidence)


def insert(connection: sqlite3.Connection, word: str, table: str, row: Row) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"{word} INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Both halves in one plain connection; each table holds two rows."""
    folder = tmp_path_factory.mktemp("halves")
    for name, metadata in (("blind.db", tables.blind), ("open.db", tables.open_half)):
        Database.create(folder / name, metadata, 1).close()
    with closing(sqlite3.connect(folder / "open.db", isolation_level=None)) as connection:
        connection.execute("ATTACH ? AS blind", (str(folder / "blind.db"),))
        for table in UNIQUE:
            for place in (1, 2):
                insert(connection, "INSERT", table, some_row(table, place))
        yield connection


@pytest.fixture
def plain(whole: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """The two halves; what a test gets in is taken back after it."""
    whole.execute("BEGIN")
    yield whole
    whole.execute("ROLLBACK")


def contents(connection: sqlite3.Connection, table: str) -> list[object]:
    return connection.execute(f"SELECT * FROM {table}").fetchall()


def test_the_list_above_has_every_table_and_unique_key(plain: sqlite3.Connection) -> None:
    found: dict[str, set[tuple[str, ...]]] = {}
    for schema in ("main", "blind"):
        names = plain.execute(
            f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'"
        ).fetchall()
        for (table,) in names:
            columns = plain.execute(f"PRAGMA {schema}.table_info({table})").fetchall()
            primary = sorted((column[5], column[1]) for column in columns if column[5])
            found[table] = {tuple(name for _, name in primary)}
            for _, index, unique, *_ in plain.execute(f"PRAGMA {schema}.index_list({table})"):
                if unique:
                    parts = plain.execute(f"PRAGMA {schema}.index_info({index})").fetchall()
                    found[table].add(tuple(part[2] for part in parts))
    assert found == {table: set(keys) for table, keys in UNIQUE.items()}


@pytest.mark.parametrize("table", list(UNIQUE))
def test_no_row_is_changed(plain: sqlite3.Connection, table: str) -> None:
    before = contents(plain, table)
    for column in some_row(table, 1):
        for word in ("UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"):
            with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only: no update"):
                plain.execute(f"{word} {table} SET {column} = {column}")
    assert contents(plain, table) == before


@pytest.mark.parametrize("table", list(UNIQUE))
def test_no_row_is_deleted(plain: sqlite3.Connection, table: str) -> None:
    before = contents(plain, table)
    for where in ("", " WHERE rowid = 1"):
        with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only: no delete"):
            plain.execute(f"DELETE FROM {table}{where}")
    assert contents(plain, table) == before


@pytest.mark.parametrize(("table", "key"), KEYS, ids=[f"{t}-{'-'.join(k)}" for t, k in KEYS])
@pytest.mark.parametrize("word", WORDS)
def test_no_key_is_used_again(
    plain: sqlite3.Connection, table: str, key: tuple[str, ...], word: str
) -> None:
    before = contents(plain, table)
    row = some_row(table, 3) | {column: some_row(table, 1)[column] for column in key}
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only: key already used"):
        insert(plain, word, table, row)
    assert contents(plain, table) == before


@pytest.mark.parametrize("table", list(UNIQUE))
def test_a_new_row_is_taken(plain: sqlite3.Connection, table: str) -> None:
    insert(plain, "INSERT", table, some_row(table, 3))
    assert len(contents(plain, table)) == 3


def test_the_two_halves_share_no_table() -> None:
    assert set(tables.blind.tables) == {"packet", "view", "item", "label_event"}
    assert not set(tables.blind.tables) & set(tables.open_half.tables)


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("item", {"position": 0}),
        ("item", {"position": "first"}),
        ("item", {"view_sha256": None}),
        ("label_event", {"seq": 0}),
        ("label_event", {"kind": "rewrite"}),
        ("label_event", {"kind": "label", "label": None}),
        ("label_event", {"label": "maybe"}),
        ("label_event", {"prev_hash": None}),
        ("study_event", {"at_utc": "2026-11-30 09:02"}),
        ("study_event", {"at_utc": "2026-11-30T09:02:00+01:00"}),
        ("blob", {"bytes": "text"}),
    ],
)
def test_the_file_takes_no_value_outside_its_kind(
    plain: sqlite3.Connection, table: str, wrong: Row
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert(plain, "INSERT", table, some_row(table, 3) | wrong)
