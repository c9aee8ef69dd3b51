"""Capture that is told to stop: what is under way, and what is known afterwards."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from judge.errors import Incomplete
from judge.runs.asking import Asking
from judge.steps.running import capture_study
from tests.fakes.adapter import FakeAdapter, good, paid
from tests.fakes.records import outcomes, stopped
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study, wire


def test_ctrl_c_waits_for_what_is_under_way_and_keeps_it(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, [f"q{number}" for number in range(20)])
    one = paid(FakeAdapter(facts=replace(FakeAdapter().facts, concurrency=1)))

    def script(seen: Seen) -> Answer:
        if seen.params["q"] == "q2":
            os.kill(os.getpid(), signal.SIGINT)
            return replace(good(seen), wait_s=0.2)
        return good(seen)

    with FakeServer(script) as server:
        early = stopped(context, server.url, one)
        assert len(server.seen) == 3
        assert "stopped after 3 of 20 queries" in early.message
        assert early.hint == "judge capture"
        assert early.result.in_doubt == ()
        capture_study(context, wire=wire(server.url, one))
        assert len(server.seen) == 20
        assert set(server.good.values()) == {1}


def test_a_second_ctrl_c_does_not_wait_and_the_next_capture_knows_the_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"])
    one = paid(FakeAdapter(facts=replace(FakeAdapter().facts, concurrency=1)))
    heard = threading.Event()
    stop = Asking.stop

    def hearing(asking: Asking, why: str) -> None:
        stop(asking, why)
        heard.set()

    monkeypatch.setattr(Asking, "stop", hearing)

    def script(seen: Seen) -> Answer:
        if seen.params["q"] == "q2":
            return good(seen)
        os.kill(os.getpid(), signal.SIGINT)
        heard.wait(20)  # two signals at one instant would be one
        os.kill(os.getpid(), signal.SIGINT)
        return Answer(hangs=True)

    with FakeServer(script) as server:
        early = stopped(context, server.url, one)
        assert (early.result.captured, early.result.left) == (0, 2)
        assert (early.result.paid, early.result.in_doubt) == (1, ("q1 at b",))
        early = stopped(context, server.url, one)
        assert early.result.in_doubt == ("q1 at b",)
        assert [seen.params["q"] for seen in server.seen] == ["q1", "q2"]
    assert outcomes(context) == {"q1": "in_doubt", "q2": "answered"}


def test_a_watcher_that_is_interrupted_stops_the_capture(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3"])
    one = FakeAdapter(facts=replace(FakeAdapter().facts, concurrency=1))

    def watch(what: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with FakeServer(good) as server, pytest.raises(Incomplete, match="stopped after 2 of 3"):
        capture_study(replace(context, progress=watch), wire=wire(server.url, one))
    assert outcomes(context) == {"q1": "answered", "q2": "answered"}
