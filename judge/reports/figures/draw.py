"""A drawing as an inline SVG element. Import it only to draw: matplotlib comes with it."""

from __future__ import annotations

from judge.reports.figures.canvas import Canvas, fixed
from judge.reports.figures.drawings import Drawing, Flow, Grid, Matrix
from judge.reports.figures.flow import draw_flow
from judge.reports.figures.grid import draw_grid
from judge.reports.figures.matrix import draw_matrix


def draw(drawing: Drawing, prefix: str, title: str, description: str) -> str:
    """The picture, the same bytes in every process.

    ``prefix`` is an id that no other figure of the page has; ``title`` and ``description`` are the
    text alternative, and safe to show.
    """
    with fixed():
        return _sheet(drawing).svg(prefix, title, description)


def _sheet(drawing: Drawing) -> Canvas:
    match drawing:
        case Grid():
            return draw_grid(drawing)
        case Matrix():
            return draw_matrix(drawing)
        case Flow():
            return draw_flow(drawing)
