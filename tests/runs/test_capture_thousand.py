"""A thousand queries at a service that fails in every way, for free and for money."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from judge.records.run import RunRecord
from judge.runs.capture import current_runs
from tests.fakes.adapter import good, listed
from tests.fakes.child import ROOT, Nursery
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study

QUERIES = [f"q{number:04d}" for number in range(1000)]
DEADLINE_S = 2.0
LONG = "x" * 20_000
"""Padding: replies of about 20 KB, as real ones are."""


def fault(query: str, nth: int) -> str:
    """What the nth request for a query meets: 10 % 429, 5 % 500, 2 % half a reply, 1 % nothing."""
    lot = crc32(f"{query}/{nth}".encode()) % 100
    for share, name in ((10, "429"), (15, "500"), (17, "half"), (18, "hang")):
        if lot < share:
            return name
    return "good"


def script(seen: Seen) -> Answer:
    query = seen.params["q"]
    match fault(query, seen.nth):
        case "429":
            return Answer(b"slow down", status=429, headers={"Retry-After": "0.005"})
        case "500":
            return Answer(b"sorry", status=500)
        case "half":
            return Answer(listed(f"{query}-1", pad=LONG)[:10_000])
        case "hang":
            return Answer(hangs=True)
    return Answer(listed(f"{query}-1", pad=LONG), good=True)


def settling(name: str) -> list[str]:
    """Queries whose paid requests end with ``name``: what was paid for is not sent again."""
    ends = ("good", "hang", "half")
    return [
        query
        for query in QUERIES
        if next(met for nth in range(1, 9) if (met := fault(query, nth)) in ends) == name
    ]


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as found:
        yield found


def current(folder: Path) -> dict[str, RunRecord]:
    from judge.clock import system_clock
    from judge.store.ledger import Ledger

    with Ledger.open(folder / "study.db", system_clock) as ledger:
        runs = current_runs(ledger.all(RunRecord), "r1")
        assert ledger.problems() == []
    return {query: run for (_, query), run in runs.items()}


def interpreter_kib() -> int:
    """The most memory that an interpreter of its own holds."""
    code = "from tests.fakes.child import resident_peak_kib as peak; print(peak())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_a_free_service_answers_all_once_and_none_twice(nursery: Nursery, tmp_path: Path) -> None:
    frozen_study(tmp_path, QUERIES)
    with FakeServer(script) as server:
        nursery.start(tmp_path, server.url, paid=False, deadline_s=DEADLINE_S)
        done = nursery.ended()
        sent = Counter(seen.params["q"] for seen in server.seen)
    assert done["outcomes"] == {"b": {"answered": 1000}}
    assert set(server.good.values()) == {1}
    assert len(server.good) == 1000
    # Each query was sent as often as its lots say, and no more.
    first_good = {
        query: next(nth for nth in range(1, 9) if fault(query, nth) == "good") for query in QUERIES
    }
    assert sent == Counter(first_good)
    found = current(tmp_path)
    assert {(run.raw_results or ())[0].record_id for run in found.values()} == {
        f"{query}-1" for query in QUERIES
    }
    assert done["peak_kib"] - interpreter_kib() < 120 * 1024


def test_a_paid_service_is_never_paid_twice(nursery: Nursery, tmp_path: Path) -> None:
    frozen_study(tmp_path, QUERIES)
    doubt, half = [f"{query} at b" for query in settling("hang")], settling("half")
    answered = 1000 - len(doubt) - len(half)
    ends = {"answered": answered, "bad_reply": len(half), "in_doubt": len(doubt)}
    assert min(ends.values()) >= 5
    with FakeServer(script) as server:
        nursery.start(tmp_path, server.url, paid=True, confirm_paid=2000, deadline_s=DEADLINE_S)
        done = nursery.ended()
        assert sorted(done["in_doubt"]) == doubt
        assert done["outcomes"] == {"b": ends}
        assert set(server.good.values()) == {1}
        assert len(server.good) == answered
        assert done["paid"] == len(server.seen)
        before = len(server.seen)
        nursery.start(tmp_path, server.url, paid=True, deadline_s=DEADLINE_S)
        assert sorted(nursery.ended()["in_doubt"]) == doubt
        assert len(server.seen) == before
    outcomes = Counter(str(run.outcome) for run in current(tmp_path).values())
    assert outcomes == ends


def test_the_lots_are_what_they_are_said_to_be() -> None:
    counts = Counter(fault(query, 1) for query in QUERIES)
    assert 80 <= counts["429"] <= 120
    assert 35 <= counts["500"] <= 65
    assert 10 <= counts["half"] <= 30
    assert 5 <= counts["hang"] <= 15
    assert good(Seen("GET", "/search?q=q1&page=1", {}, b"", 1)).good
