"""Runs as JSON Lines: one hit a line, ``{"query_id", "record_id", "rank", …}``."""

from __future__ import annotations

from typing import Any

from judge.files import cut_off, numbered_lines, parse_json
from judge.runs.importing.common import Faults, Reading, Row, blank_lines
from judge.runs.importing.fields import ALLOWED, OPTIONAL, missing_name, name_of, unread
from judge.text import repair


def read_run_jsonl(text: str, faults: Faults) -> Reading:
    """The hits of a file. Ids are text; a number in their place is refused, not guessed at.

    Lone surrogates and NUL, which JSON can write and no file can hold, are replaced in every
    field but the ids, and counted.
    """
    faults.extend(cut_off(text, faults.name))
    rows: list[Row] = []
    other: dict[str, None] = {}
    for number, line in numbered_lines(text):
        try:
            found = parse_json(line, floats_as_text=True)
        except ValueError as error:
            faults.add(number, f"not JSON: {error}")
            continue
        if not isinstance(found, dict):
            faults.add(number, "not a table", 'one hit a line: {"query_id": "q1", …}')
            continue
        other.update(dict.fromkeys(key for key in found if name_of(key) is None))
        row = _row(number, found, faults)
        if row is not None:
            rows.append(row)
    blank = len(text.split("\n")) - 1 - sum(1 for _ in numbered_lines(text))
    return Reading(rows, [*unread(other), *blank_lines(max(blank, 0))])


def _row(number: int, found: dict[str, Any], faults: Faults) -> Row | None:
    values: dict[str, Any] = {}
    for key, value in found.items():
        name = name_of(key)
        if name is None or value is None:
            continue
        if name in values:
            faults.add(number, f"{name} is given twice, the second time as {key!r}")
            return None
        values[name] = value
    row = Row(number, "", "", None, None, None)
    good = True
    for name, value in values.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        if name == "rank":
            if not whole or value < 0:
                faults.add(number, f"the rank {value!r}", "a whole number, 1, 2, … (or from 0)")
                good = False
            else:
                row.rank = value
        elif whole and name in ("score", "year"):
            _set(row, name, str(value))
        elif not isinstance(value, str):
            shown = f"{value!r}" if whole else type(value).__name__
            faults.add(number, f"{name} is not text: {shown}", "text in quotes; zeros count in ids")
            good = False
        elif value:
            _set(row, name, value)
    for name in ("query_id", "record_id"):
        if name not in values:
            faults.add(number, missing_name(name, found), ALLOWED)
            good = False
    return row if good else None


def _set(row: Row, name: str, value: str) -> None:
    if name in ("query_id", "record_id", "system"):
        setattr(row, name, value)
        return
    value, repaired = repair(value)
    row.repaired += repaired
    if name in OPTIONAL:
        row.fields[name] = value
    else:
        row.score = value
