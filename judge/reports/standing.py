"""Where every frozen query stands at every system: scored, or left out with a reason (R66).

The parts of a set must add up to the set: for each system and cutoff, frozen queries = scored +
incomplete + excluded + controls + documented guards + invalid by design.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from judge.errors import Integrity, Refused
from judge.records.judgement import Label
from judge.records.protocol import Choices
from judge.records.query import Expected, Query
from judge.records.run import RunRecord
from judge.reports.material import Material
from judge.reports.precision import Precision, precision
from judge.runs.capture import current_runs
from judge.runs.identity import hit_key, same_work

Kind = Literal["scored", "incomplete", "excluded", "control", "guard", "invalid"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_OUTSIDE: dict[Expected, Kind] = {
    "no_match_control": "control",
    "documented_guard": "guard",
    "invalid_by_design": "invalid",
}


@dataclass(frozen=True)
class Standing:
    """One frozen query at one system and cutoff."""

    query: Query
    system: str
    k: int
    kind: Kind
    precision: Precision | None
    """None for what has no P@k: no list, and everything that is not an ordinary query."""
    in_mean: bool
    reason: str
    """Why it is not in the mean; empty where it is."""


@dataclass(frozen=True)
class RankedList:
    """The raw list of a scored run, mapped to record keys."""

    ranked: tuple[tuple[int, str], ...]
    works: Mapping[str, str]
    """The work each key belongs to under the protocol's duplicate policy."""


def scored_runs(material: Material) -> dict[tuple[str, str], RunRecord]:
    """The run that counts, by (query id, system): of the declared round, evaluation queries only.

    Which of several attempts counts is `judge.runs.capture.current_runs`, the rule the pool was
    made by; the others are listed (R12, R14). A pair without an execution is not there (R16).
    """
    current = current_runs(material.runs, material.frozen.protocol.scored_round)
    evaluation = {query.id for query in material.evaluation}
    return {(query, system): run for (system, query), run in current.items() if query in evaluation}


def ranked_list(run: RunRecord, material: Material) -> RankedList:
    """The (rank, record key) pairs of a run that gave a list, as they were pooled.

    Raises `Integrity` where the list itself is not there: that is never an empty answer (R64).
    """
    if run.raw_results is None:
        raise Integrity(f"run {run.run_id} says {run.outcome!r} but holds no list of results")
    record = material.merged.get(run.query_id, {})
    keys = ((hit.rank, hit_key(hit, run.service)) for hit in run.raw_results)
    ranked = tuple((rank, record.get(key, key)) for rank, key in keys)
    in_order = [key for _, key in sorted(ranked)]
    policy = material.frozen.protocol.choices.same_record
    return RankedList(ranked, same_work(in_order, material.documents, policy))


def ranked_lists(material: Material) -> dict[tuple[str, str], RankedList]:
    """The list of every scored run that gave one, by (query id, system)."""
    return {
        pair: ranked_list(run, material)
        for pair, run in scored_runs(material).items()
        if run.gave_list()
    }


def collapsed(found: RankedList) -> RankedList:
    """The list without its later copies, ranks closed up: for a marked sensitivity alone (R68)."""
    kept: dict[str, str] = {}
    for _, key in sorted(found.ranked):
        kept.setdefault(found.works[key], key)
    return RankedList(tuple(enumerate(kept.values(), 1)), found.works)


def standings(
    material: Material,
    k: int,
    labels: Mapping[str, Mapping[str, Label]],
    lists: Mapping[tuple[str, str], RankedList],
    choices: Choices,
) -> tuple[Standing, ...]:
    """Every frozen query at every system at cutoff ``k``, in the order of query set and protocol.

    ``labels`` holds labels by query id and record key, ``lists`` those of `ranked_lists`;
    ``choices`` are the protocol's, or others for a sensitivity.
    """
    runs = scored_runs(material)
    protocol = material.frozen.protocol
    placed: list[Standing] = []
    for query in material.evaluation:
        for system in protocol.systems:
            if query.expected != "ordinary":
                kind = _OUTSIDE[query.expected]
                reason = f"{_named(kind)}: has no P@k"
                placed.append(Standing(query, system.code, k, kind, None, False, reason))
                continue
            run = runs.get((query.id, system.code))
            found = lists.get((query.id, system.code))
            if run is None or found is None:
                reason = _not_run(material, query, system.code) if run is None else _no_list(run)
                placed.append(Standing(query, system.code, k, "excluded", None, False, reason))
                continue
            value = precision(
                found.ranked,
                labels.get(query.id, {}),
                k,
                duplicates=choices.duplicates,
                uncertain=choices.uncertain,
                works=found.works,
            )
            kind = "scored" if value.complete else "incomplete"
            placed.append(Standing(query, system.code, k, kind, value, True, ""))
    return _apply_choices(placed, choices)


