"""Failure review at the desk: keys to events, what the records say, and the screens as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.judgements.coding import CodingSitting
from judge.records.failure import AutomaticFact, FailureView, ListedHit, ShownHit
from judge.store.packet_file import FailureItem, create_packet
from judge.tui.modes import Mode
from judge.tui.screens.failures import FailureOverview, FailureScreen
from tests.tui.support import ABSTRACT, NEED, Bench, bench, check_golden, packet

pytestmark = pytest.mark.anyio

SIZES = [(80, 24), (120, 40)]


def request(**changes: object) -> FailureView:
    """The request of a system, answered with two hits."""
    fields: dict[str, object] = {
        "need": NEED,
        "expected": "ordinary",
        "system": "semantic",
        "service": "embedded",
        "mode": "semantic",
        "submitted": '"benzo[a]pyrene" NOT mouse',
        "translation": "",
        "unparsed": ("NOT",),
        "outcome": "answered",
        "returned": 2,
        "said": ("NOT is an ordinary word in this mode",),
        "listed": (
            ListedHit(rank=1, title="Benzo[a]pyrene in mice", label="not_relevant"),
            ListedHit(rank=2, title=None, label="not_yet_judged"),
        ),
        "automatic": (),
        "hit": None,
        **changes,
    }
    return FailureView(**fields)  # type: ignore[arg-type]


def hit(rank: int, *facts: AutomaticFact, **changes: str | None) -> FailureView:
    """A hit of the same request."""
    fields: dict[str, str | None] = {
        "record_id": f"pmid:{rank}",
        "title": f"Title {rank:02}: benzo[a]pyrene adducts in mice",
        "journal": "Journal of Test Toxicology",
        "year": "2019",
        "type": "journal article",
        "abstract": ABSTRACT,
        "link": f"https://records.example/{rank:06}",
        "label": "not_relevant",
        "given_title": None,
        "given_year": "2018",
        "given_type": None,
        "given_link": f"https://service.example/{rank}",
        "given_notice": None,
        **changes,
    }
    shown = ShownHit(rank=rank, **fields)  # type: ignore[arg-type]
    return request(listed=(), automatic=facts, hit=shown)


TIMEOUT = AutomaticFact(code="timeout", text="the request ended as timeout after 30000 ms")
COPY = AutomaticFact(code="duplicate_record", text="the same work stands at rank 1 already")
LINK = AutomaticFact(code="missing_link", text="the service gave none")

VIEWS = [
    request(),
    hit(1),
    hit(2, COPY, LINK, given_link=None),
    request(outcome="timeout", returned=None, said=(), listed=(), automatic=(TIMEOUT,)),
]


def made(path: Path, views: list[FailureView] = VIEWS) -> Path:
    head = packet(len(views), kind="failures", reasons=())
    create_packet(path, head, [FailureItem(f"i{n:04}", view) for n, view in enumerate(views)])
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path / "A.failures.packet")


def codes(b: Bench) -> list[tuple[int | None, tuple[str, ...], str]]:
    """Position, categories and note of every code on disk."""
    return [(e.position, e.categories, e.note) for e in b.desk.events() if e.kind == "code"]


# --- keys ---------------------------------------------------------------------------------------


async def test_a_key_for_each_category_and_one_that_saves(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1")
        assert b.kinds() == []  # chosen, not saved
        assert "operator not parsed, not saved yet" in b.text()
        await b.press("enter")
        assert codes(b) == [(1, ("operator_not_parsed",), "")]
        assert "saved: operator not parsed - item 1" in b.text()
        await b.press("7", "6", "enter")  # several of a hit, in the order of the list
        assert codes(b)[1] == (2, ("wrong_literal_match", "near_semantic_match"), "")
        assert b.sitting.position == 3


async def test_a_category_is_dropped_by_its_own_key_or_with_the_choice(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "1", "enter")
        assert "choose a category, or 0 where there is nothing to name" in b.text()
        await b.press("1", "escape")
        assert "choice dropped, nothing saved" in b.text()
        assert b.kinds() == []


async def test_nothing_to_name_is_one_key_and_never_drops_a_choice(path: Path) -> None:
    async with bench(path) as b:
        await b.press("0")
        assert codes(b) == [(1, (), "")]
        await b.press("6", "0")
        assert "something is chosen" in b.text()
        assert len(codes(b)) == 1


async def test_another_failure_needs_its_words(path: Path) -> None:
    async with bench(path) as b:
        await b.press("w", "enter", "enter")
        assert "'other' needs a note that says what went wrong." in b.text()
        assert b.kinds() == []
        await b.press("escape")
        assert "not saved: 'other' needs a note" in b.text()
        await b.press("enter", "p", "o", "e", "m", "enter")
        assert codes(b) == [(1, ("other",), "poem")]


async def test_what_the_records_say_is_marked_and_no_key_changes_it(path: Path) -> None:
    async with bench(path) as b:
        await b.press("]", "]")
        assert "Automatic  duplicate - the same work stands at rank 1 already" in b.text()
        await b.press("8")
        assert "duplicate: the records say so already, and it stays" in b.text()
        await b.press("m")
        assert "no source link: the records say so already" in b.text()
        await b.press("0")
        assert codes(b) == [(3, (), "")]  # nothing beside the records, and nothing of theirs
        await b.press("[", "[", "m")
        assert "no source link: the records alone say that" in b.text()


async def test_a_category_needs_its_evidence(path: Path) -> None:
    async with bench(path) as b:
        await b.press("5")
        assert "timeout: needs such an outcome, and this request ended as answered" in b.text()
        await b.press("6")
        assert "wrong literal match: of a hit, not of a request" in b.text()
        await b.press("]", "2")
        assert "quotes too narrow: of a request, not of a hit" in b.text()
        assert b.kinds() == []
        sitting = b.sitting
        assert isinstance(sitting, CodingSitting)
        with pytest.raises(Refused, match="timeout cannot be named here"):
            sitting.code(("timeout",))
        assert b.kinds() == []


async def test_a_held_key_chooses_once_and_saves_once(path: Path) -> None:
    async with bench(path) as b:
        await b.press("0")
        await b.press("0", "0", "0", after=0.05)
        assert len(codes(b)) == 1
        await b.press("6", "6", "6", after=0.4)
        assert "wrong literal match, not saved yet" in b.text()


async def test_undo_later_note_and_resume(path: Path) -> None:
    async with bench(path) as b:
        await b.press("l")
        assert b.sitting.position == 2
        await b.press("6", "n", "x", "enter")
        # The note is saved on its own, and the choice is still there.
        assert "wrong literal match, not saved yet | note: x" in b.text()
        await b.press("enter", "u")
        assert b.sitting.position == 2
        assert "not coded yet" in b.text()
        await b.press("enter", "6", "enter", "x")
    async with bench(path) as b:
        assert b.sitting.position == 3
        await b.press("0", "0")
        assert b.sitting.position == 1  # put off, and back at the end
        assert codes(b)[1] == (2, ("wrong_literal_match",), "x")


async def test_a_code_is_changed_by_coding_again(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "enter", "[")
        assert isinstance(b.app.screen, FailureScreen)
        assert b.app.screen.mode is Mode.REVIEWED
        assert "coded: operator not parsed" in b.text()
        await b.press("2", "enter")
        assert codes(b)[1] == (1, ("operator_not_parsed", "quotes_narrow_wrongly"), "")
        assert b.sitting.progress().done == 1


async def test_hand_in_locks_the_packet(path: Path) -> None:
    async with bench(path) as b:
        await b.press("0", "6", "enter", "0", "0")
        assert isinstance(b.app.screen, FailureOverview)
        assert "All 4 items are coded." in b.text()
        assert "I named what I saw" in b.text()
        await b.press("y")
        assert b.kinds()[-1] == "hand_in"
        assert "judge unlock A" in b.text()
        with pytest.raises(Refused, match="handed in and locked"):
            b.sitting.later()
    async with bench(path) as b:
        assert "Handed in: all 4 items, and the packet is locked." in b.text()


async def test_another_need_or_system_is_said(tmp_path: Path) -> None:
    views = [request(), request(system="keyword"), request(need="Other papers.")]
    async with bench(made(tmp_path / "A.failures.packet", views)) as b:
        assert "another" not in b.text()
        await b.press("0")
        assert "another system, item 2 of 3" in b.text()
        await b.press("0")
        assert "another need, item 3 of 3" in b.text()


async def test_history_and_search_open_an_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "enter", "6", "enter", "h")
        assert "item 2: wrong literal match - semantic, rank 1: Title 01" in b.text()
        await b.press("down", "enter")
        assert b.sitting.position == 1
        await b.press("/", *"title", "enter")
        assert b.sitting.position == 2


async def test_hostile_text_is_shown_as_it_is(tmp_path: Path) -> None:
    bad = "[@click=app.quit]x[/] \x1b[31m [/"
    views = [
        request(submitted=bad, said=(bad,), listed=(ListedHit(rank=1, title=bad, label="x"),)),
        hit(1, title=bad, abstract=bad, given_title=bad, given_notice=bad),
    ]
    async with bench(made(tmp_path / "A.failures.packet", views)) as b:
        assert b.text().count("[@click=app.quit]x[/]") == 3
        await b.press("0")
        assert "[@click=app.quit]x[/]" in b.text()
        assert "\x1b" not in b.text()


# --- screens ------------------------------------------------------------------------------------

# Name of the golden file: keys. A minute goes by before each key.
SCREENS = {
    "failures-request": [],
    "failures-hit": ["0"],
    "failures-chosen": ["0", "6", "7"],
    "failures-automatic": ["0", "6", "enter"],
    "failures-timeout": ["0", "6", "enter", "0"],
    "failures-categories": ["g"],
    "failures-keys": ["k"],
    "failures-overview": ["1", "enter", "l", "e"],
    "failures-summary": ["1", "enter", "6", "7", "enter", "0", "0"],
    "failures-locked": ["1", "enter", "6", "7", "enter", "0", "0", "y"],
}


@pytest.mark.parametrize("name", SCREENS)
async def test_screens(path: Path, name: str) -> None:
    async with bench(path, size=SIZES[0]) as b:
        await b.press(*SCREENS[name], after=60)
        for size in SIZES:
            await b.resize(*size)
            check_golden(f"{name}-{size[0]}x{size[1]}", b.text())


async def test_the_smallest_terminal_holds_everything(path: Path) -> None:
    async with bench(path, size=(60, 20)) as b:
        await b.press("0", "6")
        check_golden("failures-chosen-60x20", b.text())
