"""Published faults of other clients, as whole captures: waits, stampedes, logged keys, re-paying.

The others of the same list are `test_bug_01` to `test_bug_18` beside the adapters and readers.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from judge.steps.running import StoppedEarly, capture_study
from tests.fakes.adapter import FakeAdapter, good, listed, paid
from tests.fakes.records import attempts, outcomes, records, stopped
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import FAST, frozen_study, wire


def test_bug_11_a_limit_without_a_wait_is_backed_off_recorded_and_resumable(
    tmp_path: Path,
) -> None:
    """allenai/s2-folks#84: 429 below the documented rate, and no Retry-After."""
    context = frozen_study(tmp_path, ["q1"])
    now = [0.0]
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0)
        slept.append(seconds)
        now[0] += seconds

    context = replace(context, monotonic=lambda: now[0])
    limits = replace(FAST, sends=5, backoff_s=1.0, longest_wait_s=4.0)
    with FakeServer(lambda seen: Answer(status=429) if seen.nth <= 5 else good(seen)) as server:
        outside = wire(server.url, limits=limits, sleep=sleep, chance=lambda: 0.0)
        capture_study(context, wire=outside)
        assert outcomes(context) == {"q1": "unavailable"}
        assert [one.outcome for one in attempts(context)] == ["transient"] * 5
        assert [one.status for one in attempts(context)] == [429] * 5
        # 1, 2, 4, and then the cap: between five sends there are four waits.
        assert slept == [1.0, 2.0, 4.0, 4.0]
        capture_study(context, wire=outside)
        assert outcomes(context) == {"q1": "answered"}
        assert len(server.seen) == 6


def test_bug_12_eight_queries_and_one_long_wait_end_the_run_without_a_stampede(
    tmp_path: Path,
) -> None:
    """NousResearch/hermes-agent#109234: everybody retried at the instant the wait was over."""
    context = frozen_study(tmp_path, [f"q{number}" for number in range(8)])
    answer = Answer(status=429, headers={"Retry-After": "600"})
    with FakeServer(lambda _: answer) as server:
        early = stopped(context, server.url, FakeAdapter())
        # Only what was under way when the first reply came; nothing twice, nothing after it.
        assert 1 <= len(server.seen) <= 4
        assert {seen.nth for seen in server.seen} == {1}
    assert "it resets at 2026-11-30T09:1" in early.result.ends["fake"]
    assert set(outcomes(context).values()) == {"quota"}
    assert early.result.left == 8 - len(outcomes(context))


def test_bug_13_no_log_line_holds_a_key_that_goes_in_the_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """encode/httpx#2760: the library's log prints every address, with the key in it."""
    key = "sk+Abc/9=~zZ"
    context = frozen_study(tmp_path, ["q1"])
    with caplog.at_level(logging.DEBUG), FakeServer(good) as server:
        capture_study(context, wire=wire(server.url, FakeAdapter(secret_at="param"), key=key))
        assert server.seen[0].params["api_key"] == key
    assert any(record.name.startswith("httpx") for record in caplog.records)
    lines = [record.getMessage() for record in caplog.records]
    assert not [line for line in lines if key in line or quote(key, safe="") in line]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert key.encode() not in data
            assert quote(key, safe="").encode() not in data


def test_bug_19_a_limit_on_page_nine_pays_for_no_earlier_page_again(tmp_path: Path) -> None:
    """A client that repeats the whole query pays for pages 1 to 8 a second time."""
    context = frozen_study(tmp_path, ["q1"], requested=20)

    def script(seen: Seen) -> Answer:
        page = int(seen.params["page"])
        if page == 9 and seen.nth == 1:
            return Answer(status=429, headers={"Retry-After": "600"})
        return Answer(listed(f"a{page}", f"b{page}", more=page < 10), good=True)

    with FakeServer(script) as server:
        stopped(context, server.url, paid())
        assert outcomes(context) == {"q1": "quota"}
        capture_study(context, wire=wire(server.url, paid()))
        assert [int(seen.params["page"]) for seen in server.seen] == [*range(1, 10), 9, 10]
        assert set(server.good.values()) == {1}
    hits = records(context)[-1].raw_results or ()
    assert [hit.record_id for hit in hits] == [
        f"{letter}{page}" for page in range(1, 11) for letter in "ab"
    ]


def test_bug_19_an_error_that_echoes_the_key_is_kept_without_it(tmp_path: Path) -> None:
    """The same client wrote the body of a 401, with the key in it, to its failures file."""
    context = frozen_study(tmp_path, ["q1"])
    key = "sk+Abc/9=~zZ"
    answer = Answer(f"key {key} is unknown".encode(), status=401)
    with FakeServer(lambda _: answer) as server, pytest.raises(StoppedEarly):
        capture_study(context, wire=wire(server.url, key=key))
    (one,) = attempts(context)
    assert one.redacted
    with context.study.ledger(context.clock) as ledger:
        assert ledger.blob(one.body or "") == b"key [removed] is unknown"
