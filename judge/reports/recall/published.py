"""Published recall figures, and what must be said beside any recall on BioASQ."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.decode import read_toml
from judge.files import read_bytes
from judge.records.recall import PublishedTable, PublishedTables

LIMITS = (
    "The gold papers are what question writers found sufficient to answer, not every relevant "
    "paper.",
    "They are biomedical and PubMed-oriented: recall of them says nothing of other fields and "
    "sources.",
    "Recall of gold papers says nothing of precision, nor of results that nobody labelled.",
    "BioASQ and NLM data stay under their own terms. Courtesy of the U.S. National Library of "
    "Medicine; NLM does not endorse this tool or its results.",
)


@cache
def published_tables() -> tuple[PublishedTable, ...]:
    """The two published tables, in the order of their publication."""
    data = read_bytes(Path(__file__).with_name("published.toml"))
    return read_toml(data, "published.toml", PublishedTables).tables
