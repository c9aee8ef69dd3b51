"""Requests that gave no list, notices, failure review and problems of the data.

Failures stand apart from every score: nothing here changes a label or a number (R65, R77), and
nothing turns a failed request into an empty answer (R64).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from judge.judgements.failure_facts import is_preprint
from judge.records.measured import (
    Pair,
)
from judge.records.report import (
    DataProblems,
    Failures,
    NoListLine,
    NoticeCount,
    OutcomeCount,
)
from judge.records.run import OUTCOMES, RunRecord
from judge.reports.material import Material
from judge.reports.review import failure_review
from judge.reports.standing import ranked_list, scored_runs


def failures(material: Material) -> Failures:
    """The whole failure section of a report."""
    executed = executed_runs(material)
    return Failures(
        summary=_summary(executed, material),
        no_list=tuple(_no_list(run) for run in executed if not run.gave_list()),
        by_outcome=_by_outcome(executed, material),
        notices=tuple(
            _notices(system.code, [run for run in executed if run.system == system.code])
            for system in material.frozen.protocol.systems
        )
        if executed
        else (),
        data=_data_problems(material) if executed else (),
        review=failure_review(material),
    )


def executed_runs(material: Material) -> list[RunRecord]:
    """Every execution on an evaluation query: all rounds, all attempts (R14)."""
    evaluation = {query.id for query in material.evaluation}
    return [run for run in material.runs if run.status == "executed" and run.query_id in evaluation]


def _summary(executed: list[RunRecord], material: Material) -> str:
    if not executed:
        return "No request has been made."
    none = [run for run in executed if not run.gave_list()]
    if not none:
        return f"Requests that gave no list: 0 of {len(executed)}."
    outcomes = Counter(str(run.outcome) for run in none)
    parts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    ordinary = {query.id for query in material.evaluation if query.expected == "ordinary"}
    special = sum(run.query_id not in ordinary for run in none)
    return (
        f"Requests that gave no list: {len(none)} of {len(executed)} ({parts}); {special} of them "
        "on controls, guards and queries that are invalid by design."
    )


def _no_list(run: RunRecord) -> NoListLine:
    return NoListLine(
        run_id=run.run_id,
        query_id=run.query_id,
        system=run.system,
        outcome=str(run.outcome),
        http_status=run.http_status,
        # The time is evidence of a timeout (R75); anywhere else it would be a latency (R03).
        elapsed_ms=run.elapsed_ms if run.outcome == "timeout" else None,
        said="not captured"
        if run.errors_and_notices is None
        else "; ".join(notice.text for notice in run.errors_and_notices) or "none recorded",
    )


def _by_outcome(executed: Iterable[RunRecord], material: Material) -> tuple[OutcomeCount, ...]:
    counts = Counter((run.system, run.outcome) for run in executed)
    return tuple(
        OutcomeCount(system=system.code, outcome=outcome, requests=counts[system.code, outcome])
        for system in material.frozen.protocol.systems
        for outcome in OUTCOMES
        if counts[system.code, outcome]
    )


def _notices(system: str, runs: list[RunRecord]) -> NoticeCount:
    lists = [run.errors_and_notices for run in runs]
    return NoticeCount(
        system=system,
        recorded=sum(len(notices) for notices in lists if notices),
        none_recorded=sum(notices == () for notices in lists),
        not_captured=sum(notices is None for notices in lists),
        said=tuple(
            Pair(name=run.query_id, text=f"{notice.kind}: {notice.text}")
            for run in runs
            for notice in run.errors_and_notices or ()
        ),
    )


def _data_problems(material: Material) -> tuple[DataProblems, ...]:
    runs = scored_runs(material)
    rows: list[DataProblems] = []
    for system in material.frozen.protocol.systems:
        hits = duplicates = links = preprints = exposed = retracted = 0
        for (_, code), run in runs.items():
            if code != system.code or not run.gave_list():
                continue
            found = ranked_list(run, material)
            duplicates += len(found.ranked) - len({found.works[key] for _, key in found.ranked})
            records = dict(found.ranked)
            for hit in run.raw_results or ():
                document = material.documents.get(records[hit.rank])
                hits += 1
                links += hit.link is None
                preprints += is_preprint(document)
                exposed += hit.notice is not None
                retracted += document is not None and document.retracted
        rows.append(
            DataProblems(
                system=system.code,
                hits=hits,
                duplicates=duplicates,
                missing_links=links,
                preprints=preprints,
                notices_exposed=exposed,
                retracted_at_source=retracted,
            )
        )
    return tuple(rows)
