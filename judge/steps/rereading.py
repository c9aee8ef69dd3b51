"""Reading stored replies again, with the adapters of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.records.attempt import Attempt
from judge.records.run import Notice, RunRecord
from judge.runs.capture import current_runs
from judge.runs.conversation import executed, reread, same_reading, unverified
from judge.runs.exchange import Limits
from judge.runs.journal import past_of, stored_reply
from judge.runs.providers.base import Adapter, Ask
from judge.runs.providers.registry import service_for
from judge.steps.context import Context, Work
from judge.steps.services import corpus_of, services_of
from judge.study import Study

READABLE = frozenset({"answered", "empty", "empty_reported", "refused", "rejected", "bad_reply"})
"""Outcomes that rest on how a reply was read. The others rest on what did not come."""
_CARRIED = frozenset({"repeated", "reused", "base_replaced"})


@dataclass(frozen=True)
class Reread:
    """What a re-reading came to."""

    round: str
    read: int
    changed: tuple[str, ...] = ()
    """Run ids of the new records."""
    unreadable: tuple[str, ...] = field(default=())
    """Run ids whose stored replies are not enough for the adapter of today."""


def reparse_study(
    context: Context,
    round_name: str | None = None,
    *,
    adapters: Mapping[str, Adapter] | None = None,
) -> Reread:
    """Reads the stored replies of a round (the scored one without a name) again. Asks nothing.

    A re-reading never replaces a record. Where it differs, it is one more execution of its query,
    with the time of the replies, the adapter's version of today, and a notice ``reread`` that
    names both versions; from then on it is the newest and counts, and the one before is listed
    (R14). Where it says the same, nothing is written. ``adapters`` by service name come before
    those that the project knows.
    """
    with context.frozen() as work:
        name = round_name or work.protocol.scored_round
        pairs = read_again(work, context.study, name, adapters=adapters)
        new = [again for run, again in pairs if again and not same_reading(again, run)]
        unreadable = [run.run_id for run, again in pairs if again is None]
        if new:
            work.ledger.record("reread", f"{len(new)} records of {name}", new)
        return Reread(name, len(pairs), tuple(run.run_id for run in new), tuple(unreadable))


def read_again(
    work: Work, study: Study, name: str, *, adapters: Mapping[str, Adapter] | None = None
) -> list[tuple[RunRecord, RunRecord | None]]:
    """Every newest captured run of a round that rests on a reply, with its reading of today; None
    where the stored replies are not enough for the adapter of today. Writes nothing."""
    systems = {system.code: system for system in work.protocol.systems}
    corpus, services = corpus_of(study), services_of(study)
    known = {
        code: (adapters or {}).get(system.service) or service_for(system, corpus, services)
        for code, system in systems.items()
        if code in {run.system for run in work.runs if run.round == name}
    }
    past = past_of(work.ledger, name)
    pairs: list[tuple[RunRecord, RunRecord | None]] = []
    for (code, query_id), run in current_runs(work.runs, name).items():
        if run.form != "captured" or run.outcome not in READABLE or not run.raw_replies:
            continue
        by_body = {one.body: one for one in past[code, query_id].attempts}
        used = [by_body[body] for body in run.raw_replies]
        ask = Ask(
            system=systems[code],
            text=run.query,
            requested=run.requested,
            max_year=_max_year(work, query_id),
        )
        pairs.append((run, _again(work, run, known[code], ask, used)))
    return pairs


def _again(
    work: Work, run: RunRecord, adapter: Adapter, ask: Ask, used: list[Attempt]
) -> RunRecord | None:
    replies = [stored_reply(work.ledger, attempt) for attempt in used]
    at_utc = used[-1].received_utc
    parsed = reread(adapter, ask, replies, at_utc, Limits())
    if parsed is None:
        return None
    text = f"re-read from stored replies by {adapter.facts.adapter}; before by {run.adapter}"
    carried = [one for one in run.errors_and_notices or () if one.kind in _CARRIED]
    return executed(
        run,
        adapter,
        parsed,
        used,
        sends=len(used),
        at_utc=at_utc,
        extra=(*carried, *unverified(adapter), Notice(kind="reread", text=text)),
    )


def _max_year(work: Work, query_id: str) -> int | None:
    queries = (*work.evaluation, *work.development)
    return next((query.max_year for query in queries if query.id == query_id), None)
