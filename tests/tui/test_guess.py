"""The questions after the lock, at the desk: one key for a system, saved, next."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.judgements.guesses import DECLARATION
from judge.records.judgement import Candidate
from judge.tui.keymap import Keymap
from judge.tui.modes import Mode
from judge.tui.screens.guess import GuessScreen
from tests.tui.support import bench, check_golden, make_packet, view

pytestmark = pytest.mark.anyio

SYSTEMS = (
    Candidate(code="K", name="K (lexisearch, keyword)"),
    Candidate(code="S", name="S (lexisearch, semantic)"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.guess.packet", 3, kind="guess", systems=SYSTEMS)


def guesses(b: object) -> list[tuple[int | None, str | None]]:
    desk = b.desk  # type: ignore[attr-defined]
    return [(event.position, event.guess) for event in desk.events() if event.kind == "guess"]


async def test_one_key_for_a_system_saved_next(path: Path) -> None:
    async with bench(path) as b:
        assert isinstance(b.app.screen, GuessScreen)
        assert "Which system found it?" in b.text()
        assert "1 K (lexisearch, keyword)" in " ".join(b.text().split())
        await b.press("2")
        assert guesses(b) == [(1, "S")]
        assert "saved: found by: S - item 1" in b.text()
        assert b.sitting.position == 2
        await b.press("question_mark")
        assert guesses(b) == [(1, "S"), (2, "?")]
        assert "saved: found by: don't know - item 2" in b.text()


async def test_no_label_can_be_given_here(path: Path) -> None:
    async with bench(path) as b:
        await b.press("0", "5", "l", "f", "s", "9")
        assert b.kinds() == []
        assert "there are 2 systems" in b.text()


async def test_undo_history_and_changing_an_answer(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "2", "u")
        assert b.sitting.position == 2
        await b.press("[")
        assert b.label.mode is Mode.GUESSED
        assert "answer: K (lexisearch, keyword)" in b.text()
        await b.press("2")
        assert guesses(b) == [(1, "K"), (2, "S"), (1, "S")]
        await b.press("h")
        assert "found by: S" in b.text()


async def test_a_key_held_down_answers_one_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1")
        await b.press("1", "1", "1", after=0.05)
        assert guesses(b) == [(1, "K")]


async def test_keys_of_ones_own(path: Path) -> None:
    async with bench(path, keys=Keymap({"system_1": ("a",), "dont_know": ("z",)})) as b:
        assert "a K (lexisearch, keyword)" in " ".join(b.text().split())
        await b.press("a", "z")
        assert guesses(b) == [(1, "K"), (2, "?")]


async def test_answers_are_handed_in_with_their_own_declaration(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "1", "question_mark", after=60)
        text = " ".join(b.text().split())
        assert "All 3 items are answered." in text
        assert DECLARATION[:40] in text
        assert "2 K (lexisearch, keyword)" in text
        await b.press("y", after=60)
        assert b.kinds()[-1] == "hand_in"
        assert b.desk.events()[-1].note == DECLARATION
        assert "judge unlock" not in b.text()
    async with bench(path) as b:
        assert "Handed in: all 3 items" in b.text()


async def test_the_screens_as_they_are(tmp_path: Path) -> None:
    views = [view(number) for number in range(1, 4)]
    made = make_packet(tmp_path / "A.guess.packet", views, kind="guess", systems=SYSTEMS)
    async with bench(made) as b:
        for size in ((80, 24), (120, 40), (60, 20)):
            await b.resize(*size)
            check_golden(f"guess-{size[0]}x{size[1]}", b.text())
        await b.resize(80, 24)
        await b.press("1", "2", "question_mark", after=60)
        check_golden("guess-summary-80x24", b.text())


async def test_nine_systems_fit_the_smallest_terminal(tmp_path: Path) -> None:
    nine = tuple(Candidate(code=f"S{n}", name=f"S{n} (service {n}, mode)") for n in range(1, 10))
    made = make_packet(tmp_path / "A.guess.packet", 2, kind="guess", systems=nine)
    async with bench(made, size=(60, 20)) as b:
        assert "Title 01" in b.text()
        assert "9 S9 (service 9, mode)" in " ".join(b.text().split())
        await b.press("9")
        assert guesses(b) == [(1, "S9")]
