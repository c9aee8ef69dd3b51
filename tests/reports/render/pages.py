"""Readers for tests: tables and headings of a rendered report, by parsers of others."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

import msgspec
from markdown_it import MarkdownIt

from judge.records.report import Report

Grid = list[tuple[str, ...]]


class Reader(HTMLParser):
    """Collects tags, headings, and the rows of each table, cell by cell."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[tuple[int, str]] = []
        self.tables: list[Grid] = []
        self.captions: list[str] = []
        self.text: list[str] = []
        self._cell: list[str] | None = None
        self._row: list[str] = []
        self._heading: int | None = None
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th", "caption"):
            self._cell = []
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._heading = int(tag[1])
            self.headings.append((self._heading, ""))
        elif tag == "style":
            self._hidden += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self._row.append("".join(self._cell).strip())
            self._cell = None
        elif tag == "caption" and self._cell is not None:
            self.captions.append("".join(self._cell).strip())
            self._cell = None
        elif tag == "tr":
            self.tables[-1].append(tuple(self._row))
        elif tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._heading = None
        elif tag == "style":
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        self.text.append(data)
        if self._cell is not None:
            self._cell.append(data)
        if self._heading is not None:
            level, so_far = self.headings[-1]
            self.headings[-1] = (level, so_far + data)


def read_html(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def read_markdown(page: str) -> Reader:
    """Markdown through a CommonMark parser with GitHub's tables, then read as HTML."""
    return read_html(MarkdownIt("commonmark").enable("table").render(page))


def shares(report: Report) -> Iterable[tuple[str, str]]:
    """Every (fraction, decimal) of a report, wherever it stands."""
    for found in _tables(msgspec.to_builtins(report)):
        if set(found) == {"fraction", "decimal"}:
            yield found["fraction"], found["decimal"]


def intervals(report: Report) -> Iterable[tuple[str, str]]:
    """The limits of every interval of a report."""
    for found in _tables(msgspec.to_builtins(report)):
        if set(found) == {"cell", "lower", "upper", "method"} and found["lower"]:
            yield found["lower"], found["upper"]


def _tables(value: object) -> Iterable[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _tables(inner)
