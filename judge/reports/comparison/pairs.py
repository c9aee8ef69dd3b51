"""One declared pair of systems at one cutoff: everything that stands in its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.records.measured import (
    ComparisonRow,
    DifferenceRow,
    Figure,
    Interval,
    LeftOut,
    Over,
    SignRow,
)
from judge.records.query import Query
from judge.reports.comparison.difference import difference_bounds, wins_ties_losses
from judge.reports.comparison.effect import NO_SPREAD, effect_size, spread
from judge.reports.comparison.power import FEWEST, detectable_effect
from judge.reports.comparison.randomisation import as_count, paired_randomisation
from judge.reports.numbers import counted, counted_bounds, decimal_text, float_text, p_text, share
from judge.reports.standing import Standing

NO_QUERY = Figure(cell="– (no query is decided for both)")

Placed = Mapping[tuple[str, str], Standing]
"""Standings at one cutoff by query id and system."""


@dataclass(frozen=True)
class Compared:
    """Differences of relevant hits, first less second, by query id, at one cutoff."""

    first: str
    second: str
    k: int
    bounds: Mapping[str, tuple[int, int]]
    """Least and greatest, over all queries where both gave a list."""
    left_out: tuple[LeftOut, ...]

    @property
    def decided(self) -> dict[str, int]:
        """The queries whose difference is one number, and that number."""
        return {query: low for query, (low, high) in self.bounds.items() if low == high}

    @property
    def differences(self) -> list[int]:
        return list(self.decided.values())


def compare(queries: Sequence[Query], first: str, second: str, k: int, placed: Placed) -> Compared:
    """Both systems on every ordinary query; who is left out, and why."""
    bounds: dict[str, tuple[int, int]] = {}
    left_out: list[LeftOut] = []
    for query in queries:
        if query.expected != "ordinary":
            continue
        both = [placed[query.id, first], placed[query.id, second]]
        values = [one.precision for one in both if one.in_mean and one.precision is not None]
        if len(values) < 2:
            why = "; ".join(f"{one.system}: {one.reason}" for one in both if one.reason)
            left_out.append(LeftOut(id=query.id, reason=why))
            continue
        low, high = bounds[query.id] = difference_bounds(*values)
        if low < high:
            told = " and ".join(decimal_text(Fraction(one, k)) for one in (low, high))
            left_out.append(LeftOut(id=query.id, reason=f"open, between {told}"))
    return Compared(first, second, k, bounds, tuple(left_out))


def p_value(found: Compared) -> float | None:
    """Exact paired randomisation; None where no query is decided."""
    return paired_randomisation(found.differences) if found.decided else None


def row(
    found: Compared,
    interval: Interval,
    p: float | None,
    adjusted: float | None,
    under: Mapping[str, Placed],
) -> ComparisonRow:
    """The row of a pair. ``under`` holds standings under each assessor's own labels."""
    n, k = len(found.decided), found.k
    wins, ties, losses = wins_ties_losses(found.differences)
    low = sum(one for one, _ in found.bounds.values())
    high = sum(one for _, one in found.bounds.values())
    return ComparisonRow(
        first=found.first,
        second=found.second,
        cutoff=k,
        queries=n,
        left_out=found.left_out,
        difference=counted(sum(found.differences), k * n) if n else NO_QUERY,
        interval=interval if n else Interval(cell="–"),
        wins=wins,
        ties=ties,
        losses=losses,
        effect=_effect(found) if n else NO_QUERY,
        p=NO_QUERY if p is None else _p_figure(p, n),
        adjusted=NO_QUERY if adjusted is None else Figure(cell=p_text(adjusted)),
        detectable=_detectable(found) if n else NO_QUERY,
        bounded_queries=len(found.bounds),
        bounds=counted_bounds(low, high, k * len(found.bounds))
        if found.bounds
        else Figure(cell="– (no query has a list from both)"),
        signs=tuple(_sign(found, name, placed) for name, placed in under.items()) if n else (),
    )


def difference_rows(
    found: Compared, families: Mapping[str, str]
) -> tuple[list[DifferenceRow], list[DifferenceRow]]:
    """The differences by query and by family; ``families`` maps query ids, in their order."""
    by_query = [_difference_row(found, "query", query, [query]) for query in found.bounds]
    by_family = [
        _difference_row(found, "family", family, members)
        for family in dict.fromkeys(families.values())
        if (members := [query for query in found.bounds if families[query] == family])
    ]
    return by_query, by_family


def _difference_row(
    found: Compared, over: Over, name: str, members: Sequence[str]
) -> DifferenceRow:
    low = sum(found.bounds[query][0] for query in members)
    high = sum(found.bounds[query][1] for query in members)
    return DifferenceRow(
        over=over,
        name=name,
        first=found.first,
        second=found.second,
        cutoff=found.k,
        queries=len(members),
        figure=counted_bounds(low, high, found.k * len(members)),
    )


def _p_figure(p: float, n: int) -> Figure:
    count = as_count(p, n)
    if count is None:
        return Figure(cell=p_text(p))
    number = share(int(count * 2**n), 2**n)
    return Figure(cell=p_text(p), lower=number, upper=number)


def _effect(found: Compared) -> Figure:
    value = effect_size(found.differences)
    return Figure(cell=f"– ({value})" if isinstance(value, str) else float_text(value))


def _detectable(found: Compared) -> Figure:
    n = len(found.decided)
    effect = detectable_effect(n)
    if effect is None:
        return Figure(cell=f"– ({n} {'query' if n == 1 else 'queries'}, fewer than {FEWEST})")
    deviation = spread(found.differences)
    if deviation == 0:
        return Figure(cell=f"– ({NO_SPREAD})")
    return Figure(cell=float_text(effect * deviation / found.k))


def _sign(found: Compared, name: str, placed: Placed) -> SignRow:
    low = high = 0
    for query in found.decided:
        values = [placed[query, system].precision for system in (found.first, found.second)]
        if values[0] is None or values[1] is None:
            raise ValueError(f"{query} has a list under the final labels alone")
        least, greatest = difference_bounds(values[0], values[1])
        low, high = low + least, high + greatest
    return SignRow(
        labels=name,
        figure=counted_bounds(low, high, found.k * len(found.decided)),
        sign=sign_words(sum(found.differences), low, high),
    )


def sign_words(final: int, low: int, high: int) -> str:
    """Whether a difference within ``low`` to ``high`` has the sign of ``final``."""
    if low < high and low <= 0 <= high:
        return "open: judgements are missing"
    sign = (low > 0) - (high < 0)
    wanted = (final > 0) - (final < 0)
    if sign == wanted:
        return "the same sign" if sign else "no difference, as under the final labels"
    return "the opposite sign" if sign and wanted else "a difference" if sign else "no difference"
