"""Screens as text: golden files at three sizes, the small-terminal note, no meaning by colour."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.strip import Strip

from judge.tui.app import DeskApp
from tests.tui.support import REVEAL, bench, check_golden, make_packet, view

pytestmark = pytest.mark.anyio

SIZES = [(60, 20), (80, 24), (120, 40)]

# Name of the golden file: packet, keys. A minute goes by before each key.
LABELLING = {
    "open": "",
    "reason": "1",
    "kind": "?",
    "saved": "1a0w",
    "warned": "1a5",
    "labelled": "1a[",
    "criteria": "g",
    "keys": "k",
    "overview": "1ale",
    "history": "1a0wluh",
    "search": "1a0w/02",
    "quote": "1a]q> >>",
    "quoted": "1a]q> >>!",
    "terms": "+",
    "summary": "1a?cs0w5s1a0p",
    "locked": "1a?cs0w5s1a0p y",
}
ADJUDICATION = {"blind": "1a", "decide": "1as", "gap": "1asb0"}


_NAMES = {"?": "question_mark", ">": "right", " ": "space", "!": "enter"}


def keys(typed: str) -> list[str]:
    return [_NAMES.get(key, key) for key in typed]


@pytest.mark.parametrize("name", LABELLING)
async def test_labelling(tmp_path: Path, name: str) -> None:
    views = [view(1), view(2, abstract=None), *(view(number) for number in range(3, 7))]
    await golden(make_packet(tmp_path / "A.packet", views), name, LABELLING[name], SIZES)


async def golden(path: Path, name: str, typed: str, sizes: list[tuple[int, int]]) -> None:
    """One sitting, looked at in a window of each size."""
    async with bench(path, size=sizes[0]) as b:
        await b.press(*keys(typed), after=60)
        for size in sizes:
            await b.resize(*size)
            check_golden(f"{name}-{size[0]}x{size[1]}", b.text())


@pytest.mark.parametrize("name", ADJUDICATION)
async def test_adjudication(tmp_path: Path, name: str) -> None:
    made = make_packet(
        tmp_path / "D.packet", 2, kind="adjudication", assessor="D", reveals=[REVEAL, REVEAL]
    )
    await golden(made, name, ADJUDICATION[name], SIZES)


async def test_a_terminal_that_is_too_small_takes_no_label(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2), size=(59, 24)) as b:
        for width, height in [(59, 24), (80, 19), (20, 6), (1, 1)]:
            await b.resize(width, height)
            if width > 20:
                said = f"terminal too small: {width}x{height}, at least 60x20 needed"
                assert said in " ".join(b.text().split())
            await b.press("1", "a", "l", "n", "u", "]", "q", "x")
            assert b.kinds() == []
            assert b.sitting.position == 1
        await b.press("ctrl+q")
        assert b.app.return_code == 0


async def test_making_the_window_larger_goes_on_where_it_was(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2)) as b:
        await b.press("1")
        await b.pilot.resize_terminal(50, 15)
        await b.until(lambda: "terminal too small: 50x15" in b.text())
        assert "Title 01" not in b.text()
        await b.press("a")
        assert b.kinds() == []
        await b.pilot.resize_terminal(80, 24)
        await b.until(lambda: "Title 01" in b.text())
        await b.press("a")
        assert b.labels() == [(1, "relevant", "about_the_need")]


async def test_a_note_survives_a_window_that_was_too_small(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2)) as b:
        await b.press("n", "a", "b")
        await b.pilot.resize_terminal(50, 15)
        await b.until(lambda: "terminal too small" in b.text())
        await b.press("c", "enter")
        assert b.kinds() == []
        await b.pilot.resize_terminal(80, 24)
        await b.until(lambda: "Note on item 1" in b.text())
        await b.press("d", "enter")
        assert b.desk.events()[0].note == "abd"


async def test_the_text_is_wrapped_anew_when_the_window_changes(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2)) as b:
        await b.pilot.resize_terminal(60, 20)
        await b.until(lambda: "more lines" in b.text())
        assert max(len(line) for line in b.text().split("\n")) <= 60
        await b.pilot.resize_terminal(80, 24)
        await b.until(lambda: "more lines" not in b.text())


async def test_letters_of_two_cells_keep_the_screen_in_shape(tmp_path: Path) -> None:
    wide = view(1, title="中文标题" * 30, abstract="日本語の抄録。" * 100, journal="医学" * 40)
    async with bench(make_packet(tmp_path / "A.packet", [wide], study_title="研究" * 40)) as b:
        lines = b.text().split("\n")
        assert all(cell_len(line) <= 80 for line in lines)
        assert "0 of 1 done" in lines[0]


async def test_a_very_long_need_leaves_room_for_the_paper(tmp_path: Path) -> None:
    long = view(1)
    fields = {name: getattr(long, name) for name in long.__struct_fields__}
    need = type(long)(**fields | {"need": "need " * 2000})
    async with bench(make_packet(tmp_path / "A.packet", [need]), size=(60, 20)) as b:
        assert "Title 01" in b.text()
        assert "need..." in b.text()
        await b.press("g", "end")
        assert "Least to have read" in b.text()


@pytest.mark.parametrize("adjudicating", [False, True])
async def test_without_colour_everything_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adjudicating: bool
) -> None:
    made = make_packet(
        tmp_path / "A.packet",
        2,
        kind="adjudication" if adjudicating else "label",
        reveals=[REVEAL, REVEAL] if adjudicating else None,
    )
    monkeypatch.setenv("NO_COLOR", "1")
    async with bench(made) as b:
        await b.press("1", "a")
        styles = [
            segment.style
            for strip in b.app.screen._compositor.render_strips()
            for segment in filtered(b.app, strip)
            if segment.style is not None
        ]
        assert styles
        for style in styles:
            assert style.color is None or style.color.is_default
            assert style.bgcolor is None or style.bgcolor.is_default
        assert "saved: relevant (a) - item 1" in b.text()


def filtered(app: DeskApp, strip: Strip) -> list[Segment]:
    """What Textual makes of a strip before it writes it."""
    segments = list(strip)
    for line_filter in app.get_line_filters():
        segments = line_filter.apply(segments, Color(0, 0, 0))
    return segments
