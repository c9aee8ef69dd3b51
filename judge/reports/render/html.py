"""The report as one self-contained HTML file: no script, nothing loaded, all text escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from judge.records.report import Report
from judge.reports.render.blocks import Block, Items, Table
from judge.reports.render.outline import outline


def render_html(report: Report) -> str:
    """The whole report, under a Content-Security-Policy that lets nothing be fetched or run."""
    return _template().render(page=outline(report), kind=_kind)


def _kind(block: Block) -> str:
    match block:
        case Table():
            return "table"
        case Items():
            return "items"
        case _:
            return "text"


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("judge.reports.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.j2")
