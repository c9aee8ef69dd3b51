"""The program around the screens: refusals before it starts, and what a crash leaves behind."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from textual.app import App
from textual.worker import WorkerFailed

from judge.errors import Refused
from judge.judgements.sitting import Sitting
from judge.tui.app import DeskApp, run
from tests.tui.support import bench, make_packet

pytestmark = pytest.mark.anyio

CRASH = "a fault that nobody foresaw"


def test_without_a_terminal_it_refuses_before_the_packet_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_packet(tmp_path / "A.packet", 1)

    class Piped:
        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Piped())
    with pytest.raises(Refused, match="not a terminal"):
        run(path)
    assert not path.with_name("A.packet.lock").exists()


def test_textual_still_has_the_hook_that_hides_local_variables() -> None:
    # Private names of Textual that the crash handler rests on.
    for name in ("_fatal_error", "_close_messages_no_wait"):
        assert callable(getattr(App, name))
    assert "_fatal_error" in vars(DeskApp)


async def crash(path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lets a save fail in a way that is no `JudgeError`; returns what is printed on the way out."""

    def fails(*_: object, **__: object) -> None:
        secret = "-".join(["a", "local", "value"])
        raise ZeroDivisionError(CRASH if secret else "")

    monkeypatch.setattr(Sitting, "label", fails)
    printed: list[str] = []
    monkeypatch.setattr(
        DeskApp,
        "_print_error_renderables",
        lambda app: printed.extend(str(line) for line in app._exit_renderables),
    )

    async def label() -> None:
        async with bench(path, log=log) as b:
            await b.press("1")
            await b.pilot.press("a")
            await b.until(lambda: b.app.return_code is not None)

    with pytest.raises(WorkerFailed, match=CRASH):
        await label()
    return printed


async def test_a_crash_says_one_line_and_logs_no_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "crash.log"
    printed = await crash(make_packet(tmp_path / "A.packet", 1), log, monkeypatch)
    assert printed == [
        "ERROR: the desk stopped on a fault of its own; every label it called saved is kept; "
        f"the log is {log}"
    ]
    text = log.read_text("utf-8")
    assert f"ZeroDivisionError: {CRASH}" in text
    assert "a-local-value" not in text
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


async def test_a_log_that_cannot_be_written_does_not_hang_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "no such folder" / "crash.log"
    printed = await crash(make_packet(tmp_path / "A.packet", 1), log, monkeypatch)
    assert len(printed) == 1
    assert printed[0].endswith("no log could be written (FileNotFoundError)")
