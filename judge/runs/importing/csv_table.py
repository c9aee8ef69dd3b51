"""Run tables: CSV or tab-separated, with a header; a run column may hold many systems."""

from __future__ import annotations

import re

from judge.runs.importing.common import Faults, Reading, Row, blank_lines
from judge.runs.importing.fields import ALLOWED, OPTIONAL, missing_name, name_of, unread
from judge.table import read_table

_RANK = re.compile(r"[0-9]{1,9}", re.ASCII)


def delimiter_of(header: str) -> str:
    """A tab where the header line has one, else a comma."""
    return "\t" if "\t" in header else ","


def read_run_table(text: str, faults: Faults) -> Reading:
    """The rows of a table with one hit a row. Cells are taken as they stand; empty is absent."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    table, problems = read_table(text, faults.name, delimiter=delimiter_of(first))
    faults.extend(problems)
    places: dict[str, int] = {}
    for place, column in enumerate(table.header):
        name = name_of(column)
        if name in places:
            faults.add(1, f"the columns {table.header[places[name]]!r} and {column!r} are the same")
        elif name is not None:
            places[name] = place
    lacking = [name for name in ("query_id", "record_id") if name not in places]
    for name in lacking:
        faults.add(1, missing_name(name, table.header), ALLOWED)
    notices = unread(column for column in table.header if name_of(column) is None)
    notices += blank_lines(table.blank_lines)
    if lacking:
        return Reading([], notices)
    optional = [(name, places[name]) for name in OPTIONAL if name in places]
    rank_at, score_at, system_at = (places.get(name) for name in ("rank", "score", "system"))
    query_at, record_at = places["query_id"], places["record_id"]
    rows: list[Row] = []
    for line, cells in table.rows:
        rank = cells[rank_at] if rank_at is not None else ""
        if rank and not _RANK.fullmatch(rank):
            faults.add(line, f"the rank {rank!r}", "a whole number, 1, 2, … (or from 0)")
            continue
        rows.append(
            Row(
                line,
                cells[query_at],
                cells[record_at],
                int(rank) if rank else None,
                (cells[score_at] or None) if score_at is not None else None,
                cells[system_at] if system_at is not None else None,
                {name: cells[place] for name, place in optional if cells[place]},
            )
        )
    return Reading(rows, notices)
