"""Captures in processes of their own, so that they can be measured and killed.

One process loads everything, then forks for each capture that it is asked for on its standard
input. It answers with a line when a capture has started, and with one when it has ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]


class Nursery:
    """Starts captures. Use as a context manager."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fakes.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def start(self, folder: Path, url: str, **wishes: Any) -> int:
        """Starts a capture of the study in ``folder``; returns its process id."""
        assert self._process.stdin is not None
        line = json.dumps({"folder": str(folder), "url": url, **wishes})
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return int(self._answer()["pid"])

    def ended(self) -> dict[str, Any]:
        """Waits for the end of the capture that was started last; what it came to."""
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found


def resident_peak_kib() -> int:
    """The most memory this process has held. Not that of ``getrusage``, which counts the parent."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise LookupError("VmHWM")


def _capture(asked: dict[str, Any]) -> dict[str, Any]:
    from judge.steps.capturing import Wish
    from judge.steps.context import Context
    from judge.steps.running import StoppedEarly, capture_study
    from judge.study import Study
    from tests.fakes.adapter import FakeAdapter, paid
    from tests.fakes.study import FAST, wire

    adapter = paid() if asked["paid"] else FakeAdapter()
    limits = replace(FAST, sends=8, deadline_s=asked.get("deadline_s", FAST.deadline_s))
    wish = Wish(
        confirm_paid=asked.get("confirm_paid"),
        resend_in_doubt=asked.get("resend_in_doubt", False),
    )
    try:
        found = capture_study(
            Context(Study(Path(asked["folder"]))),
            wish=wish,
            wire=wire(asked["url"], adapter, limits=limits),
        )
    except StoppedEarly as early:
        found = early.result
    return {**vars(found), "peak_kib": resident_peak_kib()}


def _main() -> None:
    import judge.runs.client
    import judge.steps.running  # noqa: F401

    for line in sys.stdin:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            with os.fdopen(writer, "w") as pipe:
                json.dump(_capture(json.loads(line)), pipe)
            os._exit(0)
        os.close(writer)
        print(json.dumps({"pid": pid}), flush=True)
        with os.fdopen(reader) as pipe:
            text = pipe.read()
        _, status = os.waitpid(pid, 0)
        found = json.loads(text) if text else {}
        print(json.dumps({**found, "signal": status & 0x7F}), flush=True)


if __name__ == "__main__":
    _main()
