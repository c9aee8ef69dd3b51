"""BioASQ 12b: real systems' lists of ten against the gold, as precision and as recall."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from judge.reports.precision import precision
from judge.reports.recall.rows import read_questions
from judge.reports.recall.scoring import score
from judge.reports.recall.section import ceiling


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def as_lines(found: list[dict[str, Any]]) -> list[tuple[int, bytes]]:
    return [(number, json.dumps(row).encode()) for number, row in enumerate(found, 1)]


@pytest.fixture(scope="module")
def gold(request: pytest.FixtureRequest) -> dict[int, dict[str, list[str]]]:
    """Gold PMIDs by batch and question; twelve questions list a PMID twice, which is one paper."""
    folder: Path = request.getfixturevalue("real_data") / "bioasq12b"
    found: dict[int, dict[str, list[str]]] = {}
    for row in rows(folder / "gold.jsonl"):
        papers = list(dict.fromkeys(row["gold_pmids"]))
        found.setdefault(row["batch"], {})[row["question_id"]] = papers
    return found


@pytest.fixture(scope="module")
def lists(request: pytest.FixtureRequest) -> dict[tuple[int, str], dict[str, list[str]]]:
    """PMIDs in rank order by (batch, system) and question."""
    folder: Path = request.getfixturevalue("real_data") / "bioasq12b"
    found: dict[tuple[int, str], dict[str, list[str]]] = {}
    for row in rows(folder / "runs.jsonl"):
        found.setdefault((row["batch"], row["system"]), {})[row["question_id"]] = row["pmids"]
    return found


@pytest.mark.parametrize(
    ("batch", "system", "p10", "recall", "short"),
    [(1, "mibi_rag_abstract", "0.2047", "0.1325", 29), (3, "mibi_rag_4", "0.3918", "0.1995", 0)],
)
def test_p10_and_recall_of_a_real_system(
    batch: int,
    system: str,
    p10: str,
    recall: str,
    short: int,
    gold: dict[int, dict[str, list[str]]],
    lists: dict[tuple[int, str], dict[str, list[str]]],
) -> None:
    asked, given = gold[batch], lists[batch, system]
    values = [
        precision(
            list(enumerate(given[question], 1)),
            dict.fromkeys(pmids, "relevant"),
            10,
            duplicates="first_counts",
            uncertain="bounds",
        )
        for question, pmids in asked.items()
    ]
    assert f"{sum(value.relevant for value in values) / 850:.4f}" == p10
    assert sum(value.filled < 10 for value in values) == short
    questions = [
        {"question_id": question, "gold": [{"pmid": pmid} for pmid in pmids]}
        for question, pmids in asked.items()
    ]
    results = [
        {
            "question_id": question,
            "candidates": [{"rank": rank, "pmid": pmid} for rank, pmid in enumerate(pmids, 1)],
        }
        for question, pmids in given.items()
    ]
    done = score(read_questions(as_lines(questions), "q"), as_lines(results), "r")
    assert done.num_scored_questions == 85
    assert f"{done.macro_recall['10']:.4f}" == recall


def test_every_system_is_scored_below_the_ceiling_of_its_batch(
    gold: dict[int, dict[str, list[str]]], lists: dict[tuple[int, str], dict[str, list[str]]]
) -> None:
    assert len(lists) == 14
    for (batch, _), given in lists.items():
        most = ceiling(10, [len(pmids) for pmids in gold[batch].values()])
        assert most.precision.upper is not None
        hits = sum(len(set(pmids[:10]) & set(gold[batch][one])) for one, pmids in given.items())
        assert 0 < Fraction(hits, 850) < Fraction(most.precision.upper.fraction)


def test_ceilings_over_all_questions(gold: dict[int, dict[str, list[str]]]) -> None:
    sizes = [len(pmids) for batch in gold.values() for pmids in batch.values()]
    most = ceiling(10, sizes)
    assert (len(sizes), most.precision.cell, most.recall.cell) == (340, "0.7568", "0.6527")
