"""Saved means committed; a key that was not meant for the item gives no label."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import ClassVar

import pytest

from judge.errors import Integrity, JudgeError, Refused
from judge.records.judgement import LabelEvent, View
from judge.records.protocol import Reason
from judge.store.desk import Desk
from judge.tui.modes import Mode
from tests.tui.support import bench, make_packet

pytestmark = pytest.mark.anyio


class SlowDesk(Desk):
    """A desk whose appends wait for a gate."""

    gate: ClassVar[threading.Event]

    def append(self, draft: LabelEvent) -> LabelEvent:
        assert self.gate.wait(10)
        return super().append(draft)


class FailingDesk(Desk):
    """A desk whose appends and views fail as long as there is an error to raise."""

    error: ClassVar[JudgeError | None] = None
    unreadable: ClassVar[JudgeError | None] = None

    def append(self, draft: LabelEvent) -> LabelEvent:
        if self.error is not None:
            raise self.error
        return super().append(draft)

    def view(self, position: int) -> View:
        if self.unreadable is not None:
            raise self.unreadable
        return super().view(position)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 3)


async def test_keys_that_arrive_while_saving_are_dropped_not_queued(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    monkeypatch.setattr(SlowDesk, "gate", gate, raising=False)
    async with bench(path, desk=SlowDesk) as b:
        await b.press("1")
        b.clock.now += 5
        await b.pilot.press("a")
        await b.until(lambda: b.app.seat.busy)
        assert "saved: relevant" not in b.text()
        for key in ["0", "w", "l", "u", "n", "x", "]", "question_mark", "escape", "ctrl+q"]:
            b.clock.now += 5
            await b.pilot.press(key)
        assert b.app.seat.busy
        assert b.app.screen is b.label
        assert "item 1 of 3" in b.text()
        gate.set()
        await b.rest()
        assert b.labels() == [(1, "relevant", "about_the_need")]
        assert b.kinds() == ["label"]
        assert b.sitting.position == 2
        assert b.label.mode is Mode.OPEN
        assert "saved: relevant (a) - item 1" in b.text()


async def test_a_slow_save_says_that_it_is_saving(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    monkeypatch.setattr(SlowDesk, "gate", gate, raising=False)
    async with bench(path, desk=SlowDesk) as b:
        await b.press("1")
        b.clock.now += 5
        await b.pilot.press("a")
        await b.until(lambda: "saving ... keys are off until then" in b.text())
        gate.set()
        await b.rest()
        assert "saving" not in b.text()


async def test_a_held_label_key_labels_one_item(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 9, reasons=())) as b:
        await b.press("1")
        for pause in [0.5, *[0.03] * 20]:
            await b.press("1", after=pause)
        assert b.labels() == [(1, "relevant", "")]
        assert "ignored: twice within a second (held down?)" in b.text()


async def test_a_held_reason_key_labels_one_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a")
        for pause in [0.5, *[0.03] * 10]:
            await b.press("a", after=pause)
        assert b.labels() == [(1, "relevant", "about_the_need")]


@pytest.mark.parametrize(("key", "kinds"), [("l", ["later"]), ("u", ["label", "label", "undo"])])
async def test_a_held_key_acts_once(path: Path, key: str, kinds: list[str]) -> None:
    async with bench(path) as b:
        if key == "u":
            await b.press("1", "a", "1", "a")
        for pause in [5, 0.5, *[0.03] * 10]:
            await b.press(key, after=pause)
        assert b.kinds() == kinds


async def test_two_undos_a_third_of_a_second_apart_take_back_two(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "0", "w", "u")
        await b.press("u", after=0.33)
        assert b.kinds() == ["label", "label", "undo"]  # it may still be held down
        b.clock.now += 0.2
        await b.until(lambda: b.kinds() == ["label", "label", "undo", "undo"])
        await b.rest()
        assert b.sitting.position == 1
        assert "undo of relevant (a) - item 1" in b.text()


async def test_an_undo_held_down_takes_back_one_and_says_so(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "0", "w", "u")
        for pause in [0.5, *[0.03] * 5]:
            await b.press("u", after=pause)
        assert "held down?" in b.text()
        b.clock.now += 5
        await b.press("]")
        assert b.kinds() == ["label", "label", "undo"]


async def test_a_label_key_right_after_an_item_was_drawn_is_ignored(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a")
        await b.press("0", after=0.2)
        assert b.label.pending is None
        assert "0 ignored: the screen had only just changed" in b.text()
        await b.press("0", after=1.1)
        assert b.label.mode is Mode.REASON


async def test_the_reason_key_of_an_ignored_label_key_does_nothing_else(tmp_path: Path) -> None:
    """Without the rule it would leave the desk, or go to the overview."""
    reason = Reason(code="other", key="x", labels=("relevant",), text="Another", clause="1")
    overview = Reason(code="more", key="e", labels=("relevant",), text="More", clause="1")
    made = make_packet(tmp_path / "A.packet", 3, reasons=(reason, overview))
    async with bench(made) as b:
        for key in ("x", "e"):
            await b.press("1", key)
            await b.press("1", key, after=0.05)  # the item is not there for 0.3 s yet
            assert b.app.screen is b.label
            assert f"{key} ignored: the label key before it did not count" in b.text()
        assert [position for position, _, _ in b.labels()] == [1, 2]
        await b.press("e")
        assert b.app.screen is not b.label


async def test_the_reason_may_follow_its_label_at_once(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1")
        await b.press("a", after=0.05)
        assert b.labels() == [(1, "relevant", "about_the_need")]


async def test_a_paste_of_keys_labels_nothing(path: Path) -> None:
    async with bench(path) as b:
        from textual.events import Paste

        b.app.post_message(Paste("1a0w5s"))
        await b.rest()
        assert b.kinds() == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Refused("A.packet: the disk is full; nothing was written"), "the disk is full"),
        (Refused("A.packet: it cannot be written (read-only file or folder)"), "read-only"),
        (Integrity("A.packet: item 1 is missing"), "item 1 is missing"),
    ],
)
async def test_a_save_that_fails_says_so_and_the_item_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: JudgeError, words: str
) -> None:
    monkeypatch.setattr(FailingDesk, "error", error)
    async with bench(path, desk=FailingDesk) as b:
        await b.press("1", "a")
        flat = " ".join(b.text().split())
        assert "NOT saved: A.packet" in flat
        assert words in flat
        await b.press("0", "w", "1", "l", "x")  # none of these closes it, none labels
        assert b.app.screen is not b.label
        await b.press("enter")
        assert "saved: relevant" not in b.text()
        assert "item 1 of 3" in b.text()
        assert b.label.mode is Mode.REASON
        assert b.kinds() == []
        monkeypatch.setattr(FailingDesk, "error", None)
        await b.press("a")
        assert b.labels() == [(1, "relevant", "about_the_need")]
        assert "saved: relevant (a) - item 1" in b.text()


@pytest.mark.parametrize("key", ["l", "u"])
async def test_a_failed_act_leaves_the_person_where_they_are(
    path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    async with bench(path, desk=FailingDesk) as b:
        await b.press("1", "a")
        monkeypatch.setattr(FailingDesk, "error", Refused("the disk is full"))
        await b.press(key, "escape")
        assert b.sitting.position == 2
        assert b.kinds() == ["label"]
        assert "saved: relevant (a) - item 1" in b.text()
        assert "NOT saved" in b.text()


async def test_a_note_that_could_not_be_saved_is_offered_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FailingDesk, "error", Refused("the disk is full"))
    async with bench(path, desk=FailingDesk) as b:
        await b.press("n", *"dose", "enter")
        assert "NOT saved" in b.text()
        monkeypatch.setattr(FailingDesk, "error", None)
        await b.press("enter", "n", "enter")
        assert [event.note for event in b.desk.events()] == ["dose"]


async def test_an_item_that_cannot_be_read_takes_no_label(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Integrity("A.packet: the view of item 1 does not match its digest")
    monkeypatch.setattr(FailingDesk, "unreadable", broken)
    async with bench(path, desk=FailingDesk) as b:
        assert "This item cannot be shown." in b.text()
        assert "does not match its digest" in b.text()
        await b.press("1", "a", "l", "n")
        assert b.kinds() == []
        monkeypatch.setattr(FailingDesk, "unreadable", None)
        await b.press("r", "1", "a")
        assert b.labels() == [(1, "relevant", "about_the_need")]


async def test_a_save_whose_next_item_cannot_be_read_is_still_called_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(path, desk=FailingDesk) as b:
        await b.press("1")
        monkeypatch.setattr(FailingDesk, "unreadable", Refused("another program holds it"))
        await b.press("a")
        assert b.labels() == [(1, "relevant", "about_the_need")]
        assert "saved: relevant (a) - item 1" in b.text()
        assert "This item cannot be shown." in b.text()


async def test_locked_by_another_hand_in_is_told_in_words(path: Path) -> None:
    """A second process handed the packet in: the write is refused at the store itself."""
    async with bench(path) as b:
        await b.press("1", "a", "1", "a", "1")
        draft = b.desk.events()[-1]
        hand_in = type(draft)(
            packet_id=draft.packet_id,
            seq=0,
            kind="hand_in",
            on="2026-01-16",
            prev_hash="",
            hash="",
        )
        b.desk.append(hand_in)
        await b.press("a")
        assert "handed in and locked" in " ".join(b.text().split())
        assert [kind for kind in b.kinds() if kind == "label"] == ["label", "label"]
