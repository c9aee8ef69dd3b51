"""OpenAlex: cursor and size, partial searches, the budget; a recorded reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_academic import openalex, work
from tests.runs.providers.support import ask, converse, fault, ids, read, reply, said

KEYWORD = ADAPTERS["openalex_keyword"]
SEMANTIC = ADAPTERS["openalex_semantic"]


def listed(numbers: list[int], **meta: Any) -> dict[str, Any]:
    given = {"count": len(numbers), "per_page": 100, "next_cursor": None, **meta}
    return {"meta": given, "results": [work(number) for number in numbers]}


def test_bug_03_the_order_is_asked_for_by_name() -> None:
    request = KEYWORD.step(ask("openalex_keyword", max_year=2014), [])
    assert isinstance(request, Request)
    params = dict(request.params)
    assert params["sort"] == "relevance_score:desc"
    assert params["cursor"] == "*"
    assert params["filter"] == "publication_year:<2015"


def test_the_size_of_a_page_never_shrinks() -> None:
    """250 asked for: a last page of 50 would be the end of the cursor, or another place in it."""
    given = ask("openalex_keyword", requested=250)
    parsed, requests = converse(KEYWORD, openalex("keyword"), given)
    assert [dict(request.params)["per_page"] for request in requests] == ["100"] * 3
    assert [dict(request.params)["cursor"] for request in requests] == ["*", "c100", "c200"]
    assert len(ids(parsed)) == 250
    assert said(parsed, "beyond_requested") == ["50 further results came with the last page"]


def test_the_list_ends_with_the_cursor() -> None:
    given = ask("openalex_keyword", requested=1000)
    parsed, requests = converse(KEYWORD, openalex("keyword", found=130), given)
    assert (len(ids(parsed)), len(requests)) == (130, 2)
    assert said(parsed, "short_list") == []


def test_semantic_mode_takes_one_page_without_a_cursor() -> None:
    given = ask("openalex_semantic", "x" * 2001, requested=200, max_year=2014)
    parsed, (request,) = converse(SEMANTIC, openalex("semantic"), given)
    params = dict(request.params)
    assert params["per_page"] == "50"
    assert not {"cursor", "page", "sort", "search"} & set(params)
    assert said(parsed, "depth_limit") == ["200 asked for; the service gives 50 at most"]
    assert said(parsed, "query_cut") == ["2001 characters sent; the service reads the first 2,000"]


def test_bug_04_a_work_without_a_title_keeps_its_rank() -> None:
    body = listed([1, 2, 3])
    body["results"][1]["display_name"] = None
    parsed = read("openalex_keyword", body, requested=3)
    assert ids(parsed) == [f"https://openalex.org/W{n}" for n in (1, 2, 3)]
    assert [hit.title is None for hit in parsed.hits or ()] == [False, True, False]
    assert said(parsed, "no_title") == ["ranks 2"]


def test_bug_02_a_repeated_page_keeps_both_ranks_and_ends_the_asking() -> None:
    numbers = list(range(1, 101))
    first = listed(numbers, count=400, next_cursor="c100")
    second = listed(numbers, count=400, next_cursor="c200")
    parsed = KEYWORD.step(ask("openalex_keyword", requested=400), [reply(first), reply(second)])
    assert not isinstance(parsed, Request)
    assert len(ids(parsed)) == 200
    assert said(parsed, "repeated_page") == ["page 2 is page 1 again"]
    (repeats,) = said(parsed, "repeated")
    assert repeats.startswith("ranks 101 repeats 1, 102 repeats 2")
    assert said(parsed, "short_list") == ["200 of 400 came: the page repeats an earlier one"]


def test_bug_02_rows_that_come_twice_keep_both_ranks() -> None:
    first = listed(list(range(1, 101)), count=180, next_cursor="c100")
    second = listed([100, 7, *range(101, 179)], count=180)
    parsed = read("openalex_keyword", first, second, requested=180)
    assert len(ids(parsed)) == 180
    assert said(parsed, "repeated") == ["ranks 101 repeats 100, 102 repeats 7"]


def test_a_cursor_that_was_sent_before_ends_the_asking() -> None:
    pages = [listed([n], count=9, per_page=1, next_cursor="c1") for n in (1, 2)]
    parsed = KEYWORD.step(ask("openalex_keyword", requested=300), [reply(page) for page in pages])
    assert not isinstance(parsed, Request)
    assert said(parsed, "short_list") == [
        "2 of 300 came: the next page named is one that was sent before"
    ]


def test_a_search_that_came_back_in_part_is_noted_and_not_gone_on_with() -> None:
    body = listed([1, 2], count=900, timed_out=True, next_cursor="c2", db_response_time_ms=5001)
    parsed = read("openalex_keyword", body, requested=200)
    assert ids(parsed) == ["https://openalex.org/W1", "https://openalex.org/W2"]
    assert said(parsed, "partial") == ["meta.timed_out is true: the search came back in part"]
    assert said(parsed, "service_time") == ["db_response_time_ms 5001"]
    assert said(parsed, "short_list")[0].startswith("2 of 200 came")


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (listed([]), "empty"),
        (listed([], count=17), "bad_reply"),
        (listed([], count=0, timed_out=True), "bad_reply"),
        ({"meta": {"count": 0}}, "bad_reply"),
        ({"results": []}, "bad_reply"),
        ({"error": "x", "message": "y", "results": [], "meta": {"count": 0}}, "bad_reply"),
    ],
)
def test_nothing_found_and_nothing_said(body: dict[str, Any], outcome: str) -> None:
    assert read("openalex_keyword", body).outcome == outcome
    assert (fault("openalex_keyword", body) is None) is (outcome == "empty")


def test_the_fields_of_a_work() -> None:
    parsed = read("openalex_keyword", listed([1, 3]), requested=2)
    first, third = parsed.hits or ()
    assert first.doi == "https://doi.org/10.5555/invented.1"
    assert first.pmid == "https://pubmed.ncbi.nlm.nih.gov/90000001"
    assert first.pmcid == "https://www.ncbi.nlm.nih.gov/pmc/articles/1"
    assert (first.year, first.source_type, first.score) == ("2001", "article", "999.5")
    assert (first.notice, third.notice) == (None, "retracted (is_retracted)")
    assert said(parsed, "identifier") == []


BUDGET = {
    "error": "Rate limit exceeded",
    "message": "Insufficient budget. Resets at midnight UTC",
}


@pytest.mark.parametrize("status", [200, 429])
def test_a_spent_budget_is_a_quota_whatever_the_status(status: int) -> None:
    found = fault("openalex_keyword", BUDGET, status, retry_after="5339")
    assert found is not None
    assert (found.kind, found.retry_after_s) == ("quota", 5339)
    assert found.resets_at == "midnight UTC"
    assert "Insufficient budget" in found.text


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"error": "Too many requests", "message": "slow down"}, 403, "transient"),
        ({"error": "Forbidden", "message": "invalid API key"}, 403, None),
        ({"error": "Rate limit exceeded", "message": "100 a second"}, 429, None),
        ({"error": "x", "message": "Failed to embed query: timeout"}, 400, "transient"),
        ({"error": "Invalid query parameters error.", "message": "tag is not valid"}, 400, None),
    ],
)
def test_what_its_statuses_mean(body: dict[str, str], status: int, kind: str | None) -> None:
    found = fault("openalex_semantic", body, status)
    assert (found.kind if found else None) == kind


def test_a_title_about_a_budget_is_no_spent_budget() -> None:
    body = listed([1])
    body["results"][0]["display_name"] = "Insufficient budget in error: a case"
    assert fault("openalex_keyword", body) is None


def test_a_recorded_page(real_data: Path) -> None:
    body = (real_data / "api/search_pages/openalex_search.json").read_bytes()
    assert fault("openalex_keyword", body) is None
    parsed = read("openalex_keyword", body, requested=3)
    assert ids(parsed) == [
        "https://openalex.org/W3146366485",
        "https://openalex.org/W3212386989",
        "https://openalex.org/W2023053047",
    ]
    first, second, third = parsed.hits or ()
    assert [hit.score for hit in (first, second, third)] == ["4468.825", "3905.2249", "2922.908"]
    assert [hit.year for hit in (first, second, third)] == ["2021", "2022", "1996"]
    assert [hit.source_type for hit in (first, second, third)] == ["review", "article", "article"]
    assert first.doi == "https://doi.org/10.1016/j.neucom.2021.03.091"
    assert second.title == "Attention mechanisms in computer vision: A survey"
    assert (first.pmid, third.pmid) == (None, "https://pubmed.ncbi.nlm.nih.gov/8759451")
    assert third.link == "https://doi.org/10.1016/0042-6989(95)00294-4"
    assert first.updated == "2026-03-25T14:56:36.534964"
    assert said(parsed, "total") == ["4013744"]
    assert said(parsed, "cost") == ["0.001 USD"]
    assert said(parsed, "service_time") == ["db_response_time_ms 3139"]
