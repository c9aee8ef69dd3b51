"""The loop that asks: one for every service, embedded or far away, free or paid.

The unit is one request. A paid one is written down before it is sent, so that whatever happens to
this program, nobody pays twice without having said so. Each service has one pace, one gate and at
most four requests under way; what ends its run leaves the others going.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from judge.canonical import sha256
from judge.records.attempt import Attempt, AttemptClass, Intent
from judge.records.run import Notice, Outcome, RunRecord
from judge.runs.classify import PASSING, Verdict, classify, most_sends, skew_s
from judge.runs.conversation import (
    address,
    ended,
    executed,
    next_step,
    request_key,
    reread,
    reused,
    unverified,
)
from judge.runs.exchange import Exchange
from judge.runs.journal import Journal
from judge.runs.lanes import Job, Lane, Service, StoppedError, Surroundings, lanes_of
from judge.runs.outcome import Parsed
from judge.runs.pacing import JITTER, backoff
from judge.runs.providers.base import Adapter, Reply, Request

BEHIND = 32
"""Queries that may wait for the disk while the next ones are asked."""
_MISSED: frozenset[Outcome | None] = frozenset({"timeout", "unavailable", "in_doubt"})


@dataclass
class _Talk:
    """One query under way."""

    job: Job
    service: Service
    lane: Lane
    number: int
    replies: list[Reply] = field(default_factory=list)
    used: list[Attempt] = field(default_factory=list)
    """The good ones in order, and the last where that gave no list."""
    sends: int = 0
    reused: list[Notice] = field(default_factory=list)
    """One for each page that was not sent for again."""
    unsaved: list[tuple[Attempt, bytes | None]] = field(default_factory=list)


class Asking:
    """One capture. ``services`` are by system code.

    After `run`, ``ends`` says by service why its run ended early; it is empty where all was asked.
    """

    def __init__(
        self, journal: Journal, services: Mapping[str, Service], world: Surroundings
    ) -> None:
        self._journal = journal
        self._services = services
        self._world = world
        self._lanes: list[Lane] = []
        self._tasks = asyncio.TaskGroup()
        self._room = asyncio.Semaphore(BEHIND)
        self.paid = 0
        """Paid requests that were sent."""
        self.ends: dict[str, str] = {}

    def stop(self, why: str) -> None:
        """Sends nothing more; requests under way are waited for."""
        for lane in self._lanes:
            lane.end(why)

    async def run(self, jobs: Iterable[Job]) -> None:
        """Asks everything, or as much as services, budget and the user allow."""
        self._lanes = lanes_of(jobs, self._services, self._world)
        try:
            async with self._tasks:
                for lane in self._lanes:
                    for _ in range(min(lane.concurrency, len(lane.jobs))):
                        self._tasks.create_task(self._work(lane))
        except BaseExceptionGroup as errors:
            raise _first(errors) from None
        finally:
            await self._journal.drained()
        self.ends = {lane.name: lane.ended for lane in self._lanes if lane.ended}

    async def _work(self, lane: Lane) -> None:
        while lane.jobs and not lane.ended:
            try:
                await self._ask(lane, lane.jobs.popleft())
            except StoppedError:
                return

    # --- one query ------------------------------------------------------------------------------

    async def _ask(self, lane: Lane, job: Job) -> None:
        service = self._services[job.plan.system]
        talk = _Talk(job, service, lane, job.past.sent(job.run_id))
        stored = await self._stored(talk)
        unread = job.past.paid_unread(job.run_id)
        while isinstance(step := next_step(service.adapter, job.ask, talk.replies), Request):
            key = request_key(service.adapter.facts.adapter, step)
            if (earlier := stored.pop(key, None)) is not None:
                talk.replies.append(await self._journal.reply(earlier))
                talk.used.append(earlier)
                talk.reused.append(reused(earlier))
                talk.sends += 1
                continue
            if (last := unread.get(key)) is not None:
                talk.used.append(last)
                talk.sends += 1
                await self._finish(talk, ended(Verdict(last.outcome, last.text)))
                return
            await self._save(talk)
            verdict = await self._send_until_settled(talk, step, key)
            if verdict.kind != "good":
                if verdict.rule.stops:
                    lane.end(_why(verdict))
                await self._finish(talk, ended(verdict))
                return
        await self._finish(talk, step)

    async def _stored(self, talk: _Talk) -> dict[str, Attempt]:
        """Answered requests that are not paid for again: those of this execution, and those of
        earlier ones of the round, unless they make a whole answer already; then the whole query is
        to be asked anew. Free ones are always sent again: a list of today's pages costs nothing."""
        job = talk.job
        own = job.past.paid_for(job.run_id)
        earlier = {key: one for key, one in job.past.paid_for().items() if key not in own}
        if earlier:
            replies = [await self._journal.reply(one) for one in earlier.values()]
            at_utc = next(iter(earlier.values())).received_utc
            limits = self._world.limits
            if reread(talk.service.adapter, job.ask, replies, at_utc, limits) is not None:
                earlier = {}
        return {**earlier, **own}

    async def _send_until_settled(self, talk: _Talk, request: Request, key: str) -> Verdict:
        """Sends a request until its reply is good or its class allows no further send."""
        world = self._world
        counts: Counter[AttemptClass] = Counter()
        while True:
            number = await self._turn(talk, request, key)
            sent_utc, start = world.clock(), world.now()
            exchange = await talk.service.sender.send(request)
            elapsed, received_utc = world.now() - start, world.clock()
            verdict = classify(talk.service.adapter, request, exchange, received_utc, world.limits)
            verdict = replace(verdict, text=world.redactor.clean_text(verdict.text))
            attempt = _attempt(
                talk.job, number, key, request, talk.service.adapter, exchange, verdict,
                sent_utc, received_utc, round(elapsed * 1000),
            )  # fmt: skip
            talk.sends += 1
            counts[verdict.kind] += 1
            talk.unsaved.append((attempt, exchange.reply.body if exchange.reply else None))
            if request.paid:
                self._append(talk)  # the bytes first: they are what was paid for
            if verdict.kind == "good" and exchange.reply is not None:
                talk.replies.append(exchange.reply)
                talk.used.append(attempt)
                return verdict
            if verdict.kind in PASSING or exchange.trouble:
                wait = max(
                    backoff(counts.total(), world.limits.backoff_s, world.limits.longest_wait_s),
                    verdict.retry_after_s or 0.0,
                )
                talk.lane.gate.close(wait * (1 + JITTER * world.chance()))
            most = most_sends(verdict, request, world.limits)
            if counts[verdict.kind] >= most or counts.total() >= world.limits.sends:
                talk.used.append(attempt)
                return verdict
            await self._save(talk)

    async def _turn(self, talk: _Talk, request: Request, key: str) -> int:
        """Waits until a request may be sent and writes the intent of a paid one; its number."""
        lane = talk.lane
        while True:
            await lane.gate.passed(lane.sleep)
            async with lane.pacer.turn():
                if lane.ended:
                    raise StoppedError
                if lane.gate.wait() > 0:
                    continue  # it closed while this waited for its turn
                talk.number += 1
                if request.paid:
                    await self._intend(talk, request, key)
                return talk.number

    async def _intend(self, talk: _Talk, request: Request, key: str) -> None:
        job, budget = talk.job, self._world.budget
        if self.paid >= budget:
            talk.lane.end(f"the {budget} paid requests that were allowed are sent")
            raise StoppedError
        self.paid += 1
        intent = Intent(
            run_id=job.run_id,
            number=talk.number,
            round=job.plan.round,
            system=job.plan.system,
            query_id=job.plan.query_id,
            request=key,
            page=request.page,
            at_utc=self._world.clock(),
        )
        await self._journal.record("asked", job.run_id, [intent], blobs={})

    def _append(self, talk: _Talk) -> None:
        """Hands replies to the journal, which keeps its order: the next intent, which is waited
        for, is never on disk without them, and shares their write."""
        if talk.unsaved:
            attempts, blobs = _taken(talk)
            self._journal.append("replied", talk.job.run_id, attempts, blobs=blobs)

    async def _save(self, talk: _Talk) -> None:
        if talk.unsaved:
            attempts, blobs = _taken(talk)
            await self._journal.record("replied", talk.job.run_id, attempts, blobs=blobs)

    async def _finish(self, talk: _Talk, parsed: Parsed) -> None:
        """Writes what a query amounts to, with the replies that are not on disk yet."""
        lane = talk.lane
        run = executed(
            talk.job.plan,
            talk.service.adapter,
            self._world.redactor.clean_record(parsed),
            talk.used,
            sends=talk.sends,
            at_utc=self._world.clock(),
            extra=(*talk.reused, *talk.service.notices, *unverified(talk.service.adapter)),
        )
        lane.misses = lane.misses + 1 if run.outcome in _MISSED else 0
        if lane.misses >= self._world.limits.misses:
            lane.end(f"{lane.misses} queries in a row got no reply")
        attempts, blobs = _taken(talk)
        if lane.concurrency == 1:
            await self._write(run, attempts, blobs)  # one at a time stays one at a time
            return
        # What was paid for is in the journal, and a free request that is lost with this program
        # is simply sent again: the disk need not hold up the next query.
        await self._room.acquire()
        self._tasks.create_task(self._write_behind(run, attempts, blobs))

    async def _write(
        self,
        run: RunRecord,
        attempts: list[Attempt],
        blobs: dict[str, bytes],
        hurry: bool = True,
    ) -> None:
        texts = self._world.texts(run)
        await self._journal.record(
            "captured", run.run_id, attempts, [run], texts, blobs=blobs, hurry=hurry
        )
        self._world.done(run)

    async def _write_behind(
        self, run: RunRecord, attempts: list[Attempt], blobs: dict[str, bytes]
    ) -> None:
        try:
            await self._write(run, attempts, blobs, hurry=False)
        finally:
            self._room.release()


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, whose others came of it or at the same time."""
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _why(verdict: Verdict) -> str:
    resets = f"; it resets at {verdict.resets_at}" if verdict.resets_at else ""
    return f"{verdict.kind}: {verdict.text}{resets}"


def _taken(talk: _Talk) -> tuple[list[Attempt], dict[str, bytes]]:
    """The attempts that are not on disk yet, with their bytes; they count as saved from now on."""
    attempts = [attempt for attempt, _ in talk.unsaved]
    blobs = {
        one.body: body for one, body in talk.unsaved if one.body is not None and body is not None
    }
    talk.unsaved.clear()
    return attempts, blobs


def _attempt(
    job: Job,
    number: int,
    key: str,
    request: Request,
    adapter: Adapter,
    exchange: Exchange,
    verdict: Verdict,
    sent_utc: str,
    received_utc: str,
    elapsed_ms: int,
) -> Attempt:
    reply = exchange.reply
    date = reply.headers.get("date") if reply else None
    return Attempt(
        run_id=job.run_id,
        number=number,
        round=job.plan.round,
        system=job.plan.system,
        query_id=job.plan.query_id,
        request=key,
        page=request.page,
        adapter=adapter.facts.adapter,
        paid=request.paid,
        method=request.method,
        url=address(request),
        sent_body=request.body,
        sent_utc=sent_utc,
        received_utc=received_utc,
        elapsed_ms=elapsed_ms,
        outcome=verdict.kind,
        text=verdict.text,
        status=reply.status if reply else None,
        http_version=exchange.http_version,
        headers=reply.headers if reply else {},
        server_date=date,
        skew_s=skew_s(date, received_utc),
        body=sha256(reply.body) if reply else None,
        body_bytes=len(reply.body) if reply else None,
        redacted=exchange.redacted,
    )
