"""A text in which words are chosen by keys."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from judge.judgements.quote import Passage
from judge.tui.widgets.layout import Kind, Line
from judge.tui.widgets.plain import CLASSES, MEASURE, strip
from judge.tui.widgets.wrapping import wrap


class PassageView(ScrollView, can_focus=False):
    """Shows a passage with a cursor on one word, and what is chosen in reverse.

    The text is wrapped once for a width: moving through a long one costs what is in view.
    """

    COMPONENT_CLASSES = CLASSES

    def __init__(self, passage: Passage, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.passage = passage
        self.cursor = 0
        """Number of the word that the cursor is on."""
        self.begun: int | None = None
        """Number of the word that the choice starts at."""
        self._lines: list[tuple[int, int]] = []

    @property
    def chosen(self) -> tuple[int, int]:
        """Numbers of the first and the last word chosen; the cursor's where none is."""
        begun = self.cursor if self.begun is None else self.begun
        return min(begun, self.cursor), max(begun, self.cursor)

    def on_resize(self) -> None:
        """Wraps for the new width."""
        width = self.size.width
        self._lines = wrap(self.passage.shown, min(width, MEASURE))
        self.virtual_size = Size(width, len(self._lines))
        self._follow()

    def to_word(self, number: int) -> None:
        """Puts the cursor on a word, the first or last one where there is no such word."""
        self.cursor = max(0, min(number, len(self.passage.words) - 1))
        self._follow()

    def by_lines(self, lines: int) -> None:
        """Moves the cursor by lines, to about the same column."""
        word = self.passage.words[self.cursor]
        line = self._line_of(word.shown_start)
        column = word.shown_start - self._lines[line][0]
        step = 1 if lines > 0 else -1
        line = max(0, min(line + lines, len(self._lines) - 1))
        while 0 <= line < len(self._lines):
            start, end = self._lines[line]
            found = self.passage.word_at(min(start + column, max(start, end - 1)))
            if (found - self.cursor) * step > 0:
                self.to_word(found)
                return
            line += step
        self.to_word(len(self.passage.words) - 1 if step > 0 else 0)

    def _line_of(self, offset: int) -> int:
        ends = (number for number, (_, end) in enumerate(self._lines) if offset < end)
        return next(ends, max(0, len(self._lines) - 1))

    def _follow(self) -> None:
        """Keeps the cursor in view."""
        line = self._line_of(self.passage.words[self.cursor].shown_start)
        top, height = round(self.scroll_y), self.size.height
        if not top <= line < top + height:
            top = line if line < top else line - height + 1
            self.scroll_to(y=top, animate=False, immediate=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of what is in view."""
        number = y + round(self.scroll_y)
        lines = [self._runs(*self._lines[number])] if 0 <= number < len(self._lines) else []
        return strip(self, lines, 0, self.size.width)

    def _runs(self, start: int, end: int) -> Line:
        first, last = (self.passage.words[number] for number in self.chosen)
        begin = max(start, min(first.shown_start, end))
        stop = max(begin, min(last.shown_end, end))
        text = self.passage.shown
        parts: tuple[tuple[str, Kind], ...] = (
            (text[start:begin], "plain"),
            (text[begin:stop], "chosen"),
            (text[stop:end], "plain"),
        )
        return tuple(part for part in parts if part[0])
