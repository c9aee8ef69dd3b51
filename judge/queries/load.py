"""Query files: JSON Lines or CSV, checked as a whole, the submitted text kept to the byte (R15)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from judge.clock import is_date
from judge.decode import count_problems, decode, scan_jsonl
from judge.errors import Invalid, Problem
from judge.files import decode_text, nearest, problem_line
from judge.records.query import GoldPaper, Query
from judge.table import Table, read_table
from judge.text import id_fault, unstorable

LONGEST_TEXT = 20_000
"""Most characters of a need or a submitted text. Far above what any search service takes: a longer
one is a paste by mistake, and would not fit the address of a request."""

_REQUIRED = ("id", "family", "need", "text", "expected")
_SCALARS = (*_REQUIRED, "entity", "note")
_LISTS = ("tests", "gold")
_COLUMNS = (
    *_SCALARS,
    *_LISTS,
    "max_year",
    "control_check.how",
    "control_check.on",
    "control_check.by",
)
_DOTTED = re.compile(r"strata\.(?P<stratum>.+)|translations\.(?P<system>.+)\.(?P<part>text|note)")
_LINE = re.compile(r": line (\d+)")


def load_queries(data: bytes, name: str, *, empty: bool = False) -> tuple[Query, ...]:
    """The queries of a file, in its order. ``name`` ending in ``.csv`` is CSV, else JSON Lines.

    CSV columns are the fields of `Query`; ``strata.<name>``, ``translations.<system>.text`` and
    ``.note``, ``control_check.how``, ``.on`` and ``.by`` for what is nested; ``tests`` and
    ``gold`` (PMIDs) separated by ``;``. Apart from those two, a cell is taken as it stands, and an
    empty one is absent. With ``empty`` a file of no bytes is no queries.

    Raises `Invalid` with every problem of the file and its line: unknown fields, repeated ids, an
    empty need or text, text over `LONGEST_TEXT` characters, characters that cannot be stored.
    """
    if name.lower().endswith(".csv"):
        text = decode_text(data, name, empty=empty)
        found, problems = _from_csv(text, name) if text else ([], [])
    else:
        found, problems = scan_jsonl(data, name, Query, empty=empty)
    for line, query in found:
        where = f"{name}: line {line}"
        problems += [Problem(f"{where}: {p.where}", p.found, p.allowed) for p in faults(query)]
    problems += _repeated(found, name)
    if problems:
        problems.sort(key=_line_of)
        raise Invalid(f"{name} has {count_problems(problems)}", problems)
    return tuple(query for _, query in found)


def to_jsonl(queries: Iterable[Query]) -> bytes:
    """Queries as JSON Lines, one a line; optional fields that are empty are left out."""
    required = {field.name for field in msgspec.structs.fields(Query) if field.required}
    lines = []
    for query in queries:
        built = msgspec.to_builtins(query)
        kept = {key: value for key, value in built.items() if value or key in required}
        if query.gold:
            kept["gold"] = [
                {key: value for key, value in paper.items() if value is not None}
                for paper in built["gold"]
            ]
        lines.append(msgspec.json.encode(kept) + b"\n")
    return b"".join(lines)


def faults(query: Query) -> list[Problem]:
    """What is wrong with one query by itself; ``where`` is the field."""
    problems: list[Problem] = []

    def wrong(field: str, found: str, allowed: str = "") -> None:
        problems.append(Problem(field, found, allowed))

    if fault := id_fault(query.id):
        wrong("id", fault, "ids are text without blanks or invisible characters")
    if not query.family:
        wrong("family", "empty", "the code of a family of the protocol")
    submitted = [("text", query.text)] + [
        (f"translations.{system}.text", translation.text)
        for system, translation in query.translations.items()
    ]
    for field, text in [("need", query.need), *submitted]:
        if not text.strip():
            wrong(field, "empty", "at least one character that is not a blank")
        elif len(text) > LONGEST_TEXT:
            wrong(field, f"{len(text):,} characters", f"at most {LONGEST_TEXT:,}")
    for field, text in _texts(msgspec.to_builtins(query), ""):
        if fault := unstorable(text):
            wrong(field, fault, "text that can be stored as UTF-8")
    if query.max_year is not None and not 1000 <= query.max_year <= 9999:
        wrong("max_year", str(query.max_year), "a year of four digits")
    if (check := query.control_check) is not None:
        for part, value in (("how", check.how), ("by", check.by)):
            if not value.strip():
                wrong(f"control_check.{part}", "empty", "how, when and by whom it was checked")
        if not is_date(check.on):
            wrong("control_check.on", repr(check.on), "a day as YYYY-MM-DD")
    problems += _gold_faults(query)
    return problems


def paper_mark(paper: GoldPaper) -> str:
    """What tells a gold paper from another: its PMID, else its DOI, else its title.

    Two papers with two PMIDs are two, even under one DOI (chapters of a book share theirs).
    """
    if paper.pmid:
        return f"the PMID {paper.pmid.lstrip('0')}"
    return f"the DOI {paper.doi.lower()}" if paper.doi else f"the title {paper.title!r}"


def _gold_faults(query: Query) -> list[Problem]:
    problems = []
    seen: set[str] = set()
    for number, paper in enumerate(query.gold, 1):
        where = f"gold[{number}]"
        if not (paper.pmid or paper.doi or paper.title):
            problems.append(Problem(where, "no identifier", "a pmid, a doi or a title"))
            continue
        if paper.pmid and not re.fullmatch(r"[0-9]+", paper.pmid):
            # A spreadsheet writes 8906788.0 or 8.9E+06.
            problems.append(Problem(where, f"the PMID {paper.pmid!r}", "digits alone"))
        mark = paper_mark(paper)
        if mark in seen:
            problems.append(Problem(where, f"{mark} stands twice"))
        seen.add(mark)
    return problems


def _texts(value: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"a name in {where or 'the query'}", key
            yield from _texts(item, f"{where}.{key}" if where else key)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value, 1):
            yield from _texts(item, f"{where}[{number}]")


def _repeated(found: list[tuple[int, Query]], name: str) -> list[Problem]:
    first: dict[str, int] = {}
    problems = []
    for line, query in found:
        if query.id in first:
            text = f"the id {query.id!r} stands on line {first[query.id]} already"
            problems.append(problem_line(name, line, text, "one query per id"))
        first.setdefault(query.id, line)
    return problems


def _line_of(problem: Problem) -> int:
    found = _LINE.search(problem.where)
    return int(found[1]) if found else 0


def _from_csv(text: str, name: str) -> tuple[list[tuple[int, Query]], list[Problem]]:
    table, problems = read_table(text, name)
    problems += _column_problems(table, name)
    found: list[tuple[int, Query]] = []
    missing = [column for column in _REQUIRED if column not in table.header]
    if missing:  # said once, not again for every row
        found_text = f"no column {', '.join(missing)}"
        return [], [*problems, problem_line(name, 1, found_text, f"needed: {', '.join(_REQUIRED)}")]
    for line, cells in table.rows:
        row: dict[str, Any] = {}
        for column, cell in zip(table.header, cells, strict=True):
            if cell:
                _put(row, column, cell)
        query, wrong = decode(row, Query, f"{name}: line {line}")
        problems += wrong
        if query is not None:
            found.append((line, query))
    return found, problems


def _column_problems(table: Table, name: str) -> list[Problem]:
    return [
        problem_line(
            name,
            1,
            f"unknown column {column!r}{nearest(column, _COLUMNS)}",
            f"columns: {', '.join(_COLUMNS)}, strata.NAME, translations.SYSTEM.text and .note",
        )
        for column in table.header
        if column.strip() and column not in _COLUMNS and not _DOTTED.fullmatch(column)
    ]


def _put(row: dict[str, Any], column: str, cell: str) -> None:
    """Puts a cell where the field of its column stands; unknown columns were reported before."""
    if column in _SCALARS:
        row[column] = cell
    elif column == "max_year":
        row[column] = int(cell) if re.fullmatch(r"[0-9]{1,9}", cell) else cell
    elif column in _LISTS:
        parts = [part.strip() for part in cell.split(";") if part.strip()]
        row[column] = parts if column == "tests" else [{"pmid": part} for part in parts]
    elif column.startswith("control_check."):
        row.setdefault("control_check", {})[column.partition(".")[2]] = cell
    elif found := _DOTTED.fullmatch(column):
        if found["stratum"]:
            row.setdefault("strata", {})[found["stratum"]] = cell
        else:
            row.setdefault("translations", {}).setdefault(found["system"], {})[found["part"]] = cell
