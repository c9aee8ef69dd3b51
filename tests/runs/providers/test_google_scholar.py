"""Google Scholar by SerpAPI: no results, out of searches, ranks and years; a recorded reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_web import google_scholar
from tests.runs.providers.support import ask, converse, fault, ids, read, reply, said

SCHOLAR = ADAPTERS["google_scholar"]
NO_RESULTS = "Google hasn't returned any results for this query."


def page(*results: dict[str, Any], following: str = "", **more: Any) -> dict[str, Any]:
    pagination = {"next": following} if following else {"current": 1}
    return {
        "search_metadata": {"status": "Success"},
        "organic_results": list(results),
        "serpapi_pagination": pagination,
        **more,
    }


def test_pages_go_by_start_and_the_year_goes_along() -> None:
    given = ask("google_scholar", "sleep OR dream", 45, max_year=2014)
    parsed, requests = converse(SCHOLAR, google_scholar(), given)
    assert [dict(request.params) for request in requests] == [
        {
            "engine": "google_scholar",
            "q": "sleep OR dream",
            "num": "20",
            "start": start,
            "as_yhi": "2014",
        }
        for start in ("0", "20", "40")
    ]
    assert said(parsed, "year_filter") == ["as_yhi=2014"]


def test_the_key_is_no_part_of_the_stored_request() -> None:
    request = SCHOLAR.step(ask("google_scholar"), [])
    assert isinstance(request, Request)
    assert "api_key" not in dict(request.params)
    assert [(s.at, s.name, s.env) for s in request.secrets] == [
        ("param", "api_key", "SERPAPI_API_KEY")
    ]


def test_ranks_are_places_in_the_list_and_not_the_position_that_is_sent() -> None:
    parsed, _ = converse(SCHOLAR, google_scholar(), ask("google_scholar", requested=45))
    assert ids(parsed)[20] == "r21"


def test_bug_14_no_results_is_reported_and_not_believed() -> None:
    body = {
        "search_metadata": {"status": "Success"},
        "search_information": {"organic_results_state": "Fully empty"},
        "error": NO_RESULTS,
    }
    assert fault("google_scholar", body) is None
    parsed = read("google_scholar", body)
    assert (parsed.outcome, parsed.hits) == ("empty_reported", None)
    assert said(parsed, "no_results") == [NO_RESULTS]


def test_bug_14_against_the_service() -> None:
    parsed, requests = converse(SCHOLAR, google_scholar(found=0), ask("google_scholar"))
    assert (parsed.outcome, len(requests)) == ("empty_reported", 1)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (page(), "empty_reported"),
        ({"search_metadata": {"status": "Success"}}, "bad_reply"),
        ({"search_metadata": {"status": "Processing"}, "organic_results": []}, "bad_reply"),
        ({"organic_results": []}, "bad_reply"),
        ({"error": "Invalid API key."}, "bad_reply"),
        ({"error": NO_RESULTS, "organic_results": [{"title": "t"}]}, "bad_reply"),
    ],
)
def test_no_list_is_never_an_empty_one(body: dict[str, Any], outcome: str) -> None:
    assert read("google_scholar", body).outcome == outcome
    assert (fault("google_scholar", body) is None) is (outcome == "empty_reported")


def test_no_results_on_a_later_page_ends_the_list_that_came() -> None:
    rows = [{"result_id": f"r{n}", "title": "t"} for n in range(20)]
    first = page(*rows, following="https://serpapi.com/search.json?start=20&q=x")
    last = {"search_metadata": {"status": "Success"}, "error": NO_RESULTS}
    parsed = read("google_scholar", first, last, requested=40)
    assert (parsed.outcome, len(ids(parsed))) == ("answered", 20)
    assert said(parsed, "no_results") == [NO_RESULTS]
    assert said(parsed, "short_list") == ["20 of 40 came: empty page"]


def test_a_next_page_that_names_no_start_is_a_bad_reply() -> None:
    body = page({"result_id": "a"}, following="https://serpapi.com/search.json?q=x")
    assert read("google_scholar", body).outcome == "bad_reply"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Your account has run out of searches.", "quota"),
        ("You are exceeding the hourly throughput limit.", None),
    ],
)
def test_a_429_is_the_hours_or_the_end_of_what_was_bought(text: str, kind: str | None) -> None:
    found = fault("google_scholar", {"error": text}, 429)
    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    ("summary", "year"),
    [
        ("JC Robinson, VG Saúco - 2010 - books.google.com", "2010"),
        ("NW Simmonds - The Evolution of the Bananas., 1962 - cabdirect.org", "1962"),
        ("A Nobody - Journal of 1984 studies - example.org", None),
        ("A 1999 - x", None),
        ("", None),
    ],
)
def test_the_year_stands_in_a_line_of_text(summary: str, year: str | None) -> None:
    row = {"result_id": "a", "title": "t", "publication_info": {"summary": summary}}
    parsed = read("google_scholar", page(row), requested=1)
    assert [hit.year for hit in parsed.hits or ()] == [year]


def test_spelling_and_interpretation_are_noted() -> None:
    information = {
        "organic_results_state": "Some results for exact spelling but showing fixed spelling",
        "spelling_fix": "banana",
        "showing_results_for": "banana",
    }
    parsed = read("google_scholar", page({"result_id": "a"}, search_information=information))
    assert said(parsed, "interpretation") == [information["organic_results_state"]]
    assert said(parsed, "spelling") == ["spelling_fix: banana", "showing_results_for: banana"]


def test_a_recorded_reply(real_data: Path) -> None:
    body = (real_data / "api/serpapi/google_scholar_2hits.json").read_bytes()
    assert fault("google_scholar", body) is None
    parsed = read("google_scholar", body, requested=10)
    assert ids(parsed) == ["dyZ4bDycdLQJ", "l2aiAreIuHsJ"]
    first, second = parsed.hits or ()
    assert (first.title, first.year, first.source_type) == ("Bananas and plantains", "2010", "Book")
    assert (second.title, second.year) == ("The evolution of the bananas.", "1962")
    assert second.link == "https://www.cabdirect.org/cabdirect/abstract/19630303919"
    assert (first.pmid, first.doi, first.pmcid) == (None, None, None)
    assert said(parsed, "service_time") == [
        "id 647087c47bea27bdeab1b1e6; created_at 2023-05-26 10:19:48 UTC; "
        "processed_at 2023-05-26 10:19:48 UTC"
    ]
    assert said(parsed, "estimate") == ["about 1140000 results"]
    assert said(parsed, "short_list") == ["2 of 10 came: no next page was named"]


def test_a_stored_reply_is_read_for_its_own_depth() -> None:
    body = page({"result_id": "a"}, following="https://serpapi.com/search.json?start=20&q=x")
    step = SCHOLAR.step(ask("google_scholar", requested=40), [reply(body)])
    assert isinstance(step, Request)
    assert dict(step.params)["start"] == "20"
