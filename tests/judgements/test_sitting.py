"""A sitting: what acts amount to, against a model that keeps nothing but a list of acts.

The model is written from the rules alone: an undo takes back the newest act that is still there;
a label given again supersedes; what an adjudicator saw fixes the blind label.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.canonical import digest
from judge.errors import Refused
from judge.judgements.evidence import evidence_shown
from judge.judgements.sitting import Sitting
from judge.records.judgement import Label, View
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.studies import (
    START,
    copy_of,
    give,
    label_packet,
    labels_of,
    sitting_at,
    stage,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A labelling packet of seven items."""
    return copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"


@pytest.fixture
def dispute(tmp_path: Path) -> Path:
    """An adjudication packet of two disagreements."""
    return copy_of(stage("disputed"), tmp_path) / "packets" / "D.adjudication.packet"


def standing(sitting: Sitting) -> list[str | None]:
    """The label of every item, by position."""
    acts = [sitting.item(position).label for position in range(1, sitting.packet.items + 1)]
    return [act.label if act else None for act in acts]


# --- one act at a time --------------------------------------------------------------------------


def test_a_label_is_stored_with_all_that_it_rests_on(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        view = desk.view(1)
        stored = sitting.label(
            "relevant", "on_topic", evidence="full_text", note="Table 2", highlight=True
        )
        assert (stored.position, stored.label, stored.reason) == (1, "relevant", "on_topic")
        assert (stored.evidence, stored.note, stored.highlight) == ("full_text", "Table 2", True)
        assert stored.on == "2026-11-30"
        assert sitting.position == 2
        assert desk.events() == (stored,)
        assert stored.view_sha256 == digest(view)


@pytest.mark.parametrize(
    ("label", "reason", "kind", "words"),
    [
        ("relevant", "", None, "reason '' does not belong to relevant; one of on_topic"),
        ("relevant", "off_topic", None, "does not belong to relevant"),
        ("not_relevant", "on_topic", None, "does not belong to not_relevant; one of off_topic"),
        ("relevant", "on_topic", "other", "no other label has one"),
        ("cannot_judge", "", None, "cannot judge needs its kind"),
        ("cannot_judge", "on_topic", "other", "does not belong to cannot_judge; one of -"),
    ],
)
def test_a_label_needs_a_reason_of_its_own(
    path: Path, label: Label, reason: str, kind: Any, words: str
) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        with pytest.raises(Refused) as error:
            sitting.label(label, reason, evidence="abstract", cannot_kind=kind)
        assert words in error.value.message
        assert desk.events() == ()
        assert (sitting.position, standing(sitting)[0]) == (1, None)


@pytest.mark.parametrize(
    ("abstract", "full_text", "level"),
    [
        ("Text", False, "abstract"),
        (None, False, "title"),
        ("", False, "title"),
        ("  \n", False, "title"),
        (None, True, "full_text"),
    ],
)
def test_what_was_read_is_what_was_on_the_screen_or_more(
    abstract: str | None, full_text: bool, level: str
) -> None:
    view = View(
        need="n", title="t", journal=None, year=None, type=None, abstract=abstract, link=None
    )
    assert evidence_shown(view, full_text=full_text) == level


def test_an_item_put_off_comes_back_at_the_end(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.later()
        assert sitting.position == 2
        seen = []
        for _ in range(6):
            seen.append(sitting.position)
            give(sitting, "relevant")
        assert seen == [2, 3, 4, 5, 6, 7]
        assert sitting.position == 1
        assert (sitting.progress().done, sitting.progress().later) == (6, 1)
        with pytest.raises(Refused, match="1 of 7 items have no label yet"):
            sitting.hand_in("I judged alone.")
        give(sitting, "relevant")
        assert sitting.progress().left == 0


def test_later_cannot_judge_and_a_label_are_three_acts(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.later()
        give(sitting, ("cannot_judge", "no_abstract"))
        give(sitting, "relevant")
        sitting.go(7)
        give(sitting, "relevant")
        assert sitting.progress().done == 3
        assert sitting.counts() == {"cannot_judge": 1, "relevant": 2}
        assert sitting.cannot_judge() == {"no_abstract": 1}
        assert sitting.next_open(after=7) == 4
        assert sitting.item(1).label is None


def test_an_undo_takes_back_the_newest_act_and_opens_its_item(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        give(sitting, "not_relevant")
        sitting.go(1)
        give(sitting, "uncertain")  # over the first
        assert standing(sitting)[:2] == ["uncertain", "not_relevant"]
        sitting.undo()
        assert standing(sitting)[:2] == ["relevant", "not_relevant"]
        assert sitting.position == 1
        sitting.undo()
        assert standing(sitting)[:2] == ["relevant", None]
        assert sitting.position == 2
        sitting.undo()
        assert standing(sitting)[:2] == [None, None]
        assert sitting.undo() is None
        assert [event.undoes for event in desk.events()] == [None, None, None, 3, 2, 1]


def test_a_note_stays_with_a_label_given_again(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.note("Only in mice")
        give(sitting, "not_relevant")
        assert sitting.item(1).note == "Only in mice"
        sitting.go(1)
        give(sitting, "uncertain")
        assert sitting.item(1).note == "Only in mice"
        sitting.go(1)
        sitting.note("")
        assert sitting.item(1).note == ""


@pytest.mark.parametrize("note", ["\ud83d", "a\x00b"])
def test_a_note_that_cannot_be_stored_is_refused(path: Path, note: str) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        with pytest.raises(Refused, match="the note cannot be stored: character"):
            sitting.note(note)
        assert desk.events() == ()


@pytest.mark.parametrize(
    "note", ["-2 SD vs control", "=EGFR", "@home", 'Müller, "β"\nline 2 \u2028 \x0b', "\x1b[31m"]
)
def test_any_other_note_is_kept_as_it_was_typed(path: Path, note: str) -> None:
    with Desk(path) as desk:
        sitting_at(desk).note(note)
    assert read_packet(path).events[0].note == note


def test_the_protocol_may_ask_for_a_note(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.packet = msgspec.structs.replace(sitting.packet, note="required")
        for note in ("", "  "):
            with pytest.raises(Refused, match="asks for a note with every label"):
                give(sitting, "relevant", note)
        give(sitting, "relevant", "Said in the title")
        assert len(desk.events()) == 1


def test_a_day_that_goes_back_does_not_change_the_order(path: Path) -> None:
    days = iter(["2026-11-01", "2026-10-31", "2026-12-24"])
    with Desk(path) as desk:
        sitting = Sitting(desk, monotonic=itertools.count().__next__, today=lambda: next(days))
        for label in ("relevant", "uncertain", "not_relevant"):
            sitting.go(1)
            give(sitting, label)
        assert standing(sitting)[0] == "not_relevant"
    returned = read_packet(path)
    assert [event.on for event in returned.events] == ["2026-11-01", "2026-10-31", "2026-12-24"]


def test_seconds_are_those_at_the_desk(path: Path) -> None:
    # Opened at 0; keys at 10 and 30; away until 500; a key at 505, then the label at 512. The
    # pause of 470 seconds is time away. A clock that jumps back counts nothing.
    times = iter([0.0, 10.0, 30.0, 500.0, 505.0, 512.0, 400.0, 404.0])
    with Desk(path) as desk:
        sitting = Sitting(desk, monotonic=times.__next__, today=lambda: START[:10])
        for _ in range(4):
            sitting.touch()
        give(sitting, "relevant")
        assert desk.events()[0].seconds == 10 + 20 + 5 + 7
        sitting.touch()
        give(sitting, "relevant")
        assert desk.events()[1].seconds == 4
        assert sitting.progress().seconds == 46


# --- locked -------------------------------------------------------------------------------------


def test_a_packet_is_handed_in_once_and_opened_again_for_a_reason(path: Path) -> None:
    label_packet(path, labels_of(0))
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        assert sitting.handed_in
        for act in (sitting.later, sitting.undo, lambda: sitting.note("x")):
            with pytest.raises(Refused, match="handed in and locked"):
                act()
        with pytest.raises(Refused, match="handed in and locked"):
            give(sitting, "uncertain")
        with pytest.raises(Refused, match="handed in and locked"):
            sitting.hand_in("again")
        with pytest.raises(Refused, match="an unlock needs a reason"):
            sitting.unlock("  ")
        sitting.unlock("item 2 was a slip")
        assert not sitting.handed_in
        sitting.go(2)
        give(sitting, "uncertain")
        sitting.hand_in("I judged alone.")
        assert standing(sitting)[1] == "uncertain"
        kinds = [event.kind for event in desk.events()]
        assert kinds == ["label"] * 7 + ["hand_in", "unlock", "label", "hand_in"]


def test_an_open_packet_has_nothing_to_unlock(path: Path) -> None:
    with Desk(path) as desk, pytest.raises(Refused, match="nothing to unlock"):
        sitting_at(desk).unlock("a reason")


# --- adjudication -------------------------------------------------------------------------------


def test_both_first_labels_are_shown_after_the_own_label_alone(dispute: Path) -> None:
    with Desk(dispute) as desk:
        sitting = sitting_at(desk)
        assert sitting.reveal() is None
        with pytest.raises(Refused, match="give your own label first"):
            sitting.show_both()
        with pytest.raises(Refused, match="look at both first labels before you decide"):
            sitting.decide("relevant", "on_topic")
        give(sitting, "relevant")
        assert sitting.position == 1  # the decision is still to come
        assert sitting.reveal() is None
        with pytest.raises(Refused, match="look at both first labels before you decide"):
            sitting.decide("relevant", "on_topic")
        shown = sitting.show_both()
        assert shown == sitting.reveal()
        assert shown.first.label != shown.second.label
        sitting.decide("not_relevant", "off_topic", rubric_gap=True)
        assert sitting.position == 2
        assert [event.kind for event in desk.events()] == ["label", "reveal", "decision"]


def test_what_was_seen_fixes_the_blind_label(dispute: Path) -> None:
    with Desk(dispute) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        sitting.undo()
        give(sitting, "uncertain")  # nothing was seen yet
        sitting.show_both()
        with pytest.raises(Refused, match="its blind label stands"):
            give(sitting, "relevant")
        assert sitting.undo() is None
        sitting.decide("relevant", "on_topic")
        sitting.undo()  # the decision, not the label
        assert sitting.item(1).decision is None
        label = sitting.item(1).label
        assert label is not None
        assert label.label == "uncertain"
        assert sitting.item(1).revealed


def test_both_labels_are_recorded_as_seen_once(dispute: Path) -> None:
    with Desk(dispute) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        first = sitting.show_both()
        assert sitting.show_both() == first
        assert [event.kind for event in desk.events()] == ["label", "reveal"]
    with Desk(dispute) as desk:  # seen is seen, after a restart too
        sitting = sitting_at(desk)
        assert sitting.position == 1
        assert sitting.reveal() == first
        with pytest.raises(Refused, match="its blind label stands"):
            give(sitting, "relevant")


def test_a_labelling_packet_has_no_other_labels_to_show(path: Path) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        sitting.go(1)
        with pytest.raises(Refused):
            sitting.show_both()
        with pytest.raises(Refused):
            sitting.decide("relevant", "on_topic")


def test_a_disagreement_is_settled_by_a_decision_not_by_a_label(dispute: Path) -> None:
    with Desk(dispute) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        assert sitting.progress().done == 0
        with pytest.raises(Refused, match="2 of 2 items have no label yet"):
            sitting.hand_in("done")
