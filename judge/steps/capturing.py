"""What a capture is about to do, worked out before anything is sent."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from judge.errors import Invalid, Refused
from judge.records.attempt import Intent
from judge.records.protocol import Protocol, System
from judge.records.query import Query
from judge.records.run import Notice, Outcome, RunRecord
from judge.runs.capture import (
    ASKED_AGAIN,
    DEVELOPMENT,
    FAILED,
    current_runs,
    pending,
    pending_development,
    plan_round,
)
from judge.runs.conversation import address, executed, unverified
from judge.runs.exchange import Limits
from judge.runs.journal import Past, doubts_of, past_of
from judge.runs.keys import surroundings
from judge.runs.lanes import Job
from judge.runs.outcome import Parsed
from judge.runs.pacing import Chance, Sleep
from judge.runs.providers.base import Adapter, Ask, Request
from judge.runs.providers.embedded.corpus import Corpus
from judge.runs.providers.registry import service_for
from judge.runs.rounds import open_round
from judge.steps.context import Context, Work
from judge.steps.planning import capture_ready
from judge.steps.rounds import rounds_of
from judge.steps.services import corpus_of, services_of
from judge.store.ledger import Ledger

ASKS_FROM = 100
"""Paid requests up to which a capture needs no confirmation."""


@dataclass(frozen=True)
class Wish:
    """What a user asks of one capture."""

    limit: int | None = None
    """At most so many queries of each system: a pilot."""
    confirm_paid: int | None = None
    """The most paid requests that may be sent."""
    resend_in_doubt: bool = False
    retry_failed: bool = False


@dataclass(frozen=True)
class Wire:
    """The outside of a capture; tests pass their own."""

    environment: Mapping[str, str] | None = None
    """Keys and addresses; the process's environment and the study's ``.env`` without it."""
    adapters: Mapping[str, Adapter] = field(default_factory=dict)
    """Services by name, before those that the project knows."""
    limits: Limits = field(default_factory=Limits)
    sleep: Sleep = asyncio.sleep
    chance: Chance = random.random
    transport: Any = None
    """Of the HTTP library."""


NO_WISH = Wish()
REAL_WIRE = Wire()


@dataclass(frozen=True)
class Target:
    """A study as a capture sees it, and what is to be asked."""

    ledger: Ledger
    round: str
    scored: bool
    systems: dict[str, System]
    adapters: dict[str, Adapter]
    """By system code, of every system with something to ask."""
    services: dict[str, Adapter]
    """Every service that could be asked, by name: their keys must appear nowhere."""
    corpus: Corpus | None
    jobs: tuple[Job, ...]
    left_out: int
    """Queries that ``--limit`` leaves for later."""
    doubtful: tuple[RunRecord, ...]
    """Executed records, still to be written, of paid requests that nobody knows the end of."""
    in_doubt: tuple[tuple[str, str], ...]
    """(system, query) pairs that stay in doubt, since nobody said to send them again."""
    environment: Mapping[str, str]

    def paid_requests(self) -> int:
        """The most paid requests that the jobs can take, without repeats."""
        return sum(self.requests(job) for job in self.jobs if self.adapter(job).facts.paid)

    def adapter(self, job: Job) -> Adapter:
        return self.adapters[job.plan.system]

    def requests(self, job: Job) -> int:
        """The most requests that a job can still take: its pages less the answered ones."""
        facts = self.adapter(job).facts
        return max(0, facts.calls(job.plan.requested) - len(job.past.paid_for(job.run_id)))

    def missing_keys(self) -> dict[str, str]:
        """System code to the environment variable of a key that it needs and that is not set."""
        return {
            code: adapter.facts.key_env
            for code, adapter in self.adapters.items()
            if adapter.facts.key_needed
            and adapter.facts.key_env
            and not self.environment.get(adapter.facts.key_env, "").strip()
        }


@contextmanager
def target(
    context: Context, codes: Sequence[str], development: bool, wish: Wish, wire: Wire
) -> Iterator[Target]:
    """The study, open, with what the next capture would ask.

    Raises `Refused` before the freeze (but for development queries) and where every round is
    closed; `Invalid` for a system that the protocol does not name or that cannot be asked.
    """
    if development and not context.study.frozen.is_file():
        ledger, draft = capture_ready(context)
        with ledger:
            if draft.protocol is None:
                raise Refused("the protocol cannot be read")
            queries = draft.queries["development"]
            source = _Source(Work(ledger), draft.protocol, queries, draft.corpus, DEVELOPMENT)
            yield _target(context, source, codes, wish, wire)
        return
    with context.frozen() as work:
        corpus = corpus_of(context.study)
        name = DEVELOPMENT if development else open_round(rounds_of(work)).name
        queries = work.development if development else work.evaluation
        yield _target(
            context, _Source(work, work.protocol, queries, corpus, name), codes, wish, wire
        )


@dataclass(frozen=True)
class _Source:
    """Where a capture finds its study: the store, or the files as they stand before the freeze."""

    work: Work
    protocol: Protocol
    queries: tuple[Query, ...]
    corpus: Corpus | None
    round: str

    def plans(self) -> dict[tuple[str, str], RunRecord]:
        """Planned records by (system, query), as amended; the report marks it (R13)."""
        planned = plan_round(self.protocol, self.queries, self.round)
        return {(plan.system, plan.query_id): plan for plan in planned}

    def pending(self, wish: Wish, again: Collection[Outcome]) -> set[tuple[str, str]]:
        """The (system, query) pairs that are to be asked."""
        runs = self.work.runs
        if self.round == DEVELOPMENT:
            plans = self.plans().values()
            chosen = pending_development(plans, runs, resend_in_doubt=wish.resend_in_doubt)
        else:
            chosen = pending(runs, self.round, again)
        return {(plan.system, plan.query_id) for plan in chosen}


def _target(
    context: Context, source: _Source, codes: Sequence[str], wish: Wish, wire: Wire
) -> Target:
    systems = {system.code: system for system in source.protocol.systems}
    unknown = [code for code in codes if code not in systems]
    if unknown:
        raise Invalid(f"no system {', '.join(unknown)}; one of {', '.join(systems)}")
    chosen = frozenset(codes or systems)
    again: frozenset[Outcome] = ASKED_AGAIN
    again |= FAILED if wish.retry_failed else frozenset()
    again |= frozenset({"in_doubt"} if wish.resend_in_doubt else ())
    past = past_of(source.work.ledger, source.round)
    doubts = doubts_of(past, source.work.runs, source.round)
    newest = current_runs(source.work.runs, source.round)
    pairs = source.pending(wish, again) | doubts.keys()
    plans = [
        msgspec.structs.replace(plan, attempt=newest[pair].attempt if pair in newest else 0)
        for pair, plan in source.plans().items()
        if pair in pairs and plan.system in chosen
    ]
    services = services_of(context.study)
    adapters = {
        code: wire.adapters.get(systems[code].service)
        or service_for(systems[code], source.corpus, services)
        for code in dict.fromkeys(plan.system for plan in plans)
    }
    max_years = {query.id: query.max_year for query in source.queries}
    jobs: list[Job] = []
    doubtful: list[RunRecord] = []
    for plan in plans:
        job = Job(
            plan,
            Ask(
                system=systems[plan.system],
                text=plan.query,
                requested=plan.requested,
                max_year=max_years[plan.query_id],
            ),
            past.get((plan.system, plan.query_id), Past()),
        )
        if (intent := doubts.get((plan.system, plan.query_id))) is None:
            jobs.append(job)
            continue
        run = _in_doubt(plan, adapters[plan.system], intent)
        doubtful.append(run)
        if wish.resend_in_doubt:
            jobs.append(replace(job, plan=msgspec.structs.replace(plan, attempt=run.attempt)))
    kept = _limited(jobs, wish.limit)
    known = [run for run in newest.values() if run.outcome == "in_doubt" and run.system in chosen]
    waiting = [] if wish.resend_in_doubt else [*known, *doubtful]
    environment = wire.environment
    if environment is None:
        environment = surroundings(context.study.root, os.environ)
    return Target(
        ledger=source.work.ledger,
        round=source.round,
        scored=source.round == source.protocol.scored_round,
        systems=systems,
        adapters={job.plan.system: adapters[job.plan.system] for job in kept},
        services=services,
        corpus=source.corpus,
        jobs=kept,
        left_out=len(jobs) - len(kept),
        doubtful=tuple(doubtful),
        in_doubt=tuple(dict.fromkeys((run.system, run.query_id) for run in waiting)),
        environment=environment,
    )


def _limited(jobs: Sequence[Job], limit: int | None) -> tuple[Job, ...]:
    """The first ``limit`` jobs of each system."""
    seen: Counter[str] = Counter()
    kept = []
    for job in jobs:
        seen[job.plan.system] += 1
        if limit is None or seen[job.plan.system] <= limit:
            kept.append(job)
    return tuple(kept)


def _in_doubt(plan: RunRecord, adapter: Adapter, intent: Intent) -> RunRecord:
    """The record of an execution that ended between a paid request and its reply."""
    text = (
        f"request {intent.number} (page {intent.page}) was about to be sent at {intent.at_utc}; "
        "there is no record of a reply, and it may have been charged"
    )
    parsed = Parsed(outcome="in_doubt", hits=None, notices=(Notice(kind="in_doubt", text=text),))
    return executed(
        plan, adapter, parsed, (), sends=0, at_utc=intent.at_utc, extra=unverified(adapter)
    )


# --- a dry run ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class SystemPlan:
    """What a capture would send to one system."""

    system: str
    service: str
    mode: str
    queries: int
    pages: int
    """The most requests that one query takes."""
    requests: int
    """The most requests in all, without repeats; answered ones are left out."""
    paid: int
    """How many of them are paid for."""
    seconds: int
    """The least time that they take at the documented pace."""
    key: str
    first: str
    """The first request, without keys."""


@dataclass(frozen=True)
class DryRun:
    """What `judge capture` would send. Nothing was sent and nothing written."""

    round: str
    systems: tuple[SystemPlan, ...]
    paid: int
    in_doubt: tuple[str, ...]
    """Queries that stay in doubt."""


def dry_run(
    context: Context,
    codes: Sequence[str] = (),
    *,
    development: bool = False,
    wish: Wish = NO_WISH,
    wire: Wire = REAL_WIRE,
) -> DryRun:
    """What a capture would send: requests, pages, the most paid ones, the least time."""
    with target(context, codes, development, wish, wire) as found:
        return DryRun(
            round=found.round,
            systems=tuple(_system_plan(found, code) for code in found.adapters),
            paid=found.paid_requests(),
            in_doubt=tuple(f"{query} at {system}" for system, query in found.in_doubt),
        )


def _system_plan(found: Target, code: str) -> SystemPlan:
    jobs = [job for job in found.jobs if job.plan.system == code]
    facts = found.adapters[code].facts
    requests = sum(found.requests(job) for job in jobs)
    key = "none needed"
    if facts.key_env:
        is_set = bool(found.environment.get(facts.key_env, "").strip())
        key = f"{facts.key_env} is {'set' if is_set else 'not set'}"
    first = found.adapters[code].step(jobs[0].ask, ())
    return SystemPlan(
        system=code,
        service=facts.adapter,
        mode=found.systems[code].mode,
        queries=len(jobs),
        pages=max(facts.calls(job.plan.requested) for job in jobs),
        requests=requests,
        paid=requests if facts.paid else 0,
        seconds=round(requests * facts.min_interval_s),
        key=key,
        first=shown(first) if isinstance(first, Request) else first.outcome,
    )


def shown(request: Request) -> str:
    """A request as a person reads it, with the names of its keys in place of them."""
    keys = "".join(f" [{secret.name}: ${secret.env}]" for secret in request.secrets)
    body = f" {request.body}" if request.body else ""
    return f"{request.method} {address(request)}{body}{keys}"
