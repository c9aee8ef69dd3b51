"""Ctrl-C while sources are asked: a real process, real sockets, and what is left to ask."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from judge.steps.context import Context
from tests.fakes.child import ROOT
from tests.fakes.server import Answer, FakeServer, Seen
from tests.runs.sources.fake import Library, article, environment
from tests.steps.test_sources import checks, study
from tests.steps.test_sources_resolving import answers

NUMBERS = ("1", "2", "3", "4")
PAPERS = Library(
    pubmed={one: article(one, f"Paper {one}", doi=f"10.1000/p{one}") for one in NUMBERS},
    crossref={f"10.1000/p{one}": {"DOI": f"10.1000/p{one}"} for one in NUMBERS},
    openalex={f"doi:10.1000/p{one}": {"is_retracted": False} for one in NUMBERS},
    converter={f"PMC{one}": {"pmcid": f"PMC{one}", "pmid": int(one)} for one in NUMBERS},
)


def judge(context: Context, url: str, command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "judge", command],
        cwd=context.study.root,
        env={**os.environ, **environment(url), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Hanging:
    """Never answers ``silent`` requests; ``there`` is set once one of each kind in ``awaited``
    has arrived. After `release` it answers everything."""

    def __init__(self, silent: Callable[[Seen], bool], awaited: frozenset[str]) -> None:
        self._silent = silent
        self._left = set(awaited)
        self._released = False
        self.there = threading.Event()

    def release(self) -> None:
        self._released = True

    def __call__(self, seen: Seen) -> Answer:
        if not self._released:
            self._left.discard(unquote(seen.path))
            if not self._left:
                self.there.set()
            if self._silent(seen):
                return Answer(hangs=True)
        return PAPERS(seen)


def stopped(context: Context, url: str, script: Hanging, command: str) -> str:
    """Starts a command and stops it by Ctrl-C where the script says so; what it said."""
    process = judge(context, url, command)
    assert script.there.wait(60)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 5, said
    assert "Traceback" not in said
    return said


def ended(context: Context, url: str, command: str) -> None:
    process = judge(context, url, command)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said


def test_a_check_that_is_stopped_keeps_what_every_source_answered(tmp_path: Path) -> None:
    """Two requests at once per source: when the fourth is there, two of the others are answered
    by each of two sources, so that at least one record is whole."""
    context = study(tmp_path, *({"pmid": one} for one in NUMBERS))
    last = frozenset({"/works/10.1000/p4", "/works/doi:10.1000/p4"})
    script = Hanging(lambda seen: unquote(seen.path) == "/works/10.1000/p4", last)
    with FakeServer(script) as server:
        said = stopped(context, server.url, script, "check-sources")
        kept = checks(context)
        assert 1 <= len(kept) <= 3
        assert f"{len(kept)} of 4 records were looked up" in said
        assert "judge check-sources goes on" in said
        assert all(one.says[2].retraction == "no_signal" for one in kept.values())
        script.release()
        before = len(server.seen)
        ended(context, server.url, "check-sources")
        again = {unquote(seen.path) for seen in server.seen[before:]}
    assert set(checks(context)) == {f"pmid:{one}" for one in NUMBERS}
    for record in kept:
        assert f"/works/10.1000/p{record.removeprefix('pmid:')}" not in again
    assert {one.number for one in checks(context).values()} == {1}


def test_resolving_that_is_stopped_keeps_the_batches_that_came(tmp_path: Path) -> None:
    pages = [{"pmcid": f"PMC{number}"} for number in range(1, 202)]
    context = study(tmp_path, *pages)
    first: list[str] = []

    def second_batch(seen: Seen) -> bool:
        if not first:
            first.append(seen.params["ids"])
        return seen.params["ids"] != first[0]

    class Second(Hanging):
        def __call__(self, seen: Seen) -> Answer:
            found = super().__call__(seen)
            if found.hangs:
                self.there.set()
            return found

    script = Second(second_batch, frozenset({"nothing"}))
    with FakeServer(script) as server:
        said = stopped(context, server.url, script, "resolve-ids")
        assert len(answers(context)) == 200
        assert "stopped by Ctrl-C; 200 of 201 PMCIDs have an answer" in said
        script.release()
        ended(context, server.url, "resolve-ids")
        assert [len(seen.params["ids"].split(",")) for seen in server.seen] == [200, 1, 1]
    assert len(answers(context)) == 201
