"""What was asked of which service, when, and what the service said of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from judge.errors import Refused
from judge.records.base import UNAVAILABLE
from judge.records.protocol import System
from judge.records.report import (
    Count,
    RunLine,
    Runs,
    SystemRuns,
    TranslationLine,
)
from judge.records.run import OUTCOMES, RunRecord
from judge.reports.failures import executed_runs
from judge.reports.material import Material
from judge.reports.standing import scored_runs
from judge.runs.identity import hit_key


def runs_section(material: Material) -> Runs:
    """Systems, run records and translations (R14, R27, R31, R36).

    Raises `Refused` for a run of a query that is in neither set, which has no place in any count.
    """
    known = {query.id for query in (*material.evaluation, *material.development)}
    foreign = sorted({run.query_id for run in material.runs} - known)
    if foreign:
        raise Refused(
            f"Runs of queries that are not frozen: {', '.join(foreign)}.",
            hint="run `judge verify`, or import the runs again with the study's query ids",
        )
    scored = scored_runs(material)
    counted = {run.run_id for run in scored.values()}
    executed = executed_runs(material)
    earlier = sum(run.run_id not in counted for run in executed)
    development = sum(run.status == "executed" for run in material.runs) - len(executed)
    return Runs(
        summary=(
            f"Runs on evaluation queries: {len(counted)} counted, {earlier} others (earlier "
            f"attempts and other rounds, listed). Runs on development queries: {development}, "
            "never scored."
            f"{_left_out(material)}"
        ),
        frozen_queries=len(material.evaluation),
        scored_runs=len(counted),
        earlier_runs=earlier,
        systems=tuple(
            _system(
                system, [run for (_, code), run in scored.items() if code == system.code], material
            )
            for system in material.frozen.protocol.systems
        ),
        runs=tuple(_line(run, run.run_id in counted) for run in executed),
        translations=_translations(material),
    )


def _left_out(material: Material) -> str:
    """What the scored round was closed without, each with its written reason (R26)."""
    pairs = [f"{query} at {code} ({why})" for (query, code), why in material.excused.items()]
    return f" Not run, with a written reason: {'; '.join(pairs)}." if pairs else ""


def _system(system: System, runs: list[RunRecord], material: Material) -> SystemRuns:
    outcomes = Counter(run.outcome for run in runs)
    hits = exposed = checked = 0
    for run in runs:
        for hit in run.raw_results or ():
            document = material.documents.get(hit_key(hit, run.service))
            hits += 1
            exposed += hit.source_type is not None
            checked += hit.source_type is None and document is not None and bool(document.type)
    moments = sorted(run.retrieved_at_utc for run in runs if run.retrieved_at_utc)
    return SystemRuns(
        code=system.code,
        service=system.service,
        mode=system.mode,
        endpoint=system.endpoint,
        parameters=", ".join(
            [*(f"{name}={value}" for name, value in system.parameters.items()), *system.filters]
        )
        or "none",
        requested=material.frozen.protocol.depth.requested,
        first_retrieved=moments[0] if moments else "not captured",
        last_retrieved=moments[-1] if moments else "not captured",
        service_version=_versions(run.service_version for run in runs),
        model_version=_versions(run.model_version for run in runs),
        index_version=_versions(run.index_version for run in runs),
        index_digest=_versions(run.index_digest or UNAVAILABLE for run in runs),
        executed=len(runs),
        outcomes=tuple(
            Count(name=outcome, count=outcomes[outcome])
            for outcome in OUTCOMES
            if outcomes[outcome]
        ),
        hits=hits,
        source_type_exposed=exposed,
        source_type_checked=checked,
        source_type_unknown=hits - exposed - checked,
    )


def _versions(values: Iterable[str | None]) -> str:
    """Every version a system gave over its runs; null is "not captured", never blank (R31, R41)."""
    names = dict.fromkeys("not captured" if value is None else value for value in values)
    if not names:
        return "not captured"
    text = ", ".join(sorted(names))
    if len(names) > 1:
        return f"changed during the round: {text}"
    return f"{UNAVAILABLE} (not exposed by the service)" if text == UNAVAILABLE else text


def _line(run: RunRecord, scored: bool) -> RunLine:
    return RunLine(
        run_id=run.run_id,
        query_id=run.query_id,
        system=run.system,
        round=run.round,
        attempt=run.attempt,
        form=run.form,
        retrieved_at_utc=run.retrieved_at_utc or "not captured",
        outcome=str(run.outcome),
        returned=None if run.raw_results is None else len(run.raw_results),
        scored=scored,
    )


def _translations(material: Material) -> tuple[TranslationLine, ...]:
    scored = scored_runs(material)
    lines: list[TranslationLine] = []
    for query in material.evaluation:
        for system in material.frozen.protocol.systems:
            run = scored.get((query.id, system.code))
            translation = query.translations.get(system.code)
            lines.append(
                TranslationLine(
                    query_id=query.id,
                    need=query.need,
                    system=system.code,
                    submitted=query.submitted(system.code) if run is None else run.query,
                    note="" if translation is None else translation.note,
                )
            )
    return tuple(lines)
