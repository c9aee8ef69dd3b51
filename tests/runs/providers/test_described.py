"""A service described in a file: asked and read like any other, refused where it is not clear."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge.runs.described
from judge.runs.described import MISSING, load_described, pointed
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Reply, Request
from judge.runs.providers.paging import Paged
from tests.runs.providers.descriptions import PLAIN, plain
from tests.runs.providers.fakes import TEXT, WHOLE, YEAR, Check, Fake, Wire, answer, doi, name, pmid
from tests.runs.providers.fakes import wire as to_wire
from tests.runs.providers.support import asked, ids, reply, said

EXAMPLE = Path(judge.runs.described.__file__).parent / "providers" / "described_example.toml"
KEYS = {"RBAI_KEY": "test+rbai/="}


def example(**changes: str) -> Paged:
    """The adapter of the example, with parts of its text replaced."""
    text = EXAMPLE.read_text("utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return load_described(text.encode("utf-8"), "service.toml")


def scholar(found: int = 45) -> Fake:
    """The service that the example describes."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://rbai.example/api/search")
        check.headers(accept="application/json", authorization=f"Bearer {KEYS['RBAI_KEY']}")
        needed = {"q": TEXT, "mode": "keyword|semantic", "n": "[1-9]|1[0-9]|20", "start": WHOLE}
        check.params(needed, {"to": YEAR})
        check.no_body()
        if (no := check.refused()) is not None:
            return no
        if wire.value("q") == "cancer":
            return answer({"error": "The query is too broad."}, 422)
        size, start = int(wire.value("n") or 0), int(wire.value("start") or 0)
        rows = [
            {
                "id": f"s{number}",
                "title": None if number == 2 else name(number),
                "doi": doi(number),
                "ids": {"pmid": pmid(number)},
                "link": f"https://rbai.example/{number}",
                "published": "2001-05",
                "type": ["article", "review"],
                "is_retracted": number == 3,
            }
            for number in range(start + 1, min(found, start + size) + 1)
        ]
        meta = {"index_version": "2026-11"}
        return answer({"results": rows, "total": found, "meta": meta, "warnings": ["slow today"]})

    return take


def converse(adapter: Paged, fake: Fake, **given: Any) -> tuple[Parsed, list[Request]]:
    replies: list[Reply] = []
    requests: list[Request] = []
    while isinstance(step := adapter.step(asked(adapter, **given), replies), Request):
        requests.append(step)
        replies.append(fake(to_wire(step, KEYS)))
        assert adapter.fault(step, replies[-1]) is None
    return step, requests


# --- the example --------------------------------------------------------------------------------


def test_the_example_is_a_whole_adapter() -> None:
    facts = example().facts
    assert facts.name == "rbai_scholar"
    assert re.fullmatch(r"rbai_scholar@1\+[0-9a-f]{12}", facts.adapter)
    assert facts.modes == ("keyword", "semantic")
    assert facts.operators == {"keyword": ("AND", "OR", "NOT", "quotes"), "semantic": ("quotes",)}
    assert (facts.key_env, facts.base_env) == ("RBAI_KEY", "RBAI_SCHOLAR_BASE_URL")
    assert (facts.filters_year, facts.calls(45)) == (True, 3)
    assert any("no document" in fact for fact in facts.unverified)


def test_the_example_is_asked_and_read() -> None:
    parsed, requests = converse(example(), scholar(), text="sleep & fish", requested=45)
    assert [dict(request.params) for request in requests] == [
        {"q": "sleep & fish", "mode": "keyword", "n": "20", "start": start}
        for start in ("0", "20", "40")
    ]
    assert ids(parsed) == [f"s{n}" for n in range(1, 46)]
    hits = parsed.hits or ()
    assert (hits[0].doi, hits[0].pmid) == ("10.5555/invented.1", "90000001")
    assert (hits[0].year, hits[0].source_type) == ("2001", "article; review")
    assert [hit.notice for hit in hits[:3]] == [None, None, "retracted"]
    assert parsed.index_version == "2026-11"
    assert said(parsed, "warning") == ["slow today"]
    assert said(parsed, "no_title") == ["ranks 2"]


