"""Precision over returned results: relevant ÷ returned, at ranks 1 to k (R63).

A measure of its own. A service that returns one relevant hit and stops has 1.00 here and 1/k there,
so that the two are never averaged and never stand in one column. An empty list has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from judge.records.measured import Figure, Over, ReturnedSection, VariantRow
from judge.reports.material import Material
from judge.reports.numbers import bounds, counted_bounds
from judge.reports.precision import Precision
from judge.reports.standing import Standing, within

DEFINITION = (
    "Precision over returned results (a different measure) = relevant hits at ranks 1 to k ÷ hits "
    "returned at ranks 1 to k. Queries with nothing returned have none and leave its means, so "
    "that a system gains by returning less; it is never averaged with P@k."
)
NOTHING = Figure(cell="– (nothing returned)")
NO_QUERY = Figure(cell="– (no query enters this mean)")


def over_returned(value: Precision) -> tuple[Fraction, Fraction] | None:
    """Relevant ÷ returned at ranks 1 to k, as bounds; None where nothing was returned."""
    if not value.filled:
        return None
    return (
        Fraction(value.relevant, value.filled),
        Fraction(value.relevant + value.undecided, value.filled),
    )


def returned_section(
    material: Material, absent: str, placed: Sequence[Sequence[Standing]]
) -> ReturnedSection:
    """Per query, family and set; ``placed`` are the standings at each cutoff.

    With ``absent`` (why there is no score) or where it is not declared, only the reason.
    """
    reason = absent
    if not reason and "precision_over_returned" not in material.frozen.protocol.measures:
        reason = "'precision_over_returned' is not a declared measure of this protocol."
    return ReturnedSection(
        absent_reason=reason,
        definition=DEFINITION,
        rows=() if reason else tuple(row for at_k in placed for row in _rows(material, at_k)),
    )


def _rows(material: Material, placed: Sequence[Standing]) -> Iterator[VariantRow]:
    protocol = material.frozen.protocol
    inside = [one for one in placed if one.in_mean and one.precision is not None]
    for one in inside:
        yield _row("query", one.query.id, [one])
    for family in protocol.families:
        for system in protocol.systems:
            members = within(inside, system.code, family.code)
            if members:
                yield _row("family", family.code, members)
    for system in protocol.systems:
        members = within(inside, system.code)
        if members:
            yield _row("queries", "", members)


def _row(over: Over, name: str, members: Sequence[Standing]) -> VariantRow:
    values = [value for one in members if one.precision and (value := over_returned(one.precision))]
    figure = NO_QUERY
    if over == "query":
        precision = members[0].precision
        figure = NOTHING
        if precision is not None and precision.filled:
            low, high = precision.relevant, precision.relevant + precision.undecided
            figure = counted_bounds(low, high, precision.filled)
    elif values:
        figure = bounds(
            sum((low for low, _ in values), Fraction(0)) / len(values),
            sum((high for _, high in values), Fraction(0)) / len(values),
        )
    return VariantRow(
        over=over,
        name=name,
        system=members[0].system,
        cutoff=members[0].k,
        queries=len(values),
        figures=(figure,),
    )
