"""Perplexity: one text, the service's own clock, pages that may have changed since."""

from __future__ import annotations

import json

from judge.runs.providers.all import ADAPTERS
from tests.runs.providers.fake_web import perplexity
from tests.runs.providers.support import ask, converse, fault, read, said

PERPLEXITY = ADAPTERS["perplexity"]


def test_the_request_is_the_documented_one() -> None:
    given = ask(
        "perplexity", "Does sleep help?", 20, mode="academic", domains="a.example,b.example"
    )
    parsed, (request,) = converse(PERPLEXITY, perplexity(), given)
    assert json.loads(request.body or "") == {
        "query": "Does sleep help?",
        "max_results": 20,
        "search_mode": "academic",
        "search_domain_filter": ["a.example", "b.example"],
        "display_server_time": True,
    }
    assert said(parsed, "service_time") == ["2026-01-01T00:00:00Z"]
    assert said(parsed, "request_id") == ["p1"]


def test_a_year_is_cut_off_afterwards_and_it_is_said() -> None:
    parsed, (request,) = converse(PERPLEXITY, perplexity(), ask("perplexity", max_year=2014))
    assert "date_filter" not in (request.body or "")
    assert len(said(parsed, "year_not_filtered")) == 1


def test_dates_of_a_page() -> None:
    row = {"url": "https://a.example/", "title": "t", "date": "2019", "last_updated": "2024-02-03"}
    parsed = read("perplexity", {"results": [row, {**row, "date": None}]}, requested=2)
    assert [hit.year for hit in parsed.hits or ()] == ["2019", None]
    assert [hit.updated for hit in parsed.hits or ()] == ["2024-02-03", "2024-02-03"]
    assert said(parsed, "repeated") == ["ranks 2 repeats 1"]


def test_results_in_groups_are_no_list() -> None:
    found = fault("perplexity", {"results": [[{"url": "https://a.example/"}]]})
    assert found is not None
    assert (found.kind, found.text) == ("bad_reply", "result 1 is a list, not an object")


def test_an_empty_list_and_no_list() -> None:
    assert read("perplexity", {"id": "p", "results": []}).outcome == "empty"
    assert read("perplexity", {"error": {"message": "no"}}).outcome == "bad_reply"
