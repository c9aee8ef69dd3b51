"""Brave: pages by number, what is asked to be off, two meanings each of 422 and 429."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_web import brave, brave_error
from tests.runs.providers.fakes import wire
from tests.runs.providers.support import ask, converse, fault, ids, read, said

BRAVE = ADAPTERS["brave"]


def page(*results: dict[str, Any], **query: Any) -> dict[str, Any]:
    given = {"original": "x", "more_results_available": False, **query}
    return {"type": "search", "query": given, "web": {"results": list(results)}}


def test_offset_counts_pages_and_nothing_is_altered() -> None:
    parsed, requests = converse(BRAVE, brave(), ask("brave", "Does sleep help?", 60))
    assert [dict(request.params) for request in requests] == [
        {
            "q": "Does sleep help?",
            "count": "20",
            "offset": offset,
            "spellcheck": "false",
            "text_decorations": "false",
        }
        for offset in ("0", "1", "2")
    ]
    assert said(parsed, "sent_query") == []


def test_sites_go_into_the_query_and_both_texts_are_noted() -> None:
    given = ask("brave", "sleep", domains="pubmed.ncbi.nlm.nih.gov, pmc.ncbi.nlm.nih.gov")
    parsed, (request,) = converse(BRAVE, brave(), given)
    sent = "sleep (site:pubmed.ncbi.nlm.nih.gov OR site:pmc.ncbi.nlm.nih.gov)"
    assert dict(request.params)["q"] == sent
    assert said(parsed, "sent_query") == [f"asked 'sleep', sent {sent!r}"]


def test_a_query_longer_than_is_taken_is_sent_whole_and_refused_by_the_service() -> None:
    given = ask("brave", "word " * 60)
    request = BRAVE.step(given, [])
    assert isinstance(request, Request)
    refusal = brave()(wire(request))
    assert refusal.status == 422
    assert BRAVE.fault(request, refusal) is None  # the table: rejected


def test_the_end_is_what_the_service_says() -> None:
    parsed, requests = converse(BRAVE, brave(found=25), ask("brave", requested=100))
    assert (len(ids(parsed)), len(requests)) == (25, 2)
    assert said(parsed, "short_list") == ["25 of 100 came: no next page was named"]


def test_bug_02_pages_that_overlap_keep_both_ranks() -> None:
    parsed, _ = converse(BRAVE, brave(overlap=True), ask("brave", requested=60))
    names = ids(parsed)
    assert names[19] == names[20]
    assert said(parsed, "repeated") == ["ranks 21 repeats 20"]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (page(), "empty"),
        ({"type": "search", "query": {"original": "x"}}, "empty"),
        ({"type": "search", "query": {}}, "bad_reply"),
        ({"type": "search"}, "bad_reply"),
        ({"query": {"original": "x"}}, "bad_reply"),
        ({"type": "ErrorResponse", "error": {"code": "X"}}, "bad_reply"),
        (
            {
                "type": "search",
                "query": {"original": "x"},
                "mixed": {"main": [{"type": "web", "index": 0}]},
            },
            "bad_reply",
        ),
        ({**page(), "web": None}, "bad_reply"),
    ],
)
def test_nothing_found_and_nothing_said(body: dict[str, Any], outcome: str) -> None:
    assert read("brave", body).outcome == outcome
    assert (fault("brave", body) is None) is (outcome == "empty")


def test_what_was_altered_and_shown_otherwise_is_noted() -> None:
    body = page({"url": "https://a.example/"}, {"url": "https://b.example/"}, altered="y")
    body["mixed"] = {"main": [{"type": "web", "index": 1}, {"type": "web", "index": 0}]}
    del body["query"]["more_results_available"]
    parsed = read("brave", body)
    assert ids(parsed) == ["https://a.example/", "https://b.example/"]
    assert said(parsed, "spelling") == ["searched 'y' for 'x'"]
    assert said(parsed, "display_order") == ["a page of Brave shows 2, 1"]
    assert said(parsed, "missing_cursor") == ["query.more_results_available is missing"]


def test_a_bad_key_and_a_bad_parameter_share_a_status() -> None:
    bad_key = brave_error("SUBSCRIPTION_TOKEN_INVALID")
    found = fault("brave", bad_key.body, 422)
    assert found is not None
    assert (found.kind, "SUBSCRIPTION_TOKEN_INVALID" in found.text) == ("auth", True)
    assert fault("brave", brave_error("VALIDATION").body, 422) is None


@pytest.mark.parametrize(
    ("remaining", "wait"), [("0, 0", 1419704), ("1, 0", 1419704), ("0, 14523", None), ("", None)]
)
def test_the_month_is_spent_or_the_second(remaining: str, wait: int | None) -> None:
    found = fault(
        "brave",
        {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED"}},
        429,
        x_ratelimit_limit="1, 15000",
        x_ratelimit_policy="1;w=1, 15000;w=2592000",
        x_ratelimit_remaining=remaining,
        x_ratelimit_reset="1, 1419704",
    )
    assert (found.retry_after_s if found else None) == wait
    assert (found is None) is (wait is None)
    if found is not None:
        assert (found.kind, found.resets_at) == ("quota", "1419704 s after the reply")


def test_a_429_without_windows_is_left_to_the_table() -> None:
    assert fault("brave", {}, 429) is None


def test_a_recorded_reply(real_data: Path) -> None:
    body = (real_data / "api/brave/web.json").read_bytes()
    assert fault("brave", body) is None
    parsed = read("brave", body, requested=20)
    names = ids(parsed)
    assert len(names) == 20
    assert names[0] == "https://en.wikipedia.org/wiki/%22Hello,_World!%22_program"
    assert names[8] == (
        "https://www.reddit.com/r/learnpython/comments/fnhja2/"
        "why_do_all_programming_languages_start_with_hello/"
    )
    assert names[19] == "https://gobyexample.com/hello-world"
    hits = parsed.hits or ()
    assert hits[0].title == '"Hello, World!" program - Wikipedia'
    assert hits[18].title == (
        "A modern 'Hello, World' program needs more than just code - Stack Overflow"
    )
    assert (hits[0].updated, hits[4].updated) == ("2024-12-27T15:49:55", None)
    assert {hit.year for hit in hits} == {None}
    assert said(parsed, "display_order") == []
    more = BRAVE.step(ask("brave", requested=40), [])
    assert isinstance(more, Request)
