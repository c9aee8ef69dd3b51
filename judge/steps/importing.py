"""Runs and labels made elsewhere, taken in and marked so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from judge.canonical import sha256
from judge.errors import Invalid, Problem, Refused
from judge.files import nearest, read_bytes
from judge.judgements.failure_review import refuse_after_review
from judge.judgements.importing import ImportedLabels, import_label_table, import_qrels
from judge.protocol.freeze import planned_runs, run_id
from judge.records.base import UNAVAILABLE
from judge.records.judgement import ImportedLabel
from judge.records.run import IMPORTED, Document, Hit, Notice, Outcome, RunRecord
from judge.runs.identity import hit_key, record_key
from judge.runs.importing.ordering import Order
from judge.runs.importing.run import FileForm, ImportedList, ImportResult, import_run
from judge.runs.resolving import with_pmids
from judge.steps.context import Context, Work
from judge.steps.openness import freeze_first_labels
from judge.steps.rounds import refuse_closed


@dataclass(frozen=True)
class ImportedRuns:
    """What an import took in."""

    file: str
    lists: int
    hits: int
    systems: int
    notices: dict[str, int]
    """Kind of notice to the number of lists that have it; the file's own once each."""
    absent: tuple[tuple[str, str], ...]
    """(system, query) without a line in the file."""
    examples: tuple[Notice, ...]
    """The first notice of each kind."""


def import_runs(
    context: Context,
    path: Path,
    *,
    system: str | None = None,
    form: FileForm = "auto",
    order: Order = "rank",
    absent: Literal["open", "empty", "unavailable"] = "open",
    retrieved_at: str = UNAVAILABLE,
    gaps_kept: bool = False,
) -> ImportedRuns:
    """Imports every run of a file as executions of the scored round.

    ``absent`` says what a query without a line is: still open, a valid empty answer, or
    unavailable; a file cannot tell, so nothing is assumed. Raises `Invalid` for a system the
    protocol does not name and for what `judge.runs.importing.run.import_run` refuses, `Refused`
    for a (system, query) that has an execution already and once the round is closed. All or
    nothing.
    """
    with context.frozen() as work:
        refuse_closed(work)
        data = read_bytes(path)
        found = import_run(
            data,
            path.name,
            form=form,
            system=system,
            order=order,
            duplicates="keep",  # both duplicate policies score the raw ranks (R68)
            missing_ranks="keep" if gaps_kept else "refuse",
            known_queries=frozenset(query.id for query in work.evaluation),
        )
        _check_systems(found, work, path.name)
        records = _records(found, work, sha256(data), retrieved_at, absent)
        new = bare_titles(records, work, path.name)
        work.ledger.record("imported_run", path.name, records, new, blobs={sha256(data): data})
        return _summary(found, path.name)


def _check_systems(found: ImportResult, work: Work, name: str) -> None:
    known = [system.code for system in work.protocol.systems]
    problems = [
        Problem(
            f"run {code!r}", f"no such system{nearest(code, known)}", "one of " + ", ".join(known)
        )
        for code in found.systems
        if code not in known
    ]
    if problems:
        raise Invalid(
            f"{name} holds runs of systems that the protocol does not name; nothing was imported",
            problems,
            hint="--system S names the one system of a file with one run",
        )


def _records(
    found: ImportResult,
    work: Work,
    raw: str,
    retrieved_at: str,
    absent: Literal["open", "empty", "unavailable"],
) -> list[RunRecord]:
    plans = {
        (plan.system, plan.query_id): plan for plan in planned_runs(work.protocol, work.evaluation)
    }
    taken = [
        f"{one.query_id} at {one.system}"
        for one in found.lists
        if (one.system, one.query_id) in work.current
    ]
    if taken:
        raise Refused(
            f"{len(taken)} queries have an execution already ({', '.join(taken[:3])}…); "
            "a second run never replaces the first, and nothing was imported",
            hint="judge round open NAME, for a later round of its own",
        )

    def record(
        plan: RunRecord, outcome: Outcome, hits: tuple[Hit, ...] | None, notices: Sequence[Notice]
    ) -> RunRecord:
        return imported(plan, outcome, hits, notices, raw, retrieved_at, found.form)

    def from_list(one: ImportedList) -> RunRecord:
        notices = (*one.notices, *found.notices)
        return record(plans[one.system, one.query_id], "answered", one.hits, notices)

    records = [from_list(one) for one in found.lists]
    if absent != "open":
        said = Notice(kind="absent", text=f"no line in the file; recorded as {absent} on import")
        hits: tuple[Hit, ...] | None = () if absent == "empty" else None
        records += [
            record(plans[pair], absent, hits, [said])
            for pair in found.absent
            if pair not in work.current
        ]
    return records


def imported(
    plan: RunRecord,
    outcome: Outcome,
    hits: tuple[Hit, ...] | None,
    notices: Sequence[Notice],
    raw: str,
    retrieved_at: str,
    form: str,
) -> RunRecord:
    """The execution of ``plan`` that a file with the digest ``raw`` holds."""
    return msgspec.structs.replace(
        plan,
        status="executed",
        retrieved_at_utc=retrieved_at,
        service_version=UNAVAILABLE,
        index_version=UNAVAILABLE,
        model_version=UNAVAILABLE,
        raw_results=hits,
        errors_and_notices=tuple(notices),
        run_id=run_id(plan.round, plan.system, plan.query_id, 1),
        attempt=1,
        form="imported",
        adapter=f"import-{form}@1",
        outcome=outcome,
        raw_replies=(raw,),
    )


