"""Chains: any change to any link is seen, and where."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import text_digest
from judge.records.judgement import LabelEvent
from judge.store.chain import first_break, link_hash, sealed

ROOT = "r" * 64


def event(**fields: Any) -> LabelEvent:
    plain = LabelEvent(packet_id="p", seq=1, kind="later", on="2026-11-30", prev_hash="", hash="")
    return msgspec.structs.replace(plain, **fields)


def chain(length: int) -> list[LabelEvent]:
    links: list[LabelEvent] = []
    for seq in range(1, length + 1):
        head = links[-1].hash if links else ROOT
        links.append(sealed(event(seq=seq, position=seq, note=f"note {seq}", prev_hash=head)))
    return links


def test_a_link_is_the_digest_of_its_fields_with_the_note_by_its_own_digest() -> None:
    found = event(note="héllo")
    fields = msgspec.to_builtins(found)
    del fields["hash"]
    fields["note"] = hashlib.sha256("héllo".encode()).hexdigest()
    # For ASCII keys and values without numbers beyond integers, RFC 8785 is sorted compact JSON.
    plain = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert link_hash(found) == hashlib.sha256(plain.encode()).hexdigest()


def test_a_whole_chain_has_no_break() -> None:
    assert first_break([], ROOT) is None
    assert first_break(chain(5), ROOT) is None


def test_a_bundle_that_leaves_notes_out_still_verifies() -> None:
    # The digest of the note stands in for it, as text_digest gives it.
    link = chain(1)[0]
    body = msgspec.to_builtins(link) | {"note": text_digest(link.note)}
    del body["hash"]
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(plain.encode()).hexdigest() == link.hash


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda links: links[1:], "event 1 is missing (event 2 stands in its place)"),
        (lambda links: [*links[:1], *links[2:]], "event 2 is missing (event 3 stands"),
        (lambda links: [links[0], links[2], links[1]], "event 2 is missing"),
        (lambda links: [*links, links[2]], "event 4 is missing (event 3 stands"),
        (
            lambda links: [links[0], msgspec.structs.replace(links[1], note="other"), links[2]],
            "event 2 was changed after it was written",
        ),
        (
            lambda links: [
                links[0],
                sealed(msgspec.structs.replace(links[1], note="other")),
                links[2],
            ],
            "event 3 does not follow the one before it",
        ),
    ],
)
def test_a_break_is_named(harm: Any, words: str) -> None:
    found = first_break(harm(chain(3)), ROOT)
    assert found is not None
    assert words in found


def test_a_chain_of_another_root_is_broken_at_its_first_link() -> None:
    assert first_break(chain(2), "x" * 64) == "event 1 does not follow the one before it"


CHANGES: dict[str, Any] = {
    "packet_id": "q",
    "seq": 9,
    "kind": "undo",
    "position": 9,
    "label": "uncertain",
    "guess": "K",
    "cannot_kind": "other",
    "categories": ("timeout",),
    "reason": "x",
    "note": "x",
    "evidence": "title",
    "rubric_gap": True,
    "highlight": True,
    "undoes": 1,
    "view_sha256": "v",
    "seconds": 9,
    "on": "2026-12-01",
    "prev_hash": "x" * 64,
    "hash": "x" * 64,
}


def test_every_field_is_in_the_chain() -> None:
    assert set(CHANGES) == set(LabelEvent.__struct_fields__)


@given(st.integers(1, 6), st.data(), st.sampled_from(sorted(CHANGES)))
def test_any_change_to_any_link_is_seen(length: int, data: st.DataObject, field: str) -> None:
    links = chain(length)
    place = data.draw(st.integers(0, length - 1))
    links[place] = msgspec.structs.replace(links[place], **{field: CHANGES[field]})
    assert first_break(links, ROOT) is not None
