"""The comparison section: every declared pair, then the order of all systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

from judge.records.measured import (
    ComparisonRow,
    ComparisonSection,
    DifferenceRow,
    Figure,
    OrderRow,
    VariantRow,
)
from judge.reports.comparison.holm import holm
from judge.reports.comparison.order import ONE_SYSTEM, swapped, tau_b
from judge.reports.comparison.pairs import Compared, Placed, compare, difference_rows, p_value, row
from judge.reports.intervals import of_means
from judge.reports.labellings import FINAL, Labels, final_labels, labels_of
from judge.reports.material import Material
from judge.reports.numbers import counted, decimal_text, float_text
from judge.reports.resampling import Resamples
from judge.reports.standing import RankedList, standings
from judge.reports.variants import with_bounds

METHOD = (
    "A comparison rests on the queries where both systems gave a list and the difference is "
    "decided: a document that is open in both lists is one document and cancels. Queries with an "
    "open difference enter the bounds alone.",
    "p: exact paired randomisation, two-sided, over all sign patterns of the differences. Holm: "
    "over the {family} declared {noun} at one cutoff; cutoffs are not corrected for.",
    "d_z: mean ÷ standard deviation of the differences. Smallest difference: what a two-sided "
    "paired t test at 0.05 finds with power 0.8 at this n and this spread.",
)
POST_HOC = "The comparisons were declared after runs had been made: post hoc."
NO_PAIR = "No comparison is declared in this protocol."
ORDER = (
    "On the queries where every system has a complete P@k under each of these sets of labels. "
    "The final labels hold both assessors' own: tau-b with them is no measure of agreement. With "
    "few systems tau-b has few pairs: read the pairs that change places."
)
NO_COMMON = "– (no query is complete at every system under all sets of labels)"


def comparison_section(
    material: Material,
    absent: str,
    lists: Mapping[tuple[str, str], RankedList],
    resamples: Resamples,
) -> ComparisonSection:
    """Every declared pair at every cutoff; with ``absent`` (why there is no score) the reason."""
    protocol = material.frozen.protocol
    reason = absent
    if not reason and "comparison" not in protocol.measures:
        reason = "'comparison' is not a declared measure of this protocol."
    elif not reason and len(protocol.systems) < 2:
        reason = f"One system is declared: nothing to compare. {ONE_SYSTEM}"
    if reason:
        return ComparisonSection(
            absent_reason=reason,
            method=(),
            per_query=(),
            per_family=(),
            rows=(),
            order_names=(),
            order_means=(),
            order=(),
            order_note="",
        )
    families = {query.id: query.family for query in material.evaluation}
    codes = protocol.people.assessors
    labels: dict[str, Labels] = {
        **{code: labels_of(material.items, code) for code in codes},
        FINAL: final_labels(material.items),
    }
    by_query: list[DifferenceRow] = []
    by_family: list[DifferenceRow] = []
    rows: list[ComparisonRow] = []
    means: list[VariantRow] = []
    order: list[OrderRow] = []
    for k in protocol.depth.cutoffs:
        under = {name: _placed(material, k, one, lists) for name, one in labels.items()}
        pairs = [
            compare(material.evaluation, first, second, k, under[FINAL])
            for first, second in protocol.comparisons
        ]
        for one in pairs:
            queries, in_families = difference_rows(one, families)
            by_query += queries
            by_family += in_families
        rows += _rows(pairs, k, resamples, {code: under[code] for code in codes})
        at_k, order_at_k = _order(material, k, under)
        means += at_k
        order += order_at_k
    return ComparisonSection(
        absent_reason="",
        method=_method(material),
        per_query=tuple(by_query),
        per_family=tuple(by_family),
        rows=tuple(rows),
        order_names=tuple(labels),
        order_means=tuple(means),
        order=tuple(order),
        order_note=ORDER,
    )


def _method(material: Material) -> tuple[str, ...]:
    family = len(material.frozen.protocol.comparisons)
    if not family:
        return (NO_PAIR,)
    noun = "comparison" if family == 1 else "comparisons"
    late = any(
        one.target.startswith("protocol.comparisons") and one.seen != "nothing_run"
        for one in material.amendments
    )
    said = tuple(sentence.format(family=family, noun=noun) for sentence in METHOD)
    return (*said, POST_HOC) if late else said


def _placed(
    material: Material, k: int, labels: Labels, lists: Mapping[tuple[str, str], RankedList]
) -> Placed:
    found = standings(material, k, labels, lists, with_bounds(material))
    return {(one.query.id, one.system): one for one in found}


def _rows(
    pairs: list[Compared], k: int, resamples: Resamples, under: Mapping[str, Placed]
) -> Iterator[ComparisonRow]:
    intervals = of_means(resamples, [one.decided for one in pairs], k, (-1, 1))
    p_values = [p_value(one) for one in pairs]
    yield from (
        row(one, interval, p, adjusted, under)
        for one, interval, p, adjusted in zip(
            pairs, intervals, p_values, holm(p_values), strict=True
        )
    )


def _order(
    material: Material, k: int, under: Mapping[str, Placed]
) -> tuple[list[VariantRow], list[OrderRow]]:
    """Means on the common complete queries, and the order under every two sets of labels."""
    systems = [system.code for system in material.frozen.protocol.systems]
    common = [
        query.id
        for query in material.evaluation
        if all(
            (one := placed[query.id, system]).in_mean
            and one.precision is not None
            and one.precision.complete
            for placed in under.values()
            for system in systems
        )
    ]
    n = len(common)
    hits = {
        name: {
            system: sum(
                value.relevant
                for query in common
                if (value := placed[query, system].precision) is not None
            )
            for system in systems
        }
        for name, placed in under.items()
    }
    means = [
        VariantRow(
            over="queries",
            name="",
            system=system,
            cutoff=k,
            queries=n,
            figures=tuple(
                counted(hits[name][system], k * n) if n else Figure(cell=NO_COMMON)
                for name in under
            ),
        )
        for system in systems
    ]
    order = [
        OrderRow(
            cutoff=k,
            first=first,
            second=second,
            queries=n,
            tau_b=_tau(hits, first, second) if n else Figure(cell=NO_COMMON),
            swapped=tuple(
                f"{a} and {b}: {_gap(hits[first], a, b, k * n)} under {first}, "
                f"{_gap(hits[second], a, b, k * n)} under {second}"
                for a, b in swapped(hits[first], hits[second])
            ),
        )
        for first, second in combinations(under, 2)
    ]
    return means, order


def _tau(hits: Mapping[str, Mapping[str, int]], first: str, second: str) -> Figure:
    value = tau_b(list(hits[first].values()), list(hits[second].values()), (first, second))
    return Figure(cell=value if isinstance(value, str) else float_text(value))


def _gap(hits: Mapping[str, int], a: str, b: str, denominator: int) -> str:
    return decimal_text(Fraction(hits[a] - hits[b], denominator))
