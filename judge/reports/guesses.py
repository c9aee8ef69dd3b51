"""How well assessors could name the system: Bang's blinding index, and the share right.

Bang, Ni & Davis 2004 (Controlled Clinical Trials 25, 143-156): with c right, w wrong and n asked,
don't know included, the index of an arm is (2 × c/(c + w) - 1) × (c + w)/n, which is (c - w)/n. It
runs from -1 (all wrong) over 0 (as chance would have it) to 1 (all right). Its variance is that of
a difference of two shares of one multinomial sample, ((c + w)/n - ((c - w)/n)²)/n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

from judge.records.judgement import DONT_KNOW
from judge.records.measured import Figure, GuessRow, Interval
from judge.reports.intervals import normal, wilson
from judge.reports.numbers import counted, share

TWO = 2
NO_SPREAD = "no interval: every answer was of one kind, which would claim certainty"


def bang(right: int, wrong: int, asked: int) -> tuple[Fraction, Interval]:
    """Bang's index of one arm with its interval. ``asked`` is at least 1."""
    index = Fraction(right - wrong, asked)
    variance = (Fraction(right + wrong, asked) - index**2) / asked
    if not variance:
        return index, Interval(cell=NO_SPREAD)
    return index, normal(float(index), sqrt(variance), (-1, 1), f"Bang, {asked} items")


def guess_rows(
    guesses: Mapping[str, Sequence[tuple[str, str]]], systems: Sequence[str]
) -> tuple[GuessRow, ...]:
    """A row for each assessor asked and each system that found items of theirs."""
    rows = []
    for code, pairs in guesses.items():
        for system in systems:
            named = [guess for found, guess in pairs if found == system]
            if named:
                rows.append(_row(code, system, named, len(systems)))
    return tuple(rows)


def _row(code: str, system: str, named: Sequence[str], systems: int) -> GuessRow:
    asked, right = len(named), named.count(system)
    unknown = named.count(DONT_KNOW)
    wrong = asked - right - unknown
    if right + wrong:
        right_share = counted(right, right + wrong)
        interval = wilson(right, right + wrong, "answers that named a system")
    else:
        right_share = Figure(cell="– (no system was named)")
        interval = Interval(cell="no interval: no system was named")
    index = Figure(cell=f"– (for two systems; here are {systems})")
    index_interval = Interval(cell="no interval: Bang's index is not defined here")
    if systems == TWO:
        _, index_interval = bang(right, wrong, asked)
        index = counted(right - wrong, asked)
    return GuessRow(
        assessor=code,
        system=system,
        items=asked,
        right=right,
        wrong=wrong,
        dont_know=unknown,
        share=right_share,
        share_interval=interval,
        chance=share(1, systems),
        bang=index,
        bang_interval=index_interval,
    )
