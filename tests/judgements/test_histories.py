"""Any history of acts, against a model that keeps nothing but a list of them.

The model is written from the rules alone: an undo takes back the newest act that is still there;
a label given again supersedes; what an adjudicator saw fixes the blind label.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from judge.canonical import digest
from judge.errors import Refused
from judge.judgements.lifecycle import fold
from judge.judgements.sitting import Sitting
from judge.records.judgement import LABELS, Label
from judge.store.chain import first_break
from judge.store.desk import Desk
from tests.steps.studies import (
    REASON,
    copy_of,
    give,
    sitting_at,
    stage,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A labelling packet of seven items."""
    return copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"


def standing(sitting: Sitting) -> list[str | None]:
    """The label of every item, by position."""
    acts = [sitting.item(position).label for position in range(1, sitting.packet.items + 1)]
    return [act.label if act else None for act in acts]


# --- any history --------------------------------------------------------------------------------


@dataclass
class ModelItem:
    """What a person who kept a list by hand would have of one item."""

    acts: list[tuple[str, str | None, str]] = field(default_factory=list)
    """(kind, label, note)"""
    revealed: bool = False

    def last(self, *kinds: str) -> tuple[str, str | None, str] | None:
        found = [act for act in self.acts if act[0] in kinds]
        return found[-1] if found else None


class Histories(RuleBasedStateMachine):
    """Any order of acts at one packet, with the program ended and started again at any point."""

    packet = "A.packet"
    built = "dealt"

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="blindjudge-history-"))
        self.path = self.folder / self.packet
        shutil.copyfile(stage(self.built) / "packets" / self.packet, self.path)
        self.desk = Desk(self.path)
        self.sitting = sitting_at(self.desk)
        self.items = {place: ModelItem() for place in range(1, self.sitting.packet.items + 1)}
        self.order: list[int] = []
        """Positions of live undoable acts, oldest first."""
        self.locked = False
        self.acts = 0
        self.stayed = True
        """Whether the open item is where the last act left off, not one that was gone to."""

    def teardown(self) -> None:
        self.desk.close()
        shutil.rmtree(self.folder)

    @property
    def here(self) -> ModelItem:
        return self.items[self.sitting.position]

    def act(self, kind: str, label: str | None, note: str) -> None:
        self.stayed = True
        self.order.append(self.sitting.position)
        self.here.acts.append((kind, label, note))
        self.acts += 1

    def note_of(self, item: ModelItem) -> str:
        found = item.last("label", "note", "decision")
        return found[2] if found else ""

    @initialize()
    def start(self) -> None:
        assert self.sitting.position == 1

    @rule(position=st.integers(1, 7))
    def go(self, position: int) -> None:
        self.sitting.go(min(position, len(self.items)))
        self.stayed = False

    @rule(label=st.sampled_from(LABELS), note=st.sampled_from([None, "", "a note"]))
    def label(self, label: Label, note: str | None) -> None:
        kept = self.note_of(self.here) if note is None else note
        answer: Any = (label, "other") if label == "cannot_judge" else label
        if self.locked or self.here.revealed:
            with pytest.raises(Refused):
                give(self.sitting, answer, note)
            return
        self.act("label", label, kept)
        give(self.sitting, answer, note)

    @rule(note=st.sampled_from(["", "other words"]))
    def note(self, note: str) -> None:
        if self.locked:
            with pytest.raises(Refused):
                self.sitting.note(note)
            return
        self.act("note", None, note)
        self.sitting.note(note)

    @rule()
    def later(self) -> None:
        if self.locked:
            with pytest.raises(Refused):
                self.sitting.later()
            return
        self.act("later", None, "")
        self.sitting.later()

    @rule()
    def undo(self) -> None:
        free = [
            place
            for place, position in enumerate(self.order)
            if not self.items[position].revealed or self.kind_of(place) == "decision"
        ]
        if self.locked and free:
            with pytest.raises(Refused):
                self.sitting.undo()
            return
        done = self.sitting.undo()
        if not free:
            assert done is None
            return
        position = self.order.pop(free[-1])
        # Of the acts of one item the one taken back is the newest that is free.
        item = self.items[position]
        place = len(item.acts) - 1
        while item.revealed and item.acts[place][0] != "decision":
            place -= 1
        item.acts.pop(place)
        self.acts, self.stayed = self.acts + 1, True
        assert done is not None
        assert done.position == position == self.sitting.position

    def kind_of(self, place: int) -> str:
        position = self.order[place]
        nth = self.order[: place + 1].count(position) - 1
        return self.items[position].acts[nth][0]

    def settled(self, item: ModelItem) -> bool:
        return item.last("label") is not None

    @rule()
    def hand_in(self) -> None:
        if self.locked or not all(map(self.settled, self.items.values())):
            with pytest.raises(Refused):
                self.sitting.hand_in("alone")
            return
        self.sitting.hand_in("alone")
        self.locked, self.acts = True, self.acts + 1

    @precondition(lambda self: self.locked)
    @rule()
    def unlock(self) -> None:
        self.sitting.unlock("a slip")
        self.locked, self.acts = False, self.acts + 1

    @rule()
    def start_again(self) -> None:
        moved, before = self.sitting.position, self.seen()
        self.desk.close()
        self.desk = Desk(self.path)
        self.sitting = sitting_at(self.desk)
        assert self.seen() == before
        if self.stayed:
            assert self.sitting.position == moved
        self.stayed = True

    def seen(self) -> object:
        sitting = self.sitting
        return (
            sitting.progress(),
            sitting.counts(),
            sitting.cannot_judge(),
            sitting.undoable(),
            sitting.handed_in,
        )

    @invariant()
    def what_is_on_disk_is_what_is_shown(self) -> None:
        events = self.desk.events()
        assert len(events) == self.acts
        assert first_break(events, digest(self.sitting.packet)) is None
        state = fold(events, len(self.items))
        assert state.handed_in is self.sitting.handed_in is self.locked
        for position, model in self.items.items():
            for item in (state.items[position], self.sitting.item(position)):
                label, decision = model.last("label"), model.last("decision")
                assert (item.label.label if item.label else None) == (label and label[1])
                assert (item.decision.label if item.decision else None) == (
                    decision and decision[1]
                )
                assert item.revealed is model.revealed
                assert item.note == self.note_of(model)
                last = model.last("label", "later", "decision")
                assert item.later is (last is not None and last[0] == "later")
            assert self.sitting.done(position) is self.settled(model)
        assert self.sitting.progress().done == sum(map(self.settled, self.items.values()))


