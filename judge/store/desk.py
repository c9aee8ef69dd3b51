"""The desk: all that a labelling person's process may do to a packet.

It reads one view at a time and appends events. It opens no study, and a packet holds nothing that
names a system or a rank.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from sqlalchemy import Connection, insert, select

from judge.canonical import canonical, digest, sha256
from judge.errors import Integrity, Refused
from judge.records.failure import FailureView
from judge.records.judgement import LabelEvent, Packet, Reveal, View
from judge.store import tables
from judge.store.chain import sealed
from judge.store.engine import R, stored
from judge.store.packet_file import (
    locked,
    open_packet,
    read_events,
    read_head,
    unwritable_packet,
)


class Desk:
    """An open packet. Use as a context manager: the packet is held until it closes.

    Raises `Refused` where the packet is open elsewhere, cannot be written, or is not a packet;
    `Integrity` where it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with ExitStack() as stack:
            stack.enter_context(locked(path))
            self._database = open_packet(path)
            stack.callback(self._database.close)
            with self._database.read() as connection:
                self.packet: Packet = read_head(connection, path)
            _check_writable(path)
            self._root = digest(self.packet)
            self._stack = stack.pop_all()

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
        """Lets the packet go."""
        self._stack.close()

    def events(self) -> tuple[LabelEvent, ...]:
        """Every event so far, in order."""
        with self._database.read() as connection:
            return read_events(connection)

    def view(self, position: int) -> View:
        """What is shown at ``position`` (1..n), checked against its digest."""
        return self._shown(position, View)

    def failure_view(self, position: int) -> FailureView:
        """The same in a packet of failure review."""
        return self._shown(position, FailureView)

    def _shown(self, position: int, kind: type[R]) -> R:
        with self._database.read() as connection:
            row = connection.execute(
                select(tables.view.c.sha256, tables.view.c.body)
                .join(tables.item, tables.item.c.view_sha256 == tables.view.c.sha256)
                .where(tables.item.c.packet_id == self.packet.packet_id)
                .where(tables.item.c.position == position)
            ).one_or_none()
        if row is None:
            raise Integrity(f"{self.path}: item {position} is missing")
        if sha256(row.body.encode()) != row.sha256:
            raise Integrity(f"{self.path}: the view of item {position} does not match its digest")
        return stored(row.body, kind, f"{self.path}: the view of item {position}")

    def titles(self, first: int, last: int) -> dict[int, str | None]:
        """The titles of items ``first`` to ``last`` in one reading, empty where an item has none.

        None stands for an item that cannot be read, which `view` says more about.
        """
        with self._database.read() as connection:
            rows = connection.execute(
                select(tables.item.c.position, tables.view.c.sha256, tables.view.c.body)
                .join(tables.view, tables.item.c.view_sha256 == tables.view.c.sha256)
                .where(tables.item.c.packet_id == self.packet.packet_id)
                .where(tables.item.c.position.between(first, last))
            ).all()
        return {position: _title(sha, body) for position, sha, body in rows}

    def reveal(self, position: int) -> Reveal | None:
        """Both first labels of a disagreement; None in a labelling packet."""
        with self._database.read() as connection:
            body = connection.execute(
                select(tables.item.c.reveal)
                .where(tables.item.c.packet_id == self.packet.packet_id)
                .where(tables.item.c.position == position)
            ).scalar_one()
        if body is None:
            return None
        return stored(body, Reveal, f"{self.path}: both first labels of item {position}")

    def append(self, draft: LabelEvent) -> LabelEvent:
        """Commits an event and returns it as stored. When this returns, the event is on disk.

        Sequence number, view digest and chain are set here, inside the transaction. Raises
        `Refused` after a hand-in (only an unlock is taken then) and where the file cannot be
        written; in every such case nothing was written.
        """
        with self._database.write() as connection:
            # The parent row is locked before the head is read, so that two writers cannot fork.
            connection.execute(
                select(tables.packet.c.packet_id)
                .where(tables.packet.c.packet_id == self.packet.packet_id)
                .with_for_update()
            )
            head = self._head(connection)
            if self._handed_in(connection) and draft.kind != "unlock":
                raise Refused(
                    f"the packet of {self.packet.assessor} is handed in and locked",
                    hint=f"judge unlock {self.packet.assessor} --reason '…'",
                )
            item = None
            if draft.position is not None:
                item = connection.execute(
                    select(tables.item.c.item_id, tables.item.c.view_sha256)
                    .where(tables.item.c.packet_id == self.packet.packet_id)
                    .where(tables.item.c.position == draft.position)
                ).one_or_none()
                if item is None:
                    raise Integrity(f"{self.path}: item {draft.position} is missing")
            event = sealed(
                msgspec.structs.replace(
                    draft,
                    packet_id=self.packet.packet_id,
                    seq=head[0] + 1,
                    prev_hash=head[1],
                    view_sha256=item.view_sha256 if item else None,
                )
            )
            connection.execute(
                insert(tables.label_event),
                {
                    "packet_id": event.packet_id,
                    "seq": event.seq,
                    "item_id": item.item_id if item else None,
                    "kind": event.kind,
                    "label": event.label,
                    "body": canonical(event).decode(),
                    "prev_hash": event.prev_hash,
                    "hash": event.hash,
                },
            )
        return event

    def _head(self, connection: Connection) -> tuple[int, str]:
        row = connection.execute(
            select(tables.label_event.c.seq, tables.label_event.c.hash)
            .where(tables.label_event.c.packet_id == self.packet.packet_id)
            .order_by(tables.label_event.c.seq.desc())
            .limit(1)
        ).one_or_none()
        return (0, self._root) if row is None else (row.seq, row.hash)

    def _handed_in(self, connection: Connection) -> bool:
        rows = connection.execute(
            select(tables.label_event.c.seq, tables.label_event.c.kind)
            .where(tables.label_event.c.packet_id == self.packet.packet_id)
            # These alone are about no item: the index finds them without a look at the labels,
            # which an order or a limit would make it take.
            .where(tables.label_event.c.item_id.is_(None))
        ).all()
        return bool(rows) and max(rows)[1] == "hand_in"


class _Titled(msgspec.Struct):
    """The part of a view that a list of items shows."""

    title: str | None = None


_TITLED = msgspec.json.Decoder(_Titled)


def _title(sha: str, body: str) -> str | None:
    data = body.encode()
    if sha256(data) != sha:
        return None
    try:
        return _TITLED.decode(data).title or ""
    except msgspec.DecodeError:
        return None


def _check_writable(path: Path) -> None:
    """Refuses a file or folder that cannot be written before anything shows.

    The folder takes the journal of each save. Opening a write transaction tries neither: on a
    file that cannot be written SQLite opens a reading one instead.
    """
    if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        raise unwritable_packet(path, "its folder", "no permission")
    if not os.access(path, os.W_OK):
        raise unwritable_packet(path, "it", "no permission")
