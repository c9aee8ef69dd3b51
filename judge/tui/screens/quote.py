"""Choosing words of the abstract, to quote them in the note."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from judge.judgements.quote import Passage
from judge.tui.modes import Mode
from judge.tui.screens.base import DeskModal
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Divider, Ends, Keys, Text
from judge.tui.widgets.passage import PassageView
from judge.tui.widgets.plain import Plain


class QuoteScreen(DeskModal[tuple[int, int] | None]):
    """Ends with the place of the quote in the stored text, or with None."""

    CSS_PATH = "quote.tcss"

    def __init__(self, seat: Seat, passage: Passage) -> None:
        super().__init__(seat)
        self._head = Plain(id="quote-head")
        self.view = PassageView(passage, id="quote-text")
        self._foot = Plain(id="quote-foot")

    @property
    def mode(self) -> Mode:
        """Choosing."""
        return Mode.QUOTE

    def body(self) -> Iterable[Widget]:
        """The abstract, and below it what is chosen."""
        yield self._head
        yield self.view
        yield self._foot

    def redraw(self) -> None:
        """What is chosen, in words: reverse alone could be missed."""
        first, last = self.view.chosen
        passage = self.view.passage
        text = passage.shown[passage.words[first].shown_start : passage.words[last].shown_end]
        count = last - first + 1
        take = self.seat.keys.key("quote_take")
        if self.view.begun is None:
            mark = self.seat.keys.key("quote_mark")
            said = f"{mark} starts the quote here; {take} takes this word alone: {text}"
        else:
            said = f"{count} {'word' if count == 1 else 'words'}: {text}"
        self._head.show(Ends("Quote from the abstract", "", "strong"), Divider())
        self._foot.show(Divider(), Text(said, limit=2), Keys(self.seat.keys.lines(Mode.QUOTE)))

    def take(self, key: str) -> bool:
        """Every key may have moved the cursor."""
        known = super().take(key)
        if self.is_current:
            self.redraw()
        return known

    def do_word_on(self) -> None:
        """The next word."""
        self.view.to_word(self.view.cursor + 1)

    def do_word_back(self) -> None:
        """The word before."""
        self.view.to_word(self.view.cursor - 1)

    def do_quote_down(self) -> None:
        """A line down."""
        self.view.by_lines(1)

    def do_quote_up(self) -> None:
        """A line up."""
        self.view.by_lines(-1)

    def do_quote_page_down(self) -> None:
        """A page down."""
        self.view.by_lines(max(1, self.view.size.height - 2))

    def do_quote_page_up(self) -> None:
        """A page up."""
        self.view.by_lines(-max(1, self.view.size.height - 2))

    def do_quote_mark(self) -> None:
        """Starts the choice at the cursor; drops it where there is one."""
        self.view.begun = self.view.cursor if self.view.begun is None else None
        self.view.refresh()

    def do_quote_take(self) -> None:
        """Ends with what is chosen."""
        first, last = self.view.chosen
        words = self.view.passage.words
        self.dismiss((words[first].start, words[last].end))

    def do_quote_leave(self) -> None:
        """Ends without a quote."""
        self.dismiss(None)
