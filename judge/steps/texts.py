"""Titles and abstracts that a team brings: one source of text for all systems (R37)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from judge.decode import count_problems, scan_jsonl
from judge.errors import Invalid
from judge.files import problem_line, read_bytes
from judge.records.corpus import Text
from judge.records.run import Document
from judge.records.source import ImportedText
from judge.runs.identity import hit_key
from judge.runs.providers.embedded.corpus import repaired
from judge.steps.context import Context, Work
from judge.steps.importing import record_of


@dataclass(frozen=True)
class TakenTexts:
    """What an import of texts took in."""

    file: str
    taken: int
    same: int
    """Lines that say what is known already."""
    elsewhere: int
    """Lines of records that no run of this study returned; left where they are."""
    dealt: int
    """Records that somebody was dealt already: their text stays, so that all judge the same."""
    bare: tuple[str, ...]
    """Records within the pool depth that still have nothing to show."""


def import_texts(context: Context, path: Path, *, source: str) -> TakenTexts:
    """Takes the texts of returned records from a JSON Lines file; ``source`` says whose they are.

    A line names its record as the runs do, by the service's own id or by the record key; an id
    that is joined with another under one query and alone under the next names both. Raises
    `Invalid` with every problem at once: what `judge.decode.scan_jsonl` refuses, a line without
    title and abstract, a record that stands twice. All or nothing.
    """
    with context.frozen() as work:
        lines, problems = scan_jsonl(read_bytes(path), path.name, Text)
        key, returned = record_of(work), _returned(work)
        first: dict[str, int] = {}
        found: dict[str, Text] = {}
        elsewhere = 0
        for number, line in lines:
            named = {line.record_id}
            if line.record_id not in returned:
                named = {key(query.id, line.record_id) for query in work.evaluation}
            if not (line.title or "").strip() and not (line.abstract or "").strip():
                problems.append(problem_line(path.name, number, "neither title nor abstract"))
            elif before := [first[record] for record in named if record in first]:
                told = f"{line.record_id} is the record of line {min(before)} already"
                problems.append(problem_line(path.name, number, told))
            elsewhere += named.isdisjoint(returned)
            for record in named:
                first.setdefault(record, number)
                found[record] = line
        if problems:
            raise Invalid(
                f"{path.name} has {count_problems(problems)}; nothing was imported", problems
            )
        documents = {
            record: _document(record, text, work.documents.get(record), source)
            for record, text in sorted(found.items())
            if record in returned
        }
        shown_to = {item.record_id for deal in work.deals for item in deal.items}
        kept = shown_to & documents.keys()
        documents = {record: one for record, one in documents.items() if record not in kept}
        known = work.ledger.all(ImportedText)
        numbers = {one.document.record_id: one.number for one in known}
        new = [
            ImportedText(number=numbers.get(record, 0) + 1, document=document)
            for record, document in documents.items()
            if work.documents.get(record) != document
        ]
        if new:
            work.ledger.record("imported_texts", f"{path.name}: {source}", new)
        shown = Work(work.ledger)
        return TakenTexts(
            file=path.name,
            taken=len(new),
            same=len(documents) - len(new),
            elsewhere=elsewhere,
            dealt=len(kept),
            bare=without_text(shown),
        )


def left_open(context: Context) -> tuple[tuple[str, ...], int]:
    """What an import of runs leaves to do: `without_text`, and how many queries have no outcome."""
    with context.frozen() as work:
        return without_text(work), len(work.open_queries)


def without_text(work: Work) -> tuple[str, ...]:
    """The records within the pool depth that have neither title nor abstract to show."""
    depth = work.protocol.depth.pool
    bare = {
        record
        for record, rank in _returned(work).items()
        if rank <= depth
        and ((text := work.documents.get(record)) is None or not (text.title or text.abstract))
    }
    return tuple(sorted(bare))


def _returned(work: Work) -> dict[str, int]:
    """Every record that a current run returned, with its best rank."""
    best: dict[str, int] = {}
    for run in work.current.values():
        for hit in run.raw_results or ():
            key = hit_key(hit, run.service)
            record = work.merged.get(run.query_id, {}).get(key, key)
            best[record] = min(hit.rank, best.get(record, hit.rank))
    return best


def _document(record: str, line: Text, before: Document | None, source: str) -> Document:
    """The text of ``line`` with the identifiers that are known of the record already."""
    text, _ = repaired(line)
    told = before or Document(record_id=record, provenance="")
    return msgspec.structs.replace(
        told,
        title=text.title or None,
        abstract=text.abstract or None,
        journal=text.journal or None,
        year=text.year or None,
        type=text.type or None,
        provenance=source,
    )
