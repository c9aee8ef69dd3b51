"""Scripted labels go through the desk as if they were typed, and never pass for a person's."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from judge.errors import Invalid, Refused
from judge.judgements.replay import DECLARATION, replay
from judge.records.judgement import Deal, Script
from judge.steps.context import Context
from judge.steps.judging import collect_packet, make_packet
from judge.store.packet_file import read_packet
from tests.steps.studies import START, context_of, copy_of, stage


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(copy_of(stage("pooled"), tmp_path))


def deal_of(context: Context, path: Path) -> Deal:
    packet_id = read_packet(path).packet.packet_id
    with context.frozen() as work:
        return next(deal for deal in work.deals if deal.packet_id == packet_id)


def scripts(deal: Deal) -> list[Script]:
    return [
        Script(
            query_id=item.query_id,
            record_id=item.record_id,
            label="relevant",
            reason="on_topic",
            evidence="abstract",
        )
        for item in reversed(deal.items)
    ]


def play(path: Path, deal: Deal, lines: list[Script]) -> int:
    return replay(
        path,
        deal,
        lines,
        monotonic=itertools.count().__next__,
        today=lambda: START[:10],
    )


def test_every_item_gets_the_label_of_its_need_and_record(context: Context) -> None:
    path = make_packet(context, "A", scripted=True)
    deal = deal_of(context, path)
    assert play(path, deal, scripts(deal)) == 7
    events = read_packet(path).events
    assert [event.kind for event in events] == ["label"] * 7 + ["hand_in"]
    assert events[-1].note == DECLARATION
    assert play(path, deal, scripts(deal)) == 0
    collect_packet(context, path, "A")
    with context.frozen() as work:
        origins = {given.origin for item in work.items for given in item.labels.values()}
    assert origins == {"scripted"}


def test_a_persons_packet_takes_no_script(context: Context) -> None:
    path = make_packet(context, "A")
    deal = deal_of(context, path)
    with pytest.raises(Refused, match="this packet is for a person"):
        play(path, deal, scripts(deal))
    assert read_packet(path).events == ()


def test_an_item_without_a_script_stops_before_the_first_label(context: Context) -> None:
    path = make_packet(context, "A", scripted=True)
    deal = deal_of(context, path)
    with pytest.raises(Invalid, match="2 dealt items have no scripted label") as error:
        play(path, deal, scripts(deal)[2:])
    assert len(error.value.problems) == 2
    assert read_packet(path).events == ()


def test_a_replay_that_was_stopped_goes_on(context: Context) -> None:
    path = make_packet(context, "A", scripted=True)
    deal = deal_of(context, path)

    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay(
            path,
            deal,
            scripts(deal),
            monotonic=itertools.count().__next__,
            today=lambda: START[:10],
            progress=stop,
        )
    assert len(read_packet(path).events) == 3
    assert play(path, deal, scripts(deal)) == 7
    assert len(read_packet(path).events) == 8
