"""Parallel: the question in both places, no session, warnings kept."""

from __future__ import annotations

import json

from judge.runs.providers.all import ADAPTERS
from tests.runs.providers.fake_web import parallel
from tests.runs.providers.support import ask, converse, ids, read, said

PARALLEL = ADAPTERS["parallel"]


def test_the_question_goes_out_twice_and_no_session_is_named() -> None:
    given = ask("parallel", "Does sleep help?", 20, domains="pubmed.ncbi.nlm.nih.gov")
    parsed, (request,) = converse(PARALLEL, parallel(), given)
    assert json.loads(request.body or "") == {
        "objective": "Does sleep help?",
        "search_queries": ["Does sleep help?"],
        "mode": "advanced",
        "advanced_settings": {
            "max_results": 20,
            "source_policy": {"include_domains": ["pubmed.ncbi.nlm.nih.gov"]},
        },
    }
    assert said(parsed, "sent_query") == ["sent as objective and as the one of search_queries"]


def test_warnings_and_the_name_of_the_search_are_kept() -> None:
    parsed, _ = converse(PARALLEL, parallel(), ask("parallel"))
    assert said(parsed, "warning") == ["warning: location is unknown"]
    assert said(parsed, "request_id") == ["s1"]


def test_one_request_at_a_time() -> None:
    """402 may mean credit that is held for requests under way: there are none then."""
    assert PARALLEL.facts.concurrency == 1


def test_a_year_is_cut_off_afterwards_and_it_is_said() -> None:
    parsed, (request,) = converse(PARALLEL, parallel(), ask("parallel", max_year=2014))
    assert "2014" not in (request.body or "")
    assert said(parsed, "year_not_filtered") == [
        "the service cannot leave out publications after 2014; cut off afterwards"
    ]


def test_a_result_without_title_and_date() -> None:
    body = {"results": [{"url": "https://a.example/", "title": None, "publish_date": None}]}
    parsed = read("parallel", body, requested=1)
    assert ids(parsed) == ["https://a.example/"]
    assert [(hit.title, hit.year) for hit in parsed.hits or ()] == [(None, None)]


def test_an_empty_list_and_no_list() -> None:
    assert read("parallel", {"search_id": "s", "results": []}).outcome == "empty"
    error = {"type": "error", "error": {"ref_id": "r", "message": "no"}}
    assert read("parallel", error).outcome == "bad_reply"
    assert read("parallel", {**error, "results": []}).outcome == "bad_reply"
