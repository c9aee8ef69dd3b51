"""Reading a conversation with a service: stored replies in, a run record out. No network, no clock.

Capture reads what it just stored, a resumed capture what an earlier one stored, and a re-reading
what was stored long ago: all three by the functions here, from the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from judge.canonical import digest
from judge.protocol.freeze import run_id
from judge.records.attempt import Attempt
from judge.records.run import Notice, RunRecord
from judge.runs.classify import RULES, Verdict, classify
from judge.runs.exchange import Exchange, Limits
from judge.runs.keys import with_query
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Adapter, Ask, Reply, Request
from judge.text import repair

OURS = frozenset(
    {"unverified", "reread", "repeated", "reused", "clock", "redacted", "base_replaced"}
)
"""Kinds of notices that capture adds to what a service said."""
CLOCKS_DIFFER_S = 5
"""Seconds between a service's clock and ours from which a record says so."""


def address(request: Request) -> str:
    """Where a request goes, with its parameters and without its keys."""
    return with_query(request.url, request.params)


def request_key(adapter: str, request: Request) -> str:
    """What makes two requests the same one, whenever they are sent."""
    return digest([adapter, request.method, address(request), request.body or "", request.page])


def next_step(adapter: Adapter, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
    """`Adapter.step`, with whatever is unsound in its reading as a bad reply.

    An adapter that fails on a reply leaves the reply in the store, for a better one to read.
    """
    try:
        step = adapter.step(ask, replies)
    except Exception as error:
        return bad_reading(f"the adapter could not read it ({type(error).__name__})")
    if isinstance(step, Request):
        return step
    fault = _fault(step)
    return bad_reading(fault) if fault else _storable(step)


def bad_reading(text: str) -> Parsed:
    """A bad reply, with what is wrong with it."""
    return Parsed(outcome="bad_reply", hits=None, notices=(Notice(kind="bad_reply", text=text),))


def _fault(parsed: Parsed) -> str:
    """What is wrong with a reading: ranks not 1..n (R35), a list that its outcome denies (R64)."""
    if parsed.hits is None:
        wrong = parsed.outcome in ("answered", "empty")
        return f"the adapter read {parsed.outcome} without a list" if wrong else ""
    if [hit.rank for hit in parsed.hits] != list(range(1, len(parsed.hits) + 1)):
        return "the adapter numbered the hits wrongly"
    if parsed.outcome != ("answered" if parsed.hits else "empty"):
        return f"the adapter read {parsed.outcome} with {len(parsed.hits)} hits"
    return ""


def _storable(parsed: Parsed) -> Parsed:
    """The reading with lone surrogates replaced, which no UTF-8 file can hold; the raw stays."""
    try:
        msgspec.json.encode(parsed)
    except UnicodeEncodeError:
        built = _repaired(msgspec.to_builtins(parsed))
        return msgspec.convert(built, Parsed)
    return parsed


def _repaired(value: object) -> object:
    if isinstance(value, str):
        return repair(value)[0]
    if isinstance(value, dict):
        return {key: _repaired(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_repaired(item) for item in value]
    return value


def ended(verdict: Verdict) -> Parsed:
    """What a query amounts to whose last request gave no list."""
    outcome = RULES[verdict.kind].outcome
    if outcome is None:
        raise ValueError("a good reply is read, not ended with")
    notices = [Notice(kind=verdict.kind, text=verdict.text or "no words came with it")]
    if verdict.resets_at:
        notices.append(Notice(kind="resets_at", text=verdict.resets_at))
    return Parsed(outcome=outcome, hits=None, notices=tuple(notices))


def reread(
    adapter: Adapter, ask: Ask, replies: Sequence[Reply], at_utc: str, limits: Limits
) -> Parsed | None:
    """What stored replies amount to for an adapter, which may be newer than the one that asked.

    None where the replies end before the adapter has read enough: nothing can be said then.
    """
    good: list[Reply] = []
    waiting = list(replies)
    while isinstance(step := next_step(adapter, ask, good), Request):
        if not waiting:
            return None
        reply = waiting.pop(0)
        verdict = classify(adapter, step, Exchange(reply), at_utc, limits)
        if verdict.kind != "good":
            return ended(verdict)
        good.append(reply)
    return step


def executed(
    plan: RunRecord,
    adapter: Adapter,
    parsed: Parsed,
    attempts: Sequence[Attempt],
    *,
    sends: int,
    at_utc: str,
    extra: Iterable[Notice] = (),
) -> RunRecord:
    """The executed record that a conversation amounts to, one attempt after its plan.

    ``attempts`` are the good ones in order, then the last where that one gave no list; ``sends``
    is how many were sent in all. The record is dated by its first page: no page of its list is
    older.
    """
    first, last = (attempts[0], attempts[-1]) if attempts else (None, None)
    return msgspec.structs.replace(
        plan,
        status="executed",
        retrieved_at_utc=first.received_utc if first else at_utc,
        service_version=parsed.service_version,
        index_version=parsed.index_version,
        model_version=parsed.model_version,
        index_digest=parsed.index_digest,
        raw_results=parsed.hits,
        errors_and_notices=(*parsed.notices, *_events(attempts, sends), *extra),
        run_id=run_id(plan.round, plan.system, plan.query_id, plan.attempt + 1),
        attempt=plan.attempt + 1,
        adapter=adapter.facts.adapter,
        outcome=parsed.outcome,
        http_status=last.status if last and last.http_version else None,
        elapsed_ms=sum(attempt.elapsed_ms for attempt in attempts) if attempts else None,
        raw_replies=tuple(attempt.body for attempt in attempts if attempt.body is not None),
    )


def reused(attempt: Attempt) -> Notice:
    """What a record says of a page that an earlier capture had paid for."""
    text = f"page {attempt.page} is the reply received at {attempt.received_utc}, not sent again"
    return Notice(kind="reused", text=text)


def unverified(adapter: Adapter) -> tuple[Notice, ...]:
    """The mark that a record carries while facts of its service are not confirmed."""
    facts = adapter.facts.unverified
    return (Notice(kind="unverified", text="; ".join(facts)),) if facts else ()


def _events(attempts: Sequence[Attempt], sends: int) -> list[Notice]:
    """What happened on the way that a reader of the record should know (R38)."""
    notices = []
    if sends > len(attempts):
        text = f"{sends} requests were sent for {len(attempts)}"
        notices.append(Notice(kind="repeated", text=text))
    skews = [attempt.skew_s for attempt in attempts if attempt.skew_s is not None]
    far = max(skews, key=abs, default=0)
    if abs(far) > CLOCKS_DIFFER_S:
        text = f"the service's clock differs from ours by {far} s"
        notices.append(Notice(kind="clock", text=text))
    if any(attempt.redacted for attempt in attempts):
        text = "a key was taken out of a reply before it was kept"
        notices.append(Notice(kind="redacted", text=text))
    return notices


def same_reading(one: RunRecord, other: RunRecord) -> bool:
    """Whether two records of the same replies say the same, whoever read them."""
    return _reading(one) == _reading(other)


def _reading(run: RunRecord) -> tuple[object, ...]:
    said = tuple(notice for notice in run.errors_and_notices or () if notice.kind not in OURS)
    versions = (run.service_version, run.index_version, run.model_version, run.index_digest)
    return run.outcome, run.raw_results, versions, said