def test_a_list_that_came_whole_is_not_asked_on() -> None:
    parsed, requests = converse(example(), scholar(found=20), requested=45)
    assert (len(ids(parsed)), len(requests)) == (20, 1)


def test_the_year_is_sent_where_there_is_a_place_for_it() -> None:
    parsed, (request,) = converse(example(), scholar(), requested=5, max_year=2014)
    assert dict(request.params)["to"] == "2014"
    assert said(parsed, "year_filter") == ["max_year=2014"]


def test_a_documented_refusal_is_neither_an_error_nor_empty() -> None:
    adapter = example()
    request = adapter.step(asked(adapter, "cancer"), [])
    assert isinstance(request, Request)
    refusal = adapter.fault(request, scholar()(to_wire(request, KEYS)))
    assert refusal is not None
    assert (refusal.kind, refusal.text) == ("refused", "The query is too broad.")
    assert adapter.fault(request, reply({"error": "bad parameter"}, 422)) is None


def test_a_changed_description_is_another_adapter() -> None:
    changed = example(**{"min_interval_s = 1.0": "min_interval_s = 2.0"})
    assert changed.facts.adapter != example().facts.adapter


# --- other shapes -------------------------------------------------------------------------------


def items(*rows: Any, **more: Any) -> dict[str, Any]:
    return {"found": {"items": list(rows)}, **more}


def test_a_post_with_a_cursor() -> None:
    adapter = plain()
    given_ask = asked(adapter, 'a "b" {query}', 40, max_year=2014)
    first = adapter.step(given_ask, [])
    assert isinstance(first, Request)
    assert first.body == (
        '{"q":"a \\"b\\" {query}","options":{"size":20,"until":2014,"kinds":["paper"]}}'
    )
    assert first.headers == {"Content-Type": "application/json", "Accept": "application/json"}
    assert [(s.at, s.name, s.env, s.prefix) for s in first.secrets] == [
        ("header", "X-Key", "PLAIN_KEY", "")
    ]
    assert first.paid
    page = items({"address": "https://pubmed.ncbi.nlm.nih.gov/7/"}, next="c2")
    second = adapter.step(given_ask, [reply(page)])
    assert isinstance(second, Request)
    assert '"cursor":"c2"' in (second.body or "")
    parsed = adapter.step(given_ask, [reply(page), reply(items({"address": "https://x.example/"}))])
    assert isinstance(parsed, Parsed)
    assert [hit.pmid for hit in parsed.hits or ()] == ["7", None]
    assert ids(parsed) == ["7", "https://x.example/"]


def test_fields_by_pointer() -> None:
    row = {"name": "<i>A</i>", "ids": ["12"], "when": 2003, "withdrawn": "in 2005", "score": 0.5}
    adapter = plain()
    parsed = adapter.step(asked(adapter, requested=2), [reply(items(row, None))])
    assert isinstance(parsed, Parsed)
    first, second = parsed.hits or ()
    assert (first.title, first.pmid, first.year) == ("A", "12", "2003")
    assert (first.notice, first.score) == ("in 2005", "0.5")
    assert (second.rank, second.title) == (2, None)
    assert said(parsed, "no_id") == ["ranks 2"]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (items(), "empty"),
        ({"problem": "nothing found"}, "empty"),
        ({"problem": "nothing found here"}, "bad_reply"),
        ({}, "bad_reply"),
        ({"found": {}}, "bad_reply"),
        ({"found": {"items": None}}, "bad_reply"),
        ({"found": {"items": {}}}, "bad_reply"),
        ({"found": {"items": ["x"]}}, "bad_reply"),
        (items(problem="partial"), "bad_reply"),
        (items(problem=True), "bad_reply"),
        ([], "bad_reply"),
    ],
)
def test_a_missing_list_is_a_bad_reply(body: Any, outcome: str) -> None:
    adapter = plain()
    parsed = adapter.step(asked(adapter), [reply(body)])
    assert isinstance(parsed, Parsed)
    assert parsed.outcome == outcome
    request = adapter.step(asked(adapter), [])
    assert isinstance(request, Request)
    assert (adapter.fault(request, reply(body)) is None) is (outcome == "empty")


