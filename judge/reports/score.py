"""P@k of run files against judgements, without a study: the core of ``judge score``.

The mean is over the queries of the judgements, each with equal weight, whatever a run holds: a
query that a run does not hold is named, and counts 0/k (a file cannot tell an empty answer from a
failed request). An unjudged rank gives bounds; trec_eval counts it as non-relevant, so its figure
is the lower bound here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.errors import Invalid, Problem
from judge.records.judgement import Label
from judge.reports.means import Mean, mean
from judge.reports.precision import Duplicates, Precision, UncertainAs, precision


@dataclass(frozen=True)
class RunScore:
    """One run at one cutoff."""

    system: str
    k: int
    queries: Mapping[str, Precision]
    """P@k by query id, over every query of the judgements, absent ones included as empty lists."""
    mean: Mean
    absent: tuple[str, ...]
    """Queries that are judged and that the run does not hold."""

    @property
    def lower(self) -> Fraction:
        return Fraction(self.mean.relevant, self.mean.denominator)

    @property
    def upper(self) -> Fraction:
        return Fraction(self.mean.relevant + self.mean.undecided, self.mean.denominator)

    @property
    def judged(self) -> int:
        """Filled ranks with a judgement, over all queries."""
        return sum(value.judged for value in self.queries.values())

    @property
    def filled(self) -> int:
        """Filled ranks over all queries: the denominator of judged@k."""
        return sum(value.filled for value in self.queries.values())

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Queries that have bounds instead of a P@k."""
        return tuple(query for query, value in self.queries.items() if not value.complete)


def score(
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    labels: Mapping[tuple[str, str], Label],
    cutoffs: Sequence[int],
    *,
    duplicates: Duplicates = "first_counts",
    uncertain: UncertainAs = "bounds",
) -> tuple[RunScore, ...]:
    """Scores of every run (by system, then query: document ids in rank order), per cutoff.

    ``labels`` is by (query id, document id); what is not there is unjudged. The order of runs,
    queries and cutoffs is kept. Raises `Invalid` where there is no judgement at all, or where a
    run holds a query that no judgement knows (a mistyped id would lower n unseen).
    """
    if not labels:
        raise Invalid("the judgements hold no label; a mean over nothing does not exist")
    per_query: dict[str, dict[str, Label]] = {}
    for (query, document), label in labels.items():
        per_query.setdefault(query, {})[document] = label
    problems = [
        Problem(f"run {system}", f"query {query!r} has no judgement", _known(per_query))
        for system, lists in runs.items()
        for query in lists
        if query not in per_query
    ]
    if problems:
        raise Invalid("runs hold queries that the judgements do not", problems)
    scores: list[RunScore] = []
    for system, lists in runs.items():
        for k in cutoffs:
            values = {
                query: precision(
                    list(enumerate(lists.get(query, ()), 1)),
                    judged,
                    k,
                    duplicates=duplicates,
                    uncertain=uncertain,
                )
                for query, judged in per_query.items()
            }
            absent = tuple(query for query in per_query if query not in lists)
            scores.append(RunScore(system, k, values, mean(values, k), absent))
    return tuple(scores)


def _known(per_query: Mapping[str, object]) -> str:
    shown = ", ".join(list(per_query)[:5])
    return f"judged queries are {shown}{', …' if len(per_query) > 5 else ''}"
