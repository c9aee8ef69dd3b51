"""Scripted codes of failure review go through the desk, and never pass for a person's."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from judge.errors import Invalid, Refused
from judge.judgements.replay import DECLARATION, replay_codes
from judge.records.failure import FailureScript
from judge.records.judgement import Deal
from judge.steps.context import Context
from judge.steps.judging import collect_packet
from judge.steps.reviewing import failure_packet
from judge.store.packet_file import read_packet
from tests.steps.acts import at
from tests.steps.reviews import declare
from tests.steps.studies import START


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return declare(at("settled", tmp_path))


def dealt(context: Context, path: Path) -> tuple[Deal, dict[str, str]]:
    packet_id = read_packet(path).packet.packet_id
    with context.frozen() as work:
        deal = next(deal for deal in work.deals if deal.packet_id == packet_id)
        return deal, {run.run_id: run.system for run in work.runs}


def play(context: Context, path: Path, lines: list[FailureScript]) -> int:
    deal, systems = dealt(context, path)
    return replay_codes(
        path,
        deal,
        lines,
        systems,
        monotonic=itertools.count().__next__,
        today=lambda: START[:10],
    )


OTHER = FailureScript(query_id="q3", system="K", categories=("other",), note="Odd words.")


def test_a_line_is_coded_and_an_item_without_one_has_nothing_to_name(context: Context) -> None:
    path = failure_packet(context, "A", scripted=True)
    deal, systems = dealt(context, path)
    assert play(context, path, [OTHER]) == len(deal.items)
    events = read_packet(path).events
    assert [event.kind for event in events] == ["code"] * len(deal.items) + ["hand_in"]
    assert events[-1].note == DECLARATION
    said = {(e.position, e.categories, e.note) for e in events if e.categories or e.note}
    (position,) = (
        item.position
        for item in deal.items
        if (item.query_id, systems[item.run_id], item.rank) == ("q3", "K", None)
    )
    assert said - {(None, (), DECLARATION)} == {(position, ("other",), "Odd words.")}
    assert play(context, path, [OTHER]) == 0
    assert collect_packet(context, path, "A").events == len(events)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([FailureScript(query_id="q3", system="K", rank=1)], "1 scripted codes are of nothing"),
        ([OTHER, OTHER], "1 stand twice"),
    ],
)
def test_a_line_that_fits_nothing_is_refused(
    context: Context, lines: list[FailureScript], said: str
) -> None:
    path = failure_packet(context, "A", scripted=True)
    with pytest.raises(Invalid, match=said):
        play(context, path, lines)
    assert read_packet(path).events == ()


def test_the_packet_of_a_person_takes_no_script(context: Context) -> None:
    path = failure_packet(context, "A")
    with pytest.raises(Refused, match="this packet is for a person"):
        play(context, path, [OTHER])
    assert read_packet(path).events == ()
