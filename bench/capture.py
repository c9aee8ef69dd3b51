"""Requests per second, and CPU for each, of the capture loop beside a bare loop that keeps nothing.

    python -m bench.capture [QUERIES]

All ask the same server on this machine, which answers at once, four requests at a time and
through the same HTTP library. Capture classifies, reads and keeps every reply on disk meanwhile.
The aim is no more than twice the CPU of the bare loop.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import httpx

from judge.steps.capturing import Wish
from judge.steps.running import capture_study
from tests.fakes.adapter import FakeAdapter, listed, paid
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study, wire

CONCURRENCY = 4
RESULTS = 20
QUERIES = 1000


def main() -> None:
    """Prints a line for each loop."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else QUERIES
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    url = here.recv()
    _bare(url, 50)  # what is done once is no part of what is measured
    loops: tuple[tuple[str, Callable[[], float]], ...] = (
        ("bare loop", lambda: _cpu(lambda: _bare(url, queries))),
        ("capture, free", lambda: _capture(url, queries, FakeAdapter())),
        ("capture, paid", lambda: _capture(url, queries, paid())),
    )
    base = 0.0
    for name, loop in loops:
        start = time.perf_counter()
        cpu = loop()
        wall = time.perf_counter() - start
        base = base or cpu
        print(
            f"{name:<14} {queries / wall:7.0f} requests/s  {1000 * cpu / queries:6.2f} ms CPU each"
            f"  {cpu / base:5.2f} times the bare loop"
        )
    here.send("stop")
    server.join()


def _serve(there: Connection) -> None:
    with FakeServer(_answer) as server:
        there.send(server.url)
        there.recv()


def _answer(seen: Seen) -> Answer:
    return Answer(listed(*(f"{seen.params['q']}-{rank}" for rank in range(RESULTS))))


def _bare(url: str, queries: int) -> None:
    async def ask(client: httpx.AsyncClient, numbers: range) -> None:
        for number in numbers:
            reply = await client.get(url + "/search", params={"q": f"q{number}", "page": "1"})
            reply.raise_for_status()

    async def run() -> None:
        async with httpx.AsyncClient(trust_env=False) as client, asyncio.TaskGroup() as group:
            for first in range(CONCURRENCY):
                group.create_task(ask(client, range(first, queries, CONCURRENCY)))

    asyncio.run(run())


def _capture(url: str, queries: int, adapter: FakeAdapter) -> float:
    with tempfile.TemporaryDirectory() as folder:
        names = [f"q{number}" for number in range(queries)]
        context = frozen_study(Path(folder), names, requested=RESULTS)
        wish = Wish(confirm_paid=queries * adapter.facts.calls(RESULTS))
        return _cpu(lambda: capture_study(context, wish=wish, wire=wire(url, adapter)))


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process, all its threads included."""
    before = time.process_time()
    work()
    return time.process_time() - before


if __name__ == "__main__":
    main()
