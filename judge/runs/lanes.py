"""What is asked and of whom: jobs in the lanes of their services.

A lane is one service: its queue, its pace and its end. Lanes whose services share a key share one
gate, which the service closes for all who use that key.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.clock import Clock
from judge.protocol.freeze import run_id
from judge.records.run import Document, Notice, RunRecord
from judge.runs.exchange import Limits, Sender
from judge.runs.journal import Past
from judge.runs.pacing import Chance, Gate, Now, Pacer, Sleep
from judge.runs.providers.base import Adapter, Ask
from judge.runs.redact import Redactor

CONCURRENCY = 4
"""Requests under way at one service at most; its facts may allow fewer."""


@dataclass(frozen=True)
class Service:
    """A service as a system of the protocol uses it."""

    adapter: Adapter
    sender: Sender
    notices: tuple[Notice, ...] = ()
    """What every record of it says."""


@dataclass(frozen=True)
class Job:
    """One query for one system, and what is known of it from before."""

    plan: RunRecord
    ask: Ask
    past: Past = field(default_factory=Past)

    @property
    def run_id(self) -> str:
        """Of the execution that is to come."""
        return run_id(self.plan.round, self.plan.system, self.plan.query_id, self.plan.attempt + 1)


@dataclass(frozen=True)
class Surroundings:
    """What the loop touches of the world."""

    clock: Clock
    now: Now
    sleep: Sleep
    chance: Chance
    limits: Limits
    redactor: Redactor
    budget: int
    """Paid requests that may be sent."""
    done: Callable[[RunRecord], None]
    """Told of each query that has its outcome."""
    texts: Callable[[RunRecord], Sequence[Document]]
    """Neutral texts that a record brings with it."""


class StoppedError(Exception):
    """A query stays open, because the run of its service has ended."""


@dataclass
class Lane:
    """One service of a capture."""

    name: str
    jobs: deque[Job]
    pacer: Pacer
    gate: Gate
    concurrency: int
    sleep: Sleep
    over: asyncio.Event
    ended: str = ""
    """Why nothing more is sent; empty while it goes on."""
    misses: int = 0
    """Queries in a row that got no reply."""

    def end(self, why: str) -> None:
        """Nothing more is sent; the first reason stands."""
        self.ended = self.ended or why
        self.over.set()


def lanes_of(
    jobs: Iterable[Job], services: Mapping[str, Service], world: Surroundings
) -> list[Lane]:
    """The jobs in lanes, each in the order in which they came; ``services`` by system code."""
    lanes: dict[str, Lane] = {}
    gates: dict[str, Gate] = {}
    for job in jobs:
        facts = services[job.plan.system].adapter.facts
        if facts.name not in lanes:
            over = asyncio.Event()
            sleep = _until(over, world.sleep)
            lanes[facts.name] = Lane(
                name=facts.name,
                jobs=deque(),
                pacer=Pacer(facts.min_interval_s, now=world.now, sleep=sleep),
                gate=gates.setdefault(
                    facts.key_env or facts.name, Gate(now=world.now, chance=world.chance)
                ),
                concurrency=max(1, min(CONCURRENCY, facts.concurrency)),
                sleep=sleep,
                over=over,
            )
        lanes[facts.name].jobs.append(job)
    return list(lanes.values())


def _until(over: asyncio.Event, sleep: Sleep) -> Sleep:
    """A sleep that ends at once, with `StoppedError`, when a service's run is over."""

    async def nap(seconds: float) -> None:
        tasks = {asyncio.ensure_future(sleep(seconds)), asyncio.ensure_future(over.wait())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
        if over.is_set():
            raise StoppedError

    return nap
