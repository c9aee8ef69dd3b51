"""Capture end to end against a small service that answers as a script says.

Each query's text is its id, so that a script can tell them apart.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge.steps.capturing import Wish
from judge.steps.running import StoppedEarly, capture_study
from tests.fakes.adapter import FakeAdapter, good, listed, paid
from tests.fakes.records import attempts, outcomes, pages, records, stopped
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import FAST, frozen_study, wire

BROAD = Answer(b'{"error":"query too broad"}', status=422)
SLOW = Answer(b"slow down", status=429, headers={"Retry-After": "0.01"})


# --- one query ----------------------------------------------------------------------------------


def test_pages_become_one_list_and_each_request_is_on_record(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(pages) as server:
        done = capture_study(context, wire=wire(server.url))
    assert done.outcomes == {"b": {"answered": 1}}
    assert (done.captured, done.left, done.in_doubt, done.ends) == (1, 0, (), {})
    (run,) = records(context)
    assert [(hit.rank, hit.record_id) for hit in run.raw_results or ()] == [
        (1, "q1-1"),
        (2, "q1-2"),
        (3, "q1-3"),
    ]
    first, second = attempts(context)
    assert [one.number for one in (first, second)] == [1, 2]
    assert run.raw_replies == (first.body, second.body)
    assert first.url == "https://fake.example/search?q=q1&page=1"
    assert (first.status, first.outcome, first.http_version) == (200, "good", "HTTP/1.1")
    with context.study.ledger(context.clock) as ledger:
        assert ledger.blob(str(first.body)) == listed("q1-1", "q1-2", more=True)
        assert ledger.problems() == []


def test_the_record_says_what_is_unverified_and_where_it_was_asked_instead(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(good) as server:
        capture_study(context, wire=wire(server.url))
        url = server.url
    (run,) = records(context)
    assert [(one.kind, one.text) for one in run.errors_and_notices or ()] == [
        ("base_replaced", f"asked at {url} in place of https://fake.example/search"),
        ("unverified", "whether it exists"),
    ]


@pytest.mark.parametrize(
    ("answer", "outcome", "sends"),
    [
        (Answer(listed()), "empty", 1),
        (BROAD, "refused", 1),
        (Answer(b'{"detail":[]}', status=422), "rejected", 1),
        (Answer(b"{}", status=404), "rejected", 1),
        (Answer(b'{"error":"internal"}'), "bad_reply", 2),
        (Answer(b"<!doctype html><html><title>Hello</title>"), "bad_reply", 5),
        (Answer(b"", status=302, headers={"Location": "https://other.example/"}), "bad_reply", 2),
        (Answer(listed("a")[:-3]), "bad_reply", 5),
        (Answer(listed("a"), cut=7), "bad_reply", 5),
        (Answer(b"", status=500), "unavailable", 5),
        (Answer(b"slow down", status=429), "unavailable", 5),
        (Answer(drops=True), "unavailable", 5),
    ],
)
def test_what_a_query_ends_with(answer: Answer, outcome: str, sends: int, tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(lambda _: answer) as server:
        capture_study(context, wire=wire(server.url))
        assert len(server.seen) == sends
    (run,) = records(context)
    assert run.outcome == outcome
    assert run.raw_results == (() if outcome == "empty" else None)
    assert len(attempts(context)) == sends
    if outcome != "empty":
        assert (run.errors_and_notices or ())[0].text.strip()


@pytest.mark.parametrize(
    "answer",
    [
        Answer(listed("a")[:-3]),
        Answer(listed("a"), cut=7),
        Answer(b'{"error":"internal"}'),
        Answer(b"<!doctype html><html><title>Hello</title>"),
        Answer(b"", status=302, headers={"Location": "https://other.example/"}),
    ],
)
def test_a_paid_reply_that_arrived_is_paid_for_once_unless_the_user_says_so(
    answer: Answer, tmp_path: Path
) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(lambda _: answer) as server:
        capture_study(context, wire=wire(server.url, paid()))
        capture_study(context, wire=wire(server.url, paid()))
        assert len(server.seen) == 1
        assert outcomes(context) == {"q1": "bad_reply"}
        capture_study(context, wish=Wish(retry_failed=True), wire=wire(server.url, paid()))
        assert len(server.seen) == 2


def test_a_timeout_is_recorded_with_its_time(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    limits = replace(FAST, deadline_s=0.1, sends=2)
    with FakeServer(lambda _: Answer(hangs=True)) as server:
        capture_study(context, wire=wire(server.url, limits=limits))
    (run,) = records(context)
    assert (run.outcome, run.http_status) == ("timeout", None)
    assert run.elapsed_ms is not None
    assert run.elapsed_ms >= 100


def test_passing_trouble_is_repeated_and_said(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    trouble = iter([SLOW, Answer(b"", status=503), Answer(listed("a")[:-2]), Answer(drops=True)])
    with FakeServer(lambda seen: next(trouble, good(seen))) as server:
        capture_study(context, wire=wire(server.url))
    (run,) = records(context)
    assert run.outcome == "answered"
    assert ("repeated", "5 requests were sent for 1") in [
        (one.kind, one.text) for one in run.errors_and_notices or ()
    ]
    assert [one.outcome for one in attempts(context)] == [
        "transient",
        "transient",
        "malformed",
        "transient",
        "good",
    ]


def test_a_service_that_asks_to_wait_is_not_asked_before(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3", "q4"])
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    now = [0.0]
    context = replace(context, monotonic=lambda: now[0])
    first = iter([Answer(b"slow", status=429, headers={"Retry-After": "100"})])
    one = replace(FakeAdapter().facts, concurrency=1)
    with FakeServer(lambda seen: next(first, good(seen))) as server:
        outside = wire(server.url, FakeAdapter(facts=one), sleep=sleep, chance=lambda: 0.5)
        capture_study(context, wire=outside)
    assert set(outcomes(context).values()) == {"answered"}
    # One gate for all: it was waited for once, longer than asked and never shorter.
    assert len(slept) == 1
    assert 100 < slept[0] <= 100 * 1.25 * 1.25


# --- what ends a service's run ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "outcome", "why"),
    [
        (Answer(b'{"error":"bad key"}', status=401), "auth", "auth: HTTP 401: bad key"),
        (
            Answer(b'{"error":"run out of searches"}', status=429),
            "quota",
            "it resets at 2026-12-01T00:00:00Z",
        ),
        (
            Answer(b"closed", status=503, headers={"Retry-After": "7200"}),
            "quota",
            "it resets at 2026-11-30T11:00:",
        ),
        (
            Answer(b"<!doctype html><html><title>Just a moment</title>", status=403),
            "unavailable",
            "blocked: HTTP 403: Just a moment",
        ),
    ],
)
def test_it_stops_the_run_and_the_next_capture_goes_on(
    answer: Answer, outcome: str, why: str, tmp_path: Path
) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3"])
    one = replace(FakeAdapter().facts, concurrency=1)
    adapter = FakeAdapter(facts=one)

    def script(seen: Seen) -> Answer:
        return answer if seen.params["q"] == "q2" and seen.nth == 1 else good(seen)

    with FakeServer(script) as server:
        early = stopped(context, server.url, adapter)
        assert early.exit_code == 5
        assert why in early.result.ends["fake"]
        assert why in "\n".join(early.lines())
        assert (early.result.captured, early.result.left) == (2, 1)
        assert outcomes(context) == {"q1": "answered", "q2": outcome}
        capture_study(context, wire=wire(server.url, adapter))
        assert outcomes(context) == {"q1": "answered", "q2": "answered", "q3": "answered"}
        assert [seen.params["q"] for seen in server.seen] == ["q1", "q2", "q2", "q3"]
    # Both executions of q2 are on record; neither replaced the other (R14).
    assert [run.run_id for run in records(context) if run.query_id == "q2"] == [
        "r1/b/q2/1",
        "r1/b/q2/2",
    ]


def test_a_service_that_is_down_is_not_asked_to_the_end(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, [f"q{number}" for number in range(30)])
    one = replace(FakeAdapter().facts, concurrency=1)
    limits = replace(FAST, sends=2, misses=3)
    with FakeServer(lambda _: Answer(status=502)) as server:
        early = stopped(context, server.url, FakeAdapter(facts=one), limits=limits)
        assert len(server.seen) == 6
    assert early.result.ends["fake"] == "3 queries in a row got no reply"
    assert early.result.outcomes == {"b": {"unavailable": 3}}


def test_one_service_that_stops_leaves_the_others_going(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"], systems=(("b", "fake"), ("c", "other")))
    facts = replace(FakeAdapter().facts, name="other", key_env=None, key_needed=False)

    def script(seen: Seen) -> Answer:
        return good(seen) if "x-api-key" not in seen.headers else Answer(status=401)

    with FakeServer(script) as server:
        adapters = {"fake": FakeAdapter(), "other": FakeAdapter(facts=facts, secret_at=None)}
        with pytest.raises(StoppedEarly) as caught:
            capture_study(context, wire=wire(server.url, adapters))
    assert list(caught.value.result.ends) == ["fake"]
    assert caught.value.result.outcomes["c"] == {"answered": 2}
