"""Lists cut off at a year: derived, renumbered, with every raw rank and every reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Refused
from judge.records.run import Document, Hit, Notice, RunRecord
from judge.runs.cutoff import cut
from judge.steps.results import cut_off
from tests.fakes.study import frozen_study


def run(*hits: Hit, **fields: Any) -> RunRecord:
    given: dict[str, Any] = {
        "status": "executed",
        "query_id": "q1",
        "information_need": "n",
        "query": "q",
        "mode": "m",
        "cutoffs": (1,),
        "run_id": "r1/b/q1/1",
        "round": "r1",
        "system": "b",
        "service": "fake",
        "endpoint": "e",
        "requested": 4,
        "attempt": 1,
        "outcome": "answered",
        "raw_results": hits,
        "errors_and_notices": (),
    }
    return RunRecord(**{**given, **fields})


def hit(rank: int, pmid: str, year: str | None) -> Hit:
    return Hit(rank=rank, record_id=f"r{rank}", pmid=pmid, year=year)


LIST = run(
    hit(1, "11", "2015"),
    hit(2, "12", "2016"),
    hit(3, "13", None),
    hit(4, "11", "2015"),
    hit(5, "14", "2016"),
    hit(6, "15", "Winter 2014"),
)
PUBMED = {
    "pmid:14": Document(record_id="pmid:14", year="2013", provenance="PubMed, checked"),
    "pmid:15": Document(record_id="pmid:15", year=None, provenance="PubMed, checked"),
}


def test_survivors_are_renumbered_and_keep_their_raw_rank() -> None:
    """By hand for 2015: rank 2 is too late, 3 has no year, 4 is 1 again; PubMed moves 5 to 2013."""
    found = cut(LIST, 2015, PUBMED)
    assert [(one.hit.rank, one.rank, one.why) for one in found.placed] == [
        (1, 1, "kept"),
        (2, None, "too_late"),
        (3, None, "year_unknown"),
        (4, None, "copy"),
        (5, 2, "kept"),
        (6, 3, "kept"),
    ]
    assert [(one.year, one.year_from) for one in found.kept] == [
        ("2015", "fake"),
        ("2013", "PubMed, checked"),
        ("Winter 2014", "fake"),
    ]
    assert [one.rank for one in LIST.raw_results or ()] == [1, 2, 3, 4, 5, 6]


def test_the_file_names_what_it_keeps_and_what_it_leaves_out(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1", "q2"], max_year=2015)
    filtered = run(
        hit(1, "1", "2030"),
        query_id="q2",
        run_id="r1/b/q2/1",
        errors_and_notices=(Notice(kind="year_filter", text="to 2015"),),
    )
    with context.study.ledger(context.clock) as ledger:
        ledger.record("captured", "two", [LIST, filtered])
    (done,) = cut_off(context, tmp_path / "out")
    counts = done.counts
    assert (counts.lists, counts.raw, counts.kept, counts.filtered) == (1, 6, 2, 1)
    assert (counts.too_late, counts.year_unknown, counts.copies) == (2, 1, 1)
    (row,) = [json.loads(line) for line in done.file.read_text("utf-8").splitlines()]
    assert [(one["rank"], one["raw_rank"]) for one in row["candidates"]] == [(1, 1), (2, 6)]
    assert [(one["raw_rank"], one["why"]) for one in row["left_out"]] == [
        (2, "too_late"),
        (3, "year_unknown"),
        (4, "copy"),
        (5, "too_late"),
    ]


def test_without_a_cut_off_year_nothing_is_written(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1"])
    with pytest.raises(Refused, match="no answered query has a cut-off year"):
        cut_off(context, tmp_path / "out")
