"""Stored replies read again by a newer adapter: a new record beside the old one, or none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from judge.records.run import RunRecord
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Ask, Reply, Request
from judge.steps.context import Context
from judge.steps.rereading import reparse_study
from judge.steps.running import StoppedEarly, capture_study
from tests.fakes.adapter import FakeAdapter, listed
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study, wire

ANSWERS = {
    "q1": Answer(listed("a", "b")),
    "q2": Answer(listed()),
    "q3": Answer(b'{"error":"query too broad"}', status=422),
    "q4": Answer(json.dumps({"items": [{"id": "x", "title": "X"}]}).encode()),
    "q5": Answer(b"{}", status=503),
}
NEWER = replace(FakeAdapter().facts, version="2")


class Newer(FakeAdapter):
    """Upper-case titles, and a second shape of list that the first version did not know."""

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        step = super().step(ask, [self._known(reply) for reply in replies])
        if isinstance(step, Request) or not step.hits:
            return step
        hits = tuple(
            msgspec.structs.replace(hit, title=(hit.title or "").upper()) for hit in step.hits
        )
        return msgspec.structs.replace(step, hits=hits)

    def fault(self, request, reply):  # type: ignore[no-untyped-def]
        return super().fault(request, self._known(reply))

    @staticmethod
    def _known(reply: Reply) -> Reply:
        found = json.loads(reply.body)
        if "items" not in found:
            return reply
        body = json.dumps({"results": found["items"], "more": False}).encode()
        return msgspec.structs.replace(reply, body=body)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    found = frozen_study(tmp_path, list(ANSWERS))

    def script(seen: Seen) -> Answer:
        return ANSWERS[seen.params["q"]]

    with FakeServer(script) as server:
        capture_study(found, wire=wire(server.url))
    return found


def executions(context: Context) -> dict[str, RunRecord]:
    with context.study.ledger(context.clock) as ledger:
        assert ledger.problems() == []
        return {run.run_id: run for run in ledger.all(RunRecord) if run.status == "executed"}


def test_the_same_adapter_writes_nothing(context: Context) -> None:
    before = executions(context)
    done = reparse_study(context, adapters={"fake": FakeAdapter()})
    # q5 rests on a reply that never came; there is nothing to read in it.
    assert (done.round, done.read, done.changed, done.unreadable) == ("r1", 4, (), ())
    assert executions(context) == before


def test_a_newer_adapter_writes_new_records_where_it_reads_otherwise(context: Context) -> None:
    before = executions(context)
    done = reparse_study(context, adapters={"fake": Newer(facts=NEWER)})
    assert sorted(done.changed) == ["r1/b/q1/2", "r1/b/q4/2"]
    after = executions(context)
    assert {name: after[name] for name in before} == before
    new, old = after["r1/b/q1/2"], after["r1/b/q1/1"]
    assert [hit.title for hit in new.raw_results or ()] == ["TITLE OF A", "TITLE OF B"]
    assert (new.adapter, old.adapter) == ("fake@2", "fake@1")
    assert (new.retrieved_at_utc, new.raw_replies) == (old.retrieved_at_utc, old.raw_replies)
    assert ("reread", "re-read from stored replies by fake@2; before by fake@1") in [
        (one.kind, one.text) for one in new.errors_and_notices or ()
    ]
    # What no version could read before is an answer now, from the bytes of then.
    assert (after["r1/b/q4/1"].outcome, after["r1/b/q4/2"].outcome) == ("bad_reply", "answered")
    assert "base_replaced" in [one.kind for one in new.errors_and_notices or ()]
    again = reparse_study(context, adapters={"fake": Newer(facts=NEWER)})
    assert again.changed == ()


def test_a_capture_after_a_re_reading_takes_the_next_number(context: Context) -> None:
    reparse_study(context, adapters={"fake": Newer(facts=NEWER)})
    with FakeServer(lambda seen: Answer(listed("z"))) as server:
        capture_study(context, wire=wire(server.url))
        assert [seen.params["q"] for seen in server.seen] == ["q5"]
    assert "r1/b/q5/2" in executions(context)


def test_replies_that_are_not_enough_for_an_adapter_are_named(context: Context) -> None:
    class Deeper(FakeAdapter):
        def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
            return self._request(ask.text, len(replies) + 1)

    done = reparse_study(context, adapters={"fake": Deeper(facts=NEWER)})
    assert sorted(done.unreadable) == ["r1/b/q1/1", "r1/b/q2/1"]
    assert done.changed == ()


def test_a_round_by_name(context: Context) -> None:
    assert reparse_study(context, "r9", adapters={"fake": FakeAdapter()}).read == 0


def test_a_stopped_capture_is_read_as_far_as_it_came(tmp_path: Path) -> None:
    context = frozen_study(tmp_path, ["q1", "q2"])
    one = FakeAdapter(facts=replace(FakeAdapter().facts, concurrency=1))
    script = {"q1": Answer(listed("a")), "q2": Answer(b"no", status=401)}
    with FakeServer(lambda seen: script[seen.params["q"]]) as server, pytest.raises(StoppedEarly):
        capture_study(context, wire=wire(server.url, one))
    assert reparse_study(context, adapters={"fake": one}).read == 1
