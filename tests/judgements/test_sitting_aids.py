"""What a sitting remembers for the person: acts, items seen, counts, a rest, the highlighting."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.judgements.lifecycle import fold
from judge.judgements.sitting import REMIND_EVERY, Sitting
from judge.store.desk import Desk
from tests.tui.support import Clock, make_packet


def sit(desk: Desk) -> Sitting:
    return Sitting(desk, monotonic=Clock(), today=lambda: "2026-01-16")


def test_the_history_is_of_this_sitting_newest_first_and_tells_what_was_taken_back(
    tmp_path: Path,
) -> None:
    path = make_packet(tmp_path / "A.packet", 5)
    with Desk(path) as desk:
        sit(desk).label("relevant", "about_the_need", evidence="abstract")
    with Desk(path) as desk:
        sitting = sit(desk)
        assert sitting.history() == []
        sitting.label("not_relevant", "wrong_organism", evidence="abstract")
        sitting.later()
        sitting.undo()
        assert [act.kind for act in sitting.history()] == ["undo", "later", "label"]
        assert [sitting.stands(act) for act in sitting.history()] == [True, False, True]


def test_items_seen_are_those_opened_now_or_acted_on_before(tmp_path: Path) -> None:
    path = make_packet(tmp_path / "A.packet", 9)
    with Desk(path) as desk:
        sitting = sit(desk)
        sitting.label("relevant", "about_the_need", evidence="abstract")
        sitting.later()
    with Desk(path) as desk:
        sitting = sit(desk)
        assert sitting.seen() == [1, 2]
        sitting.go(7)
        sitting.view()
        assert sitting.seen() == [1, 2, 7]
        assert [(title or "")[:8] for title in sitting.titles().values()] == [
            "Title 01",
            "Title 02",
            "Title 07",
        ]
        assert list(sitting.titles()) == [1, 2, 7]


def test_a_rest_is_due_after_every_so_many_items_each_counted_once(tmp_path: Path) -> None:
    with Desk(make_packet(tmp_path / "A.packet", 2 * REMIND_EVERY + 1, reasons=())) as desk:
        sitting = sit(desk)
        due = []
        for number in range(1, 2 * REMIND_EVERY + 1):
            sitting.go(number)
            sitting.label("relevant", "", evidence="abstract")
            if sitting.rest_due:
                due.append(number)
            sitting.go(number)
            sitting.label("uncertain", "", evidence="abstract")  # the same item again
            assert not sitting.rest_due
        assert due == [50, 100]


def test_highlighting_is_on_at_first_and_then_as_it_was_at_the_last_label(tmp_path: Path) -> None:
    path = make_packet(tmp_path / "A.packet", 3)
    with Desk(path) as desk:
        sitting = sit(desk)
        assert sitting.highlight
        sitting.label("relevant", "about_the_need", evidence="abstract", highlight=False)
    with Desk(path) as desk:
        assert not sit(desk).highlight


_STEP = st.tuples(st.integers(1, 4), st.sampled_from(["label", "later", "undo", "note"]))


@settings(max_examples=15, deadline=None)
@given(st.lists(_STEP, max_size=12))
def test_counts_kept_up_are_the_counts_of_all_events(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    path = tmp_path_factory.mktemp("counts") / "A.packet"
    with Desk(make_packet(path, 4, reasons=())) as desk:
        sitting = sit(desk)
        for position, act in steps:
            sitting.go(position)
            if act == "label":
                sitting.label("relevant", "", evidence="abstract")
            elif act == "note":
                sitting.note("n")
            elif act == "undo":
                sitting.undo()
            else:
                sitting.later()
        items = fold(desk.events(), 4).items.values()
        now = sitting.progress()
        assert now.done == sum(1 for item in items if item.label)
        assert now.later == sum(1 for item in items if item.later and not item.label)
