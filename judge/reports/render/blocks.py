"""What a report is made of on the page, whatever the page is made of.

HTML, Markdown and the terminal print these blocks and decide nothing: words, order and numbers
are fixed here, once. `clean` passes every text through `judge.text.display_text`, so that no
renderer has to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.reports.figures.drawings import Chart
from judge.text import display_text


@dataclass(frozen=True)
class Text:
    """A paragraph. A banner is what must be seen first; a note stands in a box."""

    text: str
    tone: Literal["plain", "banner", "note"] = "plain"


@dataclass(frozen=True)
class Items:
    """A list of sentences, or what stands there when it is empty."""

    items: tuple[str, ...]
    empty: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers stand to the right."""

    name: str
    number: bool = False


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row names it. ``empty`` is said when there is no row."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str


Block = Text | Items | Table | Chart


@dataclass(frozen=True)
class Section:
    """A heading of level 2 or 3 and what stands under it."""

    id: str
    heading: str
    level: Literal[2, 3]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """The whole report. ``lead`` stands under the title, before the first heading."""

    title: str
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]

    def table(self, table_id: str) -> Table | None:
        """The table of this id, wherever it stands."""
        blocks = [*self.lead, *(block for section in self.sections for block in section.blocks)]
        for block in blocks:
            if isinstance(block, Table) and block.id == table_id:
                return block
        return None


def columns(*names: str) -> tuple[Column, ...]:
    """Columns by name; a name that starts with ``#`` is a column of numbers."""
    return tuple(Column(name.removeprefix("#"), name.startswith("#")) for name in names)


def clean(page: Page) -> Page:
    """The page with every text safe to show."""
    return Page(
        title=_line(page.title),
        lead=tuple(clean_block(block) for block in page.lead),
        sections=tuple(
            Section(
                section.id,
                _line(section.heading),
                section.level,
                tuple(clean_block(block) for block in section.blocks),
            )
            for section in page.sections
        ),
    )


def _line(text: str) -> str:
    return display_text(text, one_line=True)


def clean_block(block: Block) -> Block:
    """The block with every text safe to show."""
    match block:
        case Text(text, tone):
            return Text(_line(text), tone)
        case Items(items, empty):
            return Items(tuple(_line(item) for item in items), _line(empty))
        case Chart(chart_id, title, description, tables, drawing):
            # The words of the drawing are made safe where they are drawn.
            return Chart(chart_id, _line(title), _line(description), tables, drawing)
        case Table(table_id, caption, heads, rows, empty):
            return Table(
                table_id,
                _line(caption),
                tuple(Column(_line(head.name), head.number) for head in heads),
                tuple(tuple(_line(cell) for cell in row) for row in rows),
                _line(empty),
            )
