"""Runs against judgements, without a study: the core of ``judge score``.

The queries are those of the judgements, each with equal weight, whatever a run holds: a query that
a run does not hold is named, and counts 0 (a file cannot tell an empty answer from a failed
request). P@k is that of `judge.reports.precision`, counted over whole files at once; an unjudged
rank gives bounds. Recall at k and average precision (Buckley & Voorhees 2000) take an unjudged
document for not relevant, as trec_eval does: what is not judged is in neither denominator, so that
worst cases would bound nothing. A query without a relevant document has neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from judge.errors import Invalid, Problem
from judge.records.judgement import Label
from judge.reports.numbers import decimal_text
from judge.reports.precision import Duplicates

Ints = NDArray[np.int64]

NOT_RELEVANT, RELEVANT, UNJUDGED, COPY, COPY_UNJUDGED = range(5)
"""What a rank holds. A copy is a document that stands higher in its list already."""


@dataclass(frozen=True)
class GradedRun:
    """One run with the judgement of every rank, all queries in one array."""

    system: str
    queries: tuple[str, ...]
    """Every judged query, in the order of the judgements."""
    absent: tuple[str, ...]
    """Judged queries that the run does not hold."""
    edges: Ints
    """Shape (queries + 1): ranks 1, 2, … of query i are ``state[edges[i]:edges[i + 1]]``."""
    state: NDArray[np.int8]
    relevant: Ints
    """Documents judged relevant, per query."""


@dataclass(frozen=True)
class AtK:
    """One run at one cutoff, per query; the means are over every judged query."""

    k: int
    queries: tuple[str, ...]
    relevant: Ints
    open: Ints
    """Unjudged ranks: the difference between the bounds."""
    judged: Ints
    filled: Ints
    """Ranks 1 to k that hold a document: the denominator of judged@k."""
    recall: float | None
    """Mean of relevant found ÷ relevant, over queries that have any; None where none has."""

    @property
    def lower(self) -> Fraction:
        """Mean P@k with every open rank as not relevant: trec_eval's figure under ``-c``."""
        return Fraction(int(self.relevant.sum()), self.k * len(self.queries))

    @property
    def upper(self) -> Fraction:
        return Fraction(int(self.relevant.sum() + self.open.sum()), self.k * len(self.queries))

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Queries that have bounds instead of a P@k."""
        return tuple(
            query for query, number in zip(self.queries, self.open.tolist(), strict=True) if number
        )


@dataclass(frozen=True)
class RunScore:
    """One run at every cutoff and over its whole lists."""

    system: str
    queries: tuple[str, ...]
    absent: tuple[str, ...]
    at: tuple[AtK, ...]
    with_relevant: int
    """Queries with a relevant document: those of the two means below."""
    average_precision: float | None
    recall: float | None
    """Over the whole list, however long it is."""
    copies: int
    """Ranks that hold a document which stands higher in its list."""


def grade(
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    labels: Mapping[tuple[str, str], Label],
    *,
    duplicates: Duplicates = "first_counts",
) -> tuple[GradedRun, ...]:
    """Every run (by system, then query: document ids in rank order) with its judgements.

    ``labels`` is by (query id, document id); what is not there is unjudged. Raises `Invalid` where
    there is no judgement at all, or where a run holds a query that no judgement knows (a mistyped
    id would lower n unseen).
    """
    if not labels:
        raise Invalid("the judgements hold no label; a mean over nothing does not exist")
    relevant: dict[str, int] = {}
    for (query, _), label in labels.items():
        relevant[query] = relevant.get(query, 0) + (label == "relevant")
    problems = [
        Problem(f"run {system}", f"query {query!r} has no judgement", _known(relevant))
        for system, lists in runs.items()
        for query in lists
        if query not in relevant
    ]
    if problems:
        raise Invalid("runs hold queries that the judgements do not", problems)
    codes = {"relevant": RELEVANT, "not_relevant": NOT_RELEVANT}
    graded = []
    for system, lists in runs.items():
        state: list[int] = []
        edges = [0]
        for query in relevant:
            seen: set[str] = set()
            for document in lists.get(query, ()):
                code = codes.get(labels.get((query, document), ""), UNJUDGED)
                if document in seen and duplicates == "first_counts":
                    code = COPY_UNJUDGED if code == UNJUDGED else COPY
                seen.add(document)
                state.append(code)
            edges.append(len(state))
        graded.append(
            GradedRun(
                system=system,
                queries=tuple(relevant),
                absent=tuple(query for query in relevant if query not in lists),
                edges=np.array(edges, dtype=np.int64),
                state=np.array(state, dtype=np.int8),
                relevant=np.array(list(relevant.values()), dtype=np.int64),
            )
        )
    return tuple(graded)


def score(run: GradedRun, cutoffs: Sequence[int]) -> RunScore:
    """All figures of one run. Raises ``ValueError`` for a cutoff below 1."""
    if any(k < 1 for k in cutoffs):
        raise ValueError(f"cutoffs are {list(cutoffs)}; a cutoff is at least 1")
    starts, ends = run.edges[:-1], run.edges[1:]
    hit = run.state == RELEVANT
    hits = _running(hit)
    unjudged = _running(run.state == UNJUDGED)
    judged = _running((run.state != UNJUDGED) & (run.state != COPY_UNJUDGED))
    has = run.relevant > 0
    at = []
    for k in cutoffs:
        last = np.minimum(starts + k, ends)
        found = hits[last] - hits[starts]
        at.append(
            AtK(
                k=k,
                queries=run.queries,
                relevant=found,
                open=unjudged[last] - unjudged[starts],
                judged=judged[last] - judged[starts],
                filled=last - starts,
                recall=_mean(found[has] / run.relevant[has]),
            )
        )
    found = hits[ends] - hits[starts]
    return RunScore(
        system=run.system,
        queries=run.queries,
        absent=run.absent,
        at=tuple(at),
        with_relevant=int(has.sum()),
        average_precision=_mean(_precision_sums(run, hit, hits)[has] / run.relevant[has]),
        recall=_mean(found[has] / run.relevant[has]),
        copies=int((run.state >= COPY).sum()),
    )


def partings(run: RunScore, *, by_rank: bool, tied_lists: int, moved_lists: int) -> list[str]:
    """Where these figures part from trec_eval's on the same files, and what its would be.

    ``by_rank`` says that explicit ranks gave the order; ``tied_lists`` and ``moved_lists`` how many
    lists have equal scores, and another order by score than by rank.
    """
    n = len(run.queries)
    said = []
    unjudged = [
        (one.k, int(one.open.sum()), len(one.incomplete)) for one in run.at if one.open.any()
    ]
    if unjudged:
        told = ", ".join(
            f"{ranks} in {queries} queries at k = {k}" for k, ranks, queries in unjudged
        )
        said.append(
            f"Unjudged ranks: {told}. trec_eval counts them as not relevant without a word: its "
            "P@k is the lower bound. So do recall and average precision here."
        )
    if run.absent:
        said.append(
            f"Queries not in the run: {len(run.absent)} of {n}, counted 0 as under trec_eval -c."
        )
        present = n - len(run.absent)
        if present:
            without = ", ".join(
                f"P@{one.k} {decimal_text(Fraction(int(one.relevant.sum()), one.k * present))}"
                for one in run.at
            )
            said[-1] += f" Without -c it leaves them out: {without} over {present}."
    if run.with_relevant < n:
        said.append(
            f"Queries without a relevant document: {n - run.with_relevant}. They have no recall "
            "and no average precision and are left out of those means; trec_eval counts 0."
        )
    if by_rank and moved_lists:
        said.append(
            f"Order: by explicit rank. In {moved_lists} lists the scores say otherwise"
            + (f" ({tied_lists} lists have equal scores)" if tied_lists else "")
            + "; trec_eval reads no ranks and orders by score, then id, both descending. "
            "--order trec scores that order."
        )
    if run.copies:
        said.append(
            f"Documents that stand twice in a list: {run.copies} later copies, not relevant at "
            "their ranks. trec_eval refuses such a file."
        )
    return said


def _running(flags: NDArray[np.bool_]) -> Ints:
    """How many flags are set before each place: one longer than ``flags``."""
    found = np.zeros(len(flags) + 1, dtype=np.int64)
    np.cumsum(flags, out=found[1:])
    return found


def _precision_sums(run: GradedRun, hit: NDArray[np.bool_], hits: Ints) -> NDArray[np.float64]:
    """Per query, the sum over relevant ranks r of (relevant at ranks 1 to r) ÷ r."""
    places = np.flatnonzero(hit)
    query = np.searchsorted(run.edges, places, side="right") - 1
    start = run.edges[query]
    precisions = (hits[places + 1] - hits[start]) / (places - start + 1)
    return np.bincount(query, weights=precisions, minlength=len(run.queries)).astype(np.float64)


def _mean(values: NDArray[np.float64]) -> float | None:
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def _known(queries: Mapping[str, object]) -> str:
    shown = ", ".join(list(queries)[:5])
    return f"judged queries are {shown}{', …' if len(queries) > 5 else ''}"
