"""Elicit: one request, filters by mode, the guard before the service."""

from __future__ import annotations

import json

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_academic import elicit
from tests.runs.providers.support import ask, converse, fault, ids, read, reply, said

ELICIT = ADAPTERS["elicit"]


def body(**given: object) -> dict[str, object]:
    request = ELICIT.step(ask("elicit", **given), [])  # type: ignore[arg-type]
    assert isinstance(request, Request)
    assert request.body is not None
    found: dict[str, object] = json.loads(request.body)
    return found


def test_the_request_is_the_documented_one() -> None:
    assert body(text="Does sleep help?", requested=200, max_year=2014, corpus="pubmed") == {
        "query": "Does sleep help?",
        "searchMode": "semantic",
        "corpus": "pubmed",
        "filters": {"maxYear": 2014},
        "maxResults": 200,
    }


def test_keyword_mode_takes_no_filters_and_says_so() -> None:
    given = ask("elicit", mode="keyword", max_year=2014, retracted="exclude_retracted")
    parsed, (request,) = converse(ELICIT, elicit(), given)
    assert "filters" not in json.loads(request.body or "")
    assert said(parsed, "year_not_filtered") == [
        "keyword mode takes no filters; cut off afterwards"
    ]


def test_the_year_filter_is_noted() -> None:
    parsed, _ = converse(ELICIT, elicit(), ask("elicit", max_year=2014))
    assert said(parsed, "year_filter") == ["filters.maxYear=2014"]


def test_a_plan_that_gives_less_is_noted_with_how_many_came() -> None:
    parsed, _ = converse(ELICIT, elicit(plan=100), ask("elicit", requested=200))
    assert len(ids(parsed)) == 100
    assert said(parsed, "short_list") == ["100 of 200 came: no next page was named"]


def test_more_than_the_service_gives_is_noted() -> None:
    parsed, (request,) = converse(ELICIT, elicit(), ask("elicit", requested=500))
    assert json.loads(request.body or "")["maxResults"] == 200
    assert said(parsed, "depth_limit") == ["500 asked for; the service gives 200 at most"]


def test_an_explicit_empty_list_is_empty() -> None:
    parsed = read("elicit", {"papers": []})
    assert (parsed.outcome, parsed.hits) == ("empty", ())


@pytest.mark.parametrize(
    "reading",
    [
        {},
        {"papers": None},
        {"papers": {}},
        {"papers": [], "error": {"code": "x"}},
        {"papers": ["t"]},
    ],
)
def test_no_list_is_never_an_empty_one(reading: object) -> None:
    found = fault("elicit", reading)
    assert found is not None
    assert found.kind == "bad_reply"
    assert read("elicit", reading).outcome == "bad_reply"


def test_warnings_are_kept() -> None:
    parsed = read("elicit", {"papers": [], "warnings": ["corpus is old", {"message": "slow"}]})
    assert said(parsed, "warning") == ["corpus is old", "slow"]


def test_bug_16_a_paper_without_title_doi_and_id_keeps_its_rank() -> None:
    rows = [
        {"elicitId": "a", "title": "First"},
        {"elicitId": None, "title": None, "doi": None, "urls": []},
        None,
        {"elicitId": "b", "title": "Last", "year": "n.d."},
    ]
    parsed = read("elicit", {"papers": rows}, requested=4)
    names = ids(parsed)
    assert (names[0], names[3]) == ("a", "b")
    assert names[1].startswith("no-id:")
    assert names[2].startswith("no-id:")
    assert names[1] != names[2]
    assert said(parsed, "no_title") == ["ranks 2, 3"]
    assert said(parsed, "no_id") == ["ranks 2, 3"]


def test_bug_06_numeric_and_float_pmids() -> None:
    rows = [{"elicitId": str(n), "pmid": pmid} for n, pmid in enumerate([1, "8906788.0", True, ""])]
    parsed = read("elicit", {"papers": rows}, requested=4)
    assert [hit.pmid for hit in parsed.hits or ()] == ["1", "8906788.0", "true", None]
    assert said(parsed, "identifier") == [
        "rank 2: '8906788.0' is no PMID; kept as sent, not used",
        "rank 3: 'true' is no PMID; kept as sent, not used",
    ]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"error code: 1010", "blocked"),
        (b"<!DOCTYPE html><html><title>Access denied</title></html>", "blocked"),
        ({"error": {"code": "plan", "message": "API needs a Pro plan"}}, None),
    ],
)
def test_a_403_of_the_guard_is_not_the_plans(body: object, kind: str | None) -> None:
    found = fault("elicit", body, 403)
    assert (found.kind if found else None) == kind


def test_429_means_a_minute_unless_the_service_says_when() -> None:
    error = {"error": {"code": "rate_limit", "message": "slow down"}}
    found = fault("elicit", error, 429)
    assert found is not None
    assert (found.kind, found.retry_after_s, found.text) == (
        "transient",
        60,
        "rate_limit: slow down",
    )
    assert fault("elicit", error, 429, retry_after="5") is None


def test_stored_replies_read_again_give_the_same_list() -> None:
    stored = reply({"papers": [{"elicitId": "a", "title": "First"}]})
    given = ask("elicit", requested=1)
    assert ELICIT.step(given, [stored]) == ELICIT.step(given, [stored])
