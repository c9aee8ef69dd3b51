"""The two widgets that draw text: `Plain` of its own height, `Sheet` that scrolls."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from judge.tui.widgets.layout import KINDS, Block, Line, compose

MEASURE = 96
"""Widest line of running text, in cells: longer ones are hard to follow back to the left."""

CLASSES = {f"text--{kind}" for kind in KINDS}


class _Lines:
    """Blocks and their lines, kept for the width they were last asked for."""

    def __init__(self) -> None:
        self.blocks: tuple[Block, ...] = ()
        self._width = -1
        self._lines: list[Line] = []

    def set(self, blocks: Iterable[Block]) -> bool:
        """Takes other blocks; whether they differ from those before."""
        blocks = tuple(blocks)
        if blocks == self.blocks:
            return False
        self.blocks, self._width = blocks, -1
        return True

    def at(self, width: int) -> list[Line]:
        if width != self._width:
            self._lines, self._width = compose(self.blocks, width), width
        return self._lines


def strip(widget: Widget, lines: list[Line], y: int, width: int) -> Strip:
    """Line ``y`` of ``lines``, drawn in the colours of ``widget``; blank where there is none."""
    if not 0 <= y < len(lines):
        return Strip.blank(width, widget.rich_style)
    segments = [
        Segment(text, widget.get_component_rich_style(f"text--{kind}"))
        for text, kind in lines[y]
        if text
    ]
    return Strip(segments).adjust_cell_length(width, widget.rich_style)


class Plain(Widget, can_focus=False):
    """A few lines of text, as high as they need."""

    COMPONENT_CLASSES = CLASSES

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = _Lines()

    def show(self, *blocks: Block) -> None:
        """Replaces the text. The screen is laid out anew only where the height changes."""
        width = self.size.width
        height = len(self._lines.at(width)) if width else -1
        if self._lines.set(blocks):
            self.refresh(layout=not width or len(self._lines.at(width)) != height)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the text takes."""
        return len(self._lines.at(width))

    def render_line(self, y: int) -> Strip:
        """One line of it."""
        width = self.size.width
        return strip(self, self._lines.at(width), y, width)


class Sheet(ScrollView, can_focus=False):
    """A text of any length that scrolls. It never takes the focus, so that keys stay free."""

    COMPONENT_CLASSES = CLASSES

    class Scrolled(Message):
        """What is in view changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = _Lines()

    def show(self, blocks: Iterable[Block], *, top: bool = True) -> None:
        """Replaces the text, and goes to its top unless told not to."""
        if self._lines.set(blocks):
            self._measure()
        if top:
            self.top()
        self.refresh()
        self.post_message(self.Scrolled())

    def _measure(self) -> None:
        width = self.size.width
        self.virtual_size = Size(width, len(self._lines.at(min(width, MEASURE))))

    def on_resize(self) -> None:
        """Wraps for the new width."""
        self._measure()
        self.post_message(self.Scrolled())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tells the screen, which says whether there is more."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    @property
    def above(self) -> int:
        """Lines out of sight above."""
        return round(self.scroll_y)

    @property
    def below(self) -> int:
        """Lines out of sight below."""
        return max(0, self.virtual_size.height - self.size.height - self.above)

    def move(self, lines: int) -> None:
        """Scrolls by ``lines``, at once."""
        self.scroll_to(y=self.scroll_y + lines, animate=False, immediate=True)

    def top(self) -> None:
        """Scrolls to the first line, at once."""
        self.scroll_to(y=0, animate=False, immediate=True)

    def page(self, pages: int) -> None:
        """Scrolls by ``pages``, keeping two lines of the page before in sight."""
        self.move(pages * max(1, self.size.height - 2))

    def render_line(self, y: int) -> Strip:
        """One line of what is in view."""
        width = self.size.width
        return strip(self, self._lines.at(min(width, MEASURE)), y + self.above, width)
