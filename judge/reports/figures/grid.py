"""Rows against panels: dots with bounds or intervals, or bars, on one axis."""

from __future__ import annotations

from collections.abc import Iterator

from judge.reports.figures import style
from judge.reports.figures.canvas import Canvas, Point
from judge.reports.figures.drawings import Dot, Grid, Row
from judge.reports.figures.words import fit, room

_ROW = 19
_GROUP = 24
_TOP = 30
_BOTTOM = 30
_MARGIN = 12
_GAP = 34
_WIDEST_NAME = 210
_WIDEST_NOTE = 190


def draw_grid(grid: Grid) -> Canvas:
    """The sheet of a grid, as high as its rows need."""
    groups = sum(1 for _, first in _starts(grid.rows) if first)
    height = _TOP + _ROW * len(grid.rows) + _GROUP * groups + _BOTTOM
    sheet = Canvas(style.WIDTH, height)
    frame = _Frame(grid)
    bottom = height - _BOTTOM
    for place, name in enumerate(grid.panels):
        _axis(sheet, grid, frame, place, name, bottom)
    y = float(_TOP)
    rows: list[tuple[float, Row, int]] = []
    place = 0
    for row, first in _starts(grid.rows):
        if first:
            y += _GROUP
            sheet.text(_MARGIN, y - 7, fit(row.group, style.SIZE, 400), bold=True)
            place = 0
        middle = y + _ROW / 2
        rows.append((middle, row, place))
        sheet.text(frame.left - 10, middle + 4, fit(row.name, style.SIZE, frame.names), "right")
        sheet.text(
            frame.right + 12,
            middle + 4,
            fit(row.note, style.SMALL, frame.notes),
            size=style.SMALL,
            colour=style.QUIET,
        )
        y += _ROW
        place += 1
    if grid.bars:
        _bars(sheet, grid, frame, rows)
    else:
        _guides(sheet, grid, frame, rows)
        _dots(sheet, grid, frame, rows)
    return sheet


class _Frame:
    """Where names, panels and notes stand, in pixels from the left."""

    def __init__(self, grid: Grid) -> None:
        names = max(room(row.name, style.SIZE) for row in grid.rows)
        notes = max(room(row.note, style.SMALL) for row in grid.rows)
        self.names = min(names + 2, _WIDEST_NAME)
        self.notes = min(notes + 2, _WIDEST_NOTE)
        self.left = _MARGIN + self.names + 10
        ends = max(room(one.words, style.SMALL) for row in grid.rows for one in row.dots)
        beyond = max(ends if grid.bars else 0, room(grid.scale.ticks[-1][1], style.SMALL) / 2)
        self._gap = max(_GAP, beyond + 14)
        self.right = style.WIDTH - _MARGIN - max(beyond, self.notes + 16 if notes else 0)
        count = len(grid.panels)
        self.panel = (self.right - self.left - self._gap * (count - 1)) / count
        self._low, self._high = grid.scale.low, grid.scale.high

    def start(self, panel: int) -> float:
        return self.left + panel * (self.panel + self._gap)

    def x(self, panel: int, value: float) -> float:
        return self.start(panel) + self.panel * (value - self._low) / (self._high - self._low)


def _starts(rows: tuple[Row, ...]) -> Iterator[tuple[Row, bool]]:
    """Each row, and whether a heading stands above it."""
    before = ""
    for row in rows:
        yield row, bool(row.group) and row.group != before
        before = row.group


