"""Labelling: one key, one reason, saved, next."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.tui.modes import Mode
from tests.tui.support import ABSTRACT, NEED, bench, make_packet, view

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 3)


async def test_nothing_is_preselected_and_the_item_is_all_there(path: Path) -> None:
    async with bench(path) as b:  # R49
        text = b.text()
        assert "no label yet" in text
        assert NEED in text
        assert "Title 01: benzo[a]pyrene adducts in human hepatocytes" in text
        assert "Journal of Test Toxicology, 2019, journal article" in text
        assert "https://records.example/000001" in text
        assert ABSTRACT[:40] in text
        assert b.kinds() == []


async def test_label_key_and_reason_key_save_and_move_on(tmp_path: Path) -> None:
    given = [
        ("1a", "relevant", "about_the_need"),
        ("0w", "not_relevant", "wrong_organism"),
        ("0p", "not_relevant", "mention_only"),
        ("5s", "uncertain", "not_enough"),
    ]
    async with bench(make_packet(tmp_path / "A.packet", 5)) as b:  # R50
        for number, (keys, label, reason) in enumerate(given, 1):
            await b.press(keys[0])
            assert len(b.labels()) == number - 1
            assert "not saved yet" in b.text()
            await b.press(keys[1])
            assert b.labels()[-1] == (number, label, reason)
            assert f"saved: {label.replace('_', ' ')} ({keys[1]}) - item {number}" in b.text()
            assert f"item {number + 1} of 5" in b.text()


async def test_cannot_judge_asks_which_kind(tmp_path: Path) -> None:
    given = [
        ("p", "paper_unavailable", "paper unavailable"),
        ("n", "no_abstract", "no abstract"),
        ("c", "conflicting_metadata", "conflicting metadata"),
        ("o", "other", "other"),
    ]
    async with bench(make_packet(tmp_path / "A.packet", 5)) as b:  # R55
        for number, (key, kind, words) in enumerate(given, 1):
            await b.press("question_mark")
            assert b.label.mode is Mode.KIND
            assert f"{key} {words}" in b.text()
            await b.press(key, "s")
            event = b.desk.events()[-1]
            assert (event.label, event.cannot_kind, event.reason) == (
                "cannot_judge",
                kind,
                "not_enough",
            )
            assert f"saved: cannot judge, {words} (s) - item {number}" in b.text()


async def test_reasons_are_those_of_the_label_with_text_and_clause(path: Path) -> None:
    async with bench(path) as b:
        await b.press("0")
        text = b.text()
        assert "w  Another organism than the need names [2.1]" in text
        assert "p  Only mentioned in passing [1.3]" in text
        assert "About the entity, organism and mechanism" not in text
        await b.press("a")  # a reason of another label
        assert b.labels() == []
        assert "a does nothing here" in b.text()


async def test_without_reasons_a_label_is_complete_at_once(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 2, reasons=())) as b:
        await b.press("1")
        assert b.labels() == [(1, "relevant", "")]
        await b.press("question_mark", "o")
        assert b.labels()[1:] == [(2, "cannot_judge", "")]


@pytest.mark.parametrize("key", ["escape", "u"])
async def test_a_label_can_be_dropped_before_its_reason(path: Path, key: str) -> None:
    async with bench(path) as b:
        await b.press("1", key)
        assert b.label.mode is Mode.OPEN
        await b.press("a")
        assert b.kinds() == []


async def test_another_label_key_changes_the_label_on_its_way(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "0", "w")
        assert b.labels() == [(1, "not_relevant", "wrong_organism")]


async def test_later_stays_open_and_comes_back_at_the_end(path: Path) -> None:
    async with bench(path) as b:
        await b.press("l")
        assert "saved: later - item 1" in b.text()
        assert "0 of 3 done, 1 later" in b.text()
        await b.press("question_mark", "o", "s", "1", "a")
        assert b.sitting.position == 1
        assert "2 of 3 done, 1 later" in b.text()


async def test_later_cannot_judge_and_a_label_are_three_different_acts(path: Path) -> None:
    async with bench(path) as b:
        await b.press("l", "question_mark", "c", "s", "1", "a")
        now = b.sitting.progress()
        assert (now.done, now.total, now.later) == (2, 3, 1)
        assert b.sitting.position == 1


async def test_a_labelled_item_cannot_be_put_off(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "[", "l")
        assert b.kinds() == ["label"]
        assert "l does nothing here" in b.text()


async def test_undo_takes_back_one_act_after_the_other(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "l", "u")
        assert b.sitting.position == 2
        assert "saved: undo of later - item 2" in b.text()
        await b.press("u")
        assert b.sitting.position == 1
        assert "saved: undo of relevant (a) - item 1" in b.text()
        assert b.sitting.item().label is None
        await b.press("u")
        assert "nothing to take back" in b.text()
        assert b.kinds() == ["label", "later", "undo", "undo"]


async def test_a_label_is_changed_by_labelling_again(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "[")
        assert "label: relevant (a) - About the entity, organism and mechanism" in b.text()
        await b.press("5", "s")
        assert b.labels() == [(1, "relevant", "about_the_need"), (1, "uncertain", "not_enough")]
        assert b.sitting.position == 2
        assert b.sitting.progress().done == 1


async def test_brackets_move_and_stop_at_the_ends(path: Path) -> None:
    async with bench(path) as b:
        await b.press("[")
        assert "this is the first item" in b.text()
        await b.press("]", "]")
        assert b.sitting.position == 3
        await b.press("]")
        assert "this is the last item" in b.text()
        assert b.kinds() == []


async def test_reopening_goes_on_at_the_exact_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "a", "l")
        await b.press("x")
        assert b.app.return_code == 0
    async with bench(path) as b:
        assert b.sitting.position == 3
        assert "item 3 of 3" in b.text()
        assert "1 of 3 done, 1 later" in b.text()


async def test_a_label_on_its_way_is_not_there_after_leaving(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "ctrl+q")
    async with bench(path) as b:
        assert b.kinds() == []
        assert b.label.mode is Mode.OPEN


async def test_evidence_is_what_was_on_the_screen_and_f_raises_it(tmp_path: Path) -> None:
    views = [view(1), view(2, abstract=None), view(3)]
    async with bench(make_packet(tmp_path / "A.packet", views)) as b:  # R47
        await b.press("1", "a", "0", "w", "f")
        assert "read: full text" in b.text()
        await b.press("1", "a")
        levels = [event.evidence for event in b.desk.events()]
        assert levels == ["abstract", "title", "full_text"]


async def test_full_text_is_said_per_item_and_can_be_taken_back(path: Path) -> None:
    async with bench(path) as b:
        await b.press("f", "1", "a")
        assert "read: abstract" in b.text()  # the next item starts from its abstract
        await b.press("f", "f", "1", "a")
        assert [event.evidence for event in b.desk.events()] == ["full_text", "abstract"]


async def test_a_label_below_the_level_is_warned_of_and_allowed(tmp_path: Path) -> None:
    views = [view(1, abstract=None), view(2, abstract=None), view(3)]
    async with bench(make_packet(tmp_path / "A.packet", views)) as b:  # R47
        assert "no abstract supplied" in b.text()
        await b.press("1")
        flat = " ".join(b.text().split())
        assert "This rests on the title; the rubric asks for the abstract" in flat
        assert "the label cannot become final" in flat
        await b.press("a")
        assert b.labels() == [(1, "relevant", "about_the_need")]
        assert "on the title: cannot become final" in b.text()
        await b.press("1", "f")
        assert "cannot become final" not in b.text()
        await b.press("escape", "question_mark", "n")
        assert "cannot become final" not in b.text()


async def test_a_missing_abstract_is_said(tmp_path: Path) -> None:
    views = [view(number, abstract=text) for number, text in enumerate((None, "", "  \n "), 1)]
    async with bench(make_packet(tmp_path / "A.packet", views)) as b:
        for position in (1, 2, 3):
            assert b.sitting.position == position
            assert "no abstract supplied" in b.text()
            await b.press("]")


async def test_a_new_need_is_announced(tmp_path: Path) -> None:
    first, second = view(1), view(2)
    other = type(second)(
        **{f: getattr(second, f) for f in second.__struct_fields__} | {"need": "N2"}
    )
    async with bench(make_packet(tmp_path / "A.packet", [first, other])) as b:
        assert "another need" not in b.text()
        await b.press("1", "a")
        assert "another need, item 2 of 2" in b.text()


async def test_label_keys_work_while_a_long_abstract_is_scrolled(tmp_path: Path) -> None:
    body = "\n".join(f"line {number:03}" for number in range(200))
    async with bench(make_packet(tmp_path / "A.packet", [view(1, abstract=body), view(2)])) as b:
        sheet = b.label.query_one("#sheet")
        page = sheet.size.height
        assert "line 000" in b.text()
        for key, top in [
            ("down", 1),
            ("up", 0),
            ("space", page - 2),
            ("pagedown", 2 * (page - 2)),
            ("pageup", page - 2),
            ("end", 204 - page),
            ("home", 0),
            ("end", 204 - page),
        ]:
            await b.press(key)
            assert sheet.scroll_offset.y == top, key
        assert "line 199" in b.text()
        assert NEED in b.text()  # always in view
        await b.press("1", "a")
        assert b.labels() == [(1, "relevant", "about_the_need")]
        assert sheet.scroll_offset.y == 0


async def test_arrows_scroll_and_never_change_the_item(path: Path) -> None:
    async with bench(path) as b:
        await b.press("down", "up", "left", "right", "tab", "enter", "backspace")
        assert b.sitting.position == 1
        assert b.kinds() == []


async def test_a_two_hundred_kilobyte_abstract_opens_and_is_labelled(tmp_path: Path) -> None:
    body = "alpha-synuclein aggregates in the substantia nigra " * 4000
    async with bench(make_packet(tmp_path / "A.packet", [view(1, abstract=body), view(2)])) as b:
        # 51 characters a sentence: 204,000 of them on lines of 78 cells.
        assert "more lines: Space" in b.text()
        await b.press("end", "0", "w")
        assert b.labels() == [(1, "not_relevant", "wrong_organism")]


async def test_time_left_comes_from_the_persons_own_pace(tmp_path: Path) -> None:
    async with bench(make_packet(tmp_path / "A.packet", 20)) as b:
        for _ in range(4):
            await b.press("1", "a", after=30)
        assert " left" not in b.text()
        await b.press("1", "a", after=30)
        # Five items at 60 s each; fifteen are left: 15 min.
        assert "5 of 20 done, 15 min left" in b.text()
        await b.press("1", after=3600)  # away for an hour: not counted
        await b.press("a", after=60)
        assert "6 of 20 done, 14 min left" in b.text()


async def test_criteria_and_keys_open_over_the_item_and_give_no_label(path: Path) -> None:
    async with bench(path) as b:
        await b.press("g")
        assert "1.1 The gene or drug of the need must be a subject of the record." in b.text()
        assert NEED in b.text()
        await b.press("1", "a", "x")
        assert b.label.pending is None
        await b.press("escape", "k")
        assert "Take back the newest label" in b.text() or "more lines" in b.text()
        await b.press("k", "f1")
        assert b.app.screen.query("#reader-sheet")
        await b.press("enter")
        assert b.app.screen is b.label
        assert b.kinds() == []


async def test_criteria_can_be_read_before_a_reason_is_chosen(path: Path) -> None:
    async with bench(path) as b:
        await b.press("1", "g", "end")
        assert "a  About the entity" in b.text()
        await b.press("g", "a")
        assert b.labels() == [(1, "relevant", "about_the_need")]


async def test_a_reason_key_comes_before_other_meanings_of_the_key(tmp_path: Path) -> None:
    from tests.tui.support import REASONS

    reasons = (type(REASONS[0])(code="g", key="g", labels=("relevant",), text="G", clause="1"),)
    async with bench(make_packet(tmp_path / "A.packet", 2, reasons=reasons)) as b:
        await b.press("1")
        assert "g criteria" not in b.text()
        await b.press("g")
        assert b.labels() == [(1, "relevant", "g")]
