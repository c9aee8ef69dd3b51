"""A text to read over the item: the criteria, or the keys."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Vertical
from textual.widget import Widget

from judge.tui.keymap import Keymap
from judge.tui.modes import Mode
from judge.tui.screens.base import DeskModal
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Block, Divider, Ends, Keys
from judge.tui.widgets.plain import Plain, Sheet


class ReaderScreen(DeskModal[None]):
    """A text of any length under a title."""

    CSS_PATH = "reader.tcss"

    def __init__(self, seat: Seat, title: str, blocks: Iterable[Block]) -> None:
        super().__init__(seat)
        self._title = Plain(id="reader-title")
        self._title.show(Ends(title, "", "strong"), Divider())
        self._blocks = tuple(blocks)
        self._more = Plain(id="reader-more")
        self.sheet = Sheet(id="reader-sheet")

    @property
    def mode(self) -> Mode:
        """Reading."""
        return Mode.READER

    def body(self) -> Iterable[Widget]:
        """Title, text, and what closes it."""
        with Vertical(id="reader-box"):
            yield self._title
            yield self._sheet()
            yield self._more

    def on_mount(self) -> None:
        """Shows the text from its top."""
        self._sheet().show(self._blocks)

    def on_sheet_scrolled(self) -> None:
        """Says whether there is more."""
        self._more.show(
            Divider(more(self._sheet(), self.seat.keys)), Keys(self.seat.keys.lines(Mode.READER))
        )

    def do_close(self) -> None:
        """Back to the item."""
        self.dismiss(None)


def more(sheet: Sheet, keys: Keymap) -> str:
    """Whether the text goes on out of sight, in words."""
    if sheet.below:
        lines = "line" if sheet.below == 1 else "lines"
        return f"{sheet.below} more {lines}: {keys.key('page_down')}"
    return f"end: {keys.key('page_up')} goes back" if sheet.above else ""
