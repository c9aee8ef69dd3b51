"""The end: figures, declaration, hand-in, and the lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.records.protocol import Reason
from judge.tui.modes import Mode
from judge.tui.screens.overview import OverviewScreen
from judge.tui.words import DECLARATION
from tests.tui.support import REVEAL, Bench, bench, make_packet
from tests.tui.test_saving import FailingDesk

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 3)


def overview(b: Bench) -> OverviewScreen:
    screen = b.app.screen
    assert isinstance(screen, OverviewScreen)
    return screen


ALL = ("1", "a", "question_mark", "c", "s", "0", "w")


async def test_the_overview_tells_how_far_one_is_and_offers_no_hand_in(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "l", "e")
        assert "1 of 3 items have a label, 2 are open (1 of them put off)." in b.text()
        assert "     1  relevant" in b.text()
        assert "     2  not yet judged" in b.text()
        assert overview(b).mode is Mode.UNFINISHED
        await b.press("y")
        assert "hand_in" not in b.kinds()
        await b.press("e")
        assert b.app.screen is b.label


async def test_the_last_label_opens_the_summary(path: Path) -> None:
    async with bench(path) as b:
        await b.press(*ALL)
        flat = " ".join(b.text().split())
        assert "All 3 items have a label." in flat
        assert "1 relevant 1 not relevant 0 uncertain 1 cannot judge 1 conflicting metadata" in flat
        assert "Time at the desk:" in flat
        assert DECLARATION in flat
        assert "did not run these queries" in flat
        assert "did not compare notes" in flat


async def test_handing_in_records_the_declaration_and_locks(path: Path) -> None:
    async with bench(path) as b:
        await b.press(*ALL, "y")
        last = b.desk.events()[-1]
        assert (last.kind, last.note, last.position) == ("hand_in", DECLARATION, None)
        assert "saved: handed in" in b.text()
        assert overview(b).mode is Mode.LOCKED
        await b.press("y", "u", "escape", "1", "a", "n", "[")
        assert b.kinds() == ["label", "label", "label", "hand_in"]
        assert isinstance(b.app.screen, OverviewScreen)
        with pytest.raises(Refused, match="handed in and locked"):
            b.sitting.note("late")


async def test_a_packet_that_was_handed_in_opens_for_reading_only(path: Path) -> None:
    async with bench(path) as b:
        await b.press(*ALL, "y", "x")
    async with bench(path) as b:
        text = b.text()
        assert "Handed in: all 3 items, and the packet is locked." in text
        assert "judge unlock A --reason '...'" in text
        await b.press("1", "a", "u", "y", "g", "end")
        assert "Reasons" in b.text() or "uncertain" in b.text()
        await b.press("escape")
        assert b.kinds()[-1] == "hand_in"


async def test_an_unlocked_packet_opens_on_the_summary_with_the_items_behind(path: Path) -> None:
    async with bench(path) as b:
        await b.press(*ALL, "y")
        b.sitting.unlock("one slip")
    async with bench(path) as b:
        assert overview(b).mode is Mode.FINISHED
        await b.press("escape", "5", "s")
        assert b.labels()[-1][1] == "uncertain"
        # A change after all were done stays at its item; the summary is a key away.
        assert b.app.screen is b.label
        await b.press("e", "y")
        assert b.kinds()[-1] == "hand_in"


async def test_the_key_that_finished_the_work_does_not_hand_in(tmp_path: Path) -> None:
    reason = Reason(code="yes", key="y", labels=("relevant",), text="Yes", clause="1")
    async with bench(make_packet(tmp_path / "A.packet", 1, reasons=(reason,))) as b:
        await b.press("1", "y")
        assert isinstance(b.app.screen, OverviewScreen)
        for pause in [0.5, *[0.03] * 10]:
            await b.press("y", after=pause)
        assert b.kinds() == ["label"]
        assert "held down?" in b.text()
        await b.press("y", after=5)
        assert b.kinds() == ["label", "hand_in"]


async def test_undo_from_the_summary_opens_the_last_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press(*ALL, "u")
        assert b.app.screen is b.label
        assert b.sitting.position == 3
        assert b.sitting.item().label is None
        await b.press("1", "a")
        assert overview(b).mode is Mode.FINISHED


async def test_a_hand_in_that_fails_is_not_called_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(path, desk=FailingDesk) as b:
        await b.press(*ALL)
        monkeypatch.setattr(FailingDesk, "error", Refused("the disk is full"))
        await b.press("y")
        assert "NOT saved: the disk is full" in b.text()
        await b.press("enter")
        assert overview(b).mode is Mode.FINISHED
        assert "handed in" not in b.text().lower()


async def test_adjudication_counts_decisions(tmp_path: Path) -> None:
    made = make_packet(
        tmp_path / "D.packet", 1, kind="adjudication", assessor="D", reveals=[REVEAL]
    )
    async with bench(made) as b:
        await b.press("1", "a")
        assert b.app.screen is b.label  # a blind label alone finishes nothing
        await b.press("s", "0", "w")
        flat = " ".join(b.text().split())
        assert "All 1 items have a decision." in flat
        assert "0 relevant 1 not relevant" in flat


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_declaration_is_read_to_its_end_before_it_is_made(
    path: Path, size: tuple[int, int]
) -> None:
    async with bench(path, size=size) as b:
        await b.press(*ALL)
        screen = overview(b)
        if size == (60, 20):
            assert screen.sheet is not None
            assert screen.sheet.below
            await b.press("y")
            assert "read the declaration to its end first: Space pages down" in b.text()
            assert "hand_in" not in b.kinds()
            await b.press("space")
            assert "read the declaration" not in b.text()
        flat = " ".join(b.text().split())
        assert DECLARATION in flat
        assert "makes this declaration, hands the packet in and locks it" in flat
        await b.press("y")
        assert b.kinds()[-1] == "hand_in"
