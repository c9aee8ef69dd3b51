"""The ledger: everything of a study but the desk. Speaks in records, appends, never changes.

One call of `Ledger.record` is one transaction: the records, their raw bytes, and one event of the
study's chain that holds the digests of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, bindparam, func, insert, select

from judge.canonical import canonical, sha256
from judge.clock import Clock
from judge.errors import Integrity
from judge.records.attempt import Attempt, Intent, RoundStep
from judge.records.audit import LeakAudit
from judge.records.base import Record
from judge.records.event import Batch, StudyEvent, StudyEventKind
from judge.records.judgement import (
    AgreementFreeze,
    Deal,
    ImportedLabel,
    LabelEvent,
    Packet,
)
from judge.records.life import UnitStep
from judge.records.protocol import Amendment, Frozen
from judge.records.query import FrozenQuery
from judge.records.run import Document, PooledRecord, RunRecord
from judge.records.source import ImportedText, ResolvedId, SourceCheck
from judge.store import tables
from judge.store.chain import first_break, sealed
from judge.store.engine import Database, R, stored

KINDS: dict[type[Record], tuple[str, Callable[[Any], str]]] = {
    Frozen: ("frozen", lambda r: "frozen"),
    Amendment: ("amendment", lambda r: f"{r.number:04d}"),
    FrozenQuery: ("query", lambda r: r.query.id),
    RoundStep: ("round", lambda r: f"{r.name} {r.step}"),
    Intent: ("intent", lambda r: f"{r.run_id} {r.number}"),
    Attempt: ("attempt", lambda r: f"{r.run_id} {r.number}"),
    RunRecord: ("run", lambda r: r.run_id),
    Document: ("document", lambda r: r.record_id),
    ResolvedId: ("resolved", lambda r: f"{r.pmcid} {r.number}"),
    SourceCheck: ("source", lambda r: f"{r.record_id} {r.number}"),
    ImportedText: ("text", lambda r: f"{r.document.record_id} {r.number}"),
    PooledRecord: ("pooled", lambda r: f"{r.query_id} {r.record_id}"),
    Deal: ("deal", lambda r: r.packet_id),
    Packet: ("packet_head", lambda r: r.packet_id),
    LeakAudit: ("audit", lambda r: r.packet_id),
    LabelEvent: ("label", lambda r: f"{r.packet_id} {r.seq:07d}"),
    ImportedLabel: ("imported_label", lambda r: f"{r.assessor} {r.query_id} {r.record_id}"),
    UnitStep: ("unit_step", lambda r: f"{r.number:07d}"),
    AgreementFreeze: ("agreement", lambda r: f"{r.number:04d}"),
}
"""Every kind of evidence: its table, and what names a record of it. One place for both."""

KIND_OF: dict[str, type[Record]] = {name: kind for kind, (name, _) in KINDS.items()}

GENESIS = "0" * 64
"""What the first event of a study follows."""

_HEAD = (
    select(tables.study_event.c.seq, tables.study_event.c.hash)
    .order_by(tables.study_event.c.seq.desc())
    .limit(1)
)
_BLOBS = select(tables.blob.c.sha256).where(
    tables.blob.c.sha256.in_(bindparam("keys", expanding=True))
)
_PARAMETERS = 500
"""Values in one statement; SQLite sets a limit to them."""
_INSERT = {name: insert(table) for name, table in tables.EVIDENCE.items()}
_INSERT_EVENT, _INSERT_BLOB = insert(tables.study_event), insert(tables.blob)


def root_of(digests: Iterable[str]) -> str:
    """The digest of a list of digests, in order: what a `Batch` holds."""
    return sha256("\n".join(digests).encode())


class Ledger:
    """An open study store. Use as a context manager."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.path = database.path

    @classmethod
    def create(cls, path: Path, clock: Clock, title: str) -> Ledger:
        """A new store, with its first event. Refuses a path that exists."""
        database = Database.create(path, tables.open_half, tables.STUDY_APPLICATION)
        ledger = cls(database, clock)
        ledger.record("created", title)
        return ledger

    @classmethod
    def empty(cls, path: Path, clock: Clock) -> Ledger:
        """A new store without any event, for `restore`."""
        return cls(Database.create(path, tables.open_half, tables.STUDY_APPLICATION), clock)

    @classmethod
    def open(cls, path: Path, clock: Clock) -> Ledger:
        """An existing store; see `Database.existing` for what is refused."""
        return cls(
            Database.existing(path, tables.open_half, tables.STUDY_APPLICATION, "study store"),
            clock,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases the file."""
        self._database.close()

    # --- reading --------------------------------------------------------------------------------

    def all(self, kind: type[R]) -> tuple[R, ...]:
        """Every record of a kind, in the order they were written."""
        table = tables.EVIDENCE[KINDS[kind][0]]
        with self._database.read() as connection:
            rows = connection.execute(
                select(table.c.key, table.c.body, table.c.sha256).order_by(table.c.seq)
            ).all()
        return tuple(_record(row.body, row.sha256, kind, f"{table.name} {row.key}") for row in rows)

    def find(self, kind: type[R], key: str) -> R | None:
        """The record of a kind that ``key`` names, or None."""
        table = tables.EVIDENCE[KINDS[kind][0]]
        with self._database.read() as connection:
            row = connection.execute(
                select(table.c.body, table.c.sha256).where(table.c.key == key)
            ).one_or_none()
        if row is None:
            return None
        return _record(row.body, row.sha256, kind, f"{table.name} {key}")

    def keys(self, kind: type[Record]) -> frozenset[str]:
        """The keys of a kind."""
        table = tables.EVIDENCE[KINDS[kind][0]]
        with self._database.read() as connection:
            return frozenset(connection.execute(select(table.c.key)).scalars())

    def count(self, kind: type[Record]) -> int:
        """How many records of a kind there are."""
        table = tables.EVIDENCE[KINDS[kind][0]]
        with self._database.read() as connection:
            return connection.execute(select(func.count()).select_from(table)).scalar_one()

    def blob(self, key: str) -> bytes:
        """Raw bytes by their SHA-256 (R32). Raises `Integrity` where absent or changed."""
        with self._database.read() as connection:
            data = connection.execute(
                select(tables.blob.c.bytes).where(tables.blob.c.sha256 == key)
            ).scalar()
        if data is None or sha256(data) != key:
            raise Integrity(f"{self.path}: raw bytes {key[:12]}… are missing or changed")
        return bytes(data)

    def copy(self, target: Path) -> None:
        """Writes all that is committed into the new file ``target``, for its owner's eyes alone."""
        self._database.copy(target)
        target.chmod(0o600)

    def blobs(self) -> tuple[str, ...]:
        """The digests of all raw bytes, sorted."""
        with self._database.read() as connection:
            return tuple(
                connection.execute(
                    select(tables.blob.c.sha256).order_by(tables.blob.c.sha256)
                ).scalars()
            )

    def events(self) -> tuple[StudyEvent, ...]:
        """The study's chain, in order."""
        with self._database.read() as connection:
            bodies = connection.execute(
                select(tables.study_event.c.body).order_by(tables.study_event.c.seq)
            ).scalars()
            return tuple(
                stored(body, StudyEvent, f"event {number} of the study's chain")
                for number, body in enumerate(bodies, 1)
            )

    # --- writing --------------------------------------------------------------------------------

    def record(
        self,
        kind: StudyEventKind,
        subject: str,
        *groups: Sequence[Record],
        blobs: Mapping[str, bytes] | None = None,
        outside: Sequence[Batch] = (),
    ) -> StudyEvent:
        """Appends records and the event that holds their digests, in one transaction.

        Each group holds records of one kind; ``blobs`` maps SHA-256 to raw bytes; ``outside``
        are batches kept elsewhere, such as a report's files. A key that exists raises
        `Integrity`, and nothing is written.
        """
        rows = [_rows(group) for group in groups if group]
        with self._database.write() as connection:
            head = connection.execute(_HEAD).one_or_none()
            event = sealed(
                StudyEvent(
                    seq=1 if head is None else head.seq + 1,
                    at_utc=self._clock(),
                    kind=kind,
                    subject=subject,
                    batches=(
                        *(
                            Batch(
                                kind=name,
                                count=len(group),
                                root=root_of(row["sha256"] for row in group),
                            )
                            for name, group in rows
                        ),
                        *outside,
                    ),
                    prev_hash=GENESIS if head is None else head.hash,
                    hash="",
                )
            )
            _insert(connection, event, rows, blobs or {})
        return event

    def restore(
        self,
        steps: Iterable[tuple[StudyEvent, Sequence[Sequence[Record]]]],
        blobs: Mapping[str, bytes],
    ) -> None:
        """Writes events that were made before, with their records, in one transaction.

        What a rebuild does; the store must be empty.
        """
        with self._database.write() as connection:
            for event, groups in steps:
                _insert(connection, event, [_rows(group) for group in groups if group], {})
            _insert_blobs(connection, blobs)

    # --- checking -------------------------------------------------------------------------------

    def damage(self) -> list[str]:
        """What SQLite itself finds wrong with the file (`Database.damage`)."""
        return self._database.damage()

    def problems(self, *, withheld: frozenset[str] = frozenset()) -> list[str]:
        """Everything in the store that does not match its digest, as sentences.

        ``withheld`` holds packet ids whose deal may be absent: they had not come back when the
        study was published.
        """
        found: list[str] = []
        events = self.events()
        broken = first_break(events, GENESIS)
        if broken is not None:
            found.append(f"the study's chain is broken: {broken}")
        with self._database.read() as connection:
            columns = connection.execute(
                select(
                    tables.study_event.c.seq,
                    tables.study_event.c.at_utc,
                    tables.study_event.c.kind,
                    tables.study_event.c.prev_hash,
                    tables.study_event.c.hash,
                ).order_by(tables.study_event.c.seq)
            ).all()
        for row, event in zip(columns, events, strict=True):
            if tuple(row) != (event.seq, event.at_utc, event.kind, event.prev_hash, event.hash):
                found.append(f"event {event.seq}: its columns do not say what it says")
        for name, kind in KIND_OF.items():
            found += self._table_problems(name, kind, events, withheld)
        for key in self.blobs():
            try:
                self.blob(key)
            except Integrity as error:
                found.append(error.message)
        return found

    def _table_problems(
        self,
        name: str,
        kind: type[Record],
        events: tuple[StudyEvent, ...],
        withheld: frozenset[str],
    ) -> list[str]:
        table = tables.EVIDENCE[name]
        found: list[str] = []
        by_event: dict[int, list[str]] = {}
        with self._database.read() as connection:
            rows = connection.execute(
                select(table.c.event, table.c.key, table.c.body, table.c.sha256).order_by(
                    table.c.seq
                )
            )
            for row in rows:
                by_event.setdefault(row.event, []).append(row.sha256)
                if sha256(row.body.encode()) != row.sha256:
                    found.append(f"{name} {row.key}: does not match its digest")
                elif KINDS[kind][1](stored(row.body, kind, f"{name} {row.key}")) != row.key:
                    found.append(f"{name} {row.key}: holds the record of another key")
        for event in events:
            for batch in event.batches:
                if batch.kind != name:
                    continue
                present = by_event.pop(event.seq, [])
                if not present and event.kind == "dealt" and event.subject in withheld:
                    continue
                if len(present) != batch.count:
                    found.append(
                        f"{name}: event {event.seq} ({event.kind}) wrote {batch.count}, "
                        f"{len(present)} are here"
                    )
                elif root_of(present) != batch.root:
                    found.append(f"{name}: records of event {event.seq} ({event.kind}) changed")
        found += [f"{name}: {len(rest)} records belong to no event" for rest in by_event.values()]
        return found


def _record(body: str, expected: str, kind: type[R], what: str) -> R:
    if sha256(body.encode()) != expected:
        raise Integrity(f"{what}: does not match its digest", hint="judge verify")
    return stored(body, kind, what)


def _rows(group: Sequence[Record]) -> tuple[str, list[dict[str, str]]]:
    name, key_of = KINDS[type(group[0])]
    rows = []
    for record in group:
        body = canonical(record)
        rows.append({"key": key_of(record), "body": body.decode(), "sha256": sha256(body)})
    return name, rows


def _insert(
    connection: Connection,
    event: StudyEvent,
    groups: Sequence[tuple[str, list[dict[str, str]]]],
    blobs: Mapping[str, bytes],
) -> None:
    connection.execute(
        _INSERT_EVENT,
        {
            "seq": event.seq,
            "at_utc": event.at_utc,
            "kind": event.kind,
            "body": canonical(event).decode(),
            "prev_hash": event.prev_hash,
            "hash": event.hash,
        },
    )
    for name, rows in groups:
        connection.execute(_INSERT[name], [{**row, "event": event.seq} for row in rows])
    _insert_blobs(connection, blobs)


def _insert_blobs(connection: Connection, blobs: Mapping[str, bytes]) -> None:
    keys = list(blobs)
    known: set[str] = set()
    for start in range(0, len(keys), _PARAMETERS):
        some = keys[start : start + _PARAMETERS]
        known.update(connection.execute(_BLOBS, {"keys": some}).scalars())
    new = [{"sha256": key, "bytes": data} for key, data in blobs.items() if key not in known]
    if new:
        connection.execute(_INSERT_BLOB, new)
