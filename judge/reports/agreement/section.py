"""The agreement section: two assessors at one freeze, in the order of the fixed list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from judge.errors import Integrity
from judge.records.judgement import (
    CANNOT_KINDS,
    JUDGEMENTS,
    AgreementFreeze,
    Deal,
    GivenLabel,
    JudgedItem,
)
from judge.records.measured import (
    AgreementRow,
    AgreementSection,
    DriftRow,
    Figure,
    Pair,
    RepeatsRow,
    TableRow,
)
from judge.reports.agreement.alpha import check_against_library
from judge.reports.agreement.figures import coefficients
from judge.reports.agreement.overlap import union
from judge.reports.agreement.repeats import self_consistency
from judge.reports.agreement.specific import NO_RELEVANT
from judge.reports.agreement.table import (
    JUDGED,
    NOT_YET,
    RELEVANT,
    ROWS,
    Cells,
    Counts,
    count,
    equal,
    total,
)
from judge.reports.agreement.trend import THIRDS, third, trend_p
from judge.reports.numbers import counted, exact, p_text
from judge.reports.resampling import Resamples

Labels = Mapping[tuple[str, str], Mapping[str, GivenLabel]]
"""Labels as given, by (need, record) and assessor: where reasons and kinds are found."""


def agreement_section(
    freeze: AgreementFreeze,
    codes: tuple[str, str],
    *,
    families: Mapping[str, str],
    items: Iterable[JudgedItem],
    deals: Iterable[Deal],
    resamples: Resamples,
) -> AgreementSection:
    """The section of the two assessors ``codes`` at ``freeze``.

    ``families`` maps each evaluation query to its family, in the order of the set (that of
    ``resamples`` too). ``items`` give the kinds of `cannot_judge`, ``deals`` the positions.

    Raises `Integrity` for labels of a query that is not in the set.
    """
    first, second = codes
    counts = count(freeze.pairs, first, second, families)
    strange = [query for query in counts.queries if query not in families]
    if strange:
        raise Integrity(
            f"freeze {freeze.number} holds labels of queries that are not frozen: "
            f"{', '.join(strange)}",
            hint="run `judge verify`",
        )
    labels = {(item.query_id, item.record_id): item.labels for item in items}
    drift, note = _drift(freeze, codes, deals)
    judged = counts.judged
    return AgreementSection(
        freeze=freeze.number,
        at_utc=freeze.at_utc,
        first=first,
        second=second,
        pooled=int(total(counts.cells).sum()),
        both_judged=int(total(judged).sum()),
        coverage=_coverage(freeze, codes, counts, labels),
        labels=ROWS,
        table=tuple(
            TableRow(label=label, counts=tuple(row))
            for label, row in zip(ROWS, counts.table.tolist(), strict=True)
        ),
        coefficients=coefficients(counts, resamples),
        checked=check_against_library(judged.sum(axis=0)),
        per_query=tuple(
            _row(query, cells)
            for query, cells in zip(counts.queries, counts.cells, strict=True)
            if cells.any()
        ),
        per_family=_per_family(counts, families),
        drift=drift,
        drift_note=note,
    )


def _coverage(
    freeze: AgreementFreeze, codes: tuple[str, str], counts: Counts, labels: Labels
) -> tuple[Pair, ...]:
    table = counts.table
    pooled, both = int(table.sum()), int(table[:JUDGED, :JUDGED].sum())
    rows = []
    for axis, code in enumerate(codes):
        given = table.sum(axis=1 - axis).tolist()
        cannot = f"{given[JUDGED]} cannot judge"
        if kinds := _kinds(freeze, code, labels):
            cannot += (
                f" ({', '.join(f'{kind} {kinds[kind]}' for kind in CANNOT_KINDS if kinds[kind])})"
            )
        rows.append(
            Pair(
                name=code,
                text=f"{sum(given[:JUDGED])} judged, {cannot}, "
                f"{given[ROWS.index(NOT_YET)]} not yet judged, of {pooled}",
            )
        )
    return (*rows, Pair(name="both", text=f"{both} judged by both, of {pooled}"))


def _kinds(freeze: AgreementFreeze, code: str, labels: Labels) -> Counter[str]:
    """Kinds of the frozen `cannot_judge` labels of one assessor, where the label still stands."""
    kinds: Counter[str] = Counter()
    for pair in freeze.pairs:
        if pair.labels.get(code) == "cannot_judge":
            given = labels.get((pair.query_id, pair.record_id), {}).get(code)
            if given is not None and given.label == "cannot_judge":
                kinds[given.cannot_kind or "other"] += 1
    return kinds


def _row(name: str, cells: Cells) -> AgreementRow:
    """Counts of one table (5, 5)."""
    judged = cells[:JUDGED, :JUDGED]
    both, either = (int(number) for number in union(judged))
    n = int(total(judged))
    return AgreementRow(
        name=name,
        both_judged=n,
        equal=int(equal(judged)),
        first_relevant=int(judged[RELEVANT].sum()),
        second_relevant=int(judged[:, RELEVANT].sum()),
        both_relevant=both,
        overlap=counted(both, either)
        if either
        else Figure(cell=f"– ({NO_RELEVANT if n else 'judged by both: none'})"),
    )


def _per_family(counts: Counts, families: Mapping[str, str]) -> tuple[AgreementRow, ...]:
    named = [families.get(query, "") for query in counts.queries]
    rows = []
    for family in dict.fromkeys(families.values()):
        mine = np.array([name == family for name in named])
        cells = counts.cells[mine].sum(axis=0)
        if cells.any():
            rows.append(_row(family, cells))
    return tuple(rows)


def _drift(
    freeze: AgreementFreeze, codes: tuple[str, str], deals: Iterable[Deal]
) -> tuple[tuple[DriftRow, ...], str]:
    """Items that both judged by third of each assessor's packet, and what an exact test says."""
    places: dict[str, dict[tuple[str, str], int]] = {}
    for deal in deals:
        if deal.kind == "label" and not deal.practice:
            own = places.setdefault(deal.assessor, {})
            firsts = [item for item in deal.items if item.repeat_of is None]
            for item in firsts:
                own[item.query_id, item.record_id] = third(item.position, len(firsts))
    rows: list[DriftRow] = []
    said: list[str] = []
    for code in codes:
        if not places.get(code):
            said.append(f"{code}: positions are not known.")
            continue
        own_rows = [_third_of(freeze, codes, code, places[code], n + 1) for n in range(THIRDS)]
        rows += own_rows
        sizes = [row.items for row in own_rows]
        disagree = _trend(sizes, [row.disagreements for row in own_rows])
        lenient = _trend(sizes, [row.relevant for row in own_rows])
        said.append(f"{code}: disagreement by third, {disagree}; relevant by third, {lenient}.")
    if rows:
        said.insert(0, "Order is random for each assessor; exact permutation tests of a trend.")
    return tuple(rows), " ".join(said)


