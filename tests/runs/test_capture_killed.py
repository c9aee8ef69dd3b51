"""A paid capture, killed twenty times in the middle, pays for nothing twice."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections import Counter
from pathlib import Path

from judge.clock import system_clock
from judge.records.attempt import Attempt, Intent
from judge.records.run import RunRecord
from judge.runs.capture import current_runs
from judge.store.ledger import Ledger
from tests.fakes.adapter import good
from tests.fakes.child import Nursery
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study

KILLS = 20
QUERIES = [f"q{number:03d}" for number in range(180)]


class Executioner:
    """Answers a few requests of each life of the client; of the next one it tells, at once.

    In most lives that one is never answered: the client dies between its intent and its record.
    In every fifth life it is answered while the client is being killed.
    """

    def __init__(self) -> None:
        self.told: queue.Queue[str] = queue.Queue()
        self._lock = threading.Lock()
        self._left = 0
        self._answers_last = False

    def begin(self, life: int) -> None:
        with self._lock:
            self._left = life % 5
            self._answers_last = life % 5 == 4

    def release(self) -> None:
        with self._lock:
            self._left = 10**6

    def __call__(self, seen: Seen) -> Answer:
        with self._lock:
            self._left -= 1
            if self._left >= 0:
                return good(seen)
            self.told.put(seen.params["q"])
            return good(seen) if self._answers_last else Answer(hangs=True)


def unanswered(folder: Path) -> set[tuple[str, int]]:
    """Intents without a record of what came."""
    with Ledger.open(folder / "study.db", system_clock) as ledger:
        assert ledger.problems() == []
        intents = {(one.run_id, one.number) for one in ledger.all(Intent)}
        return intents - {(one.run_id, one.number) for one in ledger.all(Attempt)}


def outcomes(folder: Path) -> dict[str, str]:
    with Ledger.open(folder / "study.db", system_clock) as ledger:
        runs = current_runs(ledger.all(RunRecord), "r1")
    return {query: str(run.outcome) for (_, query), run in runs.items()}


def test_twenty_kills_and_no_answer_is_paid_for_twice(tmp_path: Path) -> None:
    frozen_study(tmp_path, QUERIES, requested=2)
    executioner = Executioner()
    between = 0
    known: set[tuple[str, int]] = set()
    with Nursery() as nursery, FakeServer(executioner) as server:
        for life in range(KILLS):
            executioner.begin(life)
            pid = nursery.start(tmp_path, server.url, paid=True, confirm_paid=1000)
            executioner.told.get(timeout=60)
            os.kill(pid, signal.SIGKILL)
            assert nursery.ended() == {"signal": signal.SIGKILL}
            while not executioner.told.empty():
                executioner.told.get_nowait()
            found = unanswered(tmp_path)
            between += bool(found - known)
            known |= found
        assert between >= 15

        executioner.release()
        nursery.start(tmp_path, server.url, paid=True, confirm_paid=1000)
        done = nursery.ended()
        sent = Counter(seen.params["q"] for seen in server.seen)
        # Nobody was asked for the same thing twice, in doubt or not.
        assert max(sent.values()) == 1
        assert set(server.good.values()) == {1}
        # Whoever is not answered is in doubt, and is listed.
        found_outcomes = outcomes(tmp_path)
        in_doubt = {query for query, outcome in found_outcomes.items() if outcome == "in_doubt"}
        assert set(found_outcomes) == set(QUERIES)
        assert set(found_outcomes.values()) == {"answered", "in_doubt"}
        assert {f"{query} at b" for query in in_doubt} == set(done["in_doubt"])
        assert {run_id.split("/")[2] for run_id, _ in known} == in_doubt
        assert set(QUERIES) - set(sent) <= in_doubt

        # On wish they are sent again, each once, and nobody else is.
        nursery.start(tmp_path, server.url, paid=True, confirm_paid=1000, resend_in_doubt=True)
        assert nursery.ended()["in_doubt"] == []
        again = Counter(seen.params["q"] for seen in server.seen) - sent
        assert again == Counter(in_doubt)
    assert set(outcomes(tmp_path).values()) == {"answered"}
