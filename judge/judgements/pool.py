"""The pool: one item per need and record, to the declared depth, whichever systems found it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.records.query import Query
from judge.records.run import FoundAt, PooledRecord, RunRecord
from judge.runs.identity import hit_key


def pool(
    queries: Iterable[Query],
    runs: Mapping[tuple[str, str], RunRecord],
    depth: int,
    known: frozenset[tuple[str, str]] = frozenset(),
    merged: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[PooledRecord, ...]:
    """Every (need, record) at rank ``depth`` or better that is not in ``known`` yet.

    ``runs`` is by (system, query), as `judge.runs.capture.current_runs` gives it; ``merged`` says
    which record a key stands for, as `judge.runs.merging.merged_records` gives it. Order is by
    query, then by record key: it says nothing of systems or ranks. Ranks are the raw ones, so a
    duplicate does not pull a deeper hit into the pool.
    """
    pooled = []
    for query in queries:
        found: dict[str, list[FoundAt]] = {}
        record = (merged or {}).get(query.id, {})
        for (_, query_id), run in runs.items():
            if query_id != query.id or not run.gave_list():
                continue
            for hit in run.raw_results or ():
                if hit.rank <= depth:
                    key = hit_key(hit, run.service)
                    found.setdefault(record.get(key, key), []).append(
                        FoundAt(system=run.system, run_id=run.run_id, rank=hit.rank)
                    )
        pooled += [
            PooledRecord(query_id=query.id, record_id=key, found_by=tuple(found[key]))
            for key in sorted(found)
            if (query.id, key) not in known
        ]
    return tuple(pooled)


def only_system(record: PooledRecord) -> str | None:
    """The one system that found it; None where several did."""
    systems = {found.system for found in record.found_by}
    return next(iter(systems)) if len(systems) == 1 else None
