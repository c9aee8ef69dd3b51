"""The strings of `test_hostile` on every surface beside the label screen: nothing is obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.records.failure import AutomaticFact, ListedHit
from judge.records.judgement import Candidate, Reveal, Side
from judge.tui.screens.guess import GuessScreen
from judge.tui.screens.problem import ProblemScreen
from tests.tui.support import bench, make_packet
from tests.tui.test_failures import hit, made, request
from tests.tui.test_hostile import HOSTILE, harmless, hostile_view

pytestmark = pytest.mark.anyio

# A note can hold no NUL: no store takes one.
_STORED = [(raw, shown) for raw, shown in HOSTILE if "\x00" not in raw]
_GROUPS = [_STORED[start : start + 4] for start in range(0, len(_STORED), 4)]
CASES = pytest.mark.parametrize(
    ("raw", "shown"),
    [(" ; ".join(r for r, _ in group), " ; ".join(s for _, s in group)) for group in _GROUPS],
)
SIZE = (240, 60)
"""So wide that no row of a list is cut."""


def flat(text: str) -> str:
    """The words of a screen, whatever they are wrapped and framed by."""
    return " ".join(text.replace("|", " ").split())


def side(raw: str) -> Side:
    return Side(label="relevant", cannot_kind=None, reason=raw, note=raw, evidence="abstract")


@CASES
async def test_history_search_quote_and_note(tmp_path: Path, raw: str, shown: str) -> None:
    made_ = make_packet(tmp_path / "A.packet", [hostile_view(raw)] * 2)
    words = " ".join(shown.split())
    async with bench(made_, size=SIZE) as b:
        await b.press("1", "a", "[")
        await b.press("h")
        assert words in flat(harmless(b))
        await b.press("escape", "slash")
        assert words in flat(harmless(b))
        await b.press("escape", "q")
        assert words in flat(harmless(b))
        await b.press("space", "end", "enter")
        harmless(b)
        await b.press("escape", "escape", "n")
        harmless(b)


@CASES
async def test_the_note_that_stands(tmp_path: Path, raw: str, shown: str) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2), size=SIZE) as b:
        b.sitting.note(raw)
        await b.press("]", "[")
        assert " ".join(shown.split()) in flat(harmless(b))
        await b.press("n")
        harmless(b)
        await b.press("escape", "slash")
        harmless(b)


@CASES
@pytest.mark.parametrize("kind", ["adjudication", "discussion"])
async def test_both_sides_of_a_disagreement(
    tmp_path: Path, raw: str, shown: str, kind: str
) -> None:
    reveal = Reveal(first=side(raw), second=side(raw), others=(side(raw),))
    path = make_packet(
        tmp_path / "D.packet",
        [hostile_view(raw)],
        kind=kind,
        assessor="D",
        reveals=[reveal],
    )
    async with bench(path, size=SIZE) as b:
        if kind == "adjudication":
            await b.press("1", "a")
        await b.press("s")
        text = flat(harmless(b))
        assert "First label: relevant" in text
        assert text.count(" ".join(shown.split())) >= 3


@CASES
async def test_failure_review(tmp_path: Path, raw: str, shown: str) -> None:
    fact = AutomaticFact(code="duplicate_record", text=raw)
    listed = (ListedHit(rank=1, title=raw, label="relevant"),)
    asked = request(
        need=raw, submitted=raw, translation=raw, unparsed=(raw,), said=(raw,), listed=listed
    )
    found = hit(
        1, fact, title=raw, journal=raw, abstract=raw, link=raw, given_title=raw, given_notice=raw
    )
    words = " ".join(shown.split())
    async with bench(made(tmp_path / "A.failures.packet", [asked, found]), size=SIZE) as b:
        assert flat(harmless(b)).count(words) >= 3
        await b.press("]")
        assert flat(harmless(b)).count(words) >= 3
        await b.press("slash")
        assert words in flat(harmless(b))
        await b.press("escape", "h")
        harmless(b)


@CASES
async def test_the_guess_screen(tmp_path: Path, raw: str, shown: str) -> None:
    systems = (Candidate(code="K", name=raw), Candidate(code="S", name="S"))
    path = make_packet(
        tmp_path / "A.guess.packet", [hostile_view(raw)] * 2, kind="guess", systems=systems
    )
    words = " ".join(shown.split())
    async with bench(path, size=SIZE) as b:
        assert isinstance(b.app.screen, GuessScreen)
        assert flat(harmless(b)).count(words) >= 3
        await b.press("1", "[")
        assert f"answer: {words}" in flat(harmless(b))
        await b.press("e")
        assert words in flat(harmless(b))


@CASES
async def test_the_message_of_a_save_that_failed(tmp_path: Path, raw: str, shown: str) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 1), size=SIZE) as b:
        b.app.push_screen(ProblemScreen(b.app.seat, Refused(raw, hint=raw)))
        await b.rest()
        assert " ".join(shown.split()) in flat(harmless(b))
