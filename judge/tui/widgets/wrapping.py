"""Breaking text into lines by the cells it takes up on a terminal. Pure functions.

Textual can wrap too; a 200 kB abstract then costs a third of a second at every key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.cells import cell_len, split_graphemes

ELLIPSIS = "..."
"""Three full stops: the one-character ellipsis is two cells wide on some terminals."""

# Words are what blanks part; the three no-break blanks part nothing.
_WORD = re.compile(r"(?:\S|[\u00a0\u2007\u202f])+")


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    """The lines of ``text`` at most ``width`` cells wide, as (start, end) offsets into it.

    Breaks at blanks; a word wider than a line (or a text without blanks, as Chinese) is broken
    where the line is full, never inside a grapheme. The blanks at a break belong to no line.
    """
    width = max(width, 2)
    lines: list[tuple[int, int]] = []
    start = 0
    for paragraph in text.split("\n"):
        end = start + len(paragraph)
        if _cells(paragraph) <= width:
            lines.append((start, end))
        elif _is_simple(paragraph, width):
            lines.extend(_wrap_simple(text, start, end, width))
        else:
            lines.extend(_wrap_paragraph(text, start, end, width))
        start = end + 1
    return lines


def _is_simple(paragraph: str, width: int) -> bool:
    """Whether every character is one cell, only spaces part words, and every word fits a line."""
    printable = paragraph.isascii() and paragraph.isprintable() and paragraph.strip(" ") != ""
    return printable and max(map(len, paragraph.split(" "))) <= width


def _wrap_simple(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    """What `_wrap_paragraph` gives, in a tenth of the time: most long abstracts are simple."""
    end = start + len(text[start:end].rstrip(" "))
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        line = text[start:cut].rstrip(" ")
        if line.strip(" "):
            yield start, start + len(line)
        start = cut
        while text[start] == " ":
            start += 1
    yield start, end


def _wrap_paragraph(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    line_start, line_end, used = start, start, 0
    for word in _WORD.finditer(text, start, end):
        gap = _cells(text[line_end : word.start()])
        size = _cells(word[0])
        if used + gap + size <= width:
            line_end, used = word.end(), used + gap + size
            continue
        if size <= width or used + gap >= width:
            if line_end > line_start:
                yield line_start, line_end
            line_start, line_end, used = word.start(), word.start(), 0
            if size <= width:
                line_end, used = word.end(), size
                continue
        else:
            used += gap
        # A word wider than a line fills what is left of this one and as many more as it needs.
        for grapheme_start, grapheme_end, cells in _graphemes(word[0]):
            if used + cells > width:
                yield line_start, line_end
                line_start, used = word.start() + grapheme_start, 0
            line_end, used = word.start() + grapheme_end, used + cells
    yield line_start, line_end


def _cells(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


def _graphemes(text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and cells of each grapheme. A joiner with nothing to join hides no width."""
    for start, end, cells in split_graphemes(text)[0]:
        yield start, end, cells if end - start == 1 else max(cells, cell_len(text[start:end]))


def fit(text: str, width: int) -> str:
    """``text``, cut to ``width`` cells with three full stops at its end where it is longer."""
    if _cells(text) <= width:
        return text
    room = max(0, width - len(ELLIPSIS))
    used = 0
    for start, _, cells in _graphemes(text):
        used += cells
        if used > room:
            return text[:start].rstrip() + ELLIPSIS[:width]
    return text


def clamp(text: str, width: int, lines: int) -> list[str]:
    """The first ``lines`` lines of ``text``, the last one cut with full stops if there are more."""
    # A line holds at most a few code points per cell: a text of any length is cut before it is
    # wrapped.
    spans = wrap(text[: width * lines * 8], width)
    shown = [text[start:end] for start, end in spans[:lines]]
    if len(spans) > lines:
        shown[-1] = fit(shown[-1] + " " * width, width)
    return shown


def spread(left: str, right: str, width: int, gap: int = 2) -> str:
    """``left`` and ``right`` at the two ends of one line; the left one is cut if need be."""
    right = fit(right, width)
    left = fit(left, max(0, width - _cells(right) - gap))
    return left + " " * max(0, width - _cells(left) - _cells(right)) + right


def flow(items: Iterable[str], width: int, gap: int = 3) -> list[list[str]]:
    """``items`` side by side, broken into lines between items, never inside one."""
    lines: list[list[str]] = []
    used = 0
    for item in items:
        size = _cells(item)
        if lines and used + gap + size <= width:
            lines[-1].append(item)
            used += gap + size
        else:
            lines.append([item])
            used = size
    return lines


_NEW_BLOCK = re.compile(r"#+\s|[*+-]\s|\d+[.)]\s|[>|]|```")


def unfolded(markdown: str) -> str:
    """``markdown`` with the lines of each paragraph joined, to be wrapped anew.

    Headings, list items, tables and quotes start lines of their own.
    """
    joined: list[str] = []
    for line in markdown.split("\n"):
        opens = not line.strip() or _NEW_BLOCK.match(line.strip())
        if joined and joined[-1] and not joined[-1].startswith("#") and not opens:
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return "\n".join(joined)
