"""A process at a real terminal: what was typed, all that came out, and what the screen shows."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.cells import cell_len

ROOT = Path(__file__).resolve().parents[2]
LIMIT_SECONDS = 30

# The child makes the pty its controlling terminal, so that closing it sends SIGHUP as a closed
# window does.
START = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from pathlib import Path
from judge.errors import JudgeError
from judge.tui.app import run
{before}
try:
    sys.exit(run(Path(sys.argv[1])))
except JudgeError as error:
    print("\\n".join(error.lines()), file=sys.stderr)
    sys.exit(error.exit_code)
"""

_SEQUENCE = re.compile(
    r"\x1b\[([<?>=]?[0-9;:]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^\[\]]"
)
"""A place, a style or a mode; a title, a link or a clipboard; a short one."""


class Shown:
    """The cells of a terminal of ``width`` by ``height``, from the bytes that it was sent.

    It knows what the desk makes use of: going to a place, clearing, and writing over cells.
    """

    def __init__(self, width: int = 80, height: int = 24) -> None:
        self.width, self.height = width, height
        self._decode = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._row = self._column = 0
        self.drawing = False
        """Whether an update is only half written."""
        self._clear()

    def _clear(self) -> None:
        self.cells = [[" "] * self.width for _ in range(self.height)]

    @property
    def text(self) -> str:
        """The lines of the screen, blanks at their ends cut."""
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, data: bytes) -> None:
        """Takes in bytes; a sequence that is cut off waits for its rest."""
        text, at = self._rest + self._decode.decode(data), 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
            elif found := _SEQUENCE.match(text, at):
                self._obey(found[1] or "", found[2] or "")
                at = found.end()
            else:
                break
        self._rest = text[at:]

    def _obey(self, numbers: str, letter: str) -> None:
        if letter == "H":
            row, _, column = numbers.partition(";")
            self._row, self._column = int(row or 1) - 1, int(column or 1) - 1
        elif letter == "J":
            self._clear()
        elif numbers == "?2026":
            self.drawing = letter == "h"

    def _put(self, character: str) -> None:
        if character == "\r":
            self._column = 0
        elif character == "\n":
            self._row = min(self._row + 1, self.height - 1)
        elif self._row < self.height and self._column < self.width:
            cells = cell_len(character)
            row = self.cells[self._row]
            if cells == 0 and self._column:
                row[self._column - 1] += character
                return
            row[self._column : self._column + cells] = [character] + [""] * (cells - 1)
            self._column += cells


class Terminal:
    """A process at a terminal of 80x24: what was typed, and all that came out."""

    def __init__(self, path: Path, *, before: str = "", **environment: str) -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        self.modes = termios.tcgetattr(slave)
        self.slave = slave
        known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TEXTUAL_THEME")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START.format(before=before), str(path)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            cwd=ROOT,
            env={**known, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
        )
        self.out = b""
        """All that came out."""
        self.shown = Shown()
        self._waited_for = 0

    def read(self, seconds: float = 0.1) -> bool:
        """Takes in what there is; whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        with suppress(OSError):
            came = os.read(self.master, 65536)
            self.out += came
            if b"\x1b[?2026$p" in came:  # can it draw a whole screen at once?
                self.type("\x1b[?2026;2$y")
            self.shown.feed(came)
        return True

    def sees(self, condition: Callable[[str], bool], what: str) -> None:
        """Waits until the text of the screen fulfils ``condition``."""
        end = time.monotonic() + LIMIT_SECONDS
        while self.shown.drawing or not condition(self.shown.text):
            assert time.monotonic() < end, f"{what} never came:\n{self.shown.text}"
            assert self.process.poll() is None or self.read(), f"it ended before {what}"
            self.read()

    def until(self, text: str, again: str = "") -> None:
        """Waits until ``text`` came out, after what was waited for before.

        Types ``again`` once more after every second without output: a key that comes while an
        item is being read is dropped.
        """
        end = time.monotonic() + LIMIT_SECONDS
        while (found := self.out.find(text.encode(), self._waited_for)) < 0:
            assert time.monotonic() < end, f"{text!r} never came: {self.out[-2000:]!r}"
            if not self.read(1.0) and again:
                self.type(again)
        self._waited_for = found

    def type(self, keys: str) -> None:
        """Types keys all at once."""
        os.write(self.master, keys.encode())

    def label(self, keys: str, saved: str) -> None:
        """A label key and its reason key, typed when the item has been there for a moment."""
        self.rest()
        self.type(keys[0])
        self.until("The key of a reason saves it")
        self.type(keys[1:])
        self.until(saved)

    def rest(self) -> None:
        """Waits until the dwell of the guard is over: a third of a second without any output."""
        while self.read(0.35):
            pass

    def end(self) -> int:
        """Waits for the process; returns its exit code."""
        end = time.monotonic() + LIMIT_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < end, "the process never ended"
            self.read()
        self.read(0)
        return self.process.returncode


@contextmanager
def terminal(path: Path, *, before: str = "", **environment: str) -> Iterator[Terminal]:
    """A terminal that leaves no process behind."""
    opened = Terminal(path, before=before, **environment)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
        opened.process.wait()
        for handle in (opened.master, opened.slave):
            with suppress(OSError):
                os.close(handle)
