"""The one place that knows matplotlib: a sheet of pixels, and what can be put on it.

Object interface only, no pyplot and no style of the user's. Nothing is laid out by measuring: text
hangs on its anchor and baseline, so that a page is the same on every machine and any font.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from judge.reports.figures import style
from judge.reports.figures.svg import inline
from judge.reports.figures.words import Align
from judge.text import display_text

Point = tuple[float, float]

_POINTS = 72
"""Points to the inch: with as many dots, a pixel of the sheet is a unit of the SVG."""


class Canvas:
    """A white sheet, ``width`` × ``height`` pixels, y downwards. Make it inside `fixed`."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._texts: list[str] = []
        self._figure = Figure(figsize=(width / _POINTS, height / _POINTS), dpi=_POINTS)
        self._figure.patch.set_visible(False)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        align: Align = "left",
        *,
        size: int = style.SIZE,
        bold: bool = False,
        colour: str = style.INK,
    ) -> None:
        """One line of text; ``y`` is its baseline."""
        self._axes.text(
            x,
            y,
            str(len(self._texts)),
            ha=align,
            va="baseline",
            fontsize=size,
            fontweight="bold" if bold else "normal",
            color=colour,
            parse_math=False,
            clip_on=False,
        )
        self._texts.append(display_text(words, one_line=True))

    def lines(
        self,
        segments: Sequence[tuple[Point, Point]],
        colour: str,
        width: float = 1.0,
        *,
        dashed: bool = False,
    ) -> None:
        """Straight lines from point to point."""
        if segments:
            self._axes.add_collection(
                LineCollection(
                    segments,
                    colors=colour,
                    linewidths=width,
                    linestyles=[(0, (4, 3))] if dashed else "solid",
                    clip_on=False,
                ),
                autolim=False,
            )

    def marks(self, points: Sequence[Point], series: int, *, hollow: bool = False) -> None:
        """The marks of a series: its colour and its shape, hollow where a value is a bound."""
        if points:
            one = style.series(series)
            self._axes.add_line(
                Line2D(
                    [x for x, _ in points],
                    [y for _, y in points],
                    linestyle="none",
                    marker=one.marker,
                    markersize=style.MARK,
                    markeredgewidth=1.4,
                    markeredgecolor=one.colour,
                    markerfacecolor=style.GROUND if hollow else one.colour,
                    clip_on=False,
                )
            )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        face: str = style.GROUND,
        edge: str = style.INK,
        line: float = 1.0,
        hatch: str = "",
        dashed: bool = False,
    ) -> None:
        """A rectangle by its upper left corner."""
        self._axes.add_patch(
            Rectangle(
                (x, y),
                width,
                height,
                facecolor=face,
                edgecolor=edge,
                linewidth=line,
                linestyle=(0, (4, 3)) if dashed else "solid",
                hatch=hatch or None,
                clip_on=False,
                zorder=2.5,
            )
        )

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """A line with a head, along one axis."""
        across = y == to_y
        tip = 5 if (to_x > x or to_y > y) else -5
        head = (
            [((to_x - tip, to_y - 4), (to_x, to_y)), ((to_x - tip, to_y + 4), (to_x, to_y))]
            if across
            else [((to_x - 4, to_y - tip), (to_x, to_y)), ((to_x + 4, to_y - tip), (to_x, to_y))]
        )
        self.lines([((x, y), (to_x, to_y)), *head], style.INK, 1.2)

    def svg(self, prefix: str, title: str, description: str) -> str:
        """The sheet as an inline SVG element; ``prefix`` is an id that no other figure has."""
        FigureCanvasSVG(self._figure)
        file = io.StringIO()
        self._figure.savefig(file, format="svg", metadata={"Date": None})
        return inline(
            file.getvalue(), prefix, self.width, self.height, title, description, self._texts
        )


@contextmanager
def fixed() -> Iterator[None]:
    """matplotlib as it is shipped, whatever the machine's settings say."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "blindjudge", "hatch.linewidth": 1.0}
        )
        yield
