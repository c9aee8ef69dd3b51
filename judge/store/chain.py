"""Chains: every event holds the digest of the one before, so that none can be lost or changed.

Pure functions over records. ``sealed`` makes the next link; ``first_break`` finds where a chain
stops being whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from judge.canonical import digest, text_digest
from judge.records.event import StudyEvent
from judge.records.judgement import LabelEvent

Link = TypeVar("Link", LabelEvent, StudyEvent)


def link_hash(event: LabelEvent | StudyEvent, note_sha256: str = "") -> str:
    """SHA-256 over the canonical form of every field but ``hash`` itself.

    A note counts by its own digest, so that a bundle that may not share notes still verifies:
    ``note_sha256`` is that of a note that is not there.
    """
    body = msgspec.to_builtins(event)
    del body["hash"]
    if isinstance(event, LabelEvent):
        body["note"] = note_sha256 or text_digest(event.note)
    return digest(body)


def sealed(event: Link) -> Link:
    """The event with its hash set, ready to be appended."""
    return msgspec.structs.replace(event, hash=link_hash(event))


def first_break(
    events: Iterable[LabelEvent | StudyEvent], root: str, notes: Mapping[str, str] | None = None
) -> str | None:
    """What is wrong with the first link that does not hold, or None for a whole chain.

    ``root`` is what the first event's ``prev_hash`` must be; ``notes`` the digests of notes that
    are not there, by the hash of their events.
    """
    expected_seq, expected_prev = 1, root
    for event in events:
        if event.seq != expected_seq:
            return f"event {expected_seq} is missing (event {event.seq} stands in its place)"
        if event.prev_hash != expected_prev:
            return f"event {event.seq} does not follow the one before it"
        if link_hash(event, (notes or {}).get(event.hash, "")) != event.hash:
            return f"event {event.seq} was changed after it was written"
        expected_seq, expected_prev = event.seq + 1, event.hash
    return None