class AdjudicationHistories(Histories):
    packet = "D.adjudication.packet"
    built = "disputed"

    def settled(self, item: ModelItem) -> bool:
        return item.last("decision") is not None

    @rule()
    def show_both(self) -> None:
        if self.here.last("label") is None or (self.locked and not self.here.revealed):
            with pytest.raises(Refused):
                self.sitting.show_both()
            return
        if not self.here.revealed:
            self.acts, self.stayed = self.acts + 1, True
        self.here.revealed = True
        self.sitting.show_both()

    @rule(label=st.sampled_from(["relevant", "not_relevant"]))
    def decide(self, label: Label) -> None:
        if self.locked or not self.here.revealed:
            with pytest.raises(Refused):
                self.sitting.decide(label, REASON[label])
            return
        self.act("decision", label, "")
        self.sitting.decide(label, REASON[label])


few = settings(max_examples=15, stateful_step_count=25)
TestHistories = Histories.TestCase
TestHistories.settings = few
TestAdjudicationHistories = AdjudicationHistories.TestCase
TestAdjudicationHistories.settings = few


@pytest.mark.parametrize("acts", [1, 2, 3, 5, 6])
def test_a_sitting_that_was_ended_goes_on_at_the_same_item(path: Path, acts: int) -> None:
    def sixth(sitting: Sitting) -> None:
        sitting.go(6)
        give(sitting, "relevant")

    steps: list[Callable[[Sitting], object]] = [
        lambda sitting: give(sitting, "relevant"),
        Sitting.later,
        sixth,
        lambda sitting: give(sitting, "uncertain"),
        Sitting.undo,
        lambda sitting: give(sitting, "not_relevant"),
        lambda sitting: sitting.note("a note"),
    ]

    def work(sitting: Sitting, first: int, last: int) -> None:
        for step in steps[first:last]:
            step(sitting)

    twin = path.with_name("twin.packet")
    shutil.copyfile(path, twin)
    with Desk(path) as desk:
        continued = sitting_at(desk)
        work(continued, 0, 7)
        whole = (continued.position, standing(continued), continued.progress().done)
    with Desk(twin) as desk:
        work(sitting_at(desk), 0, acts)
    with Desk(twin) as desk:
        resumed = sitting_at(desk)
        work(resumed, acts, 7)
        assert (resumed.position, standing(resumed), resumed.progress().done) == whole
