"""Packet files: newly made with the blind half alone, and read whole when they come back.

A packet is never a copy of a study with rows deleted: deleted rows stay readable in free pages.
Items are inserted by position, so that the order of rows says nothing that the order on the
screen does not (L2).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from sqlalchemy import Connection, insert, literal_column, select

from judge.canonical import canonical, digest, sha256
from judge.errors import Integrity, Refused
from judge.records.failure import FailureView
from judge.records.judgement import GUESSES, LabelEvent, Packet, Reveal, View
from judge.store import tables
from judge.store.chain import first_break
from judge.store.engine import Database, stored

_SQLITE = b"SQLite format 3\0"
_EVENT = msgspec.json.Decoder(LabelEvent)


@dataclass(frozen=True)
class PacketItem:
    """One item on its way into a packet, in the order of positions."""

    item_id: str
    view: View
    reveal: Reveal | None = None


@dataclass(frozen=True)
class FailureItem:
    """One item of failure review on its way into a packet."""

    item_id: str
    view: FailureView
    reveal: None = None


@dataclass(frozen=True)
class ReturnedPacket:
    """A packet as it came back: its head, what each position showed, and its events."""

    packet: Packet
    views: dict[int, str]
    """Position to the SHA-256 of the view that was shown."""
    reveals: dict[int, str | None]
    """Position to the SHA-256 of both first labels as shown; None in a labelling packet."""
    events: tuple[LabelEvent, ...]


def create_packet(path: Path, packet: Packet, items: Sequence[PacketItem | FailureItem]) -> None:
    """Writes a new packet file. Refuses a path that exists."""
    database = Database.create(path, tables.blind, tables.PACKET_APPLICATION)
    try:
        with database.write() as connection:
            connection.execute(
                insert(tables.packet),
                {
                    "packet_id": packet.packet_id,
                    "body": canonical(packet).decode(),
                    "sha256": digest(packet),
                },
            )
            _insert_items(connection, packet.packet_id, items)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        database.close()


def _insert_items(
    connection: Connection,
    packet_id: str,
    items: Sequence[PacketItem | FailureItem],
) -> None:
    views: dict[str, str] = {}
    rows = []
    for position, item in enumerate(items, 1):
        body = canonical(item.view)
        views[sha256(body)] = body.decode()
        rows.append(
            {
                "item_id": item.item_id,
                "packet_id": packet_id,
                "position": position,
                "view_sha256": sha256(body),
                "reveal": canonical(item.reveal).decode() if item.reveal else None,
            }
        )
    connection.execute(
        insert(tables.view), [{"sha256": key, "body": body} for key, body in views.items()]
    )
    connection.execute(insert(tables.item), rows)


def open_packet(path: Path) -> Database:
    """An existing packet file, checked for kind, version and triggers.

    Raises `Integrity` for a file that is none at all: empty, or of another kind.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
    except OSError:
        start = _SQLITE  # missing or closed to us: said in its own words below
    if start != _SQLITE:
        what = "is no packet: it holds something else, or its start was overwritten"
        if not start:
            what = "is empty: a copy that was cut short, or a file that was never a packet"
        raise Integrity(
            f"{path} {what}; nothing was changed",
            hint="another copy of the packet, or deal it again with `judge packet make`",
        )
    return Database.existing(path, tables.blind, tables.PACKET_APPLICATION, "packet")


def read_head(connection: Connection, path: Path) -> Packet:
    """The packet's own record, checked against its digest."""
    rows = connection.execute(select(tables.packet.c.body, tables.packet.c.sha256)).all()
    if len(rows) != 1 or sha256(rows[0].body.encode()) != rows[0].sha256:
        raise Integrity(f"{path}: the head of the packet does not match its digest")
    return stored(rows[0].body, Packet, f"{path}: the head of the packet")


def read_events(connection: Connection) -> tuple[LabelEvent, ...]:
    """All events in order, as stored (the chain is not checked here)."""
    found = connection.execute(
        select(tables.label_event.c.body).order_by(tables.label_event.c.seq)
    ).scalars()
    bodies = found.all()  # at once: a packet may hold 20,000, which a person waits for
    try:
        return tuple(map(_EVENT.decode, bodies))
    except msgspec.DecodeError:
        return tuple(
            stored(body, LabelEvent, f"event {number} of the packet")
            for number, body in enumerate(bodies, 1)
        )


def copy_packet(path: Path, target: Path) -> int:
    """Copies a packet, also one that is open elsewhere; returns how many acts the copy holds.

    What is committed is in it. Raises `Integrity` where the copy is damaged.
    """
    with closing(open_packet(path)) as database:
        database.copy(target)
    target.chmod(0o600)
    with closing(open_packet(target)) as database:
        if damage := database.damage():
            raise Integrity(f"{path.name} is damaged: {damage[0]}")
        with database.read() as connection:
            read_head(connection, target)
            return len(read_events(connection))


