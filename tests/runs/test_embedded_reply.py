"""A stored reply, read back: never an error as an empty list (R64, R65)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import canonical
from judge.records.run import OUTCOMES, Hit, Notice
from judge.runs.outcome import Parsed
from judge.runs.providers.embedded.reply import parse

RESULT = {
    "id": "N007",
    "title": "Aspirin.",
    "link": None,
    "pmid": "00123456",
    "doi": "10.5070",
    "year": "2020",
    "type": "article",
    "updated": "2021-02-03",
    "notice": None,
    "score": "1.500000",
}


def body(**fields: Any) -> bytes:
    return json.dumps({"service": "embedded", "version": "1", "mode": "keyword", **fields}).encode()


def test_an_answer_ranks_by_position_and_keeps_every_value_as_text() -> None:
    again = {**RESULT, "score": "9.000000", "link": "https://example.org/7", "notice": "Retracted"}
    parsed = parse(
        body(
            index={"version": "abc", "digest": "f" * 64},
            notices=[{"kind": "interpretation", "text": "said"}],
            results=[RESULT, again],
        )
    )
    first = Hit(
        rank=1,
        record_id="N007",
        title="Aspirin.",
        pmid="00123456",
        doi="10.5070",
        year="2020",
        source_type="article",
        updated="2021-02-03",
        score="1.500000",
    )
    second = Hit(
        rank=2,
        record_id="N007",
        link="https://example.org/7",
        title="Aspirin.",
        pmid="00123456",
        doi="10.5070",
        year="2020",
        source_type="article",
        updated="2021-02-03",
        notice="Retracted",
        score="9.000000",
    )
    # The duplicate stands where it stood, and the higher score moves nothing (R35).
    assert parsed == Parsed(
        outcome="answered",
        hits=(first, second),
        notices=(Notice(kind="interpretation", text="said"),),
        service_version="1",
        index_version="abc",
        index_digest="f" * 64,
    )


def test_an_empty_list_is_an_answer_and_an_unexposed_index_is_unavailable() -> None:
    assert parse(body(results=[])) == Parsed(outcome="empty", hits=(), service_version="1")
    assert parse(body(results=[])).index_version == "unavailable"
    assert parse(body(results=[])).model_version == "unavailable"


@pytest.mark.parametrize(
    ("field", "outcome", "kind"),
    [("refusal", "refused", "refusal"), ("error", "rejected", "error")],
)
def test_a_refusal_and_an_error_give_no_list_but_their_words(
    field: str, outcome: str, kind: str
) -> None:
    parsed = parse(body(**{field: {"code": "too_broad", "text": "only common words"}}))
    assert (parsed.outcome, parsed.hits) == (outcome, None)
    assert parsed.notices == (Notice(kind=kind, text="too_broad: only common words"),)


FAULT = {"code": "c", "text": "t"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"<html>502</html>",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"results": []}',
        body(),
        body(results=None),
        body(results={}),
        body(results="none"),
        body(results=[None]),
        body(results=[{"id": "n1"}]),
        body(results=[{**RESULT, "id": ""}]),
        body(results=[{**RESULT, "id": None}]),
        body(results=[{**RESULT, "id": 7}]),
        body(results=[{**RESULT, "score": 1.5}, {**RESULT, "score": 3}]),
        body(results=[{**RESULT, "rank": 1}]),
        body(results=[], error=FAULT),
        body(results=[], refusal=FAULT),
        body(error=FAULT, refusal=FAULT),
        body(error="no"),
        body(results=[], total=0),
        body(results=[]).replace(b"embedded", b"other"),
        body(results=[]).replace(b'"1"', b"NaN"),
        body(results=[float("nan")]),
        body(results=[float("inf")]),
        body(results=[])[:-1],
        body(results=[RESULT])[:-20],
        body(results=[]) * 2,
        body(results=[])[:-1] + b', "results": []}',
        b"[" * 100_000,
        b'{"results":' * 50_000,
        b"9" * 10_000,
    ],
)
def test_any_other_body_is_a_bad_reply(data: bytes) -> None:
    parsed = parse(data)
    assert (parsed.outcome, parsed.hits) == ("bad_reply", None)
    assert {notice.kind for notice in parsed.notices} == {"bad_reply"}


def test_a_title_that_no_file_can_hold_is_repaired() -> None:
    data = body(results=[{**RESULT, "title": "x\ud800y\x00"}])
    hits = parse(data).hits
    assert hits is not None
    assert hits[0].title == "x\ufffdy\ufffd"
    assert canonical(parse(data))


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    assert parse(data).outcome == "bad_reply"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["results", "refusal", "error", "notices", "index", "version", "mode"]),
        JSON | st.just([RESULT]) | st.just(FAULT) | st.just([]),
    )
)
def test_whatever_a_field_holds_only_a_bare_empty_list_is_empty(fields: dict[str, Any]) -> None:
    parsed = parse(body(**fields))
    assert parsed.outcome in OUTCOMES
    assert (parsed.hits is None) == (parsed.outcome not in ("answered", "empty"))
    if parsed.outcome == "empty":
        assert fields["results"] == []
        assert fields.get("refusal") is None
        assert fields.get("error") is None
    assert canonical(parsed)
