"""What a team decided not to share, taken out of published records; their digests stay (R82)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from judge.canonical import canonical, digest, text_digest
from judge.errors import Integrity
from judge.files import parse_json, read_bytes
from judge.records.base import Record
from judge.records.judgement import LabelEvent
from judge.records.release import LeftOutRecord
from judge.records.run import Document, RunRecord
from judge.records.source import ImportedText, SourceCheck

LEFT_OUT = "left_out.jsonl"
"""File of a bundle that names every record with a text left out."""
FIELDS = ("title", "abstract", "journal", "year", "type", "note")
_HIT = {"title": "title", "year": "year", "type": "source_type"}
_KEEPING = (LabelEvent, Document, SourceCheck, ImportedText, RunRecord)


def without(record: Record, fields: Collection[str]) -> tuple[Record, Counter[str], dict[str, str]]:
    """``record`` with nothing where a text of ``fields`` stood.

    With it: how many texts of each field are gone, and each text, by a name of no meaning, so that
    a search can make sure that it stands nowhere else.
    """
    gone: Counter[str] = Counter()
    texts: dict[str, str] = {}

    def blank(part: Any, names: dict[str, str], empty: str | None) -> Any:
        found = {own: name for name, own in names.items() if name in fields and getattr(part, own)}
        for own, name in found.items():
            gone[name] += 1
            texts[f"{name} {len(texts)}"] = getattr(part, own)
        return msgspec.structs.replace(part, **dict.fromkeys(found, empty)) if found else part

    document = {name: name for name in FIELDS if name != "note"}
    made: Any = record
    if isinstance(record, LabelEvent):
        made = blank(record, {"note": "note"}, "")
    elif isinstance(record, Document):
        made = blank(record, document, None)
    elif isinstance(record, SourceCheck | ImportedText) and record.document is not None:
        made = msgspec.structs.replace(record, document=blank(record.document, document, None))
        if isinstance(made, SourceCheck) and "type" in fields:
            gone["type"] += sum(len(one.types) for one in made.says)
            says = tuple(msgspec.structs.replace(one, types=()) for one in made.says)
            made = msgspec.structs.replace(made, says=says)
    elif isinstance(record, RunRecord) and record.raw_results:
        hits = tuple(blank(hit, _HIT, None) for hit in record.raw_results)
        made = msgspec.structs.replace(record, raw_results=hits)
    return made, +gone, texts


def left_out_of(file: str, line: int, record: Record, gone: Collection[str]) -> LeftOutRecord:
    """The line of `left_out.jsonl` for a record of which texts were left out."""
    return LeftOutRecord(
        file=file,
        line=line,
        fields=tuple(name for name in FIELDS if name in gone),  # type: ignore[misc]
        record_sha256=digest(record),
        note_sha256=text_digest(record.note) if isinstance(record, LabelEvent) else "",
    )


def read_left_out(folder: Path) -> dict[tuple[str, int], LeftOutRecord]:
    """What `left_out.jsonl` says, by file and line; nothing where there is no such file."""
    path = folder / LEFT_OUT
    found: dict[tuple[str, int], LeftOutRecord] = {}
    for number, line in enumerate(read_bytes(path).splitlines() if path.is_file() else (), 1):
        try:
            one = msgspec.convert(parse_json(line.decode("utf-8")), LeftOutRecord, strict=True)
        except (ValueError, msgspec.ValidationError) as error:
            raise Integrity(f"{LEFT_OUT}: line {number} is not a record: {error}") from None
        if canonical(one) != line or (one.file, one.line) in found:
            raise Integrity(f"{LEFT_OUT}: line {number} is not in canonical form, or stands twice")
        found[one.file, one.line] = one
    return found


def original_digest(record: Record, kept: LeftOutRecord | None) -> str:
    """The digest that the chain holds of a record: its own, or the one that is kept for it.

    Raises `Integrity` where a text that is said to be left out stands there.
    """
    if kept is None:
        return digest(record)
    if not isinstance(record, _KEEPING) or without(record, kept.fields)[1]:
        raise Integrity(f"{kept.file}: line {kept.line} holds a text that {LEFT_OUT} says is gone")
    return kept.record_sha256
