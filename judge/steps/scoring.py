"""Run files against a qrels file, without a study."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.files import read_bytes
from judge.judgements.importing import import_qrels
from judge.records.run import Notice
from judge.reports.score import RunScore, grade, score
from judge.reports.trec import quick_qrels, quick_run
from judge.runs.importing.ordering import Order
from judge.runs.importing.run import import_run


@dataclass(frozen=True)
class Scored:
    """Scores of every run of a file at every cutoff, and what was noticed on the way in."""

    scores: tuple[RunScore, ...]
    notices: dict[str, int]
    """Kind of notice to the number of lists that have it."""
    examples: tuple[Notice, ...]
    """The first notice of every kind."""
    by_run: dict[str, dict[str, int]]
    """The same counts for the lists of each run."""


def score_files(
    qrels: Path,
    run: Path,
    *,
    relevant_from: int,
    cutoffs: Sequence[int],
    order: Order,
    system: str | None = None,
) -> Scored:
    """P@k with bounds, judged@k, recall and average precision of every run in ``run``.

    ``system`` names the run of a file without a run column. The queries are those of the qrels; a
    query of the run that no judgement knows is refused.
    """
    judged, found = read_bytes(qrels), read_bytes(run)
    return quick_score(
        judged,
        found,
        relevant_from=relevant_from,
        cutoffs=cutoffs,
        order=order,
        system=system,
    ) or general_score(
        judged,
        found,
        names=(qrels.name, run.name),
        relevant_from=relevant_from,
        cutoffs=cutoffs,
        order=order,
        system=system,
    )


def quick_score(
    qrels: bytes,
    run: bytes,
    *,
    relevant_from: int,
    cutoffs: Sequence[int],
    order: Order,
    system: str | None = None,
) -> Scored | None:
    """The scores of two files that are regular throughout; None for any other."""
    if relevant_from < 1:
        return None
    judged = quick_qrels(_unpacked(qrels), relevant_from)
    if judged is None:
        return None
    found = quick_run(_unpacked(run), judged, system=system, order=order)
    if found is None:
        return None
    graded = found.graded
    return Scored(
        scores=(score(graded, cutoffs),),
        notices=found.of_file | found.of_lists,
        examples=found.notices,
        by_run={graded.system: found.of_lists},
    )


def _unpacked(data: bytes) -> bytes:
    """The bytes of a gzip file, or as they are; a damaged one is for the general reader to name."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return b""


def general_score(
    qrels: bytes,
    run: bytes,
    *,
    names: tuple[str, str],
    relevant_from: int,
    cutoffs: Sequence[int],
    order: Order,
    system: str | None = None,
) -> Scored:
    """The scores of any two files. Raises `Invalid` with every problem of either."""
    labels = import_qrels(
        qrels, names[0], relevant_from=relevant_from, assessor="final", known=None
    )
    found = import_run(
        run,
        names[1],
        system=system,
        order=order,
        known_queries=frozenset(label.query_id for label in labels.labels),
    )
    runs: dict[str, dict[str, list[str]]] = {}
    by_run: dict[str, Counter[str]] = {}
    for one in found.lists:
        runs.setdefault(one.system, {})[one.query_id] = [hit.record_id for hit in one.hits]
        by_run.setdefault(one.system, Counter()).update(notice.kind for notice in one.notices)
    counts = found.counts()
    examples: dict[str, Notice] = {}
    for notice in (*found.notices, *(notice for one in found.lists for notice in one.notices)):
        examples.setdefault(notice.kind, notice)
        counts.setdefault(notice.kind, 1)
    given = {(one.query_id, one.record_id): one.label for one in labels.labels}
    return Scored(
        scores=tuple(score(one, cutoffs) for one in grade(runs, given)),
        notices=counts,
        examples=tuple(examples.values()),
        by_run={system: dict(kinds) for system, kinds in by_run.items()},
    )
