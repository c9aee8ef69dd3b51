"""BioASQ files and the recall questions file, read as queries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judge.errors import Invalid
from judge.queries.load import load_queries, to_jsonl
from judge.queries.questions import gold_paper, read_bioasq, read_recall_questions
from judge.records.query import GoldPaper, Query, Translation


@pytest.mark.parametrize(
    "link",
    [
        "http://www.ncbi.nlm.nih.gov/pubmed/31234567",
        "https://www.ncbi.nlm.nih.gov/pubmed/31234567/",
        "https://www.ncbi.nlm.nih.gov/pubmed/?term=31234567",
        "https://www.ncbi.nlm.nih.gov/m/pubmed/31234567",
        "www.ncbi.nlm.nih.gov/pubmed/31234567",
        "https://pubmed.ncbi.nlm.nih.gov/31234567/",
        "https://pubmed.ncbi.nlm.nih.gov/31234567?dopt=Abstract",
        "https://pubmed.ncbi.nlm.nih.gov/31234567#affiliation",
        "https://europepmc.org/article/MED/31234567",
        "PMID: 31234567",
        " 31234567 ",
    ],
)
def test_a_pubmed_link_in_any_form_names_the_paper(link: str) -> None:
    assert gold_paper(link) == GoldPaper(pmid="31234567")


@pytest.mark.parametrize(
    ("link", "doi"),
    [
        ("10.1000/x.Y", "10.1000/x.Y"),
        ("doi:10.1000/x", "10.1000/x"),
        ("https://doi.org/10.1000/x%3C1%3E", "10.1000/x<1>"),
        ("http://dx.doi.org/10.1186/s13223-020-00474-6", "10.1186/s13223-020-00474-6"),
    ],
)
def test_a_doi_names_the_paper(link: str, doi: str) -> None:
    assert gold_paper(link) == GoldPaper(doi=doi)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "8906788.0",
        "https://www.ncbi.nlm.nih.gov/pubmed/",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/",
        "https://www.ncbi.nlm.nih.gov/pubmed/?term=asthma",
        "https://example.org/31234567",
        "٣١٢٣",
    ],
)
def test_what_names_no_paper_is_not_guessed_at(link: str) -> None:
    assert gold_paper(link) is None


def bioasq(*questions: Any) -> bytes:
    return json.dumps({"questions": list(questions)}).encode()


def test_bioasq_questions_become_queries_with_their_gold() -> None:
    body = " Is Hirschsprung disease a mendelian disorder? "
    found = read_bioasq(
        bioasq(
            {
                "id": "55031181e9bde69634000014",
                "body": body,
                "type": "yesno",
                "documents": [
                    "http://www.ncbi.nlm.nih.gov/pubmed/15858239",
                    "http://www.ncbi.nlm.nih.gov/pubmed/15829955",
                    "https://pubmed.ncbi.nlm.nih.gov/15858239/",
                    "https://example.org/x",
                ],
                "snippets": [],
            }
        ),
        "BioASQ-task.json",
        family="evidence",
    )
    assert found.queries == (
        Query(
            id="55031181e9bde69634000014",
            family="evidence",
            need=body,
            text=body,
            expected="ordinary",
            gold=(GoldPaper(pmid="15858239"), GoldPaper(pmid="15829955")),
            note="BioASQ question of type yesno",
        ),
    )
    assert found.skipped == ()
    assert [str(warning) for warning in found.warnings] == [
        "BioASQ-task.json: question 1: gold 'https://pubmed.ncbi.nlm.nih.gov/15858239/' stands "
        "twice; taken once",
        "BioASQ-task.json: question 1: gold 'https://example.org/x' names no paper; "
        "a PubMed link, PMID or DOI",
    ]


def test_a_question_that_cannot_be_a_query_is_skipped_and_listed() -> None:
    found = read_bioasq(
        bioasq(
            {"id": "a", "body": "What is X?"},
            {"id": "b", "body": "  ", "documents": []},
            {"id": 7, "body": "What?"},
            {"id": "c"},
            "x",
            {"id": "d", "body": "a" * 100_000},
        ),
        "b.json",
        family="f",
    )
    assert [query.id for query in found.queries] == ["a"]
    assert [problem.where for problem in found.skipped] == [
        f"b.json: question {n}" for n in (2, 3, 4, 5, 6)
    ]
    assert "100,000 characters" in found.skipped[-1].found
    assert [warning.found for warning in found.warnings] == [
        "no gold paper: no recall for this question"
    ]


def test_an_id_that_stands_twice_refuses_the_file() -> None:
    data = bioasq({"id": "a", "body": "x?"}, {"id": "a", "body": "y?"})
    with pytest.raises(Invalid) as caught:
        read_bioasq(data, "b.json", family="f")
    assert [str(p) for p in caught.value.problems] == [
        "b.json: question 2: the id 'a' stands twice, first in question 1; another gold set or "
        "year is another id"
    ]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"questions": 3}', b"{", b"[" * 100_000])
def test_a_file_of_another_form_is_refused(data: bytes) -> None:
    with pytest.raises(Invalid, match=r"b\.json"):
        read_bioasq(data, "b.json", family="f")


QUESTION: dict[str, Any] = {
    "question_id": "q1",
    "question": "Is aspirin useful?",
    "max_year": 2019,
    "gold": [
        {"pmid": "15858239", "doi": "10.1000/x", "title": "T"},
        {"pmid": None, "doi": "10.1000/Y", "title": None},
        {"pmid": 15829955},
        {"pmid": None, "doi": None, "title": "Only a title"},
        {"pmid": None},
    ],
    "queries": {
        "semantic_scholar": {"query": "aspirin", "request_query": "aspirin sent", "model": "m1"},
        "openalex_keyword": {"query": "aspirin oa", "source": "generated"},
    },
}


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_recall_questions_become_queries_with_translations_for_known_systems() -> None:
    found = read_recall_questions(
        lines(QUESTION), "q.jsonl", family="f", systems={"semantic_scholar": "s2"}
    )
    assert found.queries == (
        Query(
            id="q1",
            family="f",
            need="Is aspirin useful?",
            text="Is aspirin useful?",
            expected="ordinary",
            translations={
                "s2": Translation(
                    text="aspirin sent", note="keyword query of the questions file (model m1)"
                )
            },
            max_year=2019,
            gold=(
                GoldPaper(pmid="15858239", doi="10.1000/x", title="T"),
                GoldPaper(doi="10.1000/Y"),
                GoldPaper(pmid="15829955"),
                GoldPaper(title="Only a title"),
            ),
        ),
    )
    assert [str(warning) for warning in found.warnings] == [
        "q.jsonl: line 1: gold {'pmid': None} names no paper; a PubMed link, PMID or DOI",
        "q.jsonl: keyword queries for 'openalex_keyword' left out: 1; no system",
    ]


def test_the_same_question_under_another_id_is_another_question() -> None:
    rows = [QUESTION, {**QUESTION, "question_id": "q2", "max_year": None}]
    found = read_recall_questions(lines(*rows), "q.jsonl", family="f")
    assert [(query.id, query.max_year) for query in found.queries] == [("q1", 2019), ("q2", None)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lines(QUESTION)[:-1], "line 1: no line end"),
        (lines(QUESTION)[:-30], "line 1: not JSON"),
        (lines(QUESTION, QUESTION), "line 2: the id 'q1' stands twice, first in line 1"),
        (lines([]), "line 1: not a table"),
    ],
)
def test_a_broken_recall_file_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_recall_questions(data, "q.jsonl", family="f")
    assert any(words in str(problem) for problem in caught.value.problems)


def test_a_recall_question_with_a_year_that_is_none_is_skipped() -> None:
    found = read_recall_questions(lines({**QUESTION, "max_year": "2019"}), "q.jsonl", family="f")
    assert found.queries == ()
    assert found.skipped[0].found == "max_year '2019'"


def test_what_was_read_can_be_written_as_a_query_file_and_loaded() -> None:
    found = read_recall_questions(lines(QUESTION), "q.jsonl", family="f", systems={})
    assert load_queries(to_jsonl(found.queries), "evaluation.jsonl") == found.queries
