"""Two dated reports of one protocol side by side: what changed at the services in between.

An answer of another day is another measurement. Neither report corrects the other, and nothing
here says which of them is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.errors import Refused
from judge.records.difference import Changed, Difference, ListChange
from judge.records.measured import Figure
from judge.records.report import Report
from judge.records.run import RunRecord
from judge.runs.identity import hit_key


def difference(
    before: Report,
    after: Report,
    runs_before: Mapping[str, RunRecord],
    runs_after: Mapping[str, RunRecord],
) -> Difference:
    """What is another in ``after``. The mappings hold the run records of each study by run id.

    Raises `Refused` for reports of two protocols: their difference has no meaning.
    """
    if before.rules.freeze_id != after.rules.freeze_id:
        raise Refused(
            "the two reports are of two protocols "
            f"({before.rules.freeze_id[:12]}… and {after.rules.freeze_id[:12]}…); "
            "they cannot be compared",
            hint="a change after the freeze is an amendment; a new freeze is a new study",
        )
    depth = max((*before.precision.cutoffs, *after.precision.cutoffs), default=0)
    first, second = _lists(before, runs_before), _lists(after, runs_after)
    changes, same = [], 0
    for pair in sorted(first.keys() & second.keys()):
        one = _change(pair, first[pair], second[pair], depth)
        same += one is None
        changes += [one] if one is not None else []
    asked_before, asked_after = ({query for query, _ in one} for one in (first, second))
    before_rows, after_rows = before.precision.per_query, after.precision.per_query
    return Difference(
        freeze_id=after.rules.freeze_id,
        before=_dates(before),
        after=_dates(after),
        depth=depth,
        means=_means(before, after),
        queries=_changed(
            {(one.query_id, one.system, one.cutoff): one.figure for one in before_rows},
            {(one.query_id, one.system, one.cutoff): one.figure for one in after_rows},
        ),
        lists=tuple(changes),
        same_lists=same,
        only_before=tuple(sorted(asked_before - asked_after)),
        only_after=tuple(sorted(asked_after - asked_before)),
    )


def _means(before: Report, after: Report) -> tuple[Changed, ...]:
    def named(report: Report) -> dict[tuple[str, str, int], Figure]:
        precision = report.precision
        return {
            (one.family or f"all {one.over}", one.system, one.cutoff): one.figure
            for one in (*precision.per_family, *precision.means)
        }

    return _changed(named(before), named(after))


def _changed(
    before: Mapping[tuple[str, str, int], Figure], after: Mapping[tuple[str, str, int], Figure]
) -> tuple[Changed, ...]:
    return tuple(
        Changed(
            where=where,
            system=system,
            cutoff=cutoff,
            before=before[where, system, cutoff].cell,
            after=after[where, system, cutoff].cell,
        )
        for where, system, cutoff in before
        if (where, system, cutoff) in after
        and before[where, system, cutoff].cell != after[where, system, cutoff].cell
    )


def _lists(report: Report, runs: Mapping[str, RunRecord]) -> dict[tuple[str, str], RunRecord]:
    """The run that each report scored, by (query, system)."""
    missing = [one.run_id for one in report.runs.runs if one.scored and one.run_id not in runs]
    if missing:
        raise Refused(
            f"the study of the report does not hold the runs it rests on ({missing[0]}, …)",
            hint="judge diff reads each report where it lies, in its study or bundle",
        )
    return {(one.query_id, one.system): runs[one.run_id] for one in report.runs.runs if one.scored}


def _change(
    pair: tuple[str, str], before: RunRecord, after: RunRecord, depth: int
) -> ListChange | None:
    first, second = _keys(before, depth), _keys(after, depth)
    if (first, before.outcome) == (second, after.outcome):
        return None
    return ListChange(
        query_id=pair[0],
        system=pair[1],
        outcome_before=str(before.outcome),
        outcome_after=str(after.outcome),
        appeared=_without(second, first),
        left=_without(first, second),
        stayed=len(set(first) & set(second)),
    )


def _keys(run: RunRecord, depth: int) -> tuple[str, ...]:
    hits = sorted(run.raw_results or (), key=lambda hit: hit.rank)
    return tuple(hit_key(hit, run.service) for hit in hits if hit.rank <= depth)


def _without(some: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(key for key in dict.fromkeys(some) if key not in known)


def _dates(report: Report) -> str:
    """The days on which the services answered, as the report gives them."""
    moments = sorted(
        moment[:10]
        for one in report.runs.systems
        for moment in (one.first_retrieved, one.last_retrieved)
        if moment[:4].isdigit()
    )
    if not moments:
        return "no date is recorded"
    return moments[0] if moments[0] == moments[-1] else f"{moments[0]} to {moments[-1]}"
