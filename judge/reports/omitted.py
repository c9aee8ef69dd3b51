"""What no figure of the report holds, how much of it and why: counted, then in the team's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge.records.closing import Omitted, OmittedRow
from judge.records.measured import PrecisionSection
from judge.records.query import Expected
from judge.records.report import Status
from judge.reports.failures import executed_runs
from judge.reports.material import Material
from judge.reports.standing import scored_runs

_NO_PRECISION: dict[Expected, str] = {
    "no_match_control": "no-match controls",
    "documented_guard": "documented guards",
    "invalid_by_design": "queries that are invalid by design",
}


def omitted(material: Material, status: Status, precision: PrecisionSection) -> Omitted:
    """Everything that was left out, in the order of the stages; rows of nothing are not there."""
    rows = [*_queries(material)]
    if status != "planned":
        rows += [*_requests(material), *_units(precision), *_labels(material)]
    return Omitted(rows=tuple(row for row in rows if row.count), said=material.statement.left_out)


def _queries(material: Material) -> Iterator[OmittedRow]:
    yield OmittedRow(
        what="development queries",
        count=len(material.development),
        why="tried before the freeze, so that a figure on them would be fitted",
    )
    kinds = Counter(query.expected for query in material.evaluation)
    for kind, name in _NO_PRECISION.items():
        yield OmittedRow(
            what=name, count=kinds[kind], why="have no P@k; expected and observed stand apart"
        )


def _requests(material: Material) -> Iterator[OmittedRow]:
    runs = scored_runs(material)
    evaluation = [query.id for query in material.evaluation]
    systems = [system.code for system in material.frozen.protocol.systems]
    excused = Counter(
        why
        for (query, system), why in material.excused.items()
        if query in evaluation and system in systems and (query, system) not in runs
    )
    for why, count in excused.items():
        yield OmittedRow(what="requests that were not made", count=count, why=why)
    failed = Counter(str(run.outcome) for run in runs.values() if not run.gave_list())
    for outcome, count in sorted(failed.items()):
        yield OmittedRow(
            what=f"requests that gave no list: {outcome}",
            count=count,
            why="a failed request has no P@k and is no empty list",
        )
    counted = {run.run_id for run in runs.values()}
    yield OmittedRow(
        what="earlier attempts and other rounds",
        count=sum(run.run_id not in counted for run in executed_runs(material)),
        why="kept and listed; another request of the declared round counts",
    )
    depth = material.frozen.protocol.depth.pool
    yield OmittedRow(
        what="hits below pool depth",
        count=sum(hit.rank > depth for run in runs.values() for hit in run.raw_results or ()),
        why=f"only ranks 1 to {depth} are judged",
    )


def _units(precision: PrecisionSection) -> Iterator[OmittedRow]:
    """Queries that a mean leaves out, by system, cutoff and reason (R66)."""
    found = Counter(
        (row.system, row.cutoff, row.left_out) for row in precision.per_query if row.left_out
    )
    for (system, cutoff, why), count in found.items():
        yield OmittedRow(
            what=f"ordinary queries left out of mean P@{cutoff} of {system}", count=count, why=why
        )


def _labels(material: Material) -> Iterator[OmittedRow]:
    # One that is still out is withheld from the published folders, and so from every report.
    back = {audit.packet_id for audit in material.audits}
    yield OmittedRow(
        what="practice packets",
        count=sum(deal.practice and deal.packet_id in back for deal in material.deals),
        why="labelled to try the desk; their labels count nowhere",
    )
    if not material.closed:
        yield OmittedRow(
            what="second labels of hidden repeats",
            count=sum(len(pairs) for pairs in material.repeats.values()),
            why="enter self-consistency alone; the first label counts",
        )
