"""Taking packets back: all of it, checked, or nothing at all.

Every refusal is tried on real files, and the study's store is the same file before and after.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.canonical import canonical, digest
from judge.errors import Integrity, Invalid, JudgeError, Refused
from judge.judgements.collect import desk_command, not_handed_in
from judge.records.judgement import AgreementFreeze, LabelEvent, PacketKind
from judge.steps.context import Context
from judge.steps.judging import (
    collect_packet,
    make_packet,
    pool_study,
)
from judge.steps.planning import freeze_study
from judge.steps.running import capture_study
from judge.store.chain import sealed
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.acts import refused, rewrite
from tests.steps.studies import (
    FIRST_LABELS,
    PROTOCOL,
    context_of,
    copy_of,
    give,
    label_packet,
    labels_of,
    settle_packet,
    sitting_at,
    stage,
    without_triggers,
    write_inputs,
)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """A study whose packets A and B are labelled, handed in and not collected."""
    found = context_of(copy_of(stage("dealt"), tmp_path))
    for who, code in enumerate("AB"):
        label_packet(found.study.packet(code), labels_of(who))
    return found


# --- a packet that may be taken -----------------------------------------------------------------


def test_packets_come_in_and_the_last_one_freezes_the_first_labels(context: Context) -> None:
    first = collect_packet(context, context.study.packet("A"), "A")
    assert (first.assessor, first.events, first.waiting, first.frozen) == ("A", 8, ("B",), None)
    second = collect_packet(context, context.study.packet("B"))
    assert (second.assessor, second.events, second.waiting) == ("B", 8, ())
    assert second.frozen is not None
    with context.frozen() as work:
        pairs = {
            work.documents[pair.record_id].title: tuple(pair.labels.values())
            for pair in second.frozen.pairs
        }
        expected = {
            title: tuple(answer if isinstance(answer, str) else answer[0] for answer in answers)
            for title, answers in FIRST_LABELS.items()
        }
        assert pairs == expected
        assert work.ledger.all(AgreementFreeze) == (second.frozen,)


def test_a_packet_that_comes_twice_changes_nothing(context: Context) -> None:
    path = context.study.packet("A")
    collect_packet(context, path, "A")
    before = context.study.store.read_bytes()
    again = collect_packet(context, path, "A")
    assert again.events == 0
    assert context.study.store.read_bytes() == before
    moved = path.rename(path.with_name("from-a-stick.packet"))
    assert collect_packet(context, moved).events == 0
    assert context.study.store.read_bytes() == before


def test_what_a_crash_left_undone_is_done_by_collecting_again(context: Context) -> None:
    # The labels of the last assessor are in, and the freeze that follows was never written.
    collect_packet(context, context.study.packet("A"))
    with context.frozen() as work:
        returned = read_packet(context.study.packet("B"))
        work.ledger.record("collected", returned.packet.packet_id, returned.events)
    again = collect_packet(context, context.study.packet("B"))
    assert again.events == 0
    assert again.frozen is not None
    assert collect_packet(context, context.study.packet("B")).frozen is None


def test_a_practice_packet_neither_waits_nor_freezes(context: Context) -> None:
    path = make_packet(context, "C")
    label_packet(path, lambda title: "relevant")
    taken = collect_packet(context, path, "C")
    assert (taken.events, taken.waiting, taken.frozen) == (8, ("A", "B"), None)
    with context.frozen() as work:
        assert all(item.labels == {} for item in work.items)


# --- a packet that may not ----------------------------------------------------------------------


def test_a_packet_that_is_not_handed_in_stays_closed(tmp_path: Path) -> None:
    context = context_of(copy_of(stage("dealt"), tmp_path))
    path = context.study.packet("A")
    refused(context, path, "A", Refused, "A has not handed in; labels stay closed")
    with Desk(path) as desk:
        give(sitting_at(desk), "relevant")
    refused(context, path, "A", Refused, "judge label A, then hand in")


def test_the_packet_of_another_study_is_refused(context: Context, tmp_path: Path) -> None:
    other = context_of(tmp_path / "other")
    write_inputs(other.study.root, protocol=PROTOCOL.replace("A small study", "Another study"))
    freeze_study(other)
    capture_study(other)
    pool_study(other)
    path = make_packet(other, "A")
    label_packet(path, labels_of(0))
    refused(context, path, "A", Refused, "this packet was not dealt by this study")
    refused(context, path, None, Refused, "collect it in the study it was dealt by")


def test_the_packet_of_the_other_assessor_is_refused(context: Context) -> None:
    refused(context, context.study.packet("B"), "A", Refused, "this is the packet of B, not of A")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_packet_that_is_cut_is_refused(context: Context, share: float) -> None:
    path = context.study.packet("A")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    refused(context, path, "A", Integrity, "is damaged")


@pytest.mark.parametrize("seq", [1, 4, 7])
def test_a_label_that_was_removed_by_hand_is_missed(context: Context, seq: int) -> None:
    path = context.study.packet("A")
    without_triggers(path, ("DELETE FROM label_event WHERE seq = ?", (seq,)))
    refused(context, path, "A", Integrity, f"the chain of labels is broken: event {seq} is missing")


def test_triggers_that_are_gone_are_missed(context: Context) -> None:
    path = context.study.packet("A")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER label_event_no_delete")
        connection.execute("DELETE FROM label_event WHERE seq = 3")
        connection.commit()
    refused(context, path, "A", Integrity, "append-only triggers are gone: label_event_no_delete")


def test_the_last_act_removed_leaves_a_packet_that_is_not_handed_in(context: Context) -> None:
    path = context.study.packet("A")
    without_triggers(path, ("DELETE FROM label_event WHERE seq = 8", ()))
    refused(context, path, "A", Refused, "A has not handed in")


def test_of_two_copies_labelled_apart_the_first_is_kept(
    tmp_path: Path,
) -> None:
    context = context_of(copy_of(stage("dealt"), tmp_path))
    path = context.study.packet("A")
    twin = tmp_path / "twin.packet"
    shutil.copyfile(path, twin)
    label_packet(path, labels_of(0))
    label_packet(twin, labels_of(1))
    collect_packet(context, path, "A")
    refused(context, twin, "A", Refused, "two copies were labelled; the first is kept")
    # A copy that stopped earlier is no other way to go, and brings nothing.
    shorter = tmp_path / "shorter.packet"
    shutil.copyfile(path, shorter)
    without_triggers(shorter, ("DELETE FROM label_event WHERE seq > 3", ()))
    refused(context, shorter, "A", Refused, "has not handed in")


def test_an_older_copy_of_what_was_collected_is_called_one(
    context: Context, tmp_path: Path
) -> None:
    path, older = context.study.packet("A"), tmp_path / "older.packet"
    shutil.copyfile(path, older)
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.unlock("one slip")
        sitting.hand_in("I did not run these queries.")
    collect_packet(context, path, "A")
    refused(
        context,
        older,
        "A",
        Refused,
        "this is an older copy of the packet of A: it ends at act 8, and 10 were collected; "
        "nothing was changed",
    )


def head_changed(path: Path, **fields: Any) -> None:
    packet = msgspec.structs.replace(read_packet(path).packet, **fields)
    without_triggers(
        path,
        ("UPDATE packet SET body = ?, sha256 = ?", (canonical(packet).decode(), digest(packet))),
    )
    with closing(sqlite3.connect(path)) as connection:
        bodies = connection.execute("SELECT body FROM label_event ORDER BY seq").fetchall()
    head, changes = digest(packet), []
    for (body,) in bodies:
        event = msgspec.json.decode(body, type=LabelEvent)
        link = sealed(msgspec.structs.replace(event, prev_hash=head))
        changes.append(
            (
                "UPDATE label_event SET body = ?, prev_hash = ?, hash = ? WHERE seq = ?",
                (canonical(link).decode(), link.prev_hash, link.hash, link.seq),
            )
        )
        head = link.hash
    without_triggers(path, *changes)


@pytest.mark.parametrize(
    ("fields", "kind", "words"),
    [
        ({"rubric": "Everything counts."}, Integrity, "head of the packet is not what was dealt"),
        ({"evidence_level": "full_text"}, Integrity, "head of the packet is not what was dealt"),
        ({"reasons": ()}, Integrity, "head of the packet is not what was dealt"),
        ({"origin": "scripted"}, Integrity, "head of the packet is not what was dealt"),
        ({"freeze_id": "0" * 64}, Refused, "this packet was not dealt by this study"),
        ({"assessor": "B"}, Refused, "this is the packet of B, not of A"),
    ],
)
def test_a_head_that_was_changed_is_refused(
    context: Context, fields: dict[str, Any], kind: type[JudgeError], words: str
) -> None:
    path = context.study.packet("A")
    head_changed(path, **fields)
    refused(context, path, "A", kind, words)


def test_items_that_changed_places_are_refused(context: Context) -> None:
    path = context.study.packet("A")
    with closing(sqlite3.connect(path)) as connection:
        one, two = connection.execute(
            "SELECT view_sha256 FROM item WHERE position IN (1, 2) ORDER BY position"
        ).fetchall()
    without_triggers(
        path,
        ("UPDATE item SET view_sha256 = ? WHERE position = 1", two),
        ("UPDATE item SET view_sha256 = ? WHERE position = 2", one),
    )
    refused(context, path, "A", Integrity, "items [1, 2] do not show what was dealt")


def test_an_item_that_is_gone_is_refused(context: Context) -> None:
    path = context.study.packet("A")
    without_triggers(path, ("DELETE FROM item WHERE position = 7", ()))
    refused(context, path, "A", Integrity, "7 items were dealt and 6 are in the file")


def replaced(seq: int, **fields: Any) -> Callable[[list[LabelEvent]], list[LabelEvent]]:
    return lambda events: [
        msgspec.structs.replace(event, **fields) if event.seq == seq else event for event in events
    ]


FORGED: list[tuple[str, Callable[[list[LabelEvent]], list[LabelEvent]], Any, str]] = [
    ("unknown item", replaced(2, position=99), Integrity, "events [2] are not about what"),
    ("another item", replaced(2, position=3), Integrity, "events [2] are not about what"),
    ("another view", replaced(2, view_sha256="0" * 64), Integrity, "events [2] are not about"),
    ("no view", replaced(2, view_sha256=None), Integrity, "events [2] are not about what"),
    (
        "no reason",
        replaced(1, label="relevant", cannot_kind=None, reason=""),
        Invalid,
        "event 1: reason ''; one of on_topic",
    ),
    (
        "a reason of another label",
        replaced(1, label="not_relevant", cannot_kind=None, reason="on_topic"),
        Invalid,
        "event 1: reason 'on_topic'; one of off_topic",
    ),
    (
        "no kind",
        replaced(1, label="cannot_judge", cannot_kind=None, reason=""),
        Invalid,
        "event 1: cannot judge without its kind",
    ),
    ("no evidence", replaced(1, evidence=None), Invalid, "event 1: no evidence level"),
    ("a decision", replaced(1, kind="decision"), Integrity, "items that have no label"),
    ("an item left open", lambda events: events[1:], Integrity, "items that have no label"),
    (
        "a decision beside",
        lambda events: [
            *events[:7],
            msgspec.structs.replace(events[0], kind="decision"),
            events[7],
        ],
        Invalid,
        "event 8: a decision in a labelling packet",
    ),
]


@pytest.mark.parametrize(
    ("change", "kind", "words"), [one[1:] for one in FORGED], ids=[one[0] for one in FORGED]
)
def test_labels_outside_the_rules_are_refused_whole_chain_or_not(
    context: Context,
    change: Callable[[list[LabelEvent]], list[LabelEvent]],
    kind: type[JudgeError],
    words: str,
) -> None:
    path = context.study.packet("A")
    rewrite(path, change)
    refused(context, path, "A", kind, words)


def test_all_that_is_wrong_is_listed_at_once(context: Context) -> None:
    path = context.study.packet("A")
    rewrite(
        path,
        lambda events: [
            msgspec.structs.replace(event, evidence=None, reason="x") if event.label else event
            for event in events
        ],
    )
    with pytest.raises(Invalid) as error:
        collect_packet(context, path, "A")
    assert len(error.value.problems) == 7 + 5  # the two that cannot be judged need no reason


def test_first_labels_that_were_changed_in_an_adjudication_packet_are_refused(
    tmp_path: Path,
) -> None:
    context = context_of(copy_of(stage("disputed"), tmp_path))
    path = context.study.packet("D", "adjudication")
    without_triggers(
        path,
        (
            "UPDATE item SET reveal = replace(reveal, 'not_relevant', 'uncertain') "
            "WHERE reveal LIKE '%not_relevant%'",
            (),
        ),
    )
    settle_packet(path)
    refused(
        context, path, "D", Integrity, "first labels in the packet are not those that were dealt"
    )


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("label", "judge label D"),
        ("adjudication", "judge adjudicate"),
        ("discussion", "judge adjudicate"),
        ("failures", "judge failures D"),
        ("guess", "judge label D --guesses"),
    ],
)
def test_every_packet_has_the_command_that_opens_it(kind: PacketKind, command: str) -> None:
    assert desk_command(kind, "D") == command


def test_those_who_are_out_are_told_in_one_sentence() -> None:
    assert not_handed_in(("A",)) == "A has not handed in"
    assert not_handed_in(("A", "B")) == "A and B have not handed in"
    assert not_handed_in(("A", "B", "C")) == "A, B and C have not handed in"
