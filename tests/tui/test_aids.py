"""History, search, link, quote, terms, colours: what helps and gives no label."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Invalid, Refused
from judge.judgements.sitting import REMIND_EVERY
from judge.tui.links import has_display, is_web_address
from judge.tui.look import LOOKS, chosen_look
from judge.tui.modes import Mode
from judge.tui.screens.find import FindScreen
from judge.tui.screens.quote import QuoteScreen
from judge.tui.terms import Terms
from tests.steps.studies import without_triggers
from tests.tui.support import ABSTRACT, Bench, bench, make_packet, view
from tests.tui.test_hostile import HOSTILE, harmless, hostile_view
from tests.tui.test_saving import FailingDesk

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 4)


def rows(b: Bench) -> list[str]:
    """The rows of the list that is open, the chosen one with its mark."""
    assert isinstance(b.app.screen, FindScreen)
    return [
        line.strip() for line in b.text().split("\n") if line[1:9].strip("> ").startswith("item")
    ]


# --- history ------------------------------------------------------------------------------------


async def test_an_item_opened_from_the_history_is_changed_and_j_goes_back_to_work(
    path: Path,
) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "0", "w", "h")
        assert [row.split(" - ")[0] for row in rows(b)] == [
            "> item 2: not relevant (w)",
            "item 1: relevant (a)",
        ]
        await b.press("down", "enter")
        assert b.sitting.position == 1
        assert b.label.mode is Mode.LABELLED
        await b.press("j")
        assert b.sitting.position == 3
        await b.press("h", "down", "enter", "5", "s")
        assert b.labels()[-1] == (1, "uncertain", "not_enough")
        assert b.sitting.position == 3  # and on with the work


async def test_the_history_gives_no_label_and_closes_without_a_change(path: Path) -> None:
    async with bench(path) as b:
        await b.press("h")
        assert "nothing yet" in b.text()
        await b.press("enter", "1", "a", "u", "escape")
        assert b.kinds() == []
        assert b.app.screen is b.label
        await b.press("h", "h")
        assert b.app.screen is b.label


async def test_a_history_longer_than_the_screen_is_walked_by_pages(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 60, reasons=())) as b:
        for _ in range(40):
            b.sitting.label("relevant", "", evidence="abstract")
        await b.press("h", *["pagedown"] * 4)
        assert rows(b)[-1].startswith("> item 1:")
        await b.press("pageup", "pageup", "pageup")
        assert rows(b)[0].startswith("> item 40:")


# --- search -------------------------------------------------------------------------------------


async def test_a_search_finds_titles_and_notes_of_items_seen_and_no_others(path: Path) -> None:
    async with bench(path) as b:
        b.sitting.note("check the DOSE here")
        await b.press("1", "a", "0", "w", "/")
        assert len(rows(b)) == 3  # item 4 was never before the person
        await b.press(*"dose")
        assert [row.split(" - ")[0] for row in rows(b)] == ["> item 1: relevant (a)"]
        await b.press("space", *"zz")
        assert "nothing found" in b.text()
        await b.press(*["backspace"] * 7, *"03")
        assert rows(b)[0].startswith("> item 3: open")
        await b.press(*["backspace"] * 2, *"04")
        assert rows(b) == []
        await b.press("escape")
        assert b.kinds() == ["note", "label", "label"]


@pytest.mark.parametrize("body", ["no record", '{"title":"Another title"}'])
async def test_an_item_that_cannot_be_read_is_said_so_in_its_row(path: Path, body: str) -> None:
    async with bench(path) as b:
        await b.press("1", "a")
    without_triggers(path, ("UPDATE view SET body = ? WHERE body LIKE '%Title 01%'", (body,)))
    async with bench(path) as b:
        await b.press("/")
        assert rows(b)[0] == "> item 1: relevant (a) - this item cannot be read"


async def test_every_letter_is_text_in_a_search(path: Path) -> None:
    async with bench(path) as b:
        await b.press("/", *"1a0wlunxhq", "?", "/")
        assert "Search: 1a0wlunxhq?/_" in b.text()
        assert b.kinds() == []


async def test_items_labelled_in_an_earlier_sitting_are_searched(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "0", "w")
    async with bench(path) as b:
        await b.press("/", *"02", "enter")
        assert b.sitting.position == 2


# --- link ---------------------------------------------------------------------------------------


async def test_a_link_opens_in_the_browser_or_goes_to_the_clipboard(path: Path) -> None:
    async with bench(path) as b:
        opened: list[str] = []

        def browser(link: str) -> bool:
            opened.append(link)
            return True

        b.app.seat.browse = browser
        await b.press("o")
        assert opened == ["https://records.example/000001"]
        assert "opened in the browser" in b.text()
        b.app.seat.browse = lambda link: False
        await b.press("o")
        assert "no browser here: link copied" in b.text()
        assert b.app.clipboard == "https://records.example/000001"
        assert b.kinds() == []


async def test_nothing_but_a_web_address_is_opened_or_copied(tmp_path: Path) -> None:
    given = [
        (None, "no link supplied"),
        ("javascript:alert(1)", "not a web address"),
        ("--help", "not a web address"),
        ("https://x.example/\nrm -rf", "not a web address"),
        ("file:///etc/passwd", "not a web address"),
    ]
    views = [view(number, link=link) for number, (link, _) in enumerate(given, 1)]
    async with bench(make_packet(tmp_path / "A.packet", views)) as b:
        b.app.seat.browse = lambda link: pytest.fail("opened")
        for _, said in given:
            await b.press("o")
            assert said in b.text()
            await b.press("]")
        assert b.app.clipboard == ""


def test_web_addresses_are_told_from_others() -> None:
    assert is_web_address("https://doi.example/10.1/x?a=b#c")
    assert not any(map(is_web_address, ["", "https://", "http://a b", "https://[", "data:x"]))


def test_a_browser_needs_a_display_here() -> None:
    assert has_display("linux", {"DISPLAY": ":0"})
    assert has_display("linux", {"WAYLAND_DISPLAY": "wayland-0"})
    assert has_display("darwin", {})
    assert not has_display("linux", {})
    assert not has_display("darwin", {"SSH_CONNECTION": "1 2 3 4"})


# --- quote --------------------------------------------------------------------------------------


async def test_a_quote_goes_into_the_note_with_its_place(path: Path) -> None:
    async with bench(path) as b:
        b.sitting.note("mine")
        await b.press("q", "right", "space", "right", "right", "left", "enter")
        start = ABSTRACT.index("Benzo")
        words = "Benzo[a]pyrene is"
        assert b.sitting.item().note == f'mine\nabstract[{start}:{start + len(words)}] "{words}"'
        assert "saved: note - item 1" in b.text()
        assert b.kinds() == ["note", "note"]


async def test_a_choice_may_run_backwards_over_lines_and_be_dropped(path: Path) -> None:
    async with bench(path) as b:
        await b.press("q", "down", "down", "space", "up")
        screen = b.app.screen
        assert isinstance(screen, QuoteScreen)
        first, last = screen.view.chosen
        chosen = [ABSTRACT[w.start : w.end] for w in screen.view.passage.words[first : last + 1]]
        assert chosen[0] == "to"
        assert chosen[-1] == "10"
        await b.press("space", "pagedown", "right", "pageup", "left", "escape")
        assert b.kinds() == []


async def test_a_long_abstract_keeps_the_cursor_in_view(tmp_path: Path) -> None:
    body = " ".join(f"word{number:05}" for number in range(5000))
    async with bench(make_packet(tmp_path / "A.packet", [view(1, abstract=body)])) as b:
        await b.press("q", *["pagedown"] * 3)
        screen = b.app.screen
        assert isinstance(screen, QuoteScreen)
        word = body[
            slice(*(lambda w: (w.start, w.end))(screen.view.passage.words[screen.view.cursor]))
        ]
        assert word in b.text()
        await b.press("enter")
        assert f'"{word}"' in b.sitting.item().note


async def test_without_an_abstract_there_is_nothing_to_quote(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", [view(1, abstract=None)])) as b:
        await b.press("q")
        assert "no abstract to quote" in b.text()


async def test_a_quote_that_cannot_be_saved_is_offered_in_the_note(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(path, desk=FailingDesk) as b:
        with monkeypatch.context() as patched:
            patched.setattr(FailingDesk, "error", Refused("the disk is full"))
            await b.press("q", "enter")
            assert "NOT saved: the disk is full" in b.text()
        await b.press("enter", "n", "enter")
        assert b.sitting.item().note == 'abstract[0:11] "BACKGROUND:"'


# --- terms --------------------------------------------------------------------------------------


def underlined(b: Bench) -> str:
    """All that is underlined on the screen."""
    return " ".join(
        segment.text
        for strip in b.app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None and segment.style.underline
    )


async def test_terms_of_the_need_are_underlined_and_each_label_records_it(path: Path) -> None:
    async with bench(path) as b:
        said = underlined(b)
        assert "adducts" in said
        assert "liver" in said
        assert "donor" not in said
        await b.press("1", "a", "t")
        assert underlined(b) == ""
        assert "terms off" in b.text()
        await b.press("0", "w")
        assert [event.highlight for event in b.desk.events()] == [True, False]
    async with bench(path) as b:
        assert underlined(b) == ""  # as it was left


async def test_own_terms_are_underlined_and_kept_beside_the_packet(path: Path) -> None:
    async with bench(path) as b:
        await b.press("+", *"donor*", ",", "space", *"cyp1a1", "enter")
        assert "own terms kept: 2" in b.text()
        assert "donor" in underlined(b)
        assert "CYP1A1" in underlined(b)
        assert b.kinds() == []
    assert Path(f"{path}.terms").read_text("utf-8") == "donor*\ncyp1a1\n"
    async with bench(path) as b:
        assert "donor" in underlined(b)
        await b.press("+")
        assert "donor*, cyp1a1" in b.text()


def test_a_file_of_terms_that_is_no_text_is_refused(path: Path) -> None:
    Path(f"{path}.terms").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Invalid):
        Terms.at(path)


# --- the rest -----------------------------------------------------------------------------------


async def test_a_rest_is_suggested_on_one_line_until_the_next_act(tmp_path: Path) -> None:
    made = make_packet(tmp_path / "A.packet", REMIND_EVERY + 2, reasons=())
    async with bench(made) as b:
        for _ in range(REMIND_EVERY - 1):
            b.sitting.label("relevant", "", evidence="abstract")
        await b.press("]", "[", "1")
        assert "50 more items labelled: a short rest helps" in b.text()
        assert "saved: relevant - item 50" in b.text()
        await b.press("1")
        assert "a short rest" not in b.text()


async def test_colours_change_and_every_word_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(path) as b:
        words, seen = b.text(), [b.app.theme]
        for name in ("light", "contrast", "dark"):
            await b.press("v")
            assert f"colours: {name}" in b.text()
            assert b.text().replace(f"   colours: {name}", "") == words
            seen.append(b.app.theme)
        assert seen == [LOOKS["dark"], LOOKS["light"], LOOKS["contrast"], LOOKS["dark"]]


async def test_without_colour_there_are_none_to_choose(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with bench(path) as b:
        await b.press("v")
        assert "NO_COLOR is set" in b.text()


def test_the_colours_to_begin_with_come_from_the_environment() -> None:
    assert chosen_look({}) == LOOKS["dark"]
    assert chosen_look({"JUDGE_THEME": "contrast"}) == LOOKS["contrast"]
    with pytest.raises(Invalid, match="'pink'; it can be dark, light, contrast"):
        chosen_look({"JUDGE_THEME": "pink"})


async def test_lists_and_quotes_show_hostile_text_and_obey_none_of_it(tmp_path: Path) -> None:
    views = [hostile_view(raw) for raw, _ in HOSTILE]
    async with bench(make_packet(tmp_path / "A.packet", views, reasons=()), size=(120, 40)) as b:
        for number, (raw, _) in enumerate(HOSTILE, 1):
            b.sitting.go(number)
            b.sitting.view()
            b.sitting.note(raw.replace("\x00", ""))
        await b.press("/")
        text = harmless(b)
        for _, shown in HOSTILE:
            assert shown in text
        await b.press("escape", "h")
        harmless(b)
        await b.press("escape", "q", "space", "right", "right")
        harmless(b)
        await b.press("escape", "+")
        harmless(b)
