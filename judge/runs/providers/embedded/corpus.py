"""The corpus of an embedded service: one JSON line per note, checked whole before it is indexed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from judge.canonical import sha256
from judge.decode import read_jsonl
from judge.errors import Invalid, Problem
from judge.files import problem_line
from judge.records.base import Record
from judge.records.corpus import Note
from judge.records.run import Document
from judge.runs.identity import record_key
from judge.text import id_fault, repair

R = TypeVar("R", bound=Record)

SERVICE: Final = "embedded"
"""The name that a protocol gives as `service`, and the source in a note's own record key."""


@dataclass(frozen=True)
class Corpus:
    """The notes of one file, in the order of their ids."""

    notes: tuple[Note, ...]
    digest: str
    """SHA-256 of the file's bytes."""
    repaired: int
    """How many lone surrogates and NULs were replaced by U+FFFD on reading."""


def load_corpus(data: bytes, name: str) -> Corpus:
    """The corpus in the bytes of a file called ``name``.

    Raises `Invalid` with every problem at once: what `judge.decode.read_jsonl` and
    `judge.text.id_fault` refuse, blank fields (what a note lacks is null), two notes with one id
    or one record key (the same PMID, say), and a ``preprint_of`` that names no other note.
    """
    lines: list[tuple[int, Note]] = []
    replaced = 0
    for number, found in read_jsonl(data, name, Note):
        note, bad = repaired(found)
        lines.append((number, note))
        replaced += bad
    if not lines:
        raise Invalid(f"{name}: no notes in the file", hint="write one note per line")
    problems = _problems(lines, name)
    if problems:
        count = "one problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise Invalid(f"{name} has {count}", problems)
    notes = sorted((note for _, note in lines), key=lambda note: note.id)
    return Corpus(notes=tuple(notes), digest=sha256(data), repaired=replaced)


def documents(corpus: Corpus) -> tuple[Document, ...]:
    """The neutral text of each note: what assessors read, whichever mode found it (R37)."""
    keys = {note.id: note_key(note) for note in corpus.notes}
    return tuple(
        Document(
            record_id=keys[note.id],
            title=note.title,
            journal=note.journal,
            year=note.year,
            type=note.type,
            abstract=note.abstract,
            pmid=note.pmid,
            doi=note.doi,
            preprint_of=None if note.preprint_of is None else keys[note.preprint_of],
            retracted=note.retracted,
            provenance="corpus",
        )
        for note in corpus.notes
    )


def note_key(note: Note) -> str:
    """The record key of a note: the key that its hits get too."""
    return record_key(pmid=note.pmid, doi=note.doi, source=SERVICE, record_id=note.id)


def repaired(record: R) -> tuple[R, int]:
    """``record`` with `judge.text.repair` done on its text fields, and how many were replaced."""
    changes: dict[str, Any] = {}
    count = 0
    for field in record.__struct_fields__:
        value = getattr(record, field)
        if isinstance(value, str):
            text, bad = repair(value)
            if bad:
                changes[field] = text
                count += bad
    return (msgspec.structs.replace(record, **changes) if changes else record), count


def _problems(lines: list[tuple[int, Note]], name: str) -> list[Problem]:
    problems: list[Problem] = []
    first_with_id: dict[str, int] = {}
    first_with_key: dict[str, int] = {}
    ids = {note.id for _, note in lines}
    for number, note in lines:
        if fault := id_fault(note.id):
            problems.append(problem_line(name, number, fault))
        for field, value in msgspec.structs.asdict(note).items():
            if isinstance(value, str) and not value.strip() and field != "id":
                allowed = "" if field in ("title", "type") else "null where there is none"
                problems.append(problem_line(name, number, f"{field} is blank", allowed))
        earlier = first_with_id.setdefault(note.id, number)
        if earlier != number:
            problems.append(
                problem_line(name, number, f"id {note.id!r} stands in line {earlier} already")
            )
            continue
        key = note_key(note)
        earlier = first_with_key.setdefault(key, number)
        if earlier != number:
            problems.append(
                problem_line(name, number, f"{key} is the record of line {earlier} already")
            )
        if note.preprint_of is not None and note.preprint_of not in ids - {note.id}:
            problems.append(
                problem_line(
                    name, number, f"preprint_of {note.preprint_of!r} is no other note's id"
                )
            )
    return problems
