"""Consensus: pages from 0, a size that the plan cuts, names by address and DOI."""

from __future__ import annotations

from judge.runs.providers.all import ADAPTERS
from tests.runs.providers.fake_academic import consensus
from tests.runs.providers.support import ask, converse, fault, ids, read, said

CONSENSUS = ADAPTERS["consensus"]


def test_pages_count_from_0_and_the_year_goes_along() -> None:
    given = ask("consensus", "Does sleep help?", 50, max_year=2014)
    parsed, requests = converse(CONSENSUS, consensus(), given)
    assert [dict(request.params) for request in requests] == [
        {"query": "Does sleep help?", "page": page, "page_size": "20", "year_max": "2014"}
        for page in ("0", "1", "2")
    ]
    assert said(parsed, "year_filter") == ["year_max=2014"]


def test_ranks_follow_the_size_that_the_service_sends() -> None:
    """Asked for 20 a page, a plan gives 10: the first of the second page is rank 11, not 21."""
    parsed, _ = converse(CONSENSUS, consensus(plan=10), ask("consensus", requested=40))
    names = ids(parsed)
    assert names == [f"https://consensus.app/papers/invented-{n}/" for n in range(1, 21)]
    assert (parsed.hits or ())[10].rank == 11
    assert said(parsed, "page_size_capped") == [
        "page 1: 20 results asked for, the service sends 10",
        "page 2: 20 results asked for, the service sends 10",
    ]
    assert said(parsed, "short_list") == ["20 of 40 came: 2 requests are the most for this depth"]


def test_the_end_is_what_the_service_says() -> None:
    parsed, requests = converse(CONSENSUS, consensus(found=25), ask("consensus", requested=100))
    assert (len(ids(parsed)), len(requests)) == (25, 2)
    assert said(parsed, "short_list") == ["25 of 100 came: no next page was named"]


def test_a_last_page_that_names_a_next_one_is_the_last() -> None:
    body = {"results": [{"url": "u"}], "page_size": 20, "is_end": True, "next_page": 1}
    assert ids(read("consensus", body, requested=40)) == ["u"]


def test_fields_of_a_result() -> None:
    parsed, _ = converse(CONSENSUS, consensus(), ask("consensus", requested=2))
    first, second = parsed.hits or ()
    assert (first.doi, first.pmid, first.year) == ("10.5555/invented.1", None, "2001")
    assert (first.source_type, second.source_type) == ("rct", "preprint")


def test_an_empty_list_and_no_list() -> None:
    end = {"page": 0, "page_size": 20, "is_end": True, "next_page": None}
    assert read("consensus", {"results": [], **end}).outcome == "empty"
    assert read("consensus", end).outcome == "bad_reply"
    assert read("consensus", {"detail": "slow down", "results": []}).outcome == "bad_reply"


def test_a_page_beyond_the_plan_does_not_speak_of_the_key() -> None:
    found = fault("consensus", {"detail": {"code": "feature_not_allowed"}}, 403, page=2)
    assert found is not None
    assert (found.kind, found.text) == ("rejected", "feature_not_allowed")
    assert fault("consensus", {"detail": "bad key"}, 403) is None


def test_a_validation_error_is_for_the_table() -> None:
    error = {"detail": [{"loc": ["query", "page"], "msg": "too large", "type": "value_error"}]}
    assert fault("consensus", error, 422) is None
