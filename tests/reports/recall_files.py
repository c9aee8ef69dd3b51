"""Small questions and results files, written in the test that scores them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from judge.records.recall import RecallScore
from judge.reports.recall.rows import read_failures, read_questions
from judge.reports.recall.scoring import score

Row = dict[str, Any]


def lines(*rows: Row | str | bytes) -> list[tuple[int, bytes]]:
    """Rows as numbered lines; text and bytes as they are."""
    found: list[tuple[int, bytes]] = []
    for number, row in enumerate(rows, 1):
        text = json.dumps(row, ensure_ascii=False) if isinstance(row, dict) else row
        found.append((number, text.encode() if isinstance(text, str) else text))
    return found


def asked(identifier: str, *gold: str | Row) -> Row:
    """A question; gold papers by PMID, or in full."""
    papers = [paper if isinstance(paper, dict) else {"pmid": paper} for paper in gold]
    return {"question_id": identifier, "question": "?", "gold": papers, "queries": {}}


def answer(identifier: str, *candidates: str | Row) -> Row:
    """A result row; candidates by PMID or in full, ranks 1, 2, … where not given."""
    return {
        "question_id": identifier,
        "provider": "s",
        "candidates": [
            {"rank": rank, **(one if isinstance(one, dict) else {"pmid": one})}
            for rank, one in enumerate(candidates, 1)
        ],
    }


def scored(
    questions: Sequence[Row],
    results: Sequence[Row | str | bytes],
    failures: Sequence[Row] | None = None,
    **options: Any,
) -> RecallScore:
    """The score of these rows."""
    return score(
        read_questions(lines(*questions), "q.jsonl"),
        lines(*results),
        "r.jsonl",
        failures=None if failures is None else read_failures(lines(*failures), "f.jsonl"),
        **options,
    )


def told(score: RecallScore) -> dict[str, int]:
    """Warnings by kind: how many."""
    return {one.kind: one.count for one in score.warnings}
