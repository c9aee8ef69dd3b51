"""Delimited tables as rows with line numbers: CSV as RFC 4180 writes it, and tab-separated."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from judge.errors import Invalid, Problem
from judge.files import cut_off, problem_line

_QUOTING = 'a cell that holds a quote stands in quotes itself, each inner quote doubled ("")'


@dataclass(frozen=True)
class Table:
    """A header and the rows that fit it, each with the line it starts on. Cells are untouched."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, list[str]], ...]
    blank_lines: int


def read_table(text: str, name: str, *, delimiter: str = ",") -> tuple[Table, list[Problem]]:
    """``text`` as a table, and what is wrong with its form.

    Rows are split on ``\\n`` alone. A row with more or fewer cells than the header is a problem
    and left out. Raises `Invalid` where there is no header.
    """
    # Fed line by line: a file object would split on a lone carriage return inside a cell, too.
    reader = csv.reader((f"{line}\n" for line in _lines(text)), delimiter=delimiter, strict=True)
    problems = cut_off(text, name)
    header: tuple[str, ...] = ()
    rows: list[tuple[int, list[str]]] = []
    blank = 0
    start = 1
    try:
        for cells in reader:
            if not cells or (len(cells) == 1 and not cells[0].strip()):
                blank += 1
            elif not header:
                header = tuple(cells)
                problems += _header_problems(header, name, start)
            elif len(cells) != len(header):
                found = f"{len(cells)} cells where the header has {len(header)}"
                problems.append(problem_line(name, start, found))
            else:
                rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        problems.append(problem_line(name, start, f"not a table row: {error}", _QUOTING))
    if not header:
        raise Invalid(f"{name}: no header row", problems)
    return Table(header, tuple(rows), blank), problems


def _lines(text: str) -> Iterator[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return iter(lines)


def _header_problems(header: tuple[str, ...], name: str, line: int) -> list[Problem]:
    problems = []
    for number, column in enumerate(header):
        if not column.strip():
            problems.append(problem_line(name, line, f"column {number + 1} has no name"))
        elif column in header[:number]:
            problems.append(problem_line(name, line, f"the column {column!r} stands twice"))
    return problems
