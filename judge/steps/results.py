"""Results files: a run of this study for others to score, a run of others to score here, and lists
cut off at a year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from judge.canonical import sha256
from judge.errors import Invalid, Problem, Refused
from judge.files import nearest, read_bytes, write_atomic
from judge.protocol.freeze import planned_runs
from judge.records.base import UNAVAILABLE
from judge.records.cut import CutSystem
from judge.records.run import Notice, Outcome, RunRecord
from judge.runs.cutoff import CutList, cut, filtered, tally
from judge.runs.providers.reading import whole
from judge.runs.results import (
    Answered,
    Asked,
    Failed,
    candidate,
    failures_bytes,
    jsonl,
    read_failed,
    read_results,
    results_bytes,
)
from judge.steps.context import Context, Work
from judge.steps.importing import bare_titles, imported
from judge.steps.rounds import refuse_closed

FORM = "results"
"""The name of the form in the records of an import."""


@dataclass(frozen=True)
class Exported:
    """The files of one system."""

    system: str
    results: Path
    answered: int
    failures: Path | None
    """None where every question was answered."""
    failed: int
    open: int
    """Questions without an execution: they are in neither file."""


def export_results(
    context: Context, folder: Path, codes: Sequence[str] = ()
) -> tuple[Exported, ...]:
    """Writes ``<system>.results.jsonl`` and ``<system>.failures.jsonl`` into ``folder``.

    The newest execution of each evaluation query in the scored round, ranks as they came.
    ``codes`` are systems; all without. Raises `Invalid` for one that the protocol does not name
    and `Refused` where nothing has been run.
    """
    with context.frozen() as work:
        chosen = chosen_systems(work, codes)
        queries = {query.id: query for query in work.evaluation}
        if not work.current:
            raise Refused("nothing has been run; nothing was written", hint="judge capture")
        written = []
        for code in chosen:
            runs = [work.current[code, query] for query in queries if (code, query) in work.current]
            failed = [run for run in runs if not run.gave_list()]
            results = folder / f"{code}.results.jsonl"
            failures = folder / f"{code}.failures.jsonl" if failed else None
            write_atomic(results, results_bytes(runs, queries))
            if failures is not None:
                responses = {run.run_id: said for run in failed if (said := _response(work, run))}
                write_atomic(failures, failures_bytes(failed, queries, responses))
            written.append(
                Exported(
                    system=code,
                    results=results,
                    answered=len(runs) - len(failed),
                    failures=failures,
                    failed=len(failed),
                    open=len(queries) - len(runs),
                )
            )
        return tuple(written)


def _response(work: Work, run: RunRecord) -> str:
    """The last reply of a captured run as text; empty for an imported one, whose raw bytes are
    the whole file that it came in."""
    if run.form != "captured" or not run.raw_replies:
        return ""
    return work.ledger.blob(run.raw_replies[-1]).decode("utf-8", "replace")


def chosen_systems(work: Work, codes: Sequence[str]) -> tuple[str, ...]:
    """``codes``, or all systems. Raises `Invalid` for one that the protocol does not name."""
    known = [system.code for system in work.protocol.systems]
    problems = [
        Problem(code, f"no such system{nearest(code, known)}", "one of " + ", ".join(known))
        for code in codes
        if code not in known
    ]
    if problems:
        raise Invalid("systems that the protocol does not name", problems)
    return tuple(dict.fromkeys(codes)) or tuple(known)


@dataclass(frozen=True)
class ImportedResults:
    """What an import took in, by system."""

    file: str
    answered: dict[str, int]
    failed: dict[str, int]
    hits: int
    open: tuple[tuple[str, str], ...]
    """(system, query) pairs of these systems in neither file: still to be run."""


def import_results(
    context: Context,
    results: Path,
    *,
    failures: Path | None = None,
    system: str | None = None,
    retrieved_at: str = UNAVAILABLE,
) -> ImportedResults:
    """Imports a results file, and its failures file, as executions of the scored round.

    A provider is a system's code or the service of one system alone; ``system`` names it for the
    whole file. Where a question is in both files, its answer counts. All or nothing. Raises
    `Invalid` with every problem: an unknown question or provider, another text than the frozen
    one, another cut-off year; `Refused` for a (system, query) that has an execution already, and
    once the round is closed.
    """
    with context.frozen() as work:
        refuse_closed(work)
        data = read_bytes(results)
        rows, notices = read_results(data, results.name)
        more = read_bytes(failures) if failures is not None else None
        failed = read_failed(more, failures.name) if failures is not None and more else []
        answers, losses = [row.asked for row in rows], [one.asked for one in failed]
        codes = _codes(work, [one.provider for one in (*answers, *losses)], system)
        problems = [
            *_problems(work, results.name, answers, codes),
            *_problems(work, failures.name if failures else "", losses, codes),
        ]
        if problems:
            raise Invalid("the files do not fit this study; nothing was imported", problems)
        records = _records(work, rows, failed, codes, notices, retrieved_at, data, more)
        used = {key for record in records for key in record.raw_replies}
        given = {sha256(one): one for one in (data, more) if one is not None}
        blobs = {key: one for key, one in given.items() if key in used}
        titles = bare_titles(records, work, results.name)
        work.ledger.record("imported_run", results.name, records, titles, blobs=blobs)
        return _summary(work, results.name, records)


def _codes(work: Work, providers: Sequence[str], system: str | None) -> dict[str, str]:
    """Provider to system code; one that fits no single system is left out."""
    if system is not None:
        (code,) = chosen_systems(work, [system])
        return dict.fromkeys(providers, code)
    systems = work.protocol.systems
    found = {}
    for provider in dict.fromkeys(providers):
        fitting = [one.code for one in systems if one.code == provider] or [
            one.code for one in systems if one.service == provider
        ]
        if len(fitting) == 1:
            found[provider] = fitting[0]
    return found


def _problems(
    work: Work, name: str, asked: Sequence[Asked], codes: Mapping[str, str]
) -> list[Problem]:
    queries = {query.id: query for query in work.evaluation}
    problems = []
    first: dict[tuple[str, str | None], int] = {}
    for one in asked:
        where = f"{name}: line {one.line}"
        query, code = queries.get(one.query_id), codes.get(one.provider)
        if (line := first.setdefault((one.query_id, code), one.line)) != one.line:
            problems.append(Problem(where, f"{one.query_id!r} stands on line {line} already"))
        if query is None:
            found = f"unknown question {one.query_id!r}{nearest(one.query_id, queries)}"
            problems.append(Problem(where, found, "an evaluation query of this study"))
        if code is None:
            found = f"provider {one.provider!r} is not the one system of its name"
            problems.append(Problem(where, found, "--system S names it"))
        if query is None or code is None:
            continue
        if one.query is not None and one.query != query.submitted(code):
            found = f"{one.query_id} was asked as {one.query!r}"
            problems.append(Problem(where, found, f"frozen is {query.submitted(code)!r} (R15)"))
        if one.says_year and one.max_year != query.max_year:
            found = f"{one.query_id} has the cut-off year {one.max_year}"
            problems.append(Problem(where, found, f"frozen is {query.max_year}"))
    return problems


def _records(
    work: Work,
    rows: Sequence[Answered],
    failed: Sequence[Failed],
    codes: Mapping[str, str],
    notices: Sequence[Notice],
    retrieved_at: str,
    data: bytes,
    more: bytes | None,
) -> list[RunRecord]:
    plans = {
        (plan.system, plan.query_id): plan for plan in planned_runs(work.protocol, work.evaluation)
    }
    records: dict[tuple[str, str], RunRecord] = {}
    for row in rows:
        pair = (codes[row.asked.provider], row.asked.query_id)
        said = (*notices, *_unstated(row.asked))
        outcome: Outcome = "answered" if row.hits else "empty"
        records[pair] = imported(
            plans[pair], outcome, row.hits, said, sha256(data), retrieved_at, FORM
        )
    for one in failed:
        pair = (codes[one.asked.provider], one.asked.query_id)
        if pair in records or more is None:
            continue
        said = (Notice(kind=one.outcome, text=one.said), *_unstated(one.asked))
        run = imported(plans[pair], one.outcome, None, said, sha256(more), retrieved_at, FORM)
        records[pair] = msgspec.structs.replace(run, http_status=one.status)
    taken = [f"{query} at {code}" for code, query in records if (code, query) in work.current]
    if taken:
        raise Refused(
            f"{len(taken)} queries have an execution already ({', '.join(taken[:3])}…); "
            "a second run never replaces the first, and nothing was imported",
            hint="judge round open NAME, for a later round of its own",
        )
    return list(records.values())


def _unstated(asked: Asked) -> tuple[Notice, ...]:
    if asked.query is not None:
        return ()
    return (Notice(kind="query_unstated", text="the file does not say what was sent"),)


def _summary(work: Work, name: str, records: Sequence[RunRecord]) -> ImportedResults:
    codes = list(dict.fromkeys(run.system for run in records))
    there = {(run.system, run.query_id) for run in records} | set(work.current)
    return ImportedResults(
        file=name,
        answered={c: sum(r.system == c and r.gave_list() for r in records) for c in codes},
        failed={c: sum(r.system == c and not r.gave_list() for r in records) for c in codes},
        hits=sum(len(run.raw_results or ()) for run in records),
        open=tuple((c, q.id) for c in codes for q in work.evaluation if (c, q.id) not in there),
    )


# --- a cut-off year -----------------------------------------------------------------------------


@dataclass(frozen=True)
class CutOff:
    """One system's lists, cut off, and the file that they were written to."""

    file: Path
    counts: CutSystem


