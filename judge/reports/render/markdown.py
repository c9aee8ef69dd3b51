"""The report as Markdown (GitHub's dialect, for its tables). All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.records.report import Report
from judge.reports.figures.drawings import IN_TABLE, Chart
from judge.reports.render.blocks import Block, Items, Table, Text
from judge.reports.render.outline import outline

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
_BLOCK_START = re.compile(r"^([-#=+]|\d+(?=[.)](?:\s|$)))")


def escape(text: str) -> str:
    """``text`` as Markdown that shows it and means nothing more, in a table cell or a line."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], text.replace("\n", " ").strip())


def _line(text: str) -> str:
    """`escape`, for text that starts a line and could start a list or a heading there."""
    return _BLOCK_START.sub(_no_start, escape(text))


def _no_start(found: re.Match[str]) -> str:
    # A number keeps its digits whole; the point after it is what makes a list.
    return f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}"


def render_markdown(report: Report) -> str:
    """The whole report."""
    page = outline(report)
    parts = [f"# {escape(page.title)}", *(_block(block) for block in page.lead)]
    for section in page.sections:
        parts.append(f"{'#' * section.level} {escape(section.heading)}")
        parts += [_block(block) for block in section.blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text, "banner"):
            return f"> **{escape(text)}**"
        case Text(text, "note"):
            return f"> {_line(text)}"
        case Text(text, _):
            return _line(text)
        case Items(items, empty):
            return "\n".join(f"- {_line(item)}" for item in items) or _line(empty)
        case Table():
            return _table(block)
        case Chart(_, title, description):
            # No picture here: its words, and its numbers in the table that comes next.
            return f"**{escape(f'Figure: {title}.')}** {escape(description)} {IN_TABLE}"


def _table(table: Table) -> str:
    title = f"**{escape(table.caption)}**"
    if not table.rows:
        return f"{title}\n\n{_line(table.empty)}"
    lines = [
        _row(column.name for column in table.columns),
        "| " + " | ".join("---:" if column.number else "---" for column in table.columns) + " |",
        *(_row(row) for row in table.rows),
    ]
    return title + "\n\n" + "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escape(cell) for cell in cells) + " |"
