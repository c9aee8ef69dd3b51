"""How fast a service is asked, with a clock that only moves when somebody sleeps or works."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.runs.pacing import JITTER, Gate, Pacer, backoff, later, retry_after

NOW = "2026-11-30T09:00:00Z"


class FakeTime:
    """Seconds that pass in sleep alone; ``early`` is the share of a sleep that really passes."""

    def __init__(self, early: Callable[[], float] = lambda: 1.0) -> None:
        self.at = 0.0
        self._early = early

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        # A timer may fire early, never by more than its grain: what is left is slept again.
        self.at += max(seconds * self._early(), 1e-4)
        await asyncio.sleep(0)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def sends_of(pacer: Pacer, time: FakeTime, delays: list[tuple[float, float]]) -> list[float]:
    """When each of several askers sent; a delay before asking, and one inside the turn."""
    sent: list[float] = []

    async def ask(before: float, inside: float) -> None:
        time.at += before
        async with pacer.turn():
            time.at += inside
        sent.append(time.now())

    async def all_of_them() -> None:
        async with asyncio.TaskGroup() as group:
            for before, inside in delays:
                group.create_task(ask(before, inside))

    run(all_of_them())
    return sent


@given(
    interval=st.floats(0.01, 5),
    delays=st.lists(st.tuples(st.floats(0, 3), st.floats(0, 3)), min_size=2, max_size=30),
    seed=st.integers(0, 1000),
)
def test_no_window_holds_more_sends_than_the_rate_allows(
    interval: float, delays: list[tuple[float, float]], seed: int
) -> None:
    chance = random.Random(seed)
    time = FakeTime(early=lambda: chance.uniform(0.5, 1.0))
    sent = sends_of(Pacer(interval, now=time.now, sleep=time.sleep), time, delays)
    # n sends in a window of n intervals is the rate; n + 1 sends span n intervals at least.
    for first in range(len(sent)):
        for last in range(first + 1, len(sent)):
            assert sent[last] - sent[first] >= (last - first) * interval - 1e-9


def test_three_a_second_is_never_four_from_the_first_second_on() -> None:
    # A bucket that starts full lets five through in the first second; NCBI counts three.
    time = FakeTime()
    sent = sends_of(Pacer(0.34, now=time.now, sleep=time.sleep), time, [(0.0, 0.0)] * 12)
    assert [round(at, 2) for at in sent[:4]] == [0.0, 0.34, 0.68, 1.02]
    assert max(sum(start <= at < start + 1 for at in sent) for start in sent) == 3


def test_a_slow_disk_inside_a_turn_brings_no_two_sends_together() -> None:
    time = FakeTime()
    delays = [(0.0, 0.9), (0.0, 0.0), (0.0, 0.0)]
    sent = sends_of(Pacer(1.0, now=time.now, sleep=time.sleep), time, delays)
    assert sent == pytest.approx([0.9, 1.9, 2.9])


def test_without_an_interval_nobody_waits() -> None:
    time = FakeTime()
    assert sends_of(Pacer(0.0, now=time.now, sleep=time.sleep), time, [(0, 0)] * 3) == [0, 0, 0]


@given(chances=st.lists(st.integers(0, 99).map(lambda n: n / 100), min_size=8, max_size=8))
def test_one_gate_holds_everybody_and_lets_them_out_one_by_one(chances: list[float]) -> None:
    # Eight workers and one Retry-After: 600. Nobody goes before it is over.
    time = FakeTime()
    drawn = iter(chances * 10)
    gate = Gate(now=time.now, chance=lambda: next(drawn))
    gate.close(600)
    through: list[float] = []

    async def worker(own: FakeTime) -> None:
        await gate.passed(own.sleep)
        through.append(own.at)

    async def everybody() -> None:
        for _ in range(8):
            time.at = 0.0
            await worker(time)

    run(everybody())
    assert min(through) >= 600
    assert max(through) <= 600 * (1 + JITTER) + 1e-6
    assert len(set(through)) == len(set(chances))


def test_a_gate_that_closes_again_is_waited_for_again_and_a_shorter_wait_opens_nothing() -> None:
    time = FakeTime()
    gate = Gate(now=time.now, chance=lambda: 0.0)
    gate.close(10)
    gate.close(1)
    assert gate.wait() == 10

    async def sleep(seconds: float) -> None:
        if time.at == 0.0:
            gate.close(30)
        time.at += seconds

    run(gate.passed(sleep))
    assert time.at == 30
    assert gate.wait() == 0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("0.5", 0.5),
        ("26000", 26_000),
        # Dates count from the server's own Date, which is ten minutes behind our clock here.
        ("Mon, 30 Nov 2026 08:51:30 GMT", 90),
        ("Mon, 30 Nov 2026 08:00:00 GMT", 0),
        ("Monday, 30-Nov-26 08:51:00 GMT", 60),
        ("", None),
        (None, None),
        ("soon", None),
        ("-5", None),
        ("1e3", None),
        ("nan", None),
        ("inf", None),
        ("１２", None),
        ("99999999999999999999", None),
        ("Mon, 99 Nov 2026 08:00:00 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, "Mon, 30 Nov 2026 08:50:00 GMT", NOW) == seconds


def test_a_date_without_the_servers_own_counts_from_our_clock() -> None:
    assert retry_after("Mon, 30 Nov 2026 09:00:30 GMT", None, NOW) == 30
    assert retry_after("Mon, 30 Nov 2026 09:00:30 GMT", "no date", NOW) == 30


def test_waits_double_up_to_the_cap() -> None:
    assert [backoff(sent, 1.0, 10.0) for sent in (1, 2, 3, 4, 5)] == [1, 2, 4, 8, 10]


@pytest.mark.parametrize(
    ("seconds", "moment"),
    [(0, NOW), (0.2, "2026-11-30T09:00:01Z"), (5339, "2026-11-30T10:28:59Z")],
)
def test_the_moment_at_which_a_quota_comes_back(seconds: float, moment: str) -> None:
    assert later(NOW, seconds) == moment
