"""Sitting: an undo that fails moves nobody, evidence of a decision, counts of what stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.judgements.evidence import evidence_shown
from judge.judgements.sitting import Sitting
from judge.records.judgement import LabelEvent
from judge.records.protocol import EvidenceLevel
from judge.store.desk import Desk
from tests.tui.support import REVEAL, Clock, make_packet, view


def sit(desk: Desk, clock: Clock | None = None) -> Sitting:
    return Sitting(desk, monotonic=clock or Clock(), today=lambda: "2026-01-16")


def test_an_undo_that_is_not_saved_leaves_the_item_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Desk(make_packet(tmp_path / "A.packet", 3)) as desk:
        sitting = sit(desk)
        sitting.label("relevant", "about_the_need", evidence="abstract")

        def full(draft: LabelEvent) -> LabelEvent:
            raise Refused("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(desk, "append", full)
            with pytest.raises(Refused):
                sitting.undo()
        assert sitting.position == 2
        newest = sitting.undoable()
        assert newest is not None
        assert newest.label == "relevant"
        sitting.undo()
        assert sitting.position == 1
        assert sitting.undoable() is None


def test_time_spent_before_an_undo_is_time_at_the_desk(tmp_path: Path) -> None:
    clock = Clock()
    with Desk(make_packet(tmp_path / "A.packet", 3)) as desk:
        sitting = sit(desk, clock)
        sitting.label("relevant", "about_the_need", evidence="abstract")
        clock.now += 20
        sitting.undo()
        assert sitting.progress().seconds == 20


@pytest.mark.parametrize(
    ("abstract", "full_text", "expected"),
    [
        (None, False, "title"),
        ("", False, "title"),
        (" \n", False, "title"),
        ("Some text.", False, "abstract"),
        ("Some text.", True, "full_text"),
        (None, True, "full_text"),
    ],
)
def test_evidence_is_what_was_shown_or_said_to_be_read(
    abstract: str | None, full_text: bool, expected: EvidenceLevel
) -> None:
    assert evidence_shown(view(1, abstract=abstract), full_text=full_text) == expected  # R47


def test_a_decision_rests_on_the_blind_labels_evidence_unless_told(tmp_path: Path) -> None:
    made = make_packet(
        tmp_path / "D.packet", 2, kind="adjudication", assessor="D", reveals=[REVEAL, REVEAL]
    )
    with Desk(made) as desk:
        sitting = sit(desk)
        for evidence in (None, "full_text"):
            sitting.label("relevant", "about_the_need", evidence="abstract")
            sitting.show_both()
            told: EvidenceLevel | None = "full_text" if evidence else None
            sitting.decide("not_relevant", "wrong_organism", evidence=told)
        decisions = [event for event in desk.events() if event.kind == "decision"]
        assert [event.evidence for event in decisions] == ["abstract", "full_text"]


def test_adjudication_counts_decisions_and_not_blind_labels(tmp_path: Path) -> None:
    made = make_packet(
        tmp_path / "D.packet", 2, kind="adjudication", assessor="D", reveals=[REVEAL, REVEAL]
    )
    with Desk(made) as desk:
        sitting = sit(desk)
        sitting.label("relevant", "about_the_need", evidence="abstract")
        assert sitting.counts() == {}
        sitting.show_both()
        sitting.decide("cannot_judge", "not_enough", cannot_kind="conflicting_metadata")
        assert sitting.counts() == {"cannot_judge": 1}
        assert sitting.cannot_judge() == {"conflicting_metadata": 1}
