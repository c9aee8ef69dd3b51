"""Words of an abstract in a note, with their place: whoever reads the note can find them again.

Places are code points of the stored text, not of what the screen makes of it. Pure functions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from judge.text import display_text

# Blanks part words; a script without blanks is chosen letter by letter.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


def quoted(text: str, start: int, end: int) -> str:
    """The line of a note that quotes ``text[start:end]`` of an abstract."""
    return f'abstract[{start}:{end}] "{text[start:end]}"'


def with_quote(note: str, line: str) -> str:
    """``note`` with a quote on a line of its own at its end."""
    return f"{note.rstrip()}\n{line}" if note.strip() else line


@dataclass(frozen=True)
class Word:
    """A word that can be chosen: its place in the stored text, and in the text as shown."""

    start: int
    end: int
    shown_start: int
    shown_end: int


@dataclass(frozen=True)
class Passage:
    """A stored text as it is shown, with the words of both."""

    stored: str
    shown: str
    words: tuple[Word, ...]

    def word_at(self, shown: int) -> int:
        """Number of the word at or before an offset into the shown text; 0 before the first."""
        starts = [word.shown_start for word in self.words]
        return max(0, bisect_right(starts, shown) - 1)


def passage(stored: str) -> Passage:
    """``stored`` in words. What is between words is shown too, but cannot be chosen alone."""
    shown: list[str] = []
    length = at = 0
    words: list[Word] = []
    for match in _WORD.finditer(stored):
        gap, word = display_text(stored[at : match.start()]), display_text(match[0])
        shown += (gap, word)
        start = length + len(gap)
        length = start + len(word)
        words.append(Word(match.start(), match.end(), start, length))
        at = match.end()
    shown.append(display_text(stored[at:]))
    return Passage(stored, "".join(shown), tuple(words))