def cut_off(context: Context, folder: Path, codes: Sequence[str] = ()) -> tuple[CutOff, ...]:
    """Writes ``<system>.cutoff.jsonl``: the answers by the end of each query's cut-off year.

    A results file whose candidates are renumbered, each with its ``raw_rank``, and which names
    under ``left_out`` every hit that is not among them, with the reason. The study keeps its raw
    lists alone. Raises `Refused` where no answered query has a cut-off year.
    """
    with context.frozen() as work:
        years = {query.id: query.max_year for query in work.evaluation}
        done = []
        for code in chosen_systems(work, codes):
            runs = [
                (run, year)
                for query, year in years.items()
                if year is not None
                and (run := work.current.get((code, query))) is not None
                and run.gave_list()
            ]
            lists = [cut(run, year, work.documents) for run, year in runs if not filtered(run)]
            if not runs:
                continue
            file = folder / f"{code}.cutoff.jsonl"
            write_atomic(file, jsonl(map(_cut_row, lists)))
            done.append(CutOff(file, tally(code, lists, len(runs) - len(lists))))
        if not done:
            raise Refused("no answered query has a cut-off year; nothing was written")
        return tuple(done)


def _cut_row(found: CutList) -> dict[str, Any]:
    run = found.run
    return {
        "question_id": run.query_id,
        "provider": run.service,
        "query": run.query,
        "max_year": found.max_year,
        "candidates": [
            {
                **candidate(one.hit),
                "rank": one.rank,
                "raw_rank": one.hit.rank,
                "year": whole(one.year),
                "year_from": one.year_from,
            }
            for one in found.kept
        ],
        "left_out": [
            {
                "raw_rank": one.hit.rank,
                "provider_id": one.hit.record_id,
                "why": one.why,
                "year": whole(one.year),
                "year_from": one.year_from,
            }
            for one in found.placed
            if one.rank is None
        ],
    }
