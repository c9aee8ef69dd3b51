"""Agreement of two assessors, on labels given before either saw the other's (R53).

Alpha comes from the krippendorff library, always called one way; whether it is defined is decided
before the call, because "everyone said the same" ends as nan, an exception or 1.0 depending on
how it is spelt. Kappa (Cohen 1960), raw agreement and agreement on relevant (Dice 1945) are exact
fractions of counts. A coefficient that is not defined has a sentence instead of a number. No
value is ever called good or poor: cut-points say nothing about a task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from judge.records.judgement import FrozenPair

NOT_YET = "not_yet_judged"
ROWS: tuple[str, ...] = ("relevant", "not_relevant", "uncertain", "cannot_judge", NOT_YET)
"""Labels in the order of the table of counts; the first three are judgements."""
_JUDGEMENTS = ROWS[:3]

NO_PAIR = "No document has been labelled by two assessors yet."
NO_RELEVANT = "Neither assessor called any document relevant."
ONE_LABEL = "{} is not defined: every document labelled by both got the same label."


@dataclass(frozen=True)
class Agreement:
    """Counts and coefficients of two assessors over one pool."""

    table: Mapping[tuple[str, str], int]
    """Items by (label of the first assessor, label of the second), over `ROWS` x `ROWS`."""
    pooled: int
    both_judged: int
    raw: Fraction | str
    """Equal judgements / items that both judged; a sentence where undefined, as below."""
    on_relevant: Fraction | str
    """2a / (2a + b + c), relevant against the rest, on items that both judged."""
    alpha: float | str
    """Krippendorff's alpha, nominal, three judgements; everything else is missing."""
    kappa: Fraction | str
    """Cohen's kappa, (po - pe) / (1 - pe), three judgements."""

    def given(self, assessor: int, label: str) -> int:
        """Items that assessor 0 or 1 gave ``label``."""
        return sum(count for pair, count in self.table.items() if pair[assessor] == label)


def agreement(pairs: Iterable[FrozenPair], first: str, second: str) -> Agreement:
    """Agreement of assessors ``first`` and ``second`` (codes) over frozen pairs of labels."""
    seen = Counter(
        (pair.labels.get(first, NOT_YET), pair.labels.get(second, NOT_YET)) for pair in pairs
    )
    return of_table({(a, b): seen[a, b] for a in ROWS for b in ROWS})


def of_table(table: Mapping[tuple[str, str], int]) -> Agreement:
    """Agreement from a table of counts; a cell that is not there is 0."""
    both = {(a, b): table.get((a, b), 0) for a in _JUDGEMENTS for b in _JUDGEMENTS}
    n = sum(both.values())
    return Agreement(
        table={(a, b): table.get((a, b), 0) for a in ROWS for b in ROWS},
        pooled=sum(table.values()),
        both_judged=n,
        raw=Fraction(_diagonal(both), n) if n else NO_PAIR,
        on_relevant=_on_relevant(both, n),
        alpha=_alpha(both, n),
        kappa=_kappa(both, n),
    )


def _diagonal(both: Mapping[tuple[str, str], int]) -> int:
    return sum(both[label, label] for label in _JUDGEMENTS)


def _on_relevant(both: Mapping[tuple[str, str], int], n: int) -> Fraction | str:
    if not n:
        return NO_PAIR
    first = sum(both["relevant", other] for other in _JUDGEMENTS)
    second = sum(both[other, "relevant"] for other in _JUDGEMENTS)
    if first + second == 0:
        return NO_RELEVANT
    return Fraction(2 * both["relevant", "relevant"], first + second)


def _kappa(both: Mapping[tuple[str, str], int], n: int) -> Fraction | str:
    if not n:
        return NO_PAIR
    chance = sum(
        sum(both[label, other] for other in _JUDGEMENTS)
        * sum(both[other, label] for other in _JUDGEMENTS)
        for label in _JUDGEMENTS
    )
    if chance == n * n:
        return ONE_LABEL.format("Kappa")
    observed = Fraction(_diagonal(both), n)
    expected = Fraction(chance, n * n)
    return (observed - expected) / (1 - expected)


def _alpha(both: Mapping[tuple[str, str], int], n: int) -> float | str:
    if not n:
        return NO_PAIR
    used = {label for pair, count in both.items() if count for label in pair}
    if len(used) == 1:
        return ONE_LABEL.format("Alpha")
    import krippendorff
    import numpy as np

    # Units by labels, one row per item; int64, since counts in int8 overflow silently.
    rows = [
        [(a == label) + (b == label) for label in _JUDGEMENTS]
        for (a, b), count in both.items()
        for _ in range(count)
    ]
    return float(
        krippendorff.alpha(
            value_counts=np.array(rows, dtype=np.int64),
            value_domain=list(range(len(_JUDGEMENTS))),
            level_of_measurement="nominal",
        )
    )
