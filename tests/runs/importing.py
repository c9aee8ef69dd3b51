"""Importing a run in tests: the least that has to be said, and what came out, made short."""

from __future__ import annotations

from typing import Any

import pytest

from judge.errors import Invalid
from judge.runs.importing.run import ImportedList, ImportResult, import_run

QUERIES = frozenset({"q1", "q2", "MET", "met", "7"})


def read(data: str | bytes, name: str = "x.run", **options: Any) -> ImportResult:
    raw = data.encode() if isinstance(data, str) else data
    return import_run(raw, name, **{"known_queries": QUERIES, **options})


def only(data: str | bytes, **options: Any) -> ImportedList:
    (found,) = read(data, **options).lists
    return found


def order(found: ImportedList) -> list[tuple[int, str]]:
    return [(hit.rank, hit.record_id) for hit in found.hits]


def kinds(found: ImportedList | ImportResult) -> dict[str, str]:
    return {notice.kind: notice.text for notice in found.notices}


def problems(data: str | bytes, **options: Any) -> list[str]:
    with pytest.raises(Invalid) as caught:
        read(data, **options)
    return [str(problem) for problem in caught.value.problems] or [caught.value.message]
