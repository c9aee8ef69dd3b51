"""What holds for every service: facts, parameters, and replies of any shape."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.records.run import OUTCOMES
from judge.runs.providers.all import ADAPTERS, unsupported
from judge.runs.providers.base import Request
from judge.runs.providers.paging import Paged
from tests.runs.providers.support import ask, fault, read, reply

SERVICES = list(ADAPTERS)
WORDS = re.findall(
    r"\w+",
    """
    papers results data total offset next web query original type search meta count per_page
    next_cursor timed_out organic_results search_metadata status Success error serpapi_pagination
    esearchresult idlist ERROR hitCount resultList result nextCursorMark version title doi pmid
    id url externalIds page page_size is_end next_page warnings mixed main index urls year ids
    """,
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "*", "Success", "search", "Google hasn't returned any results", "1"])
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=25,
)
replies = st.dictionaries(st.sampled_from(WORDS), json_values, max_size=8) | json_values


# The explicit ways to say that nothing was found; anything else is never an empty list.
def says_empty(service: str, body: Any) -> bool:
    top = body if isinstance(body, dict) else {}

    def at(*path: str) -> Any:
        here: Any = top
        for key in path:
            here = here.get(key) if isinstance(here, dict) else None
        return here

    lists = {
        "elicit": ("papers",),
        "consensus": ("results",),
        "semantic_scholar": ("data",),
        "openalex_keyword": ("results",),
        "openalex_semantic": ("results",),
        "exa": ("results",),
        "brave": ("web", "results"),
        "parallel": ("results",),
        "perplexity": ("results",),
        "pubmed": ("esearchresult", "idlist"),
        "europepmc": ("resultList", "result"),
    }
    if at(*lists[service]) == []:
        return True
    if service == "semantic_scholar":
        return "data" not in top and top.get("total") in (0, "0")
    return service == "brave" and "web" not in top and bool(at("query", "original"))


@pytest.mark.parametrize("service", SERVICES)
@given(body=replies)
@example(body={"results": [], "error": None, "meta": {"count": 0}})
@example(body={"error": [[[[[[[[[[["deep"]]]]]]]]]]]})
def test_a_reply_of_any_shape_is_read_and_never_taken_for_an_empty_list(
    service: str, body: Any
) -> None:
    adapter = ADAPTERS[service]
    step = adapter.step(ask(service, requested=1), [reply(body)])
    found = fault(service, body)
    if isinstance(step, Request):
        assert service == "pubmed" or found is None
        return
    assert step.outcome in OUTCOMES
    assert (step.hits is None) is (step.outcome not in ("answered", "empty"))
    if step.hits is not None:
        assert found is None
        assert [hit.rank for hit in step.hits] == list(range(1, len(step.hits) + 1))
        assert all(hit.record_id for hit in step.hits)
        json.dumps([notice.text for notice in step.notices])
    else:
        assert found is not None or step.outcome == "empty_reported"
    if step.outcome == "empty":
        assert says_empty(service, body)
    if step.outcome == "empty_reported":
        assert service == "google_scholar"


@pytest.mark.parametrize("service", SERVICES)
@given(body=st.binary(max_size=60), status=st.sampled_from([200, 400, 403, 404, 422, 429]))
def test_bytes_of_any_kind_are_a_fault_or_left_to_their_status(
    service: str, body: bytes, status: int
) -> None:
    found = fault(service, body, status)
    assert status != 200 or found is not None
    assert read(service, body).outcome == "bad_reply"


@pytest.mark.parametrize("service", SERVICES)
def test_a_page_with_status_200_is_no_list(service: str) -> None:
    found = fault(service, b"<!DOCTYPE html><html><title>Welcome</title></html>")
    assert found is not None
    assert (found.kind, "Welcome" in found.text) == ("bad_reply", True)


@pytest.mark.parametrize("service", SERVICES)
def test_half_a_reply_is_malformed(service: str) -> None:
    found = fault(service, b'{"results": [{"title": "Inv')
    assert found is not None
    assert found.kind == "malformed"


# --- facts --------------------------------------------------------------------------------------


def test_the_services_are_those_that_a_protocol_may_name() -> None:
    assert SERVICES == [
        "elicit",
        "consensus",
        "semantic_scholar",
        "openalex_keyword",
        "openalex_semantic",
        "google_scholar",
        "exa",
        "brave",
        "parallel",
        "perplexity",
        "pubmed",
        "europepmc",
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_facts_are_whole(service: str) -> None:
    facts = ADAPTERS[service].facts
    assert facts.adapter == f"{service}@1"
    assert facts.endpoint.startswith("https://")
    assert facts.base_env.endswith("_BASE_URL")
    assert set(facts.operators) == set(facts.modes)
    assert 1 <= facts.concurrency <= 4
    assert facts.min_interval_s > 0
    assert 1 <= facts.page_size <= facts.max_depth
    assert facts.unverified
    assert facts.key_needed is (service not in {"semantic_scholar", "pubmed", "europepmc"})
    assert facts.paid is facts.key_needed


def test_the_pace_and_the_depth_of_those_that_say_so() -> None:
    assert ADAPTERS["elicit"].facts.concurrency == 1
    assert ADAPTERS["pubmed"].facts.min_interval_s >= 1 / 3
    assert ADAPTERS["semantic_scholar"].facts.min_interval_s >= 1.0
    depths = {service: adapter.facts.max_depth for service, adapter in ADAPTERS.items()}
    assert depths["openalex_semantic"] == 50
    assert (depths["semantic_scholar"], depths["pubmed"]) == (999, 9999)
    assert (depths["exa"], depths["brave"]) == (100, 200)


@pytest.mark.parametrize(
    ("service", "requested", "calls"),
    [
        ("elicit", 200, 1),
        ("consensus", 20, 1),
        ("semantic_scholar", 200, 2),
        ("openalex_keyword", 200, 2),
        ("openalex_semantic", 50, 1),
        ("google_scholar", 200, 10),
        ("exa", 100, 1),
        ("brave", 100, 5),
        ("parallel", 20, 1),
        ("perplexity", 20, 1),
        ("pubmed", 200, 3),
        ("europepmc", 200, 2),
    ],
)
def test_the_most_requests_of_a_query(service: str, requested: int, calls: int) -> None:
    assert ADAPTERS[service].facts.calls(requested) == calls


# --- what a protocol may ask --------------------------------------------------------------------


@pytest.mark.parametrize("service", SERVICES)
def test_an_ordinary_system_is_supported(service: str) -> None:
    assert unsupported(ask(service).system, ADAPTERS[service]) == []


def test_every_problem_of_a_system_is_named() -> None:
    given_ask = ask("elicit", mode="semantik", corpus="everything", corpse="x")
    problems = [str(one) for one in unsupported(given_ask.system, ADAPTERS["elicit"])]
    assert problems == [
        "system S: mode: unknown mode 'semantik' (did you mean 'semantic'?); "
        "one of semantic, keyword",
        "system S: parameters.corpus: 'everything' is not allowed; one of elicit, pubmed",
        "system S: parameters.corpse: unknown parameter (did you mean 'corpus'?); "
        "one of corpus, retracted",
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_no_parameter_is_taken_in_silence(service: str) -> None:
    adapter = ADAPTERS[service]
    known = adapter.parameters if isinstance(adapter, Paged) else {}
    problems = unsupported(ask(service, nonsense="x").system, adapter)
    assert len(problems) == 1
    for name, allowed in known.items():
        value = allowed[0] if allowed else "a.example"
        plain_ask = ask(service)
        system = replace(plain_ask.system, parameters={name: value})
        assert unsupported(system, adapter) == []
        plain = adapter.step(plain_ask, [])
        changed = adapter.step(replace(plain_ask, system=system), [])
        assert isinstance(plain, Request)
        assert plain != changed
