"""The questions after the lock, once the pool has grown."""

from __future__ import annotations

import pytest

from judge.errors import Refused
from judge.steps.context import Context
from judge.steps.guessing import guess_packet
from judge.steps.judging import collect_packet, make_packet, pool_study
from judge.steps.reporting import report_study
from judge.store.packet_file import read_packet
from tests.steps.acts import amend
from tests.steps.repeated import label_twice
from tests.steps.test_guessing import answer, context

__all__ = ["context"]


def test_what_a_deeper_pool_finds_at_both_is_not_asked(context: Context) -> None:
    # To depth 5 each mode finds four of 14 items alone; to depth 18 both find all of them.
    before = guess_packet(context, "A")
    assert read_packet(before).packet.items == 8
    answer(context, before, lambda system: system)
    collect_packet(context, before, "A")
    amend(context, "protocol.depth.pool", "18")
    pool_study(context)
    for code in "AB":
        path = make_packet(context, code)
        label_twice(path, code)
        collect_packet(context, path, code)
    with context.frozen() as work:
        assert len(work.pool) == 36
        assert {len({at.system for at in one.found_by}) for one in work.found} == {2}
    with pytest.raises(Refused, match="no item that B labelled was found by one system alone"):
        guess_packet(context, "B")
    # An answer to a question that has no right answer any more is not counted.
    assert report_study(context).report.blinding.guesses == ()
