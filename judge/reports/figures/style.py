"""How figures look: one width, one type size, colours after Okabe and Ito.

Of their eight colours only blue, vermillion, green, purple and black reach the 3:1 against white
that WCAG 2.2 (1.4.11) asks of graphics; a grey is the sixth. Figures stand on white in light and
in dark pages, so that one set of colours serves. Colour is never alone: every series has a shape
and a hatch of its own, and every row or panel its name.
"""

from __future__ import annotations

from typing import NamedTuple

WIDTH = 720
"""Pixels; as wide as the text of a printed A4 page, so that type keeps its size on paper."""
SIZE = 12
SMALL = 11
MARK = 7

GROUND = "#ffffff"
INK = "#1b1f23"
QUIET = "#4d5661"
RULE = "#d9dee3"
"""Guide lines: they carry nothing that the axis and the words do not."""
ZERO = "#767f88"


class Series(NamedTuple):
    """The look of one system or person: three cues that say the same."""

    colour: str
    marker: str
    hatch: str


SERIES = (
    Series("#0072B2", "o", ""),
    Series("#D55E00", "^", "////"),
    Series("#009E73", "s", "...."),
    Series("#CC79A7", "D", "\\\\\\\\"),
    Series("#000000", "v", "xxxx"),
    Series("#6B6B6B", "P", "||||"),
)


def series(place: int) -> Series:
    """The look of the system at this place of the protocol."""
    return SERIES[place % len(SERIES)]


def tint(share: float) -> str:
    """Between white and a light blue on which black text keeps more than 10:1."""
    low = tuple(round(255 + (strong - 255) * share) for strong in (150, 199, 232))
    return "#{:02x}{:02x}{:02x}".format(*low)