def linked() -> Paged:
    return plain(
        ('method = "POST"', 'method = "GET"'),
        (
            'headers = { X-Key = "${ENV:PLAIN_KEY}" }',
            'params = { q = "{query}", key = "${ENV:K}" }',
        ),
        (PLAIN[PLAIN.index("[request.body]") : PLAIN.index("[paging]")], ""),
        ('kind = "cursor"', 'kind = "link"'),
    )


@pytest.mark.parametrize(
    ("link", "params"),
    [
        ("https://plain.example/search?q=a%20b&at=2&key=leaked", {"q": "a b", "at": "2"}),
        ("?at=3", {"at": "3"}),
        ("/search?at=4", {"at": "4"}),
    ],
)
def test_a_link_to_the_next_page_gives_its_parameters(link: str, params: dict[str, str]) -> None:
    adapter = linked()
    step = adapter.step(asked(adapter, requested=40), [reply(items({"address": "u"}, next=link))])
    assert isinstance(step, Request)
    assert (step.url, dict(step.params)) == ("https://plain.example/search", params)
    assert [secret.name for secret in step.secrets] == ["key"]


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/search?at=2",
        "http://plain.example/search?at=2",
        "https://plain.example:444/search?at=2",
        "https://plain.example/other?at=2",
        "//evil.example/search",
        "https://[bad",
    ],
)
def test_a_link_to_anywhere_else_is_a_bad_reply(link: str) -> None:
    adapter = linked()
    body = reply(items({"address": "u"}, next=link))
    parsed = adapter.step(asked(adapter, requested=40), [body])
    assert isinstance(parsed, Parsed)
    assert parsed.outcome == "bad_reply"


def test_pages_by_number_end_where_the_service_says() -> None:
    adapter = plain(
        ('cursor = "{cursor}"', 'page = "{page}"'),
        ('kind = "cursor"', 'kind = "page"\nbase = 1\nend_path = "/last"'),
        ('next_path = "/next"', ""),
    )
    given_ask = asked(adapter, requested=40)
    step = adapter.step(given_ask, [reply(items({"address": "u"}, last=False))])
    assert isinstance(step, Request)
    assert '"page":2' in (step.body or "")
    end = adapter.step(given_ask, [reply(items({"address": "u"}, last=True))])
    assert isinstance(end, Parsed)


def test_a_service_at_this_machine_may_be_asked_in_the_clear() -> None:
    adapter = plain(("https://plain.example/search", "http://127.0.0.1:8080/search"))
    assert adapter.facts.endpoint == "http://127.0.0.1:8080/search"


# --- JSON Pointer (RFC 6901, section 5) ---------------------------------------------------------

DOCUMENT = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, " ": 7, "m~n": 8}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/ ", 7),
        ("/m~0n", 8),
        ("/foo/2", MISSING),
        ("/foo/-", MISSING),
        ("/foo/00", MISSING),
        ("/foo/x", MISSING),
        ("/nothing", MISSING),
        ("/foo/0/x", MISSING),
    ],
)
def test_a_pointer(pointer: str, value: Any) -> None:
    assert pointed(DOCUMENT, pointer) == value


WORDS = ["found", "items", "problem", "next", "address", "name", "ids"]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner),
    max_leaves=20,
)


@given(body=values)
def test_a_reply_of_any_shape_is_read_and_never_taken_for_an_empty_list(body: Any) -> None:
    adapter = plain()
    step = adapter.step(asked(adapter, requested=1), [reply(body)])
    assert isinstance(step, Parsed)
    if step.outcome == "empty":
        assert body["found"]["items"] == [] or body["problem"] == "nothing found"
    else:
        assert step.outcome in ("answered", "bad_reply")