def _axis(sheet: Canvas, grid: Grid, frame: _Frame, place: int, name: str, bottom: float) -> None:
    sheet.text(frame.start(place), 18, fit(name, style.SIZE, frame.panel + _GAP - 12), bold=True)
    ticks = _ticks(grid.scale.ticks, frame.panel)
    places = [(frame.x(place, at), words) for at, words in ticks]
    sheet.lines([((x, _TOP), (x, bottom)) for x, _ in places], style.RULE, 0.8)
    sheet.lines(
        [((frame.start(place), bottom), (frame.x(place, grid.scale.high), bottom))], style.ZERO
    )
    if grid.scale.low < 0:
        zero = frame.x(place, 0)
        sheet.lines([((zero, _TOP), (zero, bottom))], style.ZERO, 1.2)
    for x, words in places:
        sheet.text(x, bottom + 16, words, "center", size=style.SMALL, colour=style.QUIET)


def _ticks(ticks: tuple[tuple[float, str], ...], panel: float) -> tuple[tuple[float, str], ...]:
    """As many as have room for their labels: all, every second, or the ends."""
    for found in (ticks, ticks[::2] if len(ticks) % 2 else ticks):
        if sum(room(words, style.SMALL) + 14 for _, words in found) <= panel + 14:
            return found
    return ticks[0], ticks[-1]


def _guides(sheet: Canvas, grid: Grid, frame: _Frame, rows: list[tuple[float, Row, int]]) -> None:
    """A faint line under each row, from its name to its last panel."""
    sheet.lines(
        [
            ((frame.start(place), y), (frame.start(place) + frame.panel, y))
            for y, row, _ in rows
            for place, one in enumerate(row.dots)
            if one.known
        ],
        style.RULE,
        0.8,
    )


def _dots(sheet: Canvas, grid: Grid, frame: _Frame, rows: list[tuple[float, Row, int]]) -> None:
    looks = range(max(at for _, _, at in rows) + 1) if grid.by_row else range(len(grid.panels))
    for look in looks:
        filled: list[Point] = []
        hollow: list[Point] = []
        thick: list[tuple[Point, Point]] = []
        thin: list[tuple[Point, Point]] = []
        for place in range(len(grid.panels)):
            before: tuple[str, Point] | None = None
            for y, row, at in rows:
                one = row.dots[place]
                if look != (at if grid.by_row else place):
                    continue
                if one.lower is None or one.upper is None:
                    _words(sheet, frame, place, y, one)
                    continue
                low, high = (frame.x(place, one.lower), y), (frame.x(place, one.upper), y)
                if one.interval:
                    start, end = one.interval
                    thick += _whisker(frame.x(place, start), frame.x(place, end), y)
                if one.lower == one.upper:
                    filled.append(low)
                else:
                    hollow += [low, high]
                    thick.append((low, high))
                if grid.joined and before and before[0] == row.group:
                    thin.append((before[1], low))
                before = row.group, low
        colour = style.series(look).colour
        sheet.lines(thick, colour, 1.4)
        sheet.lines(thin, colour, 1.2)
        sheet.marks(filled, look)
        sheet.marks(hollow, look, hollow=True)


def _whisker(low: float, high: float, y: float) -> list[tuple[Point, Point]]:
    ends = [((x, y - 4), (x, y + 4)) for x in (low, high)]
    return [((low, y), (high, y)), *ends]


def _words(sheet: Canvas, frame: _Frame, place: int, y: float, one: Dot) -> None:
    sheet.text(
        frame.start(place) + 3,
        y + 4,
        fit(one.words, style.SMALL, frame.panel - 4),
        size=style.SMALL,
        colour=style.QUIET,
    )


def _bars(sheet: Canvas, grid: Grid, frame: _Frame, rows: list[tuple[float, Row, int]]) -> None:
    for place in range(len(grid.panels)):
        one = style.series(place)
        for y, row, _ in rows:
            bar = row.dots[place]
            end = frame.x(place, bar.lower or 0)
            if bar.lower:
                sheet.box(
                    frame.start(place),
                    y - 6,
                    end - frame.start(place),
                    12,
                    face=one.colour if not one.hatch else style.GROUND,
                    edge=one.colour,
                    line=1.2,
                    hatch=one.hatch,
                )
            sheet.text(end + 5, y + 4, bar.words, size=style.SMALL)
