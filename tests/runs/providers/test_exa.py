"""Exa: one request, the year as a date before, identifiers out of addresses."""

from __future__ import annotations

import json

import pytest

from judge.runs.providers.all import ADAPTERS
from tests.runs.providers.fake_web import exa
from tests.runs.providers.support import ask, converse, fault, ids, read, said

EXA = ADAPTERS["exa"]


def test_the_request_is_the_documented_one() -> None:
    given = ask("exa", "Does sleep help?", 100, max_year=2014, category="research paper")
    parsed, (request,) = converse(EXA, exa(), given)
    assert json.loads(request.body or "") == {
        "query": "Does sleep help?",
        "type": "auto",
        "category": "research paper",
        "numResults": 100,
        "endPublishedDate": "2015-01-01T00:00:00.000Z",
    }
    assert said(parsed, "year_filter") == [
        "endPublishedDate 2015-01-01T00:00:00.000Z; pages without a date are left out"
    ]


def test_without_a_year_and_a_category_neither_is_sent() -> None:
    _, (request,) = converse(EXA, exa(), ask("exa"))
    assert set(json.loads(request.body or "")) == {"query", "type", "numResults"}


def test_fields_of_results() -> None:
    parsed, _ = converse(EXA, exa(), ask("exa", requested=3))
    first, second, third = parsed.hits or ()
    assert (first.pmid, first.pmcid, first.doi) == ("90000001", None, None)
    assert (second.pmid, second.pmcid, second.doi) == (None, "PMC2", None)
    assert (third.pmid, third.pmcid, third.doi) == (None, None, "10.5555/invented.3")
    assert (first.year, second.year, first.score) == ("2001", None, "0.25")
    assert said(parsed, "interpretation") == ["searched as neural"]
    assert said(parsed, "cost") == ["0.005 USD"]


def test_a_score_stays_the_text_it_was_sent_as() -> None:
    body = (
        b'{"results": [{"id": "a", "score": 0.10000000000000000555}, {"id": "b", "score": 1e-3}]}'
    )
    parsed = read("exa", body, requested=2)
    assert [hit.score for hit in parsed.hits or ()] == ["0.10000000000000000555", "1e-3"]


def test_a_null_title_keeps_its_rank() -> None:
    parsed = read(
        "exa", {"results": [{"url": "https://a.example/"}, {"url": "https://b.example/"}]}
    )
    assert ids(parsed) == ["https://a.example/", "https://b.example/"]
    assert said(parsed, "no_title") == ["ranks 1, 2"]


@pytest.mark.parametrize(
    ("status", "tag", "kind"),
    [
        (402, "NO_MORE_CREDITS", "quota"),
        (400, "API_KEY_BUDGET_EXCEEDED", "quota"),
        (400, "INVALID_REQUEST", None),
        (429, "RATE_LIMITED", None),
    ],
)
def test_what_was_bought_is_spent(status: int, tag: str, kind: str | None) -> None:
    found = fault("exa", {"requestId": "q", "error": "no", "tag": tag}, status)
    assert (found.kind if found else None) == kind


def test_an_empty_list_and_no_list() -> None:
    assert read("exa", {"results": []}).outcome == "empty"
    assert read("exa", {"requestId": "q", "error": "x", "tag": "y"}).outcome == "bad_reply"
    assert read("exa", {"results": [], "error": "partial"}).outcome == "bad_reply"
