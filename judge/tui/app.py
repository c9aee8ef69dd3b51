"""The labelling desk as a program: opens a packet, runs the screens, ends cleanly.

Nothing is kept in memory that is worth saving: every act is committed when it is made, so that
the end of the process, by whatever means, loses nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from rich.text import Text
from textual.app import App

from judge.errors import Refused
from judge.judgements.coding import CodingSitting
from judge.judgements.guesses import Guessing
from judge.judgements.sitting import Sitting
from judge.judgements.sittings import sit_down
from judge.store.desk import Desk
from judge.tui.guard import KeyGuard
from judge.tui.keymap import Keymap, check_reasons, key_file, read_keys
from judge.tui.look import HIGH_CONTRAST, LOOKS, NO_COLOUR, chosen_look
from judge.tui.screens.failures import FailureOverview, FailureScreen
from judge.tui.screens.guess import GuessScreen
from judge.tui.screens.label import LabelScreen
from judge.tui.screens.overview import OverviewScreen
from judge.tui.seat import Seat
from judge.tui.terms import Terms
from judge.tui.words import leaving

_GRACE_SECONDS = 3.0
"""How long a signal waits for an orderly end before the process is ended."""


def run(path: Path, *, log: Path | None = None) -> int:
    """Lets a person label the packet at ``path``; returns the exit code.

    The keys come from `judge.tui.keymap.key_file`, the colours from ``JUDGE_THEME``. A crash is
    logged to ``log``, by default ``<packet>.log`` beside it. Raises before anything is drawn:
    `Invalid` for a file of keys or terms or a theme that cannot be used; `Refused` or `Integrity`
    for a packet that cannot be opened, and where standard input and standard error (which the
    screens are drawn on) are not a terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            f"{path}: this is not a terminal, so nothing could be shown or typed",
            hint="run the command in a terminal, without pipes",
        )
    file, required = key_file()
    keys, look = read_keys(file, required=required), chosen_look(os.environ)
    with Desk(path) as desk:
        check_reasons(keys, desk.packet.reasons)
        terms = Terms.at(path)
        sitting = sit_down(desk, monotonic=time.monotonic, today=_today)
        log = log or path.with_name(path.name + ".log")
        app = DeskApp(
            sitting,
            monotonic=time.monotonic,
            log_path=log,
            terms=terms,
            keys=keys,
            look=look,
        )
        # Without the mouse the terminal's own selection copies text, and its wheel sends arrows.
        app.run(mouse=False)
        if not app.return_code:
            said = leaving(sitting.packet, sitting.progress(), handed_in=sitting.handed_in)
            print(said, file=sys.stderr)
        return app.return_code or 0


def _today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


class DeskApp(App[None], inherit_bindings=False):
    """The screens of one sitting."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False

    def __init__(
        self,
        sitting: Sitting,
        *,
        monotonic: Callable[[], float],
        log_path: Path,
        terms: Terms,
        keys: Keymap | None = None,
        look: str = LOOKS["dark"],
    ) -> None:
        # Without colour the terminal's own two colours are used, and nothing else. The filter
        # that drops colours is chosen inside __init__, so the choice is made before it: set
        # later, the same theme draws black on black.
        super().__init__(ansi_color=True if look == NO_COLOUR else None)
        self.register_theme(HIGH_CONTRAST)
        self.theme = look
        self.seat = Seat(sitting, KeyGuard(monotonic), terms, keys or Keymap())
        self._log_path = log_path

    def on_mount(self) -> None:
        """Opens the item where the person left off; a locked packet shows its summary alone."""
        self._end_on_signals()
        sitting = self.seat.sitting
        if isinstance(sitting, CodingSitting):
            coding = FailureOverview if sitting.handed_in else FailureScreen
            self.push_screen(coding(self.seat, sitting))
        elif sitting.handed_in:
            self.push_screen(OverviewScreen(self.seat))
        elif isinstance(sitting, Guessing):
            self.push_screen(GuessScreen(self.seat))
        else:
            self.push_screen(LabelScreen(self.seat))

    # --- the end --------------------------------------------------------------------------------

    def _end_on_signals(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self._end, 128 + number)

    def _end(self, code: int) -> None:
        """Restores the terminal and ends. Where that cannot be done in time, just ends."""
        last_resort = threading.Timer(_GRACE_SECONDS, os._exit, (code,))
        last_resort.daemon = True
        last_resort.start()
        self.exit(return_code=code)

    def _fatal_error(self) -> None:
        """A fault of ours: one line and the log's path, never a local variable.

        Textual would print every local of every frame. A fault in here would leave the terminal
        hanging, so nothing in here may fail.
        """
        error = sys.exc_info()[1] or self._exception
        try:
            where = f"the log is {self._write_log(error)}"
        except Exception as fault:
            where = f"no log could be written ({type(fault).__name__})"
        kept = "the desk stopped on a fault of its own; every label it called saved is kept"
        self._exit_renderables[:] = [Text(f"ERROR: {kept}; {where}")]
        self._close_messages_no_wait()

    def _write_log(self, error: BaseException | None) -> Path:
        lines = traceback.format_exception(error) if error else ["no traceback\n"]
        handle = os.open(self._log_path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}\n{''.join(lines)}\n")
        return self._log_path
