"""What a screen says, as blocks, and those blocks as lines of a given width. Pure functions.

Every text that reaches the terminal passes through here and through `display_text`: there is no
second way, so that none can be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from rich.cells import cell_len

from judge.text import display_text
from judge.tui.widgets.wrapping import clamp, fit, flow, spread, unfolded, wrap

Kind = Literal["plain", "strong", "quiet", "key", "warn", "mark", "chosen"]
"""How a run of text is drawn. Never the only bearer of a meaning."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Line = tuple[tuple[str, Kind], ...]
"""One line of the screen: runs of text, each with its kind."""

SIDE_BY_SIDE = 72
"""Cells from which two columns can be read beside each other."""


@dataclass(frozen=True)
class Text:
    """A text, wrapped; its first ``limit`` lines where there is a limit."""

    text: str
    kind: Kind = "plain"
    limit: int | None = None
    marks: tuple[tuple[int, int], ...] = ()
    """Parts to point out, as offsets into `display_text` of the text, in order; for a text
    without a limit."""

    def lines(self, width: int) -> Iterator[Line]:
        """The lines, at most ``width`` cells each."""
        shown = display_text(self.text)
        if self.limit is not None:
            for line in clamp(shown, width, self.limit):
                yield ((line, self.kind),)
        elif not self.marks:
            for start, end in wrap(shown, width):
                yield ((shown[start:end], self.kind),)
        else:
            yield from _marked(shown, wrap(shown, width), self.marks, self.kind)


def _marked(
    text: str, lines: list[tuple[int, int]], marks: tuple[tuple[int, int], ...], kind: Kind
) -> Iterator[Line]:
    first = 0
    for start, end in lines:
        runs: list[tuple[str, Kind]] = []
        while first < len(marks) and marks[first][1] <= start:
            first += 1
        at, number = start, first
        while number < len(marks) and marks[number][0] < end:
            begin, stop = max(at, marks[number][0]), min(end, marks[number][1])
            runs += [(text[at:begin], kind), (text[begin:stop], "mark")]
            at, number = stop, number + 1
        runs.append((text[at:end], kind))
        yield tuple(runs)


@dataclass(frozen=True)
class Row:
    """A text with a short word at its left: a key, a name, a number."""

    head: str
    text: str
    indent: int
    """Cells from the left edge to the text."""
    kind: Kind = "plain"
    head_kind: Kind = "key"
    limit: int | None = None

    def lines(self, width: int) -> Iterator[Line]:
        """The lines; those after the first are indented."""
        head = fit(display_text(self.head, one_line=True), self.indent - 1)
        head += " " * (self.indent - cell_len(head))
        for line in Text(self.text, self.kind, self.limit).lines(max(8, width - self.indent)):
            yield ((head, self.head_kind), *line)
            head = " " * self.indent


@dataclass(frozen=True)
class Ends:
    """One line with a text at each end; the left one is cut where both do not fit."""

    left: str
    right: str
    kind: Kind = "plain"

    def lines(self, width: int) -> Iterator[Line]:
        """The one line."""
        left = display_text(self.left, one_line=True)
        right = display_text(self.right, one_line=True)
        yield ((spread(left, right, width), self.kind),)


@dataclass(frozen=True)
class Either:
    """One line with both texts where they fit, else with the second, which is the newer one."""

    first: str
    second: str

    def lines(self, width: int) -> Iterator[Line]:
        """The one line."""
        first = display_text(self.first, one_line=True)
        second = display_text(self.second, one_line=True)
        both = f"{first}   {second}".rstrip()
        yield ((both if cell_len(both) <= width else fit(second or first, width), "plain"),)


@dataclass(frozen=True)
class Facts:
    """Short texts beside each other, broken between them; the last one is cut if need be."""

    facts: tuple[str, ...]
    limit: int = 2

    def lines(self, width: int) -> Iterator[Line]:
        """At most ``limit`` lines."""
        shown = [display_text(fact, one_line=True) for fact in self.facts]
        rows = flow(shown, width, gap=3)
        last = [fact for row in rows[self.limit - 1 :] for fact in row]
        for row in [*rows[: self.limit - 1], *([last] if last else [])]:
            yield ((fit(" | ".join(row), width), "plain"),)


@dataclass(frozen=True)
class Divider:
    """A line of dashes that ends in a few words."""

    text: str = ""
    kind: Kind = "quiet"

    def lines(self, width: int) -> Iterator[Line]:
        """The one line."""
        tail = fit(display_text(self.text, one_line=True), width - 8)
        tail = f" {tail} --" if tail else ""
        yield (("-" * (width - cell_len(tail)) + tail, self.kind),)


@dataclass(frozen=True)
class Keys:
    """Keys, each with what it does, side by side; no pair is ever cut."""

    groups: tuple[tuple[tuple[str, str], ...], ...]
    """Key and words. Each group starts a line; a single key left over of one shares the first
    line of the next where that saves a line, which the text above can use."""

    def lines(self, width: int) -> Iterator[Line]:
        """As many lines as it takes."""
        words = {f"{key} {word}": (key, word) for pairs in self.groups for key, word in pairs}
        rows: list[list[str]] = []
        alone: list[str] = []
        for pairs in self.groups:
            items = [f"{key} {word}" for key, word in pairs]
            if alone and len(flow([*alone, *items], width)) == len(flow(items, width)):
                items = [*rows.pop(), *items]
            broken = flow(items, width)
            rows += broken
            alone = broken[-1] if len(broken) > 1 and len(broken[-1]) == 1 else []
        for row in rows:
            runs: list[tuple[str, Kind]] = []
            for item in row:
                key, word = words[item]
                gap = "   " if runs else ""
                runs += [(gap, "plain"), (key, "key"), (f" {word}", "plain")]
            yield tuple(runs)


@dataclass(frozen=True)
class Pair:
    """Two columns; the second below the first where they do not fit side by side."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]

    def lines(self, width: int) -> Iterator[Line]:
        """The lines of both."""
        if width < SIDE_BY_SIDE:
            yield from compose((*self.left, Text(""), *self.right), width)
            return
        column = (width - 3) // 2
        left, right = compose(self.left, column), compose(self.right, column)
        for number in range(max(len(left), len(right))):
            runs = left[number] if number < len(left) else ()
            used = sum(cell_len(text) for text, _ in runs)
            yield (
                *runs,
                (" " * (column - used) + " | ", "quiet"),
                *(right[number] if number < len(right) else ()),
            )


Block = Text | Row | Ends | Either | Facts | Divider | Keys | Pair


def compose(blocks: Iterable[Block], width: int) -> list[Line]:
    """The lines of ``blocks``, one below the other."""
    return [line for block in blocks for line in block.lines(max(width, 8))]


def markdown(text: str) -> list[Block]:
    """A text in Markdown as a person reads it on a terminal: headings strong, words unchanged."""
    return [
        Text(line.lstrip("# "), "strong") if line.startswith("#") else Text(line)
        for line in unfolded(text).split("\n")
    ]
