"""Capture: every frozen query asked once of every system, and what came back kept as it came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from judge.canonical import sha256
from judge.clock import Clock
from judge.errors import Integrity
from judge.protocol.freeze import run_id
from judge.records.protocol import Protocol, System
from judge.records.query import Query
from judge.records.run import RunRecord
from judge.runs.outcome import Service


@dataclass(frozen=True)
class Captured:
    """One executed run record with the raw reply it was read from."""

    run: RunRecord
    raw: bytes


def pending(runs: Iterable[RunRecord], round_name: str) -> tuple[RunRecord, ...]:
    """The planned records of a round that have no execution yet, in their planned order."""
    own = [run for run in runs if run.round == round_name]
    done = {(run.system, run.query_id) for run in own if run.status == "executed"}
    return tuple(
        run for run in own if run.status == "planned" and (run.system, run.query_id) not in done
    )


def plan_development(protocol: Protocol, queries: Iterable[Query]) -> tuple[RunRecord, ...]:
    """Planned records of development queries: captured to try things, never scored (R12)."""
    from judge.protocol.freeze import planned_runs

    moved = msgspec.structs.replace(protocol, scored_round="development")
    return planned_runs(moved, queries)


def capture(
    plans: Iterable[RunRecord],
    systems: Mapping[str, System],
    services: Mapping[str, Service],
    *,
    clock: Clock,
    monotonic: Callable[[], float],
) -> Iterator[Captured]:
    """Asks each planned record's service once and yields the executed record with its raw reply.

    The outcome is read from the stored bytes alone. A reply that cannot be read is ``bad_reply``,
    never an empty list (R65).
    """
    for plan in plans:
        system, service = systems[plan.system], services[plan.system]
        start = monotonic()
        at = clock()
        raw = service.ask(system, plan.query, plan.requested)
        elapsed = round((monotonic() - start) * 1000)
        yield Captured(executed(plan, service, raw, at, elapsed), raw)


def executed(
    plan: RunRecord, service: Service, raw: bytes, at_utc: str, elapsed_ms: int
) -> RunRecord:
    """The executed record that one raw reply amounts to."""
    parsed = service.parse(raw)
    if parsed.hits is not None and [hit.rank for hit in parsed.hits] != list(
        range(1, len(parsed.hits) + 1)
    ):
        raise Integrity(f"{service.adapter} numbered the hits of {plan.query_id} wrongly")
    return msgspec.structs.replace(
        plan,
        status="executed",
        retrieved_at_utc=at_utc,
        service_version=parsed.service_version,
        index_version=parsed.index_version,
        model_version=parsed.model_version,
        index_digest=parsed.index_digest,
        raw_results=parsed.hits,
        errors_and_notices=parsed.notices,
        run_id=run_id(plan.round, plan.system, plan.query_id, plan.attempt + 1),
        attempt=plan.attempt + 1,
        adapter=service.adapter,
        outcome=parsed.outcome,
        elapsed_ms=elapsed_ms,
        raw_replies=(sha256(raw),),
    )


def current_runs(runs: Iterable[RunRecord], round_name: str) -> dict[tuple[str, str], RunRecord]:
    """The newest executed record of each (system, query) in a round; earlier ones stay (R14)."""
    newest: dict[tuple[str, str], RunRecord] = {}
    for run in runs:
        if run.round == round_name and run.status == "executed":
            key = (run.system, run.query_id)
            if key not in newest or newest[key].attempt < run.attempt:
                newest[key] = run
    return newest
