"""Notes: every letter is text, and none of them is a label key."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste

from judge.tui.modes import Mode
from tests.tui.support import bench, make_packet

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 3)


async def test_label_keys_are_letters_in_a_note(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", "r", "n", "1", "question_mark", "backspace", "enter")
        events = b.desk.events()
        assert [(event.kind, event.note) for event in events] == [("note", "rn1")]
        assert "saved: note - item 1" in b.text()
        assert "note: rn1" in b.text()


async def test_a_note_is_kept_by_the_label_and_can_be_changed(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", *"ab", "enter", "1", "a")
        assert b.desk.events()[-1].note == "ab"
        await b.press("[", "n", "c", "enter")
        assert b.sitting.item(1).note == "abc"
        assert b.sitting.item(1).label is not None


async def test_an_unchanged_note_is_no_act(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", "enter")
        assert b.kinds() == []


async def test_escape_leaves_the_note_as_it_was_but_not_without_a_word(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", "a", "escape")
        assert "What you typed is not saved." in b.text()
        await b.press("escape")
        assert b.app.screen is b.label
        await b.press("n", "escape")  # nothing typed: nothing to warn of
        assert b.app.screen is b.label
        assert b.kinds() == []


async def test_leaving_the_desk_from_a_note_warns_first(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", "a", "ctrl+q")
        assert b.app.screen is not b.label
        assert b.app.return_code is None
        await b.press("ctrl+q")
        assert b.app.return_code == 0


async def test_control_j_starts_a_line(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", "a", "ctrl+j", "b", "enter")
        assert b.desk.events()[0].note == "a\nb"


async def test_a_pasted_note_loses_its_control_characters(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n")
        b.app.post_message(Paste("dose\x1b]52;c;ZXZpbA==\x07 \u202e1"))
        await b.rest()
        await b.press("enter")
        assert b.desk.events()[0].note == "dose\ufffd]52;c;ZXZpbA==\ufffd \ufffd1"


async def test_a_required_note_comes_before_the_label_is_saved(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2, note="required")) as b:
        await b.press("1", "a")
        assert "Note on item 1 (required)" in b.text()
        assert b.kinds() == []
        await b.press("enter")
        assert "The protocol asks for a note with every label." in b.text()
        await b.press("space", "enter")
        assert b.kinds() == []
        await b.press("o", "k", "enter")
        event = b.desk.events()[0]
        assert (event.kind, event.label, event.note) == ("label", "relevant", "ok")
        assert len(b.kinds()) == 1
        assert b.sitting.position == 2


async def test_leaving_a_required_note_drops_the_label(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2, note="required")) as b:
        await b.press("1", "a", "escape")
        assert b.label.mode is Mode.OPEN
        assert b.kinds() == []


async def test_a_note_that_stands_serves_where_one_is_required(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2, note="required")) as b:
        await b.press("n", "z", "enter", "1", "a")
        assert b.kinds() == ["note", "label"]
        assert b.desk.events()[1].note == "z"


async def test_typing_a_long_note_is_time_at_the_desk(path: Path) -> None:
    async with bench(path) as b:
        await b.press("n", after=0)
        await b.press(*"abcd", "enter", after=60)
        assert b.desk.events()[0].seconds == 300
