"""What became of what: boxes from top to bottom, and beside them what went another way."""

from __future__ import annotations

from judge.reports.figures import style
from judge.reports.figures.canvas import Canvas
from judge.reports.figures.drawings import Flow
from judge.reports.figures.words import wrap

_LEFT = 12
_BOX = 300
_ASIDE = 376
_LINE = 16
_PAD = 10
_GAP = 26


def draw_flow(flow: Flow) -> Canvas:
    """A box for each step; what left on the way to it stands to the right of its arrow."""
    wide = style.WIDTH - _ASIDE - _LEFT
    boxes = [
        (
            wrap(step.label, style.SIZE, _BOX - 2 * _PAD),
            wrap(step.aside, style.SMALL, wide - 2 * _PAD, most=6),
        )
        for step in flow.steps
    ]
    heights = [max(_high(1 + len(label)), _high(len(aside))) for label, aside in boxes]
    sheet = Canvas(style.WIDTH, _LEFT * 2 + sum(heights) + _GAP * (len(heights) - 1))
    y = float(_LEFT)
    for at, (step, (label, aside), height) in enumerate(
        zip(flow.steps, boxes, heights, strict=True)
    ):
        sheet.box(_LEFT, y, _BOX, height, face=style.tint(0.25), edge=style.INK)
        top = y + (height - _high(1 + len(label))) / 2 + _PAD + 11
        sheet.text(_LEFT + _PAD, top, f"{step.count}", size=14, bold=True)
        for line, words in enumerate(label, 1):
            sheet.text(_LEFT + _PAD, top + line * _LINE, words)
        if aside:
            middle, high = y + height / 2, _high(len(aside))
            sheet.arrow(_LEFT + _BOX, middle, _ASIDE - 4, middle)
            sheet.box(_ASIDE, middle - high / 2, wide, high, edge=style.ZERO, dashed=True)
            for line, words in enumerate(aside):
                sheet.text(
                    _ASIDE + _PAD,
                    middle - high / 2 + _PAD + 11 + line * _LINE,
                    words,
                    size=style.SMALL,
                )
        y += height
        if at + 1 < len(boxes):
            sheet.arrow(_LEFT + _BOX / 2, y, _LEFT + _BOX / 2, y + _GAP - 4)
        y += _GAP
    return sheet


def _high(lines: int) -> int:
    return lines * _LINE + 2 * _PAD - 2 if lines else 0
