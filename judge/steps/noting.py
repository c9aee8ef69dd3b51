"""Failure notes: what went wrong where, beside the labels and never in a score."""

from __future__ import annotations

from pathlib import Path

from judge.decode import read_jsonl
from judge.errors import Invalid, Problem
from judge.files import read_bytes
from judge.records.judgement import FailureNote
from judge.steps.context import Context
from judge.text import id_fault, unstorable


def note_failures(context: Context, path: Path) -> int:
    """Records failure notes from a JSON Lines file; returns how many are new (R73).

    They never change a label or a score (R77). Raises `Invalid` for an unknown query or system.
    """
    with context.frozen() as work:
        notes = read_jsonl(read_bytes(path), path.name, FailureNote)
        queries = {query.id for query in work.evaluation}
        systems = {system.code for system in work.protocol.systems}
        runs = {(run.system, run.query_id) for run in work.runs if run.status == "executed"}
        kept = {note.id: note for note in work.ledger.all(FailureNote)}
        lines: dict[str, int] = {}
        problems = []
        for number, note in notes:
            where = f"{path.name}: line {number}"
            if kept.get(note.id, note) != note:
                problems.append(
                    Problem(where, f"{note.id} was recorded with other words", "give a new id")
                )
            first = lines.setdefault(note.id, number)
            if first != number:
                problems.append(Problem(where, f"id {note.id!r} stands in line {first} already"))
            if fault := unstorable(note.text) or id_fault(note.id):
                problems.append(Problem(where, fault))
            if note.query_id not in queries:
                problems.append(Problem(where, f"unknown query {note.query_id!r}"))
            elif note.system not in systems:
                problems.append(Problem(where, f"unknown system {note.system!r}"))
            elif (note.system, note.query_id) not in runs:
                problems.append(Problem(where, f"{note.query_id} has no run at {note.system}"))
            if not note.text.strip():
                problems.append(Problem(where, "no text", "say what went wrong (R73)"))
        if problems:
            raise Invalid(f"{path.name}: nothing was recorded", problems)
        new = [note for _, note in notes if note.id not in kept]
        if new:
            work.ledger.record("failures_noted", path.name, new)
        return len(new)
