"""What P@k would be under other rules: other labels, another policy for duplicates.

None of it is the declared measure. Queries come before families and families before the set
(R69); all columns of a table are over the same queries, and what is incomplete enters as bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from judge.records.judgement import Label
from judge.records.measured import Figure, Over, VariantRow, VariantTable
from judge.records.protocol import Choices
from judge.reports.labellings import labellings
from judge.reports.material import Material
from judge.reports.means import mean
from judge.reports.numbers import counted_bounds
from judge.reports.standing import RankedList, Standing, collapsed, standings, within

SAME_QUERIES = (
    "Every column is over the same queries; an incomplete one enters as its bounds, whatever the "
    "protocol declares for gaps."
)
LABELLINGS = (
    "Sensitivity to the labels: P@k under each assessor's own labels, strict, lenient and final. "
    "An uncertain label counts 0 under strict, 1 under lenient, and as declared elsewhere. "
)
DUPLICATES = (
    "Sensitivity to duplicates: the policy that was not declared, and the list with later copies "
    "taken out and ranks closed up. Queries whose lists hold no later copy are the same in every "
    "column and are not listed. "
)
BOUNDS = (
    "Sensitivity to what nobody decided: every open rank taken as not relevant, and as relevant. "
    "Neither is P@k where they differ. Queries without an open rank are the same in both columns "
    "and are not listed. "
)
NOT_DECLARED = "sensitivity: {} (not the declared measure)"

Lists = Mapping[tuple[str, str], RankedList]


def labelling_table(material: Material, lists: Lists) -> VariantTable:
    """P@k under every set of labels."""
    choices = with_bounds(material)
    named = labellings(material.items, material.frozen.protocol.people.assessors)
    columns = [
        lambda k, labels=labels: standings(material, k, labels, lists, choices)
        for labels in named.values()
    ]
    return VariantTable(
        note=LABELLINGS + SAME_QUERIES,
        names=tuple(named),
        rows=tuple(_rows(material, columns, lambda one: True)),
    )


def bounds_table(
    material: Material, lists: Lists, labels: Mapping[str, Mapping[str, Label]]
) -> VariantTable:
    """The lower and the upper bound of P@k, each in a column (R61)."""
    choices = with_bounds(material)
    rows = _rows(
        material,
        [lambda k: standings(material, k, labels, lists, choices)],
        lambda one: one.kind == "incomplete",
    )
    return VariantTable(
        note=BOUNDS + SAME_QUERIES,
        names=("every open rank not relevant", "every open rank relevant"),
        rows=tuple(
            msgspec.structs.replace(row, figures=_ends(figure))
            for row in rows
            for figure in row.figures
        ),
    )


def _ends(figure: Figure) -> tuple[Figure, Figure]:
    lower, upper = figure.lower, figure.upper
    if lower is None or upper is None:
        return figure, figure
    return (
        Figure(cell=lower.decimal, lower=lower, upper=lower),
        Figure(cell=upper.decimal, lower=upper, upper=upper),
    )


def duplicates_table(
    material: Material, lists: Lists, labels: Mapping[str, Mapping[str, Label]]
) -> VariantTable:
    """P@k under the other policy for duplicates, and with duplicates collapsed (R68)."""
    choices = with_bounds(material)
    policy = choices.duplicates
    other = "every_copy_counts" if policy == "first_counts" else "first_counts"
    otherwise = msgspec.structs.replace(choices, duplicates=other)
    shorter = {pair: collapsed(found) for pair, found in lists.items()}
    with_copies = {
        pair for pair, found in lists.items() if len(shorter[pair].ranked) < len(found.ranked)
    }
    return VariantTable(
        note=DUPLICATES + SAME_QUERIES,
        names=(
            f"declared: {policy}",
            NOT_DECLARED.format(other),
            NOT_DECLARED.format("duplicates collapsed"),
        ),
        rows=tuple(
            _rows(
                material,
                [
                    lambda k: standings(material, k, labels, lists, choices),
                    lambda k: standings(material, k, labels, lists, otherwise),
                    lambda k: standings(material, k, labels, shorter, choices),
                ],
                lambda one: (one.query.id, one.system) in with_copies,
            )
        ),
    )


def with_bounds(material: Material) -> Choices:
    """The protocol's choices, but with incomplete queries as bounds."""
    return msgspec.structs.replace(material.frozen.protocol.choices, gaps="bounds")


def _rows(
    material: Material,
    columns: Sequence[Callable[[int], Sequence[Standing]]],
    listed: Callable[[Standing], bool],
) -> Iterator[VariantRow]:
    protocol = material.frozen.protocol
    for k in protocol.depth.cutoffs:
        placed = [[one for one in column(k) if one.in_mean] for column in columns]
        for ways in zip(*placed, strict=True):
            if listed(ways[0]):
                yield _row("query", ways[0].query.id, ways[0].system, k, [[one] for one in ways])
        for family in protocol.families:
            for system in protocol.systems:
                members = [within(way, system.code, family.code) for way in placed]
                if members[0]:
                    yield _row("family", family.code, system.code, k, members)
        for system in protocol.systems:
            members = [within(way, system.code) for way in placed]
            yield _row("queries", "", system.code, k, members)


def _row(
    over: Over, name: str, system: str, k: int, ways: Sequence[Sequence[Standing]]
) -> VariantRow:
    return VariantRow(
        over=over,
        name=name,
        system=system,
        cutoff=k,
        queries=len(ways[0]),
        figures=tuple(_figure(way, k) for way in ways),
    )


def _figure(members: Sequence[Standing], k: int) -> Figure:
    value = mean({one.query.id: one.precision for one in members if one.precision}, k)
    if not value.queries:
        return Figure(cell="– (no query enters this mean)")
    return counted_bounds(value.relevant, value.relevant + value.undecided, value.denominator)
