"""TREC files as text, from lists of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Lists = Mapping[str, Sequence[tuple[str, str]]]
"""(document, score) in rank order, by query."""


def run_text(lists: Lists, name: str = "A", blank: str = " ") -> bytes:
    """A regular run file."""
    lines = [
        blank.join([query, "Q0", document, str(rank), score, name])
        for query, found in lists.items()
        for rank, (document, score) in enumerate(found, 1)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def qrels_text(grades: Mapping[tuple[str, str], int]) -> bytes:
    """A regular qrels file."""
    return "".join(
        f"{query} 0 {document} {grade}\n" for (query, document), grade in grades.items()
    ).encode()