def bare_titles(records: Sequence[RunRecord], work: Work, name: str) -> list[Document]:
    """Titles that came with the file, for records whose text nobody has yet."""
    new: dict[str, Document] = {}
    for run in with_pmids(tuple(records), work.resolved):
        for hit in run.raw_results or ():
            key = hit_key(hit, run.service)
            if hit.title and key not in work.documents and key not in new:
                new[key] = Document(
                    record_id=key,
                    title=hit.title,
                    year=hit.year,
                    type=hit.source_type,
                    pmid=hit.pmid,
                    doi=hit.doi,
                    pmcid=hit.pmcid,
                    provenance=f"{IMPORTED}{name}",
                )
    return list(new.values())


def _summary(found: ImportResult, name: str) -> ImportedRuns:
    counts = found.counts()
    examples: dict[str, Notice] = {}
    for notice in (*found.notices, *(notice for one in found.lists for notice in one.notices)):
        examples.setdefault(notice.kind, notice)
    for notice in found.notices:
        counts[notice.kind] = counts.get(notice.kind, 0) + 1
    return ImportedRuns(
        file=name,
        lists=len(found.lists),
        hits=found.hits,
        systems=len(found.systems),
        notices=counts,
        absent=found.absent,
        examples=tuple(examples.values()),
    )


@dataclass(frozen=True)
class TakenLabels:
    """What an import of labels took in."""

    labels: int
    by_assessor: dict[str, dict[str, int]]
    not_judged: int
    outside_pool: int
    """Labels of pairs that no run of this study holds; kept, and never in a score."""
    notices: tuple[Notice, ...]


def import_grades(
    context: Context, path: Path, *, relevant_from: int, assessor: str
) -> TakenLabels:
    """Imports TREC qrels as the labels of one assessor, or as final ones (``final``)."""
    with context.frozen() as work:
        _check_people(work, [assessor])
        found = import_qrels(
            read_bytes(path),
            path.name,
            relevant_from=relevant_from,
            assessor=assessor,
            known=frozenset(query.id for query in work.evaluation),
            key=record_of(work),
        )
        return _take(context, work, path, found)


def import_columns(
    context: Context,
    path: Path,
    *,
    mapping: Mapping[str, str],
    assessors: Mapping[str, str],
    query: str = "query_id",
    record: str = "record_id",
    only_query: str | None = None,
) -> TakenLabels:
    """Imports a table with one column per assessor; ``assessors`` maps column to code."""
    with context.frozen() as work:
        _check_people(work, list(assessors.values()))
        found = import_label_table(
            read_bytes(path),
            path.name,
            mapping=mapping,
            assessors=assessors,
            known=frozenset(query.id for query in work.evaluation),
            query=query,
            record=record,
            only_query=only_query,
            key=record_of(work),
        )
        return _take(context, work, path, found)


def _check_people(work: Work, codes: Sequence[str]) -> None:
    known = (*work.protocol.people.assessors, "final")
    problems = [
        Problem(
            code, f"no assessor of this study{nearest(code, known)}", "one of " + ", ".join(known)
        )
        for code in codes
        if code not in known
    ]
    if problems:
        raise Invalid("labels of people the protocol does not name", problems)
    dealt = {deal.assessor for deal in work.deals if deal.kind == "label"}
    both = [code for code in codes if code in dealt]
    if both:
        raise Refused(
            f"{', '.join(both)} labels in this tool; labels from elsewhere do not mix with those"
        )
    here = sorted({one.assessor for one in work.deals if one.kind == "label" and not one.practice})
    if "final" in codes and here:
        raise Refused(
            f"{', '.join(here)} labels in this tool, and imported final labels would stand in "
            "place of that; nothing was imported",
            hint="judge init DIR makes a study of their own for final labels from elsewhere",
        )


def record_of(work: Work) -> Callable[[str, str], str]:
    """From a query and a document id of a file, or a record key, to the record that the runs have.

    What a document is joined with differs by query: with what else was found there.
    """
    known: dict[str, str] = {}
    joined: dict[tuple[str, str], str] = {}
    for run in work.keyed_runs:
        for hit in run.raw_results or ():
            own = hit_key(hit, run.service)
            known[hit.record_id] = own
            record = work.merged.get(run.query_id, {}).get(own, own)
            joined[run.query_id, hit.record_id] = joined[run.query_id, own] = record
    records = {record.record_id for record in work.pool} | set(known.values())
    services = {system.service for system in work.protocol.systems}
    source = next(iter(services)) if len(services) == 1 else "imported"

    def key(query: str, document: str) -> str:
        if (query, document) in joined:
            return joined[query, document]
        if document in records:
            return document
        return known.get(document) or record_key(
            pmid=None, doi=None, source=source, record_id=document
        )

    return key


def _take(context: Context, work: Work, path: Path, found: ImportedLabels) -> TakenLabels:
    refuse_after_review(work.deals, "an import of labels")
    known = work.ledger.keys(ImportedLabel)
    again = [
        label
        for label in found.labels
        if f"{label.assessor} {label.query_id} {label.record_id}" in known
    ]
    if again:
        raise Refused(
            f"{len(again)} of these labels were imported before; nothing was imported",
        )
    work.ledger.record("imported_labels", path.name, found.labels)
    freeze_first_labels(context, Work(work.ledger))
    pooled = {(record.query_id, record.record_id) for record in work.pool}
    counts: dict[str, Counter[str]] = {}
    for label in found.labels:
        counts.setdefault(label.assessor, Counter())[label.label] += 1
    return TakenLabels(
        labels=len(found.labels),
        by_assessor={code: dict(count) for code, count in counts.items()},
        not_judged=found.not_judged,
        outside_pool=sum((one.query_id, one.record_id) not in pooled for one in found.labels),
        notices=found.notices,
    )
