"""A sentence that has to be read: something was not saved."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Vertical
from textual.widget import Widget

from judge.errors import JudgeError
from judge.tui.modes import Mode
from judge.tui.screens.base import DeskModal
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Keys, Text
from judge.tui.widgets.plain import Plain


class ProblemScreen(DeskModal[None]):
    """Shows an error of a save. Closed by Esc or Enter alone, which give no label."""

    CSS_PATH = "problem.tcss"

    def __init__(self, seat: Seat, error: JudgeError) -> None:
        super().__init__(seat)
        self._text = Plain(id="problem-text")
        self._text.show(
            Text(f"NOT saved: {error.message}", "warn"),
            *([Text(f"Next: {error.hint}")] if error.hint else []),
            Text(""),
            Text("This item stays as it was. Every label that was called saved is on disk."),
            Text(""),
            Keys(seat.keys.lines(Mode.PROBLEM)),
        )

    @property
    def mode(self) -> Mode:
        """A problem is shown."""
        return Mode.PROBLEM

    def body(self) -> Iterable[Widget]:
        """The one text."""
        with Vertical(id="problem-box"):
            yield self._text

    def do_dismiss(self) -> None:
        """The person has read it."""
        self.dismiss(None)
