"""Adjudication: a blind label, then both first labels without names, then the decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.records.judgement import Reveal, Side
from judge.tui.modes import Mode
from tests.tui.support import REVEAL, bench, make_packet, view

pytestmark = pytest.mark.anyio

SECRET_NOTE = "dose and donor counts are given"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(
        tmp_path / "D.packet", 2, kind="adjudication", assessor="D", reveals=[REVEAL, REVEAL]
    )


async def test_nothing_of_the_first_labels_shows_before_the_blind_label_is_fixed(
    path: Path,
) -> None:
    async with bench(path) as b:
        await b.press("s")
        assert b.kinds() == []
        await b.press("1")
        assert SECRET_NOTE not in b.text()
        await b.press("a")
        assert SECRET_NOTE not in b.text()
        assert "First label" not in b.text()
        assert b.label.mode is Mode.BLIND
        assert "s show both first labels" in b.text()
        assert b.sitting.position == 1


async def test_blind_label_then_both_then_decision(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "s")
        text = b.text()
        assert "First label: relevant" in text
        assert "Second label: not relevant" in text
        flat = " ".join(text.replace("|", " ").split())
        for part in ("about_the_need", "wrong_organism", "read abstract", "read full text"):
            assert part in flat
        assert "blind label: relevant (a)" in text
        await b.press("0", "w")
        assert b.kinds() == ["label", "reveal", "decision"]
        decision = b.desk.events()[-1]
        assert (decision.label, decision.reason) == ("not_relevant", "wrong_organism")
        assert not decision.rubric_gap
        assert "saved: decision: not relevant (w) - item 1" in b.text()
        assert b.sitting.position == 2
        assert SECRET_NOTE not in b.text()  # the next item is blind again


async def test_both_sides_are_stacked_on_a_narrow_terminal(path: Path) -> None:
    async with bench(path, size=(60, 20)) as b:
        await b.press("1", "a", "s")
        lines = b.text().split("\n")
        first = next(n for n, line in enumerate(lines) if "First label: relevant" in line)
        second = next(n for n, line in enumerate(lines) if "Second label: not relevant" in line)
        assert second > first


async def test_the_blind_label_may_be_changed_until_both_are_shown(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "0", "w")
        assert b.kinds() == ["label", "label"]
        await b.press("u", "s")
        assert "blind label: relevant (a)" in b.text()
        await b.press("u")  # fixed: there is nothing left to take back
        assert "nothing to take back" in b.text()
        assert b.kinds() == ["label", "label", "undo", "reveal"]


async def test_a_gap_in_the_rubric_is_recorded_with_the_decision(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "s", "b")
        assert "the rubric has a gap here" in b.text()
        await b.press("5", "s")
        assert b.desk.events()[-1].rubric_gap
        await b.press("1", "a", "s", "b", "b", "5", "s")
        assert not b.desk.events()[-1].rubric_gap


async def test_the_decision_can_be_taken_back_and_changed(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "s", "0", "w", "u")
        assert b.label.mode is Mode.DECIDE
        assert "First label: relevant" in b.text()
        assert "saved: undo of decision: not relevant (w) - item 1" in b.text()
        await b.press("1", "a", "[")
        assert "decision: relevant (a)" in b.text()
        await b.press("5", "s")
        assert b.sitting.item(1).decision is not None
        assert b.sitting.counts() == {"uncertain": 1}


async def test_the_decision_rests_on_what_was_read_for_it(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "s", "f", "0", "w")
        assert [e.evidence for e in b.desk.events() if e.label] == ["abstract", "full_text"]


async def test_reopening_between_the_steps_goes_on_there(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "x")
    async with bench(path) as b:
        assert b.label.mode is Mode.BLIND
        await b.press("s", "x")
    async with bench(path) as b:
        assert b.label.mode is Mode.DECIDE
        assert "First label: relevant" in b.text()


async def test_a_decision_that_it_cannot_be_judged_has_its_kind(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "s", "question_mark", "c", "s")
        event = b.desk.events()[-1]
        assert (event.kind, event.label, event.cannot_kind) == (
            "decision",
            "cannot_judge",
            "conflicting_metadata",
        )


async def test_notes_of_any_length_scroll_and_hostile_ones_do_no_harm(tmp_path: Path) -> None:
    long = Side(
        label="cannot_judge",
        cannot_kind="other",
        reason="gone",
        note="[@click=app.quit]x[/] \x1b[31m benzo[a]pyrene " + "word " * 400,
        evidence="title",
    )
    reveal = Reveal(first=long, second=REVEAL.second)
    made = make_packet(
        tmp_path / "D.packet", [view(1)], kind="adjudication", assessor="D", reveals=[reveal]
    )
    async with bench(made) as b:
        await b.press("1", "a", "s")
        assert "First label: cannot judge, other" in b.text()
        assert "[@click=app.quit]x[/]" in b.text()
        assert "\x1b" not in b.text()
        assert "gone (gone)" in b.text()  # a code that the rubric lacks is shown as it is
        await b.press("end")
        assert "Human liver cells form adducts" in b.text()
        await b.press("1", "a")
        assert b.kinds() == ["label", "reveal", "decision"]
