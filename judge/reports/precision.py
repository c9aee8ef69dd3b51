"""P@k: the number of relevant hits at ranks 1 to k, divided by k (R58).

The denominator is always k. An unfilled rank counts as non-relevant (R62); a filled rank without
a judgement makes the value a pair of bounds, and then there is no P@k (R61). Worst-case bounds
after Manski: the lower takes every open rank as non-relevant, the upper every one as relevant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from judge.errors import Invalid
from judge.records.judgement import JUDGEMENTS, Label

Duplicates = Literal["first_counts", "every_copy_counts"]
"""`Choices.duplicates`: which copies of a work can be a relevant hit."""
UncertainAs = Literal["bounds", "relevant", "not_relevant"]
"""`Choices.uncertain`: what an `uncertain` label counts as."""


@dataclass(frozen=True)
class Precision:
    """P@k of one ranked list, as counts of ranks. All counts concern ranks 1 to k alone."""

    k: int
    returned: int
    """Hits in the whole list, whatever k is."""
    filled: int
    """Ranks 1 to k that hold a hit."""
    relevant: int
    judged: int
    """Filled ranks whose record has one of the three judgements; the denominator is `filled`."""
    unjudged: int
    """Ranks left open because nobody has judged their record yet."""
    cannot_judge: int
    """Ranks left open because the final label is `cannot_judge`."""
    uncertain: int
    """Ranks whose label is `uncertain`, whichever way they count."""
    duplicates: int
    """Ranks that hold another copy of a work that stands higher in the list."""
    open: tuple[str, ...]
    """Record keys at the ranks that make the difference between the two bounds, one per rank."""

    @property
    def undecided(self) -> int:
        """Ranks that make the difference between the two bounds."""
        return len(self.open)

    @property
    def lower(self) -> Fraction:
        return Fraction(self.relevant, self.k)

    @property
    def upper(self) -> Fraction:
        return Fraction(self.relevant + self.undecided, self.k)

    @property
    def complete(self) -> bool:
        return self.undecided == 0

    @property
    def value(self) -> Fraction | None:
        """P@k, or None while a rank is open."""
        return self.lower if self.complete else None


def precision(
    ranked: Sequence[tuple[int, str]],
    labels: Mapping[str, Label],
    k: int,
    *,
    duplicates: Duplicates,
    uncertain: UncertainAs,
    works: Mapping[str, str] | None = None,
) -> Precision:
    """P@k of ``ranked``, the (rank, record key) pairs of a raw list in any order.

    ``labels`` holds final labels by record key; a key that is not there is not yet judged.
    ``works`` gives the work a key belongs to (`judge.runs.identity.same_work`); a key that is not
    there is its own. Under ``first_counts`` the first hit of a work alone can be relevant, and a
    later copy is non-relevant whatever its label; under ``every_copy_counts`` each hit counts by
    its own label. A duplicate keeps its rank under both (R35, R68).

    Raises `Invalid` for a rank below 1 or a rank that stands twice, ``ValueError`` for k below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}; a cutoff is at least 1")
    in_order = sorted(ranked)
    _check_ranks([rank for rank, _ in in_order])
    top = [key for rank, key in in_order if rank <= k]
    relevant = judged = unjudged = cannot_judge = unsure = copies = 0
    left_open: list[str] = []
    seen: set[str] = set()
    for key in top:
        label = labels.get(key)
        judged += label in JUDGEMENTS
        unsure += label == "uncertain"
        work = key if works is None else works.get(key, key)
        copy = work in seen
        seen.add(work)
        copies += copy
        if copy and duplicates == "first_counts":
            continue
        if label == "uncertain" and uncertain != "bounds":
            label = uncertain
        relevant += label == "relevant"
        unjudged += label is None
        cannot_judge += label == "cannot_judge"
        if label in (None, "cannot_judge", "uncertain"):
            left_open.append(key)
    return Precision(
        k=k,
        returned=len(in_order),
        filled=len(top),
        relevant=relevant,
        judged=judged,
        unjudged=unjudged,
        cannot_judge=cannot_judge,
        uncertain=unsure,
        duplicates=copies,
        open=tuple(left_open),
    )


def _check_ranks(ranks: list[int]) -> None:
    if ranks and ranks[0] < 1:
        raise Invalid(f"rank {ranks[0]} in a ranked list; ranks start at 1")
    for above, below in pairwise(ranks):
        if above == below:
            raise Invalid(f"rank {above} stands twice in one ranked list")
