"""Texts of records: the notes of an embedded corpus, and what a team brings for other services."""

from __future__ import annotations

from judge.records.base import Record


class Note(Record, frozen=True, kw_only=True):
    """One short note of `runs/corpus/notes.jsonl`.

    ``id`` is the corpus's own identifier; ``pmid`` and ``doi`` are what real records would have.
    ``link`` is the source link as the service hands it out (null where it hands out none).
    """

    id: str
    title: str
    abstract: str | None = None
    journal: str | None = None
    year: str | None = None
    type: str = "article"
    pmid: str | None = None
    doi: str | None = None
    link: str | None = None
    updated: str | None = None
    preprint_of: str | None = None
    """``id`` of the note of the article that this preprint became."""
    retracted: bool = False


class Text(Record, frozen=True, kw_only=True):
    """What assessors are to read of one record: a line of `judge import-texts`."""

    record_id: str
    """As the runs name it, or its record key such as ``pmid:123``."""
    title: str | None = None
    abstract: str | None = None
    journal: str | None = None
    year: str | None = None
    type: str | None = None
