"""TREC run files: six columns, ``query Q0 document rank score run``, no header."""

from __future__ import annotations

import re

from judge.files import cut_off
from judge.runs.importing.common import Faults, Reading, Row, blank_lines, cut_columns

_RANK = re.compile(r"[0-9]{1,9}", re.ASCII)
_COLUMNS = (
    "six columns: query Q0 document rank score run; an id with a blank in it, or a table with a "
    "header, needs the CSV or JSON Lines form"
)


def read_trec(text: str, faults: Faults) -> Reading:
    """The lines of a run file. A line that starts with ``#`` is a line like any other.

    (trec_eval 10 drops such lines, and with them every query whose id starts so.)
    """
    faults.extend(cut_off(text, faults.name))
    rows: list[Row] = []
    blank = 0
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        columns = cut_columns(line)
        if not columns:
            blank += 1
            continue
        if len(columns) != 6:
            shown = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            faults.add(number, f"{shown} where 6 are expected", _COLUMNS)
            continue
        query_id, _, record_id, rank, score, system = columns
        if not _RANK.fullmatch(rank):
            faults.add(number, f"the rank {rank!r}", "a whole number, 1, 2, … (or from 0)")
            continue
        rows.append(Row(number, query_id, record_id, int(rank), score, system))
    return Reading(rows, blank_lines(blank))