def read_packet(path: Path) -> ReturnedPacket:
    """A packet that came back, whole. Raises `Integrity` for evidence that does not hold."""
    with locked(path):
        database = open_packet(path)
        try:
            if damage := database.damage():
                raise Integrity(f"{path} is damaged: {damage[0]}")
            with database.read() as connection:
                packet = read_head(connection, path)
                events = read_events(connection)
                items = connection.execute(
                    select(
                        tables.item.c.position, tables.item.c.view_sha256, tables.item.c.reveal
                    ).order_by(tables.item.c.position)
                ).all()
                for row in connection.execute(select(tables.view.c.sha256, tables.view.c.body)):
                    if sha256(row.body.encode()) != row.sha256:
                        raise Integrity(f"{path}: a view does not match its digest")
        finally:
            database.close()
        views = {row.position: row.view_sha256 for row in items}
        reveals = {row.position: row.reveal and sha256(row.reveal.encode()) for row in items}
        if sorted(views) != list(range(1, packet.items + 1)):
            raise Integrity(
                f"{path}: {packet.items} items were dealt and {len(views)} are in the file"
            )
        broken = first_break(events, digest(packet))
        if broken is not None:
            raise Integrity(f"{path}: the chain of labels is broken: {broken}")
    return ReturnedPacket(packet, views, reveals, events)


def read_shown(path: Path) -> tuple[Packet, tuple[tuple[int, PacketItem], ...]]:
    """The head and what lies in the packet: each position and its item, in the order of rows.

    Raises `Integrity` where the head or a view does not match its digest.
    """
    with locked(path):
        database = open_packet(path)
        try:
            with database.read() as connection:
                packet = read_head(connection, path)
                rows = connection.execute(
                    select(
                        tables.item.c.item_id,
                        tables.item.c.position,
                        tables.item.c.reveal,
                        tables.view.c.sha256,
                        tables.view.c.body,
                    )
                    .join(tables.view, tables.view.c.sha256 == tables.item.c.view_sha256)
                    .order_by(literal_column("item.rowid"))
                ).all()
        finally:
            database.close()
        shown = []
        for row in rows:
            where = f"{path}: item {row.position}"
            if sha256(row.body.encode()) != row.sha256:
                raise Integrity(f"{where}: its view does not match its digest")
            reveal = stored(row.reveal, Reveal, where) if row.reveal else None
            shown.append(
                (row.position, PacketItem(row.item_id, stored(row.body, View, where), reveal))
            )
    return packet, tuple(shown)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the packet for this process alone; raises `Refused` while another one does.

    The lock is advisory, freed by the system when the process ends in whatever way. It is on
    ``NAME.lock``, which says who holds it, and on the packet's own inode, which is the same
    under every name of the file. `flock` leaves SQLite's own (POSIX) locks alone, but closing any
    descriptor of the file drops those: leave this only after the database is closed.

    An `Integrity` raised inside gets the hint that goes on for a packet, in place of the one for
    the store of a study.
    """
    import fcntl

    code = path.name.partition(".packet")[0].removesuffix(".adjudication")
    asked = GUESSES if code.endswith(".guess") else ""
    code = code.removesuffix(".guess")
    if code.endswith(".failures"):
        code = f"{code.removesuffix('.failures')} --failures"
    again = f"judge packet make {code} --replace --reason '…'"
    if not path.is_file():
        raise Refused(
            f"{path}: there is no packet here",
            hint=f"judge packet make {code}{asked}; where it was dealt and is lost, {again}",
        )
    path = path.resolve()
    lock = path.with_name(path.name + ".lock")
    try:
        handle = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise unwritable_packet(path, "its folder", str(error.strerror)) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "unknown"
            raise Refused(
                f"{path} is open in another terminal ({holder}); nothing was changed",
                hint="go on in that terminal, or end it first",
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        with _inode_held(path):
            yield
    except Integrity as error:
        error.hint = f"another copy of the packet, or where there is none: {again}"
        raise
    finally:
        os.close(handle)


@contextmanager
def _inode_held(path: Path) -> Iterator[None]:
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise unwritable_packet(path, "it", str(error.strerror)) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(
                f"{path} is open in another terminal under another name of the same file; "
                "nothing was changed",
                hint="go on in that terminal, or end it first",
            ) from None
        yield
    finally:
        os.close(handle)


def unwritable_packet(path: Path, what: str, why: str) -> Refused:
    """The refusal for a packet that no label could be saved in."""
    return Refused(
        f"{path}: {what} cannot be written ({why}), so no label could be saved; "
        "nothing was changed",
        hint=f"make {path.parent} writable, and the packet in it, then run this again",
    )
