"""Capture and import: what services answered, each answer kept the moment it is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from judge.canonical import sha256
from judge.errors import Incomplete, Invalid, Refused
from judge.files import read_bytes
from judge.records.protocol import Protocol, System
from judge.records.run import Document, RunRecord
from judge.runs.capture import capture, pending, plan_development
from judge.runs.providers.embedded.corpus import Corpus, documents, load_corpus
from judge.runs.providers.registry import service_for
from judge.steps.context import Context, Work
from judge.steps.planning import capture_ready
from judge.store.ledger import Ledger


@dataclass(frozen=True)
class CaptureResult:
    """What a capture did: outcomes by system, and how many (query, system) are still planned."""

    outcomes: dict[str, dict[str, int]]
    captured: int
    left: int


def capture_study(
    context: Context, codes: Sequence[str] = (), *, development: bool = False
) -> CaptureResult:
    """Asks every planned query of the chosen systems (all without ``codes``) and keeps each reply.

    Goes on where an earlier capture stopped. Raises `Incomplete` when stopped by the keyboard;
    what was answered is kept. Development queries may be captured before the freeze.
    """
    if development:
        return _capture_development(context, codes)
    with context.frozen() as work:
        corpus = _corpus(context)
        plans = pending(work.runs, work.protocol.scored_round)
        return _run(context, work.ledger, work.protocol, corpus, _chosen(plans, work, codes))


def _capture_development(context: Context, codes: Sequence[str]) -> CaptureResult:
    if context.study.frozen.is_file():
        with context.frozen() as work:
            plans = plan_development(work.protocol, work.development)
            return _run(
                context, work.ledger, work.protocol, _corpus(context), _fresh(plans, work, codes)
            )
    ledger, draft = capture_ready(context)
    with ledger:
        protocol = draft.protocol
        if protocol is None:
            raise Refused("the protocol cannot be read")
        plans = plan_development(protocol, draft.queries["development"])
        return _run(context, ledger, protocol, draft.corpus, _fresh(plans, Work(ledger), codes))


def _fresh(plans: Sequence[RunRecord], work: Work, codes: Sequence[str]) -> tuple[RunRecord, ...]:
    """Development plans, each as one more attempt than there are executions of it."""
    counts = Counter((run.system, run.query_id) for run in work.runs if run.round == "development")
    return tuple(
        msgspec.structs.replace(plan, attempt=counts[plan.system, plan.query_id])
        for plan in plans
        if not codes or plan.system in codes
    )


def _chosen(plans: Sequence[RunRecord], work: Work, codes: Sequence[str]) -> tuple[RunRecord, ...]:
    known = [system.code for system in work.protocol.systems]
    unknown = [code for code in codes if code not in known]
    if unknown:
        raise Invalid(f"no system {', '.join(unknown)}; one of {', '.join(known)}")
    evaluation = {query.id: query for query in work.evaluation}
    return tuple(
        # An amended query is asked as amended; the report marks it (R13).
        msgspec.structs.replace(plan, query=evaluation[plan.query_id].submitted(plan.system))
        for plan in plans
        if not codes or plan.system in codes
    )


def _corpus(context: Context) -> Corpus | None:
    if not context.study.corpus.is_file():
        return None
    return load_corpus(read_bytes(context.study.corpus), "runs/corpus/notes.jsonl")


def _run(
    context: Context,
    ledger: Ledger,
    protocol: Protocol,
    corpus: Corpus | None,
    plans: Sequence[RunRecord],
) -> CaptureResult:
    systems: dict[str, System] = {system.code: system for system in protocol.systems}
    services = {
        code: service_for(systems[code], corpus) for code in dict.fromkeys(p.system for p in plans)
    }
    neutral = {document.record_id: document for document in documents(corpus)} if corpus else {}
    known = set(ledger.keys(Document))
    outcomes: dict[str, dict[str, int]] = {}
    done = 0
    context.progress("capture", 0, len(plans))
    try:
        for captured in capture(
            plans, systems, services, clock=context.clock, monotonic=context.monotonic
        ):
            run = captured.run
            new = _texts(run, neutral, known)
            ledger.record(
                "captured", run.run_id, [run], new, blobs={sha256(captured.raw): captured.raw}
            )
            known |= {document.record_id for document in new}
            counts = outcomes.setdefault(run.system, {})
            counts[str(run.outcome)] = counts.get(str(run.outcome), 0) + 1
            done += 1
            context.progress("capture", done, len(plans))
    except KeyboardInterrupt:
        raise Incomplete(
            f"stopped after {done} of {len(plans)} queries; every answer so far is kept",
            hint="judge capture",
        ) from None
    return CaptureResult(outcomes, done, len(plans) - done)


def _texts(run: RunRecord, neutral: dict[str, Document], known: set[str]) -> list[Document]:
    """The neutral text of records that this run is the first to find."""
    from judge.runs.identity import hit_key

    keys = dict.fromkeys(hit_key(hit, run.service) for hit in run.raw_results or ())
    return [neutral[key] for key in keys if key in neutral and key not in known]
