"""Every adapter against a service that takes exactly the documented request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers import fake_academic as academic
from tests.runs.providers import fake_web as web
from tests.runs.providers.fakes import Fake, Wire, doi, pmid, wire
from tests.runs.providers.support import ask, converse, ids

# Service, fake, depth that is asked for, pages that takes, and the ids that the service sends.
LISTS: dict[str, tuple[Fake, int, int, list[str]]] = {
    "elicit": (academic.elicit(), 200, 1, [f"e{n}" for n in range(1, 201)]),
    "consensus": (
        academic.consensus(),
        50,
        3,
        [f"https://consensus.app/papers/invented-{n}/" for n in range(1, 51)],
    ),
    "semantic_scholar": (
        academic.semantic_scholar(),
        200,
        2,
        [f"{n:040x}" for n in range(1, 201)],
    ),
    "openalex_keyword": (
        academic.openalex("keyword"),
        200,
        2,
        [f"https://openalex.org/W{n}" for n in range(1, 201)],
    ),
    "openalex_semantic": (
        academic.openalex("semantic"),
        50,
        1,
        [f"https://openalex.org/W{n}" for n in range(1, 51)],
    ),
    "google_scholar": (web.google_scholar(), 45, 3, [f"r{n}" for n in range(1, 46)]),
    "exa": (web.exa(), 100, 1, [web.page(n) for n in range(1, 101)]),
    "brave": (web.brave(), 60, 3, [web.page(n) for n in range(1, 61)]),
    "parallel": (web.parallel(), 20, 1, [web.page(n) for n in range(1, 21)]),
    "perplexity": (web.perplexity(), 20, 1, [web.page(n) for n in range(1, 21)]),
    "pubmed": (web.pubmed(), 250, 4, [pmid(n) for n in range(1, 251)]),
    "europepmc": (academic.europepmc(), 250, 3, [f"MED/{pmid(n)}" for n in range(1, 251)]),
}


def test_every_service_has_its_fake() -> None:
    assert list(LISTS) == list(ADAPTERS)


@pytest.mark.parametrize("service", LISTS)
def test_the_list_comes_whole_and_in_the_order_of_the_service(service: str) -> None:
    fake, depth, pages, wanted = LISTS[service]
    adapter = ADAPTERS[service]
    parsed, requests = converse(adapter, fake, ask(service, requested=depth))
    assert parsed.outcome == "answered"
    assert ids(parsed) == wanted
    assert len(requests) == pages == adapter.facts.calls(depth)
    assert [request.page for request in requests] == list(range(1, pages + 1))
    assert {request.paid for request in requests} == {adapter.facts.paid}


@pytest.mark.parametrize("service", LISTS)
def test_every_hit_has_a_title_and_names_its_paper(service: str) -> None:
    fake, depth, _, _ = LISTS[service]
    parsed, _ = converse(ADAPTERS[service], fake, ask(service, requested=depth))
    for hit in parsed.hits or ():
        assert hit.title == f"Invented study {hit.rank}: sleep of zebrafish"
        named = {hit.pmid or "", (hit.doi or "").lower(), hit.pmcid or "", hit.link or ""}
        own = (pmid(hit.rank), doi(hit.rank), f"PMC{hit.rank}")
        assert any(name.endswith(value) for name in named for value in own)


@pytest.mark.parametrize("service", LISTS)
def test_a_shallow_depth_takes_one_page_of_its_own_size(service: str) -> None:
    fake, _, _, wanted = LISTS[service]
    parsed, requests = converse(ADAPTERS[service], fake, ask(service, requested=7))
    assert ids(parsed) == wanted[:7]
    assert len(requests) == (2 if service == "pubmed" else 1)


@pytest.mark.parametrize("service", LISTS)
def test_the_same_replies_give_the_same_reading(service: str) -> None:
    fake, depth, _, _ = LISTS[service]
    given = ask(service, requested=depth, max_year=2020)
    first, _ = converse(ADAPTERS[service], fake, given)
    assert converse(ADAPTERS[service], fake, given)[0] == first


@pytest.mark.parametrize("service", LISTS)
@pytest.mark.parametrize("text", ["β-amyloid & tau? 50 %", 'IL-6 "x+y" #1/2 = <b>', "naïve; 中文"])
def test_the_text_reaches_the_service_as_it_was_asked(service: str, text: str) -> None:
    if service == "openalex_keyword":
        text = text.replace("?", "")  # refused by the service in a stemmed search
    fake, _, _, _ = LISTS[service]
    parsed, (request, *_) = converse(ADAPTERS[service], fake, ask(service, text))
    sent = f"{dict(request.params)} {request.body}"
    noted = [notice for notice in parsed.notices if notice.kind == "sent_query"]
    escaped = text.replace('"', '\\"')
    assert text in sent or escaped in sent or noted


@pytest.mark.parametrize("service", LISTS)
def test_no_record_of_a_request_holds_a_key(service: str) -> None:
    fake, depth, _, _ = LISTS[service]
    _, requests = converse(ADAPTERS[service], fake, ask(service, requested=depth))
    assert all("test+" not in repr(request) for request in requests)


# --- the fakes are strict, or what passes them proves nothing -----------------------------------


def changed(sent: Wire, **changes: Any) -> Wire:
    return replace(sent, **changes)


@pytest.mark.parametrize("service", LISTS)
def test_a_fake_takes_no_other_request(service: str) -> None:
    fake, _, _, _ = LISTS[service]
    request = ADAPTERS[service].step(ask(service), [])
    assert isinstance(request, Request)
    sent = wire(request)
    other = {
        "method": changed(sent, method="PUT"),
        "address": changed(sent, url=sent.url + "s"),
        "a parameter more": changed(sent, params=(*sent.params, ("debug", "1"))),
        "a parameter less": changed(sent, params=sent.params[1:]),
        "a header more": changed(sent, headers={**sent.headers, "x-session": "1"}),
        "no header": changed(sent, headers={}),
        "no body": changed(sent, body=None),
        "another body": changed(sent, body='{"query": "x", "more": 1}'),
        "no key": wire(request, keys={"JUDGE_CONTACT": "team@example.org"}),
    }
    if request.body is None:
        del other["no body"]
    else:
        del other["a parameter less"]
    if service == "europepmc":
        del other["no key"]  # it has none
    assert fake(sent).status == 200
    taken = [what for what, one in other.items() if not 400 <= fake(one).status < 500]
    assert taken == []
