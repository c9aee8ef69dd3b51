"""The tables, in two halves that never share a file's purpose.

The *blind half* is all that a labelling person's process may touch: packet, view, item, label
event. The *open half* holds what would unblind: evidence of every kind, raw bytes, and the
study's chain. A packet file has the blind half alone; `study.db` has the open half alone.

Every evidence table has one shape: ``key`` names the record, ``body`` is its canonical JSON and
``sha256`` the digest of that body. What a record holds is said once, in `judge.records`, and is
checked there on the way in and on the way out.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
)

SCHEMA = 2
"""Version of both halves, kept in SQLite's ``user_version``."""
STUDY_APPLICATION = 0x6A756467
PACKET_APPLICATION = 0x6A756470
"""SQLite's ``application_id`` of a study and of a packet: what tells one file from the other."""

blind = MetaData()
open_half = MetaData()


def _append_only(table: Table, *unique: tuple[str, ...]) -> Table:
    """Three triggers that make rows permanent: no UPDATE, no DELETE, no INSERT over a key.

    The third is needed because ``INSERT OR REPLACE`` passes the other two on a connection without
    recursive triggers; it tests every unique key, since REPLACE works through any of them.
    """
    name = table.name
    clash = " OR ".join(
        "(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")" for key in unique
    )
    for trigger in (
        f"CREATE TRIGGER {name}_no_update BEFORE UPDATE ON {name} "
        f"BEGIN SELECT RAISE(ABORT, '{name} is append-only: no update'); END",
        f"CREATE TRIGGER {name}_no_delete BEFORE DELETE ON {name} "
        f"BEGIN SELECT RAISE(ABORT, '{name} is append-only: no delete'); END",
        f"CREATE TRIGGER {name}_no_reuse BEFORE INSERT ON {name} "
        f"WHEN EXISTS (SELECT 1 FROM {name} WHERE {clash}) "
        f"BEGIN SELECT RAISE(ABORT, '{name} is append-only: key already used'); END",
    ):
        event.listen(table, "after_create", DDL(trigger).execute_if(dialect="sqlite"))  # type: ignore[no-untyped-call]
    return table


def triggers_of(metadata: MetaData) -> set[str]:
    """Names of the triggers a store made from ``metadata`` must have."""
    kinds = ("no_update", "no_delete", "no_reuse")
    return {f"{table.name}_{kind}" for table in metadata.sorted_tables for kind in kinds}


# --- blind half ---------------------------------------------------------------------------------

packet = _append_only(
    Table(
        "packet",
        blind,
        Column("packet_id", Text, primary_key=True),
        Column("body", Text, nullable=False),
        Column("sha256", Text, nullable=False),
        sqlite_strict=True,
    ),
    ("packet_id",),
)

view = _append_only(
    Table(
        "view",
        blind,
        Column("sha256", Text, primary_key=True),
        Column("body", Text, nullable=False),
        sqlite_strict=True,
    ),
    ("sha256",),
)

item = _append_only(
    Table(
        "item",
        blind,
        Column("item_id", Text, primary_key=True),
        Column("packet_id", Text, ForeignKey("packet.packet_id"), nullable=False),
        Column("position", Integer, CheckConstraint("position >= 1"), nullable=False),
        Column("view_sha256", Text, ForeignKey("view.sha256"), nullable=False),
        Column("reveal", Text),
        UniqueConstraint("packet_id", "position"),
        sqlite_strict=True,
    ),
    ("item_id",),
    ("packet_id", "position"),
)

label_event = _append_only(
    Table(
        "label_event",
        blind,
        Column("packet_id", Text, ForeignKey("packet.packet_id"), primary_key=True),
        Column("seq", Integer, CheckConstraint("seq >= 1"), primary_key=True),
        Column("item_id", Text, ForeignKey("item.item_id")),
        Column("kind", Text, nullable=False),
        Column(
            "label",
            Text,
            CheckConstraint("label IN ('relevant','not_relevant','uncertain','cannot_judge')"),
        ),
        Column("body", Text, nullable=False),
        Column("prev_hash", Text, nullable=False),
        Column("hash", Text, nullable=False, unique=True),
        CheckConstraint(
            "kind IN ('label','note','later','undo','reveal','decision','code','guess',"
            "'hand_in','unlock')"
        ),
        CheckConstraint("kind NOT IN ('label','decision') OR label IS NOT NULL"),
        UniqueConstraint("packet_id", "prev_hash"),
        sqlite_strict=True,
    ),
    ("packet_id", "seq"),
    ("hash",),
    ("packet_id", "prev_hash"),
)
Index("label_event_item", label_event.c.packet_id, label_event.c.item_id)

# --- open half ----------------------------------------------------------------------------------

study_event = _append_only(
    Table(
        "study_event",
        open_half,
        Column("seq", Integer, CheckConstraint("seq >= 1"), primary_key=True),
        Column(
            "at_utc", Text, CheckConstraint("at_utc GLOB '????-??-??T??:??:??Z'"), nullable=False
        ),
        Column("kind", Text, nullable=False),
        Column("body", Text, nullable=False),
        Column("prev_hash", Text, nullable=False, unique=True),
        Column("hash", Text, nullable=False, unique=True),
        sqlite_strict=True,
    ),
    ("seq",),
    ("prev_hash",),
    ("hash",),
)

blob = _append_only(
    Table(
        "blob",
        open_half,
        Column("sha256", Text, primary_key=True),
        Column("bytes", LargeBinary, nullable=False),
        sqlite_strict=True,
    ),
    ("sha256",),
)


def _evidence(name: str) -> Table:
    return _append_only(
        Table(
            name,
            open_half,
            Column("seq", Integer, primary_key=True),
            Column("event", Integer, ForeignKey("study_event.seq"), nullable=False),
            Column("key", Text, nullable=False, unique=True),
            Column("body", Text, nullable=False),
            Column("sha256", Text, nullable=False),
            sqlite_strict=True,
        ),
        ("seq",),
        ("key",),
    )


EVIDENCE: dict[str, Table] = {
    name: _evidence(name)
    for name in (
        "frozen",
        "amendment",
        "query",
        "round",
        "intent",
        "attempt",
        "run",
        "document",
        "resolved",
        "source",
        "text",
        "pooled",
        "deal",
        "packet_head",
        "audit",
        "label",
        "imported_label",
        "unit_step",
        "agreement",
    )
}
"""Evidence tables of the open half by kind."""