def within(placed: Iterable[Standing], system: str, family: str = "") -> tuple[Standing, ...]:
    """The standings of one system, and of one family where it is named."""
    return tuple(
        one for one in placed if one.system == system and (not family or one.query.family == family)
    )


def _apply_choices(placed: list[Standing], choices: Choices) -> tuple[Standing, ...]:
    """Takes out of the means what the team's choices leave out, and says why.

    ``failed_request`` says how far an omission reaches: with ``all_systems`` a query that one
    system leaves is left by all, so that every mean is over the same queries.
    """
    everywhere = choices.failed_request == "all_systems"
    failed: dict[str, str] = {}
    gaps: dict[str, str] = {}
    for one in placed:
        if one.kind == "excluded":
            failed.setdefault(one.query.id, f"{one.reason} at {one.system}")
        elif one.kind == "incomplete":
            gaps.setdefault(one.query.id, f"incomplete at {one.system}")
    result: list[Standing] = []
    for one in placed:
        kind, reason = one.kind, one.reason
        if kind in ("scored", "incomplete"):
            if everywhere and one.query.id in failed:
                kind, reason = "excluded", f"{failed[one.query.id]}; left out for all systems"
            elif choices.gaps == "exclude_query" and kind == "incomplete":
                reason = "incomplete: not every scored rank is decided"
            elif choices.gaps == "exclude_query" and everywhere and one.query.id in gaps:
                kind, reason = "excluded", f"{gaps[one.query.id]}; left out for all systems"
        result.append(
            Standing(one.query, one.system, one.k, kind, one.precision, not reason, reason)
        )
    return tuple(result)


def handling(choices: Choices) -> str:
    """How gaps and failed requests were handled in a mean, in one sentence (R70)."""
    reach = "for all systems" if choices.failed_request == "all_systems" else "for that system only"
    gaps = (
        "an incomplete query enters as its bounds, which makes the mean a pair of bounds"
        if choices.gaps == "bounds"
        else f"an incomplete query is left out {reach}"
    )
    uncertain = {
        "bounds": "an uncertain label leaves its rank open",
        "relevant": "an uncertain label counts as relevant",
        "not_relevant": "an uncertain label counts as not relevant",
    }[choices.uncertain]
    return (
        f"Queries weigh equally; a query whose request gave no list is left out {reach}; "
        f"{gaps}; {uncertain}."
    )


def account(frozen: Sequence[str], placed: Iterable[Standing]) -> dict[Kind, int]:
    """How many frozen queries are of each kind, for the standings of one system and cutoff.

    Raises `Refused` where a frozen query has no standing or two, or where a standing is of a
    query that is not frozen (R66).
    """
    standing = list(placed)
    per_query = Counter(one.query.id for one in standing)
    missing = [query for query in frozen if per_query[query] == 0]
    twice = [query for query, count in per_query.items() if count > 1]
    foreign = [query for query in per_query if query not in set(frozen)]
    kinds = Counter(one.kind for one in standing)
    counts: dict[Kind, int] = {kind: kinds[kind] for kind in KINDS}
    if missing or twice or foreign or sum(counts.values()) != len(frozen):
        parts = " + ".join(f"{count} {kind}" for kind, count in counts.items())
        told = [
            f"{', '.join(ids)} {what}"
            for ids, what in (
                (missing, "unaccounted"),
                (twice, "counted twice"),
                (foreign, "not frozen"),
            )
            if ids
        ]
        raise Refused(
            f"The counts do not add up: {len(frozen)} frozen = {parts}; {'; '.join(told)}.",
            hint="run `judge verify`; the report is not written until every query is accounted for",
        )
    return counts


def _named(kind: Kind) -> str:
    return {
        "control": "no-match control",
        "guard": "documented guard",
        "invalid": "invalid by design",
    }.get(kind, kind)


def _not_run(material: Material, query: Query, system: str) -> str:
    why = material.excused.get((query.id, system))
    return f"not run: {why}" if why else "not run"


def _no_list(run: RunRecord) -> str:
    return f"no list ({run.outcome or 'no outcome recorded'})"
