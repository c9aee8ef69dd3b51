"""A packet that is opened again: for a recorded reason, and out until it comes back."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from judge.errors import Refused
from judge.records.judgement import AgreementFreeze, Label
from judge.steps.context import Context
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    unlock_packet,
)
from judge.store.packet_file import read_packet
from tests.steps.acts import label_again, refused, rewrite
from tests.steps.studies import (
    context_of,
    copy_of,
    label_packet,
    labels_of,
    stage,
)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """A study whose packets A and B are labelled, handed in and not collected."""
    found = context_of(copy_of(stage("dealt"), tmp_path))
    for who, code in enumerate("AB"):
        label_packet(found.study.packet(code), labels_of(who))
    return found


# --- opened again -------------------------------------------------------------------------------


def test_an_unlocked_packet_is_out_until_it_comes_back(context: Context) -> None:
    for code in "AB":
        collect_packet(context, context.study.packet(code))
    unlock_packet(context, "A", "Aspirin in mice was a slip")
    with pytest.raises(Refused, match="A has not handed in; labels stay closed, so adjudication"):
        adjudication_packet(context)
    label_again(context.study.packet("A"), "Aspirin in mice", "not_relevant")
    taken = collect_packet(context, context.study.packet("A"))
    assert (taken.events, taken.waiting) == (2, ())  # the unlock was recorded before
    assert taken.frozen is not None
    assert taken.frozen.number == 2
    with context.frozen() as work:
        first, second = work.ledger.all(AgreementFreeze)
        assert second == taken.frozen
        changed = [
            (one.record_id, one.labels, other.labels)
            for one, other in zip(first.pairs, second.pairs, strict=True)
            if one != other
        ]
        assert changed == [
            (
                "pmid:4",
                {"A": "relevant", "B": "not_relevant"},
                {"A": "not_relevant", "B": "not_relevant"},
            )
        ]
        unlocked = [event for event in work.ledger.events() if event.kind == "unlocked"]
        assert [event.subject for event in unlocked] == ["A: Aspirin in mice was a slip"]
        states = {item.record_id: item.state for item in work.items}
        assert states["pmid:4"] == "agree"


def test_a_packet_unlocked_before_it_was_collected_comes_back_whole(context: Context) -> None:
    unlock_packet(context, "A", "a slip")
    refused(context, context.study.packet("A"), "A", Refused, "A has not handed in")
    label_again(context.study.packet("A"), "Aspirin in mice", "uncertain")
    assert collect_packet(context, context.study.packet("A")).events == 8 + 3


def test_a_packet_is_unlocked_twice_and_each_time_recorded(context: Context) -> None:
    for code in "AB":
        collect_packet(context, context.study.packet(code))
    slips: list[tuple[str, Label]] = [("one slip", "uncertain"), ("two slips", "not_relevant")]
    for reason, answer in slips:
        unlock_packet(context, "A", reason)
        label_again(context.study.packet("A"), "Aspirin in mice", answer)
    taken = collect_packet(context, context.study.packet("A"))
    assert taken.events == 2 + 3
    with context.frozen() as work:
        unlocked = [event.subject for event in work.ledger.events() if event.kind == "unlocked"]
        assert unlocked == ["A: one slip", "A: two slips"]
        assert work.ledger.problems() == []


@pytest.mark.parametrize("reason", ["", "   "])
def test_an_unlock_without_a_reason_changes_nothing(context: Context, reason: str) -> None:
    collect_packet(context, context.study.packet("A"))
    before = context.study.store.read_bytes()
    with pytest.raises(Refused, match="an unlock needs a reason"):
        unlock_packet(context, "A", reason)
    assert context.study.store.read_bytes() == before
    assert read_packet(context.study.packet("A")).events[-1].kind == "hand_in"


def test_another_copy_is_not_unlocked(context: Context, tmp_path: Path) -> None:
    path = context.study.packet("A")
    twin = tmp_path / "twin.packet"
    shutil.copyfile(path, twin)
    collect_packet(context, path)
    rewrite(
        twin,
        lambda events: [
            msgspec.structs.replace(event, note="written elsewhere") for event in events
        ],
    )
    shutil.copyfile(twin, path)
    with pytest.raises(Refused, match=r"A\.packet is not the copy that was collected"):
        unlock_packet(context, "A", "a slip")
    assert read_packet(path).events[-1].kind == "hand_in"
