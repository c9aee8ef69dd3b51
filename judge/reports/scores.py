"""The precision section: per query, then per family, then means (R69), with the account (R66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from judge.records.judgement import Label
from judge.records.measured import (
    AccountRow,
    Figure,
    LeftOut,
    MeanRow,
    PrecisionSection,
    QueryRow,
)
from judge.reports.material import Material
from judge.reports.means import Mean, mean, mean_of_means
from judge.reports.numbers import ROUNDING, decimal_text, reduced, share
from judge.reports.precision import Precision
from judge.reports.standing import Standing, account, final_labels, handling, standings

DEFINITION = (
    "P@k = relevant hits at ranks 1 to k ÷ k. The denominator is k for every list; unfilled ranks "
    "count as non-relevant. A rank whose record has no final judgement leaves the value open: the "
    "cell then holds a dash and bounds, which are not P@k."
)
NO_MEAN = "– (no query enters this mean)"


def precision_section(material: Material, absent: str, declared: Sequence[int]) -> PrecisionSection:
    """Every figure of precision; with ``absent`` (why there are none) only the declarations.

    ``declared`` are the cutoffs as they were frozen, before any amendment.

    Raises `Refused` where the counts of a system and cutoff do not add up to the frozen set.
    """
    protocol = material.frozen.protocol
    cutoffs = protocol.depth.cutoffs
    reason = absent
    if not reason and "precision_at_k" not in protocol.measures:
        reason = "'precision_at_k' is not a declared measure of this protocol."
    queries: list[QueryRow] = []
    families: list[MeanRow] = []
    means: list[MeanRow] = []
    accounts: list[AccountRow] = []
    if not reason:
        labels = final_labels(material)
        for k in cutoffs:
            _add_cutoff(material, k, labels, queries, families, means, accounts)
    return PrecisionSection(
        absent_reason=reason,
        cutoffs=cutoffs,
        post_hoc=_post_hoc(material, declared),
        definition=DEFINITION,
        handling=handling(protocol.choices),
        rounding=ROUNDING,
        per_query=tuple(queries),
        per_family=tuple(families),
        means=tuple(means),
        accounting=tuple(accounts),
    )


def _post_hoc(material: Material, declared: Sequence[int]) -> tuple[int, ...]:
    """Cutoffs that were not declared before the first run (R59)."""
    late = any(
        one.target.startswith("protocol.depth") and one.seen != "nothing_run"
        for one in material.amendments
    )
    now = material.frozen.protocol.depth.cutoffs
    return tuple(k for k in now if k not in declared) if late else ()


def _add_cutoff(
    material: Material,
    k: int,
    labels: Mapping[str, Mapping[str, Label]],
    queries: list[QueryRow],
    families: list[MeanRow],
    means: list[MeanRow],
    accounts: list[AccountRow],
) -> None:
    placed = standings(material, k, labels)
    frozen = [query.id for query in material.evaluation]
    queries += [
        _query_row(one) for one in placed if one.kind in ("scored", "incomplete", "excluded")
    ]
    by_family: dict[tuple[str, str], MeanRow] = {}
    over_families: list[MeanRow] = []
    protocol = material.frozen.protocol
    for system in protocol.systems:
        mine = [one for one in placed if one.system == system.code]
        counts = account(frozen, mine)
        accounts.append(
            AccountRow(
                system=system.code,
                cutoff=k,
                frozen=len(frozen),
                scored=counts["scored"],
                incomplete=counts["incomplete"],
                excluded=counts["excluded"],
                controls=counts["control"],
                guards=counts["guard"],
                invalid=counts["invalid"],
            )
        )
        per_family: dict[str, Mean] = {}
        for family in protocol.families:
            members = [one for one in mine if one.query.family == family.code]
            if not any(one.query.expected == "ordinary" for one in members):
                continue
            value = _mean(members, k)
            per_family[family.code] = value
            by_family[family.code, system.code] = _mean_row(
                members, value, system.code, k, family.code
            )
        means.append(_mean_row(mine, _mean(mine, k), system.code, k, ""))
        over_families.append(_families_row(per_family, material, system.code, k))
    # Systems stand side by side within a family, in the order of the protocol.
    families += [
        by_family[family.code, system.code]
        for family in protocol.families
        for system in protocol.systems
        if (family.code, system.code) in by_family
    ]
    means += over_families


def _mean(placed: Sequence[Standing], k: int) -> Mean:
    return mean({one.query.id: one.precision for one in placed if one.in_mean and one.precision}, k)


def _query_row(one: Standing) -> QueryRow:
    value = one.precision
    kind = one.kind
    if kind not in ("scored", "incomplete", "excluded"):
        raise ValueError(f"{one.query.id} is a {kind} query; it has no P@k (R21)")
    return QueryRow(
        query_id=one.query.id,
        family=one.query.family,
        system=one.system,
        cutoff=one.k,
        standing=kind,
        figure=Figure(cell=f"– ({one.reason})") if value is None else query_figure(value),
        returned=None if value is None else value.returned,
        filled=None if value is None else value.filled,
        judged=None if value is None else value.judged,
        unjudged=None if value is None else value.unjudged,
        cannot_judge=None if value is None else value.cannot_judge,
        uncertain=None if value is None else value.uncertain,
        duplicates=None if value is None else value.duplicates,
        left_out=one.reason,
    )


def query_figure(value: Precision) -> Figure:
    """P@k of one query as R62 writes it, or its bounds as R61 does."""
    lower = share(value.relevant, value.k)
    upper = share(value.relevant + value.undecided, value.k)
    short = f"; returned {value.filled} of {value.k}" if value.filled < value.k else ""
    if value.complete:
        cell = f"{lower.decimal} ({value.relevant} relevant{short})"
    else:
        unsure = f", {value.uncertain} uncertain" if value.uncertain else ""
        cell = (
            f"– ({value.judged} of {value.filled} judged{unsure}; "
            f"between {lower.decimal} and {upper.decimal}{short})"
        )
    return Figure(cell=cell, lower=lower, upper=upper)


def bounds_cell(lower: Fraction, upper: Fraction) -> str:
    """A mean as one number, or as bounds marked as such."""
    if lower == upper:
        return decimal_text(lower)
    return f"– (between {decimal_text(lower)} and {decimal_text(upper)})"


def _mean_row(placed: Sequence[Standing], value: Mean, system: str, k: int, family: str) -> MeanRow:
    figure = Figure(cell=NO_MEAN)
    if value.lower is not None and value.upper is not None:
        figure = Figure(
            cell=bounds_cell(value.lower, value.upper),
            lower=share(value.relevant, value.denominator),
            upper=share(value.relevant + value.undecided, value.denominator),
        )
    return MeanRow(
        over="queries",
        family=family,
        system=system,
        cutoff=k,
        figure=figure,
        members=value.queries,
        left_out=tuple(
            LeftOut(id=one.query.id, reason=one.reason) for one in placed if not one.in_mean
        ),
    )


def _families_row(
    per_family: Mapping[str, Mean], material: Material, system: str, k: int
) -> MeanRow:
    bounds = mean_of_means(list(per_family.values()))
    figure = Figure(cell=NO_MEAN)
    if bounds is not None:
        figure = Figure(
            cell=bounds_cell(*bounds), lower=reduced(bounds[0]), upper=reduced(bounds[1])
        )
    members = tuple(code for code, value in per_family.items() if value.queries)
    return MeanRow(
        over="families",
        family="",
        system=system,
        cutoff=k,
        figure=figure,
        members=members,
        left_out=tuple(
            LeftOut(
                id=family.code,
                reason="no query of it enters a mean"
                if family.code in per_family
                else "holds no ordinary query",
            )
            for family in material.frozen.protocol.families
            if family.code not in members
        ),
    )
