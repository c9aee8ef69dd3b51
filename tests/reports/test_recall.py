from __future__ import annotations

import msgspec
import pytest

from judge.records.query import GoldPaper
from judge.records.report import Report
from judge.records.run import Document
from judge.reports.recall import Found, credited, found_at, title_key
from tests.reports.declared import QUERIES
from tests.reports.studies import hit, report_of, study

GOLD = (
    GoldPaper(pmid="0031"),
    GoldPaper(doi="https://doi.org/10.1000/ABC"),
    GoldPaper(title="A T-cell study, (part 2)"),
)


def found(rank: int, **fields: str) -> Found:
    names = {"pmid": None, "doi": None, "title": None}
    return Found(rank=rank, **(names | fields))


def test_a_gold_paper_is_matched_by_pmid_then_doi_then_title() -> None:
    hits = [
        found(1, pmid="31"),
        found(2, doi="10.1000/abc"),
        found(3, title="a tcell  study part 2"),
    ]
    assert credited(hits, GOLD) == {0: 1, 1: 2, 2: 3}


def test_each_gold_paper_is_credited_once_at_its_first_rank() -> None:
    assert credited([found(2, pmid="31"), found(5, pmid="31")], GOLD) == {0: 2}


def test_a_hit_whose_gold_is_taken_does_not_fall_through_to_a_weaker_tier() -> None:
    hits = [found(1, pmid="31"), found(2, pmid="31", doi="10.1000/abc")]
    assert credited(hits, GOLD) == {0: 1}


def test_another_pmid_still_lets_the_doi_point() -> None:
    assert credited([found(1, pmid="77", doi="10.1000/abc")], GOLD) == {1: 1}


def test_recall_is_by_rank() -> None:
    ranks = {0: 1, 1: 7}
    assert [found_at(ranks, k) for k in (0, 1, 6, 7, 100)] == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("IL\u20106: A Review.", "il6 a review"),
        ("\uff29\uff2c\uff16  review", "il6 review"),
        ("p < 0.05 \u00b1 1\u00b0", "p < 005 \u00b1 1\u00b0"),
        ("...", None),
        ("", None),
        (None, None),
    ],
)
def test_titles_are_compared_without_case_width_and_punctuation(
    title: str | None, key: str | None
) -> None:
    assert title_key(title) == key


def cells(report: Report, query: str, system: str) -> list[str]:
    return [
        row.figure.cell
        for row in report.recall.per_query
        if (row.query_id, row.system) == (query, system)
    ]


def test_recall_of_the_small_study(report: Report) -> None:
    # q1 has four gold papers; K finds PMID 3 at rank 3, S at rank 1. q4: K finds one of two.
    assert cells(report, "q1", "K") == ["0.00", "0.25"]
    assert cells(report, "q1", "S") == ["0.25", "0.25"]
    assert cells(report, "q4", "K") == ["0.50", "0.50"]
    assert cells(report, "q4", "S") == ["– (no list (timeout))"] * 2
    means = {(row.system, row.cutoff): row for row in report.recall.means}
    at_five = means["K", 5]
    assert at_five.figure.lower is not None
    assert (at_five.figure.lower.fraction, at_five.queries, at_five.asked) == ("3/8", 2, 2)
    assert (means["S", 5].figure.cell, means["S", 5].queries) == ("0.25", 1)


def test_the_service_s_own_identifiers_come_first_then_the_neutral_record() -> None:
    hits = (hit(1, "31"), msgspec.structs.replace(hit(2, "500"), doi="10.1000/abc"))
    runs = tuple(
        msgspec.structs.replace(one, raw_results=hits) if one.run_id == "r1-K-q1-1" else one
        for one in study().runs
    )
    assert cells(report_of(runs=runs), "q1", "K") == ["0.25", "0.25"]
    # A hit that says nothing but its PMID is the paper whose record has the gold DOI.
    known = Document(record_id="pmid:500", doi="10.1000/ABC", provenance="test")
    bare = tuple(
        msgspec.structs.replace(one, raw_results=(hit(1, "500"),))
        if one.run_id == "r1-K-q1-1"
        else one
        for one in study().runs
    )
    report = report_of(runs=bare, documents={"pmid:500": known})
    assert cells(report, "q1", "K") == ["0.25", "0.25"]


def test_recall_is_printed_only_where_declared_and_where_there_is_gold() -> None:
    undeclared = report_of(measures=("precision_at_k",)).recall
    assert undeclared.absent_reason == "Recall is not a declared measure of this protocol."
    assert undeclared.per_query == ()
    no_gold = tuple(msgspec.structs.replace(query, gold=()) for query in QUERIES)
    absent = report_of(evaluation=no_gold).recall
    assert absent.absent_reason == "Recall needs a gold set; no query of this study has one."
    assert absent.means == ()


def test_no_recall_shows_while_labels_are_closed() -> None:
    part = report_of(agreement=(), collected=frozenset({"p-A"})).recall
    assert "R51" in part.absent_reason
    assert part.per_query == part.means == ()
