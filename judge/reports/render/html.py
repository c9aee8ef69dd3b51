"""The report as one self-contained HTML file: no script, nothing loaded, all text escaped."""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judge.records.report import Report
from judge.reports.figures.drawings import IN_TABLE, Chart
from judge.reports.render.blocks import Block, Items, Table
from judge.reports.render.outline import outline

_SENTENCE = 60
"""Characters of a cell from which its column is one of sentences."""
_WORDS = 12
"""Characters of a cell from which its column needs room for words."""
_SHORT = 20
"""As long as a moment in UTC."""
_SMALL = 8
"""Rows of a table that is not cut in print; longer ones repeat their heads."""


def render_html(report: Report) -> str:
    """The whole report, under a Content-Security-Policy that lets nothing be fetched or run.

    The one style sheet is allowed by its SHA-256, so that no style attribute has any effect.
    """
    css = _environment().get_template("report.css.j2").render()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            page=outline(report),
            kind=_kind,
            looks=_Looks,
            picture=_picture,
            in_table=IN_TABLE,
            css=Markup(css),
            style_hash=f"sha256-{digest}",
        )
    )


def _kind(block: Block) -> str:
    match block:
        case Table():
            return "table"
        case Items():
            return "items"
        case Chart():
            return "chart"
        case _:
            return "text"


def _picture(chart: Chart) -> Markup:
    """The inline SVG, whose words are escaped where it is made."""
    # Here, and not above: matplotlib takes longer to load than most commands to run.
    from judge.reports.figures.draw import draw

    description = f"{chart.description} {IN_TABLE}"
    return Markup(draw(chart.drawing, f"f-{chart.id}", chart.title, description))


class _Looks:
    """The class attributes of a table: ``n`` a number, ``w`` a column of words,
    ``l`` one of sentences, ``s`` a short word or a time, which is not broken, ``h`` one long
    word such as a digest, which may be. ``keep``: on one printed page."""

    def __init__(self, table: Table) -> None:
        self._numbers = [column.number for column in table.columns]
        self.keep = " keep" * (len(table.rows) <= _SMALL)
        longest = [max(map(len, cells)) for cells in zip(*table.rows, strict=True)]
        self.heads = [
            _class(" ".join(filter(None, ("n" * number, _room(length, number)))))
            for number, length in zip(self._numbers, longest, strict=True)
        ]

    def cell(self, place: int, text: str) -> Markup:
        one_word = " " not in text
        word = "s" if one_word and len(text) <= _SHORT else "h" if one_word else ""
        return _class(" ".join(filter(None, ("n" * self._numbers[place], word))))


def _room(length: int, number: bool) -> str:
    if length > _SENTENCE and not number:
        return "l"
    return "w" if length > _WORDS else ""


def _class(names: str) -> Markup:
    return Markup(f' class="{names}"' if names else "")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("judge.reports.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
