"""The precision section: per query, then per family, then means (R69), with the account (R66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.records.measured import (
    AccountRow,
    Figure,
    Interval,
    LeftOut,
    MeanRow,
    PrecisionSection,
    QueryRow,
)
from judge.reports.intervals import of_means
from judge.reports.labellings import final_labels
from judge.reports.limitations import DEPENDS
from judge.reports.material import Material
from judge.reports.means import Mean, mean, mean_of_means
from judge.reports.numbers import ROUNDING, bounds, counted_bounds, share
from judge.reports.precision import Precision
from judge.reports.resampling import Resamples
from judge.reports.standing import RankedList, Standing, account, handling, standings, within

DEFINITION = (
    "P@k = relevant hits at ranks 1 to k ÷ k. The denominator is k for every list; unfilled ranks "
    "count as non-relevant. A rank whose record has no final judgement leaves the value open: the "
    "cell then holds a dash and bounds, which are not P@k."
)
NO_MEAN = "– (no query enters this mean)"
NO_INTERVAL = Interval(cell="–")
BOUNDS = Interval(cell="no interval: the mean is a pair of bounds")


def precision_section(
    material: Material,
    absent: str,
    declared: Sequence[int],
    lists: Mapping[tuple[str, str], RankedList],
    resamples: Resamples,
) -> PrecisionSection:
    """Every figure of precision; with ``absent`` (why there are none) only the declarations.

    ``declared`` are the cutoffs as they were frozen, before any amendment.

    Raises `Refused` where the counts of a system and cutoff do not add up to the frozen set.
    """
    protocol = material.frozen.protocol
    cutoffs = protocol.depth.cutoffs
    reason = why_none(material, absent)
    labels = final_labels(material.items)
    placed = [
        standings(material, k, labels, lists, protocol.choices) for k in (() if reason else cutoffs)
    ]
    by_cutoff = tuple(_at_cutoff(material, at_k, resamples) for at_k in placed)
    return PrecisionSection(
        absent_reason=reason,
        cutoffs=cutoffs,
        post_hoc=_post_hoc(material, declared),
        definition=DEFINITION,
        limits=DEPENDS,
        handling=handling(protocol.choices),
        rounding=ROUNDING,
        per_query=tuple(row for one in by_cutoff for row in one.queries),
        per_family=tuple(row for one in by_cutoff for row in one.families),
        means=tuple(row for one in by_cutoff for row in one.means),
        accounting=tuple(row for one in by_cutoff for row in one.accounts),
    )


def why_none(material: Material, absent: str) -> str:
    """Why there is no P@k; empty where there is."""
    if not absent and "precision_at_k" not in material.frozen.protocol.measures:
        return "'precision_at_k' is not a declared measure of this protocol."
    return absent


@dataclass(frozen=True)
class _AtCutoff:
    """The rows of one cutoff."""

    queries: tuple[QueryRow, ...]
    families: tuple[MeanRow, ...]
    means: tuple[MeanRow, ...]
    accounts: tuple[AccountRow, ...]


@dataclass(frozen=True)
class _Group:
    """The standings that one mean is about: of a system, and of a family where it has a code."""

    system: str
    family: str
    placed: tuple[Standing, ...]
    mean: Mean
    judged: int
    filled: int


def _post_hoc(material: Material, declared: Sequence[int]) -> tuple[int, ...]:
    """Cutoffs that were not declared before the first run (R59)."""
    late = any(
        one.target.startswith("protocol.depth") and one.seen != "nothing_run"
        for one in material.amendments
    )
    now = material.frozen.protocol.depth.cutoffs
    return tuple(k for k in now if k not in declared) if late else ()


def _at_cutoff(material: Material, placed: Sequence[Standing], resamples: Resamples) -> _AtCutoff:
    protocol = material.frozen.protocol
    k = placed[0].k if placed else 0
    # Systems stand side by side within a family, in the order of the protocol.
    families = [
        _group(system.code, family.code, k, within(placed, system.code, family.code))
        for family in protocol.families
        if any(
            one.query.family == family.code and one.query.expected == "ordinary" for one in placed
        )
        for system in protocol.systems
    ]
    whole = [_group(one.code, "", k, within(placed, one.code)) for one in protocol.systems]
    intervals = _intervals([*families, *whole], k, resamples)
    return _AtCutoff(
        queries=tuple(
            _query_row(one) for one in placed if one.kind in ("scored", "incomplete", "excluded")
        ),
        families=tuple(map(_mean_row, families, intervals)),
        means=(
            *map(_mean_row, whole, intervals[len(families) :]),
            *(
                _families_row([one for one in families if one.system == of.system], of, material)
                for of in whole
            ),
        ),
        accounts=tuple(_account_row(material, one) for one in whole),
    )


def _group(system: str, family: str, k: int, placed: tuple[Standing, ...]) -> _Group:
    values = {one.query.id: one.precision for one in placed if one.in_mean and one.precision}
    return _Group(
        system=system,
        family=family,
        placed=placed,
        mean=mean(values, k),
        judged=sum(value.judged for value in values.values()),
        filled=sum(value.filled for value in values.values()),
    )


def _intervals(groups: Sequence[_Group], k: int, resamples: Resamples) -> list[Interval]:
    """Of every mean that is one number; a pair of bounds has none."""
    counts = [
        {
            one.query.id: one.precision.relevant
            for one in group.placed
            if one.in_mean and one.precision and not group.mean.undecided
        }
        for group in groups
    ]
    found = of_means(resamples, counts, k, (0, 1))
    return [
        BOUNDS if group.mean.undecided else NO_INTERVAL if not group.mean.queries else interval
        for group, interval in zip(groups, found, strict=True)
    ]


def _account_row(material: Material, group: _Group) -> AccountRow:
    frozen = [query.id for query in material.evaluation]
    counts = account(frozen, group.placed)
    return AccountRow(
        system=group.system,
        cutoff=group.mean.k,
        frozen=len(frozen),
        scored=counts["scored"],
        incomplete=counts["incomplete"],
        excluded=counts["excluded"],
        controls=counts["control"],
        guards=counts["guard"],
        invalid=counts["invalid"],
    )


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


def _mean_row(group: _Group, interval: Interval) -> MeanRow:
    value = group.mean
    return MeanRow(
        over="queries",
        family=group.family,
        system=group.system,
        cutoff=value.k,
        figure=counted_bounds(value.relevant, value.relevant + value.undecided, value.denominator)
        if value.queries
        else Figure(cell=NO_MEAN),
        interval=interval,
        judged=group.judged,
        filled=group.filled,
        members=value.queries,
        left_out=tuple(
            LeftOut(id=one.query.id, reason=one.reason) for one in group.placed if not one.in_mean
        ),
    )


def _families_row(families: Sequence[_Group], whole: _Group, material: Material) -> MeanRow:
    found = mean_of_means([one.mean for one in families])
    members = tuple(one.family for one in families if one.mean.queries)
    ordinary = {one.family for one in families}
    return MeanRow(
        over="families",
        family="",
        system=whole.system,
        cutoff=whole.mean.k,
        figure=Figure(cell=NO_MEAN) if found is None else bounds(*found),
        interval=NO_INTERVAL,
        judged=whole.judged,
        filled=whole.filled,
        members=members,
        left_out=tuple(
            LeftOut(
                id=family.code,
                reason="no query of it enters a mean"
                if family.code in ordinary
                else "holds no ordinary query",
            )
            for family in material.frozen.protocol.families
            if family.code not in members
        ),
    )