def _third_of(
    freeze: AgreementFreeze,
    codes: tuple[str, str],
    code: str,
    places: Mapping[tuple[str, str], int],
    wanted: int,
) -> DriftRow:
    items = disagreements = relevant = 0
    for pair in freeze.pairs:
        first, second = (pair.labels.get(one, NOT_YET) for one in codes)
        here = places.get((pair.query_id, pair.record_id)) == wanted
        if here and first in JUDGEMENTS and second in JUDGEMENTS:
            items += 1
            disagreements += first != second
            relevant += pair.labels[code] == "relevant"
    return DriftRow(
        assessor=code,
        third=wanted,
        items=items,
        disagreements=disagreements,
        relevant=relevant,
    )


def _trend(sizes: Sequence[int], having: Sequence[int]) -> str:
    p = trend_p(sizes, having)
    return "nothing to compare" if p is None else f"p = {p_text(p)}"


def repeats_rows(
    repeats: Mapping[str, Sequence[tuple[str, str]]],
) -> tuple[RepeatsRow, ...]:
    """Self-consistency of each assessor who was shown items twice."""
    rows = []
    for code, pairs in repeats.items():
        if pairs:
            found = self_consistency(pairs)
            alpha = found.alpha
            rows.append(
                RepeatsRow(
                    assessor=code,
                    repeats=found.repeats,
                    same=counted(found.same, found.repeats),
                    interval=found.interval,
                    alpha=Figure(cell=alpha) if isinstance(alpha, str) else exact(alpha),
                )
            )
    return tuple(rows)
