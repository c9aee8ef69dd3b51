"""Labels made elsewhere: TREC qrels, and tables with one column per assessor.

They were not blinded by this tool, and their reasons and evidence are unavailable (R54). A label
is never inferred: a grade counts from the threshold that is stated, a cell by the mapping that is
stated, and whatever neither covers is refused by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from judge.errors import Invalid
from judge.files import cut_off, nearest
from judge.records.judgement import LABELS, ImportedLabel, Label
from judge.records.run import Notice
from judge.runs.importing.common import (
    Faults,
    blank_lines,
    check_ids,
    cut_columns,
    id_notices,
    open_text,
)
from judge.runs.importing.csv_table import delimiter_of
from judge.table import read_table

Key = Callable[[str, str], str]
"""From a query and a document id of the file to the record key of the pool."""

_GRADE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_QRELS = (
    "four columns: query iteration document grade; an id with a blank in it needs the table form"
)


@dataclass(frozen=True)
class ImportedLabels:
    """The labels of a file, keyed by query and record, and what was noticed on the way."""

    labels: tuple[ImportedLabel, ...]
    notices: tuple[Notice, ...]
    not_judged: int
    """How often the file names a pair without a judgement: a negative grade, an empty cell."""
    repeated: int
    """How often a pair stands again with the same judgement; taken once."""

    def counts(self) -> dict[str, int]:
        """Label to how often it was given."""
        return dict(Counter(given.label for given in self.labels))


def _same(query: str, document: str) -> str:
    return document


def import_qrels(
    data: bytes,
    name: str,
    *,
    relevant_from: int,
    assessor: str,
    known: frozenset[str] | None,
    key: Key = _same,
) -> ImportedLabels:
    """The labels of a TREC qrels file, ``query iteration document grade``.

    A grade of ``relevant_from`` or more is relevant, a lower one down to 0 is not, a negative one
    means pooled and not judged: counted, and no label. The iteration is not used. ``known`` are
    the ids of the queries; None takes whatever queries the file names. Raises `Invalid` with every
    problem and its lines; two different grades for one pair are one of them, both lines named.
    """
    if relevant_from < 1:
        raise Invalid(
            f"relevant from grade {relevant_from}: a grade of 0 says not relevant",
            hint="state the lowest grade that is relevant, such as --relevant-from 1",
        )
    text, notices = open_text(data, name)
    faults = Faults(name)
    faults.extend(cut_off(text, name))
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    taken = _Taken(name, faults, key)
    blank = 0
    for number, line in enumerate(lines, 1):
        columns = cut_columns(line)
        if not columns:
            blank += 1
        elif len(columns) != 4:
            shown = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            faults.add(number, f"{shown} where 4 are expected", _QRELS)
        elif not _GRADE.fullmatch(columns[3]):
            faults.add(number, f"the grade {columns[3]!r}", "a whole number")
        else:
            query_id, _, document, digits = columns
            grade = int(digits)
            label: Label | None = "relevant" if grade >= relevant_from else "not_relevant"
            given = _Given(number, document, f"grade {grade}", None if grade < 0 else label)
            taken.name_pair(number, query_id, document)
            taken.add(assessor, query_id, given)
    return taken.result(known, [*notices, *blank_lines(blank)])


def import_label_table(
    data: bytes,
    name: str,
    *,
    mapping: Mapping[str, str],
    assessors: Mapping[str, str],
    known: frozenset[str] | None,
    query: str = "query_id",
    record: str = "record_id",
    only_query: str | None = None,
    key: Key = _same,
) -> ImportedLabels:
    """The labels of a table (CSV, or tab-separated) with one column per assessor.

    ``assessors`` maps column to assessor code (``final`` for a final decision); ``query`` and
    ``record`` name the columns of the query id and the document id; a table that is about one
    query alone (a screening) needs no query column with ``only_query``. ``mapping`` says what a
    cell means, such as ``{"yes": "relevant", "no": "not_relevant"}``. Cells are compared without
    the blanks around them and without case; where a cell matches only so, that is counted and
    named. An empty cell is not judged. Raises `Invalid` with every problem: columns not there,
    values that the mapping lacks, two different labels of one assessor for one pair.
    """
    meanings = _meanings(mapping)
    text, notices = open_text(data, name)
    first = next((line for line in text.split("\n") if line.strip()), "")
    table, problems = read_table(text, name, delimiter=delimiter_of(first))
    faults = Faults(name)
    faults.extend(problems)
    needed = (*(() if only_query else (query,)), record, *assessors)
    for column in needed:
        if column not in table.header:
            found = f"no column {column!r}{nearest(column, table.header)}"
            faults.add(1, found, f"columns: {', '.join(map(repr, table.header))}")
    if any(column not in table.header for column in needed):
        faults.stop()
    record_at = table.header.index(record)
    columns = [(table.header.index(column), column) for column in assessors]
    taken = _Taken(name, faults, key)
    changes: Counter[tuple[str, str, str]] = Counter()
    for number, cells in table.rows:
        query_id = only_query or cells[table.header.index(query)]
        taken.name_pair(number, query_id, cells[record_at])
        for place, column in columns:
            cell = cells[place]
            bare = cell.strip()
            if not bare:
                taken.not_judged += 1
                continue
            meaning = meanings.get(bare.casefold())
            if meaning is None:
                allowed = f"one of {', '.join(map(repr, mapping))}, or empty"
                faults.add(number, f"the value {cell!r} in column {column!r}", allowed)
                continue
            written, label = meaning
            if cell != bare:
                changes["trimmed_cells", cell, column] += 1
            if bare != written:
                changes["case_folded_cells", cell, column] += 1
            given = _Given(number, cells[record_at], repr(cell), label)
            taken.add(assessors[column], query_id, given)
    notices += [*blank_lines(table.blank_lines), *_change_notices(changes)]
    return taken.result(known, notices)


def _meanings(mapping: Mapping[str, str]) -> dict[str, tuple[str, Label]]:
    """Folded value to the value as written and its label."""
    known: dict[str, Label] = {label: label for label in LABELS}
    meanings: dict[str, tuple[str, Label]] = {}
    for value, meant in mapping.items():
        written = value.strip()
        folded = written.casefold()
        if meant not in known:
            raise Invalid(
                f"the mapping {value!r} to {meant!r}: no such label{nearest(meant, LABELS)}",
                hint=f"map each value to one of {', '.join(LABELS)}",
            )
        if not written:
            raise Invalid("the mapping has an empty value; an empty cell is never a label (R49)")
        if meanings.setdefault(folded, (written, known[meant]))[1] != meant:
            raise Invalid(f"the mapping gives {value!r} two labels; case and blanks do not count")
    return meanings


def _change_notices(changes: Counter[tuple[str, str, str]]) -> list[Notice]:
    words = {
        "trimmed_cells": "cells read without the blanks around them",
        "case_folded_cells": "cells read without regard to case",
    }
    notices = []
    for kind, text in words.items():
        found = [
            (cell, column, count) for (of, cell, column), count in changes.items() if of == kind
        ]
        if found:
            total = sum(count for _, _, count in found)
            parts = [f"{cell!r} in {column!r} ({count})" for cell, column, count in sorted(found)]
            notices.append(Notice(kind=kind, text=f"{text}: {total}: {', '.join(parts)}"))
    return notices


@dataclass(frozen=True)
class _Given:
    """What one line says of one pair; ``label`` is None for pooled and not judged."""

    line: int
    document: str
    as_written: str
    label: Label | None


class _Taken:
    """The labels of a file so far, one per assessor, query and record."""

    def __init__(self, name: str, faults: Faults, key: Key) -> None:
        self.name = name
        self.faults = faults
        self.key = key
        self.not_judged = 0
        self.repeated = 0
        self.labels: list[ImportedLabel] = []
        self._pairs: list[tuple[int, str, str]] = []
        self._given: dict[tuple[str, str, str], _Given] = {}

    def name_pair(self, line: int, query_id: str, document: str) -> None:
        """Notes the ids of a line, to be checked at the end."""
        self._pairs.append((line, query_id, document))

    def add(self, assessor: str, query_id: str, given: _Given) -> None:
        """Takes a label, or says why it cannot stand beside an earlier one of the same pair."""
        record_id = self.key(query_id, given.document)
        earlier = self._given.setdefault((assessor, query_id, record_id), given)
        if earlier is not given:
            same_words = earlier.as_written == given.as_written
            if earlier.label == given.label and (same_words or earlier.document != given.document):
                self.repeated += 1
                return
            also = "" if earlier.document == given.document else f" (as {earlier.document!r})"
            self.faults.add(
                given.line,
                f"{given.document!r} for query {query_id!r} is {given.as_written} here and "
                f"{earlier.as_written} on line {earlier.line}{also}",
                "one label for a pair",
            )
        elif given.label is None:
            self.not_judged += 1
        else:
            self.labels.append(
                ImportedLabel(
                    assessor=assessor,
                    query_id=query_id,
                    record_id=record_id,
                    label=given.label,
                    source=f"{self.name}: line {given.line}",
                )
            )

    def result(self, known: frozenset[str] | None, notices: list[Notice]) -> ImportedLabels:
        """Everything taken. Raises `Invalid` with all problems."""
        check_ids(self._pairs, known, self.faults)
        self.faults.stop()
        if not self._pairs:
            raise Invalid(f"{self.name}: no label in the file")
        notices += id_notices(document for _, _, document in self._pairs)
        return ImportedLabels(tuple(self.labels), tuple(notices), self.not_judged, self.repeated)
