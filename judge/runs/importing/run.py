"""Runs made elsewhere, read into ranked lists: TREC run files, JSON Lines, CSV and TSV tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from judge.errors import Invalid
from judge.records.run import Hit, Notice
from judge.runs.importing.common import Faults, Reading, Row, check_ids, id_notices, open_text
from judge.runs.importing.csv_table import delimiter_of, read_run_table
from judge.runs.importing.fields import name_of
from judge.runs.importing.jsonl import read_run_jsonl
from judge.runs.importing.ordering import (
    Duplicates,
    MissingRanks,
    Order,
    first_rank,
    ranked_list,
)
from judge.runs.importing.trec import read_trec
from judge.text import id_fault

Form = Literal["trec", "jsonl", "csv"]
FileForm = Literal["auto", "trec", "jsonl", "csv"]
_READERS: dict[Form, Callable[[str, Faults], Reading]] = {
    "trec": read_trec,
    "jsonl": read_run_jsonl,
    "csv": read_run_table,
}


@dataclass(frozen=True)
class ImportedList:
    """The ranked list of one query at one system, ranks 1..n, and what was noticed about it."""

    system: str
    query_id: str
    hits: tuple[Hit, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True)
class ImportResult:
    """Everything a run file holds. Lists are in the order in which the file first names them."""

    form: Form
    lists: tuple[ImportedList, ...]
    notices: tuple[Notice, ...]
    """What concerns the file as a whole."""
    absent: tuple[tuple[str, str], ...]
    """(system, query id) of known queries without a line: no list, and never an empty one (R64)."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the file, in its order."""
        return tuple(dict.fromkeys(found.system for found in self.lists))

    @property
    def hits(self) -> int:
        """How many hits all lists hold together."""
        return sum(len(found.hits) for found in self.lists)

    def counts(self) -> dict[str, int]:
        """Kind of notice to the number of lists that have it."""
        return dict(Counter(notice.kind for found in self.lists for notice in found.notices))


def import_run(
    data: bytes,
    name: str,
    *,
    form: FileForm = "auto",
    system: str | None = None,
    order: Order = "rank",
    duplicates: Duplicates = "keep",
    missing_ranks: MissingRanks = "refuse",
    known_queries: frozenset[str],
) -> ImportResult:
    """The ranked lists of a run file, gzip or not.

    ``system`` names the system of a file that holds one run; without it the file's own run column
    does, and may hold many. ``order`` is ``rank`` (explicit ranks, which are kept) or ``trec`` (by
    score, then id, descending; recorded in a notice). ``duplicates`` says what happens to a
    document that stands twice in a list: every copy keeps its rank, or the file is refused;
    ``missing_ranks`` what happens to a gap in explicit ranks: refused, or kept as unfilled ranks.

    Raises `Invalid` with every problem and its lines: lines of another form, ids that cannot be
    ids, query ids not in ``known_queries``, ranks absent, repeated or missing, scores that are no
    numbers where they order, duplicates where refused. Nothing is dropped, moved or renumbered
    without a notice.
    """
    text, notices = open_text(data, name)
    used = _detect(text) if form == "auto" else form
    faults = Faults(name)
    reading = _READERS[used](text, faults)
    rows = reading.rows
    notices += reading.notices
    if not rows:
        faults.stop()
        raise Invalid(f"{name}: no hit in the file")
    notices += _name_systems(rows, name, system, faults)
    check_ids(((row.line, row.query_id, row.record_id) for row in rows), known_queries, faults)
    notices += id_notices(row.record_id for row in rows)
    grouped: dict[tuple[str, str], list[Row]] = {}
    runs: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault((row.system or "", row.query_id), []).append(row)
        runs.setdefault(row.system or "", []).append(row)
    bases = {code: first_rank(members) for code, members in runs.items()}
    lists = []
    before = faults.problems()
    for (code, query_id), members in grouped.items():
        hits, noticed = ranked_list(
            members,
            f"query {query_id!r} in run {code!r}",
            order=order,
            base=bases[code],
            duplicates=duplicates,
            missing_ranks=missing_ranks,
            faults=faults,
        )
        lists.append(ImportedList(code, query_id, hits, tuple(noticed)))
    ranks = order == "rank" and faults.problems() != before
    faults.stop(hint="if the scores are to give the order: --order trec" if ranks else "")
    absent = tuple(
        (code, query_id)
        for code in runs
        for query_id in sorted(known_queries)
        if (code, query_id) not in grouped
    )
    return ImportResult(used, tuple(lists), tuple(notices), absent)


def _detect(text: str) -> Form:
    """The form, by the first line that is not blank: an object, a header of ours, or neither."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    if first.lstrip().startswith("{"):
        return "jsonl"
    names = {name_of(cell.strip('"')) for cell in first.split(delimiter_of(first))}
    return "csv" if names & {"query_id", "record_id"} else "trec"


def _name_systems(rows: list[Row], name: str, system: str | None, faults: Faults) -> list[Notice]:
    """Puts the system's code on every row; a code that is given wins over the file's run name."""
    tags = dict.fromkeys(row.system for row in rows if row.system)
    if system is None:
        for row in rows:
            if not row.system:
                faults.add(row.line, "no run column, and no system given", "name it with --system")
            elif fault := id_fault(row.system):
                faults.add(row.line, fault.replace("the id", "the run name"))
        return []
    if len(tags) > 1:
        raise Invalid(
            f"{name} holds {len(tags)} runs ({', '.join(map(repr, list(tags)[:3]))}, …), "
            f"but one system is named: {system!r}",
            hint="leave out --system to take the names of the run column, or split the file",
        )
    for row in rows:
        row.system = system
    others = [tag for tag in tags if tag != system]
    return [
        Notice(kind="run_name", text=f"the file calls the run {tag!r}; imported as {system!r}")
        for tag in others
    ]
