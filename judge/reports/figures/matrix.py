"""Counts of one person's labels against another's."""

from __future__ import annotations

from judge.reports.figures import style
from judge.reports.figures.canvas import Canvas
from judge.reports.figures.drawings import Matrix
from judge.reports.figures.words import fit, room

_CELL = 106
_HIGH = 40
_TOP = 62
_MARGIN = 12
_WIDEST = 160


def draw_matrix(matrix: Matrix) -> Canvas:
    """Cells tinted by their count, with the count in them; agreement stands in bold frames."""
    names = min(max(room(label, style.SIZE) for label in matrix.labels) + 12, _WIDEST)
    left = _MARGIN + names
    cell = min(_CELL, (style.WIDTH - left - _MARGIN) / len(matrix.labels))
    sheet = Canvas(style.WIDTH, _TOP + _HIGH * len(matrix.labels) + _MARGIN)
    most = max(max(row) for row in matrix.counts) or 1
    sheet.text(left, 20, fit(matrix.across, style.SIZE, style.WIDTH - left - _MARGIN), bold=True)
    sheet.text(left - 10, 52, fit(matrix.down, style.SIZE, names - 12), "right", bold=True)
    for at, label in enumerate(matrix.labels):
        sheet.text(
            left + cell * (at + 0.5),
            52,
            fit(label, style.SMALL, cell - 4),
            "center",
            size=style.SMALL,
        )
        sheet.text(
            left - 10, _TOP + _HIGH * (at + 0.5) + 4, fit(label, style.SIZE, names - 12), "right"
        )
    for row, counts in enumerate(matrix.counts):
        for column, count in enumerate(counts):
            sheet.box(
                left + cell * column,
                _TOP + _HIGH * row,
                cell,
                _HIGH,
                face=style.tint(count / most),
                edge=style.RULE,
            )
    for at in range(len(matrix.labels)):
        sheet.box(
            left + cell * at + 1,
            _TOP + _HIGH * at + 1,
            cell - 2,
            _HIGH - 2,
            face="none",
            edge=style.INK,
            line=2,
        )
    for row, counts in enumerate(matrix.counts):
        for column, count in enumerate(counts):
            sheet.text(
                left + cell * (column + 0.5),
                _TOP + _HIGH * (row + 0.5) + 5,
                f"{count}",
                "center",
                size=14,
                bold=bool(count),
                colour=style.INK if count else style.QUIET,
            )
    return sheet
