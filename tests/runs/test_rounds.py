"""Rounds: dated, opened once, closed when nothing is left out without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Invalid, Refused
from judge.records.attempt import Excused, RoundStep
from judge.records.run import RunRecord
from judge.runs.rounds import check_new, excuses, open_round, rounds
from judge.steps.capturing import Wish
from judge.steps.context import Context
from judge.steps.rounds import finish_round, list_rounds, start_round
from judge.steps.running import capture_study
from tests.fakes.adapter import good
from tests.fakes.server import Answer, FakeServer
from tests.fakes.study import frozen_study, wire

FROZEN = "2026-11-01T00:00:00Z"


def step(name: str, what: str, at_utc: str) -> RoundStep:
    return RoundStep(name=name, step="opened" if what == "opened" else "closed", at_utc=at_utc)


STEPS = (
    step("r1", "closed", "2026-11-02T00:00:00Z"),
    step("r2", "opened", "2026-11-03T00:00:00Z"),
)


def test_the_round_of_the_protocol_is_open_from_the_freeze_on() -> None:
    (only,) = rounds((), first="r1", frozen_utc=FROZEN, scored="r1")
    assert (only.name, only.opened_utc, only.closed_utc, only.scored) == ("r1", FROZEN, None, True)
    assert open_round((only,)) == only


def test_rounds_in_the_order_of_their_opening() -> None:
    found = rounds(STEPS, first="r1", frozen_utc=FROZEN, scored="r2")
    assert [(one.name, one.closed_utc, one.scored) for one in found] == [
        ("r1", "2026-11-02T00:00:00Z", False),
        ("r2", None, True),
    ]
    assert open_round(found).name == "r2"


def test_no_round_is_opened_over_an_old_one_or_beside_an_open_one() -> None:
    closed = rounds(STEPS[:1], first="r1", frozen_utc=FROZEN, scored="r1")
    check_new("r2", closed)
    with pytest.raises(Refused, match="every round is closed"):
        open_round(closed)
    with pytest.raises(Refused, match="r1 was opened at 2026-11-01"):
        check_new("r1", closed)
    with pytest.raises(Refused, match="always open"):
        check_new("development", closed)
    for name in ("", "a b", "a/b", "a\u200bb"):
        with pytest.raises(Invalid, match="cannot name a round"):
            check_new(name, closed)
    with pytest.raises(Refused, match="r2 is still open"):
        check_new("r3", rounds(STEPS, first="r1", frozen_utc=FROZEN, scored="r1"))


def test_reasons_are_read_and_every_wrong_one_is_named() -> None:
    known = [("b", "q1"), ("b", "q2"), ("c", "q1")]
    missing = [("b", "q1"), ("c", "q1")]
    assert excuses(["q1 at b: withdrawn: see mail", " q1 at c:x "], missing, known) == (
        Excused(query_id="q1", system="b", reason="withdrawn: see mail"),
        Excused(query_id="q1", system="c", reason="x"),
    )
    with pytest.raises(Invalid) as caught:
        excuses(["q1 b why", "q1 at b:", "q9 at b: why", "q2 at b: why"], missing, known)
    lines = caught.value.lines()[1:]
    assert len(lines) == 4
    assert "write 'QUERY at SYSTEM: why'" in lines[0]
    assert "write 'QUERY at SYSTEM: why'" in lines[1]
    assert "q9 at b was not planned" in lines[2]
    assert "q2 at b has an outcome already" in lines[3]


def captured(folder: Path, names: list[str]) -> Context:
    context = frozen_study(folder, names)
    with FakeServer(good) as server:
        capture_study(context, wish=Wish(limit=1), wire=wire(server.url))
    return context


def test_a_round_closes_only_with_an_outcome_or_a_reason_for_all(tmp_path: Path) -> None:
    context = captured(tmp_path, ["q1", "q2", "q3"])
    with pytest.raises(Refused) as caught:
        finish_round(context, ["q3 at b: the service was withdrawn"])
    assert "1 queries have no outcome (q2 at b)" in caught.value.message
    assert "--reason 'q2 at b: why'" in caught.value.hint
    reasons = ["q3 at b: the service was withdrawn", "q2 at b: the same"]
    done = finish_round(context, reasons)
    assert (done.outcomes, done.excused) == ({"answered": 1}, 2)
    with context.study.ledger(context.clock) as ledger:
        (closing,) = ledger.all(RoundStep)
    assert [one.reason for one in closing.excused] == ["the service was withdrawn", "the same"]


def test_a_failed_request_is_an_outcome_too(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(lambda _: Answer(b"{}", status=404)) as server:
        capture_study(context, wire=wire(server.url))
    assert finish_round(context).outcomes == {"rejected": 1}


def test_a_closed_round_takes_nothing_more_and_a_new_one_asks_all_again(tmp_path: Path) -> None:
    context = captured(tmp_path, ["q1"])
    finish_round(context)
    with FakeServer(good) as server:
        with pytest.raises(Refused, match="every round is closed"):
            capture_study(context, wish=Wish(retry_failed=True), wire=wire(server.url))
        assert server.seen == []
        assert start_round(context, "r2") == 1
        done = capture_study(context, wire=wire(server.url))
        assert (done.round, done.captured, len(server.seen)) == ("r2", 1, 1)
    with context.study.ledger(context.clock) as ledger:
        names = [run.run_id for run in ledger.all(RunRecord) if run.status == "executed"]
        assert ledger.problems() == []
    assert names == ["r1/b/q1/1", "r2/b/q1/1"]
    first, second = list_rounds(context)
    assert (first.name, first.scored, first.planned, first.outcomes) == (
        "r1",
        True,
        1,
        {"answered": 1},
    )
    assert (second.name, second.scored, second.closed_utc) == ("r2", False, None)
    assert second.opened_utc > first.opened_utc
