"""Run files against a qrels file, without a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.files import read_bytes
from judge.judgements.importing import import_qrels
from judge.records.run import Notice
from judge.reports.score import RunScore, score
from judge.runs.importing.ordering import Order
from judge.runs.importing.run import import_run


@dataclass(frozen=True)
class Scored:
    """Scores of every run of a file at every cutoff, and what was noticed on the way in."""

    scores: tuple[RunScore, ...]
    queries: int
    notices: dict[str, int]
    """Kind of notice to the number of lists that have it."""
    examples: tuple[Notice, ...]


def score_files(
    qrels: Path,
    run: Path,
    *,
    relevant_from: int,
    cutoffs: Sequence[int],
    order: Order,
    system: str | None = None,
) -> Scored:
    """P@k with bounds of every run in ``run`` against ``qrels``.

    ``system`` names the run of a file without a run column. The queries are those of the qrels; a
    query of the run that no judgement knows is refused.
    """
    labels = import_qrels(
        read_bytes(qrels), qrels.name, relevant_from=relevant_from, assessor="final", known=None
    )
    known = frozenset(label.query_id for label in labels.labels)
    found = import_run(
        read_bytes(run),
        run.name,
        system=system,
        order=order,
        known_queries=known,
    )
    runs: dict[str, dict[str, list[str]]] = {}
    for one in found.lists:
        runs.setdefault(one.system, {})[one.query_id] = [hit.record_id for hit in one.hits]
    notices = found.counts()
    examples: dict[str, Notice] = {}
    for notice in (*found.notices, *(notice for one in found.lists for notice in one.notices)):
        examples.setdefault(notice.kind, notice)
        notices.setdefault(notice.kind, 1)
    return Scored(
        score(
            runs,
            {(one.query_id, one.record_id): one.label for one in labels.labels},
            cutoffs,
        ),
        len(known),
        notices,
        tuple(examples.values()),
    )
