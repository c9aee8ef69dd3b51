"""Reading stored replies: what an adapter may answer, what it may not, and reading them again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from judge.protocol.freeze import planned_runs
from judge.records.attempt import Attempt
from judge.records.run import Hit, Notice, RunRecord
from judge.runs.classify import Verdict
from judge.runs.conversation import (
    ended,
    executed,
    next_step,
    request_key,
    reread,
    same_reading,
)
from judge.runs.exchange import Limits
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Ask, Reply, Request, Secret
from tests.fakes.adapter import FakeAdapter, listed
from tests.fakes.study import query
from tests.protocols import filled

NOW = "2026-11-30T09:00:00Z"
PROTOCOL = filled(systems=(("b", "fake"),))
ASK = Ask(system=PROTOCOL.systems[0], text="aspirin", requested=4)


def reply(body: bytes, status: int = 200) -> Reply:
    return Reply(status=status, headers={}, body=body)


class Saying(FakeAdapter):
    """An adapter that reads whatever it is told to."""

    def __init__(self, said: Parsed | Exception) -> None:
        super().__init__()
        object.__setattr__(self, "said", said)

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        said: Parsed | Exception = self.__dict__["said"]
        if isinstance(said, Exception):
            raise said
        return said


def hit(rank: int, **changes: Any) -> Hit:
    return Hit(**{"rank": rank, "record_id": f"r{rank}", **changes})


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (Parsed(outcome="answered", hits=(hit(1), hit(3))), "numbered the hits wrongly"),
        (Parsed(outcome="answered", hits=(hit(0), hit(1))), "numbered the hits wrongly"),
        (Parsed(outcome="answered", hits=()), "read answered with 0 hits"),
        (Parsed(outcome="answered", hits=None), "read answered without a list"),
        (Parsed(outcome="empty", hits=(hit(1),)), "read empty with 1 hits"),
        (Parsed(outcome="empty", hits=None), "read empty without a list"),
        (Parsed(outcome="refused", hits=()), "read refused with 0 hits"),
        (KeyError("results"), "could not read it (KeyError)"),
        (RecursionError(), "could not read it (RecursionError)"),
    ],
)
def test_an_unsound_reading_is_a_bad_reply_never_a_list(
    said: Parsed | Exception, what: str
) -> None:
    step = next_step(Saying(said), ASK, [])
    assert isinstance(step, Parsed)
    assert (step.outcome, step.hits) == ("bad_reply", None)
    assert what in step.notices[0].text


def test_a_lone_surrogate_is_replaced_in_what_is_read() -> None:
    said = Parsed(
        outcome="answered",
        hits=(hit(1, title="cut \ud83d here", score="0.5"),),
        notices=(Notice(kind="warning", text="\udc00"),),
    )
    step = next_step(Saying(said), ASK, [])
    assert step == Parsed(
        outcome="answered",
        hits=(hit(1, title="cut \ufffd here", score="0.5"),),
        notices=(Notice(kind="warning", text="\ufffd"),),
    )


def test_a_request_is_the_same_whenever_it_is_sent_and_whatever_its_key() -> None:
    request = Request(method="GET", url="https://a.example/s", params=(("q", "x"),), page=1)
    key = request_key("fake@1", request)
    secret = Secret(at="param", name="api_key", env="FAKE_API_KEY")
    assert request_key("fake@1", msgspec.structs.replace(request, secrets=(secret,))) == key
    others = [
        request_key("fake@2", request),
        *(
            request_key("fake@1", msgspec.structs.replace(request, **change))
            for change in (
                {"method": "POST"},
                {"url": "https://a.example/t"},
                {"params": (("q", "y"),)},
                {"body": "{}"},
                {"page": 2},
            )
        ),
    ]
    assert len({key, *others}) == 7


def test_an_end_without_a_list_carries_its_words_and_its_reset() -> None:
    found = ended(Verdict("quota", "run out", resets_at="2026-12-01T00:00:00Z"))
    assert (found.outcome, found.hits) == ("quota", None)
    assert [(one.kind, one.text) for one in found.notices] == [
        ("quota", "run out"),
        ("resets_at", "2026-12-01T00:00:00Z"),
    ]
    assert ended(Verdict("transient", "")).notices[0].text == "no words came with it"


def test_stored_replies_are_read_again_page_by_page() -> None:
    pages = [reply(listed("a", "b", more=True)), reply(listed("c"))]
    found = reread(FakeAdapter(), ASK, pages, NOW, Limits())
    assert found is not None
    assert [(one.rank, one.record_id) for one in found.hits or ()] == [(1, "a"), (2, "b"), (3, "c")]


@pytest.mark.parametrize(
    ("pages", "outcome"),
    [
        ([reply(listed())], "empty"),
        ([reply(b'{"error":"too broad"}', 422)], "refused"),
        ([reply(listed("a", "b", more=True)), reply(b'{"error":"x"}')], "bad_reply"),
        ([reply(listed("a", "b", more=True)), reply(b"[]", 400)], "rejected"),
    ],
)
def test_a_failure_stays_a_failure_when_it_is_read_again(pages: list[Reply], outcome: str) -> None:
    found = reread(FakeAdapter(), ASK, pages, NOW, Limits())
    assert found is not None
    assert found.outcome == outcome
    assert found.hits == (() if outcome == "empty" else None)


def test_too_few_replies_say_nothing() -> None:
    assert reread(FakeAdapter(), ASK, [], NOW, Limits()) is None
    assert reread(FakeAdapter(), ASK, [reply(listed("a", "b", more=True))], NOW, Limits()) is None


# --- the record ---------------------------------------------------------------------------------


def attempt(number: int, **changes: Any) -> Attempt:
    given = {
        "run_id": "r1/b/q1/1",
        "number": number,
        "round": "r1",
        "system": "b",
        "query_id": "q1",
        "request": "0" * 64,
        "page": number,
        "adapter": "fake@1",
        "paid": False,
        "method": "GET",
        "url": "https://fake.example/search",
        "sent_body": None,
        "sent_utc": NOW,
        "received_utc": f"2026-11-30T09:00:0{number}Z",
        "elapsed_ms": 100 * number,
        "outcome": "good",
        "status": 200,
        "http_version": "HTTP/1.1",
        "body": str(number) * 64,
    }
    return Attempt(**{**given, **changes})


def record(*attempts: Attempt, sends: int | None = None, **parsed: Any) -> RunRecord:
    (plan,) = planned_runs(PROTOCOL, [query("q1")])
    given = {"outcome": "answered", "hits": (hit(1),)}
    return executed(
        plan,
        FakeAdapter(),
        Parsed(**{**given, **parsed}),
        attempts,
        sends=len(attempts) if sends is None else sends,
        at_utc=NOW,
    )


def test_a_record_names_its_replies_in_order_and_is_dated_by_its_first() -> None:
    run = record(attempt(1), attempt(2))
    assert run.raw_replies == ("1" * 64, "2" * 64)
    assert run.retrieved_at_utc == "2026-11-30T09:00:01Z"
    assert (run.elapsed_ms, run.http_status, run.attempt) == (300, 200, 1)
    assert run.run_id == "r1/b/q1/1"
    assert run.errors_and_notices == ()
    assert not [name for name, value in msgspec.structs.asdict(run).items() if value == ""]


def test_a_timeout_has_its_time_and_an_unavailable_service_its_status() -> None:
    late = attempt(1, outcome="timeout", status=None, http_version=None, body=None, elapsed_ms=9)
    gone = attempt(1, outcome="transient", status=503)
    timeout = record(late, outcome="timeout", hits=None)
    unavailable = record(gone, outcome="unavailable", hits=None)
    assert (timeout.elapsed_ms, timeout.http_status, timeout.raw_replies) == (9, None, ())
    assert (unavailable.http_status, unavailable.raw_replies) == (503, ("1" * 64,))


@pytest.mark.parametrize(
    ("changes", "sends", "notices"),
    [
        ({}, 1, []),
        ({}, 3, [("repeated", "3 requests were sent for 1")]),
        ({"skew_s": 5}, 1, []),
        ({"skew_s": -6}, 1, [("clock", "the service's clock differs from ours by -6 s")]),
        (
            {"redacted": True},
            1,
            [("redacted", "a key was taken out of a reply before it was kept")],
        ),
    ],
)
def test_what_happened_on_the_way_is_noted(
    changes: dict[str, Any], sends: int, notices: list[tuple[str, str]]
) -> None:
    run = record(attempt(1, **changes), sends=sends)
    assert [(one.kind, one.text) for one in run.errors_and_notices or ()] == notices


def test_two_readings_are_the_same_by_what_the_service_said_alone() -> None:
    run = record(attempt(1))
    ours = msgspec.structs.replace(
        run,
        attempt=2,
        adapter="fake@2",
        errors_and_notices=(Notice(kind="reread", text="by fake@2"),),
    )
    assert same_reading(run, ours)
    for change in (
        {"raw_results": (hit(1, title="now with a title"),)},
        {"outcome": "bad_reply", "raw_results": None},
        {"index_version": "7"},
        {"errors_and_notices": (Notice(kind="warning", text="new"),)},
    ):
        assert not same_reading(run, msgspec.structs.replace(run, **change))


def test_the_pages_of_the_fake_are_json() -> None:
    assert json.loads(listed("a", more=True, said="x")) == {
        "results": [{"id": "a", "title": "Title of a"}],
        "more": True,
        "said": "x",
    }
