"""Capture that goes on where it stopped, and pays for nothing twice."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.errors import Incomplete, Invalid, Refused
from judge.records.attempt import Attempt
from judge.records.protocol import Amendment
from judge.steps.capturing import NO_WISH, Wish, dry_run
from judge.steps.rounds import finish_round
from judge.steps.running import CaptureResult, capture_study
from judge.store.ledger import Ledger
from tests.fakes.adapter import FakeAdapter, good, paid
from tests.fakes.records import attempts, intents, outcomes, pages, records, stopped
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import FAST, KEY, frozen_study, wire

BROAD = Answer(b'{"error":"query too broad"}', status=422)


# --- going on -----------------------------------------------------------------------------------


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"])
    with FakeServer(good) as server:
        capture_study(context, wire=wire(server.url))
        again = capture_study(context, wire=wire(server.url))
        assert len(server.seen) == 2
    assert again == CaptureResult({}, 0, 0, round="r1", scored=True)


def test_an_answered_page_is_never_asked_for_again(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    trouble = iter([Answer(b'{"error":"run out"}', status=429)])

    def script(seen: Seen) -> Answer:
        return next(trouble, pages(seen)) if seen.params["page"] == "2" else pages(seen)

    with FakeServer(script) as server:
        stopped(context, server.url, paid())
        capture_study(context, wire=wire(server.url, paid()))
        assert [seen.params["page"] for seen in server.seen] == ["1", "2", "2"]
    first, second = records(context)
    assert (first.outcome, second.outcome) == ("quota", "answered")
    assert len(second.raw_results or ()) == 3
    assert second.raw_replies[0] == first.raw_replies[0]
    # Its list is as old as its oldest page, and says so.
    page = attempts(context)[0]
    assert second.retrieved_at_utc == page.received_utc
    said = [one.text for one in second.errors_and_notices or () if one.kind == "reused"]
    assert said == [f"page 1 is the reply received at {page.received_utc}, not sent again"]
    assert "reused" not in {one.kind for one in first.errors_and_notices or ()}


def test_a_free_list_is_never_made_of_pages_of_two_captures(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    trouble = iter([Answer(b'{"error":"run out"}', status=429)])

    def script(seen: Seen) -> Answer:
        return next(trouble, pages(seen)) if seen.params["page"] == "2" else pages(seen)

    with FakeServer(script) as server:
        stopped(context, server.url, FakeAdapter())
        capture_study(context, wire=wire(server.url))
        assert [seen.params["page"] for seen in server.seen] == ["1", "2", "1", "2"]
    _, second = records(context)
    assert len(second.raw_results or ()) == 3
    assert second.retrieved_at_utc == attempts(context)[2].received_utc


def test_what_is_asked_follows_the_amended_protocol(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    changes = {"protocol.depth.requested": ("4", "2"), "protocol.depth.cutoffs": ("[1,2]", "[2]")}
    with context.study.ledger(context.clock) as ledger:
        for number, (target, (before, after)) in enumerate(changes.items(), 1):
            amendment = Amendment(
                number=number,
                at_utc=context.clock(),
                author="The authors",
                reason="Shorter lists are read.",
                seen="nothing_run",
                target=target,
                before=before,
                after=after,
            )
            ledger.record("amended", target, [amendment])
    with FakeServer(pages) as server:
        assert dry_run(context, wire=wire(server.url)).systems[0].requests == 1
        capture_study(context, wire=wire(server.url))
        assert [seen.params["page"] for seen in server.seen] == ["1"]
    (run,) = records(context)
    assert (run.requested, run.cutoffs) == (2, (2,))
    assert len(run.raw_results or ()) == 2


def test_what_failed_for_good_is_asked_again_only_on_wish(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"])
    broken = iter([BROAD])
    with FakeServer(
        lambda seen: next(broken, good(seen)) if seen.params["q"] == "q1" else good(seen)
    ) as server:
        capture_study(context, wire=wire(server.url))
        capture_study(context, wire=wire(server.url))
        assert outcomes(context) == {"q1": "refused", "q2": "answered"}
        capture_study(context, wish=Wish(retry_failed=True), wire=wire(server.url))
        assert outcomes(context) == {"q1": "answered", "q2": "answered"}
        assert len(server.seen) == 3


def test_a_limit_makes_a_pilot_of_the_first_queries(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3"])
    with FakeServer(good) as server:
        done = capture_study(context, wish=Wish(limit=2), wire=wire(server.url))
        assert (done.captured, done.left) == (2, 1)
        assert sorted(outcomes(context)) == ["q1", "q2"]
        done = capture_study(context, wish=Wish(limit=2), wire=wire(server.url))
        assert (done.captured, done.left) == (1, 0)


def test_development_queries_go_on_where_they_stopped_and_then_start_again(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"], development=["d1", "d2"])

    def develop(wish: Wish = NO_WISH) -> CaptureResult:
        return capture_study(context, development=True, wish=wish, wire=wire(server.url))

    with FakeServer(good) as server:
        assert develop(Wish(limit=1)).captured == 1
        assert develop().captured == 1
        assert develop().captured == 2
        assert [seen.params["q"] for seen in server.seen[:2]] == ["d1", "d2"]
        assert sorted(seen.params["q"] for seen in server.seen[2:]) == ["d1", "d2"]
    assert sorted(run.run_id for run in records(context)) == [
        "development/b/d1/1",
        "development/b/d1/2",
        "development/b/d2/1",
        "development/b/d2/2",
    ]
    assert outcomes(context) == {}


# --- money --------------------------------------------------------------------------------------


def test_a_paid_request_is_written_down_before_it_is_sent(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    on_disk: list[int] = []

    def script(seen: Seen) -> Answer:
        on_disk.append(len(intents(context)))
        return pages(seen)

    with FakeServer(script) as server:
        done = capture_study(context, wire=wire(server.url, paid()))
    assert on_disk == [1, 2]
    assert done.paid == 2
    assert [(one.run_id, one.number) for one in intents(context)] == [
        (one.run_id, one.number) for one in attempts(context)
    ]


def test_a_retry_that_was_killed_leaves_a_doubt_that_everything_knows(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(lambda _: BROAD) as server:
        capture_study(context, wire=wire(server.url, paid()))
        (sent,) = intents(context)
        with context.study.ledger(context.clock) as ledger:
            again = msgspec.structs.replace(sent, run_id="r1/b/q1/2", number=1)
            ledger.record("asked", again.run_id, [again])
        assert dry_run(context, wire=wire(server.url, paid())).in_doubt == ("q1 at b",)
        with pytest.raises(Refused, match=r"nobody knows the end of 1 paid requests \(q1 at b\)"):
            finish_round(context)
        for _ in range(2):
            assert stopped(context, server.url, paid()).result.in_doubt == ("q1 at b",)
        assert len(server.seen) == 1
    assert [(run.run_id, run.outcome) for run in records(context)] == [
        ("r1/b/q1/1", "refused"),
        ("r1/b/q1/2", "in_doubt"),
    ]
    assert finish_round(context).outcomes == {"in_doubt": 1}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(Answer(b'{"results":'), "bad_reply"), (Answer(drops=True), "in_doubt")],
)
def test_what_a_paid_request_came_to_is_not_paid_for_again_where_its_record_is_lost(
    answer: Answer, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = frozen_study(tmp_path, ["q1"])
    write = Ledger.record

    def full(ledger: Ledger, kind: Any, subject: str, *groups: Any, **more: Any) -> Any:
        if kind == "captured":
            raise Refused("the disk is full")
        return write(ledger, kind, subject, *groups, **more)

    with FakeServer(lambda _: answer) as server:
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, "record", full)
            with pytest.raises(Refused, match="the disk is full"):
                capture_study(context, wire=wire(server.url, paid()))
        assert (len(attempts(context)), records(context)) == (1, [])
        with suppress(Incomplete):
            capture_study(context, wire=wire(server.url, paid()))
        assert len(server.seen) == 1
    assert outcomes(context) == {"q1": outcome}


@pytest.mark.parametrize("answer", [Answer(hangs=True), Answer(drops=True)])
def test_a_paid_request_without_a_reply_is_in_doubt_and_sent_again_only_on_wish(
    answer: Answer, tmp_path: Path
) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"])
    limits = replace(FAST, deadline_s=1.5)

    def script(seen: Seen) -> Answer:
        return answer if seen.params["q"] == "q1" and seen.nth == 1 else good(seen)

    with FakeServer(script) as server:
        early = stopped(context, server.url, paid(), limits=limits)
        assert early.result.in_doubt == ("q1 at b",)
        assert "--resend-in-doubt" in early.hint
        assert outcomes(context) == {"q1": "in_doubt", "q2": "answered"}
        for wish in (Wish(), Wish(retry_failed=True)):
            assert stopped(context, server.url, paid(), wish).result.in_doubt == ("q1 at b",)
        assert len(server.seen) == 2
        done = capture_study(
            context, wish=Wish(resend_in_doubt=True), wire=wire(server.url, paid())
        )
        assert (done.in_doubt, done.captured) == ((), 1)
        assert len(server.seen) == 3
    assert outcomes(context) == {"q1": "answered", "q2": "answered"}


def test_a_service_that_refuses_connections_charges_nothing(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(good) as server:
        url = server.url
    capture_study(context, wire=wire(url, paid()))
    assert outcomes(context) == {"q1": "unavailable"}


def test_more_paid_requests_than_were_confirmed_are_refused_naming_the_number(
    tmp_path: Path,
) -> None:
    context = frozen_study(tmp_path, [f"q{number}" for number in range(60)])
    with FakeServer(good) as server:
        # Two pages of two make four results: 120 requests at most.
        with pytest.raises(Refused) as caught:
            capture_study(context, wire=wire(server.url, paid()))
        assert "up to 120 paid requests" in caught.value.message
        assert "--confirm-paid 120" in caught.value.hint
        with pytest.raises(Refused):
            capture_study(context, wish=Wish(confirm_paid=119), wire=wire(server.url, paid()))
        assert server.seen == []
        done = capture_study(context, wish=Wish(confirm_paid=120), wire=wire(server.url, paid()))
        assert done.paid == 60


def test_repeats_count_against_what_was_confirmed(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3"], requested=2)
    one = paid(FakeAdapter(facts=replace(FakeAdapter().facts, concurrency=1)))
    with FakeServer(lambda seen: Answer(status=500) if seen.nth < 3 else good(seen)) as server:
        early = stopped(context, server.url, one, Wish(confirm_paid=4))
        assert len(server.seen) == 4
    assert early.result.paid == 4
    assert early.hint == "judge capture --confirm-paid 4"
    assert early.result.ends["fake"] == "the 4 paid requests that were allowed are sent"
    assert early.result.outcomes == {"b": {"answered": 1}}


def test_a_dry_run_says_what_would_be_sent_and_sends_and_writes_nothing(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2", "q3"])
    paced = replace(FakeAdapter().facts, min_interval_s=1.5)
    adapter = paid(FakeAdapter(facts=paced))
    with FakeServer(good) as server:
        before = context.study.store.read_bytes()
        found = dry_run(context, wish=Wish(limit=2), wire=wire(server.url, adapter))
        assert server.seen == []
    assert context.study.store.read_bytes() == before
    (one,) = found.systems
    assert (one.queries, one.pages, one.requests, one.paid, one.seconds) == (2, 2, 4, 4, 6)
    assert one.key == "FAKE_API_KEY is set"
    assert one.first == ("GET https://fake.example/search?q=q1&page=1 [X-Api-Key: $FAKE_API_KEY]")
    assert KEY not in repr(found)


@pytest.mark.parametrize("adapter", [FakeAdapter(), paid()])
def test_a_store_that_cannot_be_written_ends_the_capture_and_nothing_more_is_sent(
    adapter: FakeAdapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = frozen_study(tmp_path, [f"q{number}" for number in range(100)], requested=2)
    write = Ledger.record

    def full(ledger: Ledger, kind: Any, subject: str, *groups: Any, **more: Any) -> Any:
        if any(isinstance(record, Attempt) for group in groups for record in group):
            raise Refused("the disk is full")
        return write(ledger, kind, subject, *groups, **more)

    with FakeServer(good) as server:
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, "record", full)
            with pytest.raises(Refused, match="the disk is full"):
                capture_study(context, wire=wire(server.url, adapter))
        assert len(server.seen) < 100
        if adapter.facts.paid:
            early = stopped(context, server.url, adapter)
            # What was sent and could not be written down is in doubt; nothing is paid for twice.
            assert early.result.in_doubt
            assert set(server.good.values()) == {1}
        else:
            capture_study(context, wire=wire(server.url, adapter))
            assert set(outcomes(context).values()) == {"answered"}


def test_a_hint_keeps_what_the_user_asked_for(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, [f"q{number}" for number in range(60)])
    with FakeServer(lambda _: Answer(status=401)) as server:
        wish = Wish(confirm_paid=1, retry_failed=True)
        with pytest.raises(Refused) as caught:
            capture_study(context, wish=wish, wire=wire(server.url, paid()))
        assert "judge capture --retry-failed --confirm-paid 120" in caught.value.hint
        wish = Wish(confirm_paid=120, retry_failed=True)
        early = stopped(context, server.url, paid(), wish)
    assert early.hint == "judge capture --retry-failed --confirm-paid 120"


# --- what is refused, and being stopped ---------------------------------------------------------


def test_a_missing_key_is_refused_with_its_name_before_anything_is_sent(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with FakeServer(good) as server, pytest.raises(Refused) as caught:
        capture_study(context, wire=wire(server.url, key=" "))
    assert "FAKE_API_KEY (system b)" in caught.value.message
    assert server.seen == []


def test_an_unknown_system_is_named(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1"])
    with pytest.raises(Invalid, match="no system x; one of b"):
        capture_study(context, ["x"], wire=wire("http://127.0.0.1:1"))
