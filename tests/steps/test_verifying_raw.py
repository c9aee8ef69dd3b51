"""Verify: the raw replies of every request, failed ones too, and nothing beside them (R32)."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.canonical import sha256
from judge.records.attempt import Attempt
from judge.steps.context import Context
from judge.steps.recording import publish_study
from judge.steps.running import capture_study
from tests.fakes.adapter import good
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study, wire
from tests.steps.acts import problems
from tests.steps.studies import without_triggers

NOTICE = b"Service is busy."


def answers(seen: Seen) -> Answer:
    """An error first, whose words nothing but its attempt names, and then a list."""
    return Answer(NOTICE, status=503) if seen.nth == 1 else good(seen)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    context = frozen_study(tmp_path / "study", ["q1"])
    with FakeServer(answers) as server:
        capture_study(context, wire=wire(server.url))
        publish_study(context)
    return context


def failed(context: Context) -> Path:
    with context.study.ledger(context.clock) as ledger:
        first = ledger.all(Attempt)[0]
    assert (first.outcome, first.body) == ("transient", sha256(NOTICE))
    return context.study.root / "runs" / "raw" / sha256(NOTICE)


MISSING = f"r1/b/q1/1, request 1: its raw reply {sha256(NOTICE)[:12]}… is missing"


@pytest.mark.parametrize("alone", [False, True])
def test_a_reply_of_a_failed_request_that_is_gone_is_named(context: Context, alone: bool) -> None:
    reply = failed(context)
    if alone:
        context.study.store.unlink()
    assert problems(context.study.root) == ()
    reply.unlink()
    assert problems(context.study.root) == (MISSING,)


@pytest.mark.parametrize("alone", [False, True])
def test_bytes_that_no_record_names_are_found(context: Context, alone: bool) -> None:
    raw = failed(context).parent
    if alone:
        context.study.store.unlink()
    other = b'{"results":[]}'
    (raw / sha256(other)).write_bytes(other)
    assert problems(context.study.root) == (
        f"runs/raw/{sha256(other)}: no record names these bytes",
    )


def test_a_forged_reply_of_a_failed_request_is_found(context: Context) -> None:
    failed(context).write_bytes(b"Service is fine.")
    assert any(sha256(NOTICE) in one for one in problems(context.study.root))


def test_a_forged_reply_under_its_own_digest_is_found(context: Context) -> None:
    other = b"Service is fine."
    failed(context).rename(failed(context).parent / sha256(other))
    (failed(context).parent / sha256(other)).write_bytes(other)
    assert problems(context.study.root) == (
        MISSING,
        f"runs/raw/{sha256(other)}: no record names these bytes",
    )


def test_a_reply_of_a_failed_request_that_is_gone_from_the_store_is_named(
    context: Context,
) -> None:
    (context.study.root / "protocol" / "chain.jsonl").unlink()
    gone = ("DELETE FROM blob WHERE sha256 = ?", (sha256(NOTICE),))
    without_triggers(context.study.store, gone)
    assert problems(context.study.root) == (MISSING,)
