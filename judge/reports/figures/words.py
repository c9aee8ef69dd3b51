"""How much room words take, without a font: figures look alike whatever font a reader has."""

from __future__ import annotations

import unicodedata
from typing import Literal

Align = Literal["left", "center", "right"]

_WIDE = 1.0
_NARROW = 0.58
"""Advance in ems: of a full-width character, and a generous mean for a sans-serif letter."""


def room(words: str, size: int) -> float:
    """About how many pixels a line of text takes."""
    return size * sum(map(_advance, words))


def fit(words: str, size: int, pixels: float) -> str:
    """``words``, cut and closed with an ellipsis where they would take more than ``pixels``."""
    if room(words, size) <= pixels:
        return words
    left = pixels - size * _WIDE
    kept = ""
    for char in words:
        left -= size * _advance(char)
        if left < 0:
            break
        kept += char
    return f"{kept.rstrip()}…"


def wrap(words: str, size: int, pixels: float, most: int = 4) -> list[str]:
    """Lines of at most ``pixels``, broken at blanks where there are any; the last of ``most`` is
    cut where more follows."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        wider = f"{line} {word}".strip()
        if line and room(wider, size) > pixels:
            lines.append(line)
            wider = word
        line = wider
    if line:
        lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [fit(one, size, pixels) for one in lines]


def _advance(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _NARROW
