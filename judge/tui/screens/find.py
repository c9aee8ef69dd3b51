"""A list of items to open one of: the history of the sitting, or what a search found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.widget import Widget

from judge.text import display_text, fold
from judge.tui.modes import Mode
from judge.tui.screens.base import DeskModal
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Block, Divider, Ends, Keys, Row, Text, compose
from judge.tui.widgets.plain import Plain


@dataclass(frozen=True)
class Entry:
    """A row: the item that it opens, what it says, and what a search looks at."""

    position: int
    text: str
    searched: str = ""
    """As it is stored; what is typed is compared with its folded form."""


class FindScreen(DeskModal[int | None]):
    """Ends with the position of the item chosen, or with None.

    With a ``scope``, a sentence on what is searched, it is a search; without one a mere list.

    Only the rows in view are drawn, so that the list may be of any length.
    """

    CSS_PATH = "find.tcss"

    def __init__(self, seat: Seat, title: str, entries: Sequence[Entry], *, scope: str) -> None:
        super().__init__(seat)
        self._title = title
        self._all = tuple(entries)
        self._scope = scope
        self._query = ""
        self._found = self._all
        self._folded: tuple[str, ...] | None = None
        """What is searched of each entry, made when the first letter is typed."""
        self._row = 0
        self._top = 0
        self._page = 1
        self._head = Plain(id="find-head")
        self._rows = Plain(id="find-rows")
        self._foot = Plain(id="find-foot")

    @property
    def mode(self) -> Mode:
        """Whether keys are text."""
        return Mode.SEARCH if self._scope else Mode.HISTORY

    def body(self) -> Iterable[Widget]:
        """Title and search, rows, keys."""
        yield self._head
        yield self._rows
        yield self._foot

    def redraw(self) -> None:
        """The rows in view, the chosen one marked by ``>``."""
        width = self.app.size.width - 2
        head: list[Block] = [Ends(self._title, self._count(), "strong")]
        if self._scope:
            head += [Text(self._scope, "quiet"), Text(f"Search: {self._query}_", limit=1)]
        head.append(Divider())
        foot: list[Block] = [Divider(), Keys(self.seat.keys.lines(self.mode))]
        room = self.app.size.height - len(compose(head, width)) - len(compose(foot, width))
        self._page = max(1, room)
        self._top = max(self._row - self._page + 1, min(self._top, self._row))
        shown = self._found[self._top : self._top + self._page]
        rows: list[Block] = [
            Row(
                ">" if number == self._row else "",
                entry.text,
                2,
                "strong" if number == self._row else "plain",
                limit=1,
            )
            for number, entry in enumerate(shown, self._top)
        ]
        self._head.show(*head)
        self._rows.show(*rows or [Text("nothing found" if self._query else "nothing yet")])
        self._foot.show(*foot)

    def _count(self) -> str:
        if len(self._found) < len(self._all):
            return f"{len(self._found)} of {len(self._all)}"
        return str(len(self._all))

    # --- typing ---------------------------------------------------------------------------------

    def take(self, key: str) -> bool:
        """In a search what types text is text; every other key is the registry's."""
        if self._scope and (len(key) == 1 or key in ("space", "backspace")):
            if key == "backspace":
                self._look_for(self._query[:-1])
            else:
                self._look_for(self._query + (" " if key == "space" else key))
            return True
        return super().take(key)

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is searched for, as one line."""
        if self._scope:
            event.stop()
            self._look_for(self._query + display_text(event.text, one_line=True))

    def _look_for(self, query: str) -> None:
        self._query, words = query, fold(query).split()
        if self._folded is None:
            self._folded = tuple(fold(display_text(entry.searched)) for entry in self._all)
        self._found = tuple(
            entry
            for entry, folded in zip(self._all, self._folded, strict=True)
            if all(word in folded for word in words)
        )
        self._row = self._top = 0
        self.redraw()

    # --- moving ---------------------------------------------------------------------------------

    def do_row_down(self) -> None:
        """The next row."""
        self._move(1)

    def do_row_up(self) -> None:
        """The row before."""
        self._move(-1)

    def do_rows_down(self) -> None:
        """A page of rows on."""
        self._move(self._page)

    def do_rows_up(self) -> None:
        """A page of rows back."""
        self._move(-self._page)

    def _move(self, rows: int) -> None:
        self._row = max(0, min(self._row + rows, len(self._found) - 1))
        self.redraw()

    def do_row_open(self) -> None:
        """Ends with the chosen item."""
        if self._found:
            self.dismiss(self._found[self._row].position)

    def do_list_leave(self) -> None:
        """Ends without one."""
        self.dismiss(None)

    do_history_leave = do_list_leave
