"""The names a hit's fields go by in JSON Lines and tables, and what is done with other names."""

from __future__ import annotations

from collections.abc import Iterable

from judge.files import nearest
from judge.records.run import Notice

NAMES = {
    "query_id": "query_id",
    "topic": "query_id",
    "record_id": "record_id",
    "docid": "record_id",
    "system": "system",
    "run": "system",
    "rank": "rank",
    "score": "score",
}
"""Name in the file to name here; `OPTIONAL` fields go by their own names."""

OPTIONAL = (
    "link",
    "title",
    "pmid",
    "doi",
    "pmcid",
    "year",
    "source_type",
    "updated",
    "notice",
)
"""Further fields of `judge.records.run.Hit`, taken where the file has them."""

ALLOWED = f"names: {', '.join((*NAMES, *OPTIONAL))}"


def name_of(column: str) -> str | None:
    """The field a column or key stands for, or None where it is none of ours."""
    return column if column in OPTIONAL else NAMES.get(column)


def missing_name(field: str, present: Iterable[str]) -> str:
    """The words for a needed field that is not there, with the name that may be meant for it."""
    spellings = [name for name, meant in NAMES.items() if meant == field]
    close = ""
    for column in present:
        if name_of(column) is None and nearest(column, spellings):
            close = f" (is it {column!r}?)"
    return f"no {' or '.join(spellings)}{close}"


def unread(names: Iterable[str]) -> list[Notice]:
    """The notice for fields of a file that an import does not take."""
    listed = ", ".join(repr(name) for name in names)
    return [Notice(kind="fields_not_read", text=f"fields not read: {listed}")] if listed else []
