"""Failure review in the report: by category and system, from the records and from coders.

Nothing here is a label or a score, and no score reads any of it (R77). What the records say by
themselves is counted apart from what people named, and takes no part in their agreement: both
would be credited with what neither had to see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import get_args

import numpy as np

from judge.judgements.collect import not_handed_in
from judge.judgements.failure_review import Place, Records, automatic
from judge.records.failure import AutomaticCode, AutomaticFact, CodedItem
from judge.records.judgement import FAILURE_CATEGORIES
from judge.records.measured import Figure
from judge.records.reviewed import (
    CategoryAgreement,
    CategoryRow,
    CodedLine,
    CoderAgreement,
    FailureReview,
    NamedBy,
    ReviewedRow,
)
from judge.reports.agreement.alpha import pooled_alpha
from judge.reports.agreement.kappa import kappa
from judge.reports.agreement.measure import Measure
from judge.reports.agreement.specific import on_relevant
from judge.reports.agreement.table import ROWS, Cells
from judge.reports.material import Material
from judge.reports.numbers import counted, exact
from judge.reports.standing import scored_runs

UNDECLARED = "'failure_categories' is not a declared measure of this protocol."
NOBODY = "Nobody has coded failures; the records speak alone."
ONE_ANSWER = "not defined: both said the same of every item"
NEVER = "neither named it"
NO_ITEM = "no item was coded by both"
NAMED, NOT_NAMED = ROWS.index("relevant"), ROWS.index("not_relevant")
"""A category is named or not: two values, in the places of two labels of the table."""


def failure_review(material: Material) -> FailureReview:
    """The whole part. It is empty where the protocol does not declare the measure (R03)."""
    protocol = material.frozen.protocol
    if "failure_categories" not in protocol.measures:
        return FailureReview(
            note=UNDECLARED, rule="", categories=(), reviewed=(), agreement=(), lines=()
        )
    records = _records(material)
    coders = tuple(dict.fromkeys(item.by for item in material.coded))
    return FailureReview(
        note=_note(material, coders),
        rule=(
            "Down to rank "
            f"{records.depth}, the deepest declared cutoff. The records speak of every request "
            "and every such hit of an ordinary query. Coders were given the requests without a "
            "list, with an empty list, with a notice, with operators or quotes in their text, or "
            "without one relevant hit; no-match controls that were answered; and the hits that "
            "are finally not relevant, or that the records say something about, with all copies "
            "of a work."
        ),
        categories=_categories(automatic(records), records, material.coded, coders),
        reviewed=_reviewed(records, material.coded, coders),
        agreement=tuple(
            coder_agreement(material.coded, first, second)
            for first, second in combinations(coders, 2)
        ),
        lines=_lines(records, material.coded, coders),
    )


def _records(material: Material) -> Records:
    runs = {(system, query): run for (query, system), run in scored_runs(material).items()}
    return Records(
        material.frozen.protocol,
        material.evaluation,
        runs,
        material.documents,
        material.items,
        material.merged,
    )


def _note(material: Material, coders: tuple[str, ...]) -> str:
    if material.coders_out:
        return (
            f"Failure review is under way: {not_handed_in(material.coders_out)}, so "
            "what was coded stays closed."
        )
    if not coders:
        return NOBODY
    scripted = {item.by for item in material.coded if item.origin == "scripted"}
    by = [f"{code} (scripted, by nobody)" if code in scripted else code for code in coders]
    return (
        f"Coded by {' and '.join(by)}, after relevance was locked, with request and system in "
        "view: failure review is not blind. It changes no label and no score."
    )


def _categories(
    known: Mapping[Place, tuple[AutomaticFact, ...]],
    records: Records,
    coded: Sequence[CodedItem],
    coders: tuple[str, ...],
) -> tuple[CategoryRow, ...]:
    systems = {run.run_id: system.code for _, system, run in records.pairs()}
    rows = []
    for category in _all_codes():
        for system in records.protocol.systems:
            at = {
                code: {
                    (item.run_id, item.rank)
                    for item in coded
                    if item.by == code
                    and item.system == system.code
                    and category in item.categories
                }
                for code in coders
            }
            said = [
                place
                for place, facts in known.items()
                if systems[place[0]] == system.code and category in {fact.code for fact in facts}
            ]
            rows.append(
                CategoryRow(
                    category=category,
                    system=system.code,
                    automatic=len(said),
                    named=tuple(NamedBy(coder=code, items=len(at[code])) for code in coders),
                    by_all=len(set.intersection(*at.values())) if len(coders) > 1 else None,
                )
            )
    return tuple(rows)


def _all_codes() -> tuple[str, ...]:
    """The fixed list (R74), and what only records can say."""
    alone = [code for part in get_args(AutomaticCode) for code in get_args(part)]
    return tuple(dict.fromkeys((*FAILURE_CATEGORIES, *alone)))


def _reviewed(
    records: Records, coded: Sequence[CodedItem], coders: tuple[str, ...]
) -> tuple[ReviewedRow, ...]:
    rows = []
    for system in records.protocol.systems:
        runs = [(query, run) for query, one, run in records.pairs() if one.code == system.code]
        hits = sum(
            hit.rank <= records.depth
            for query, run in runs
            if query.expected == "ordinary"
            for hit in run.raw_results or ()
        )
        for code in coders:
            own = [item for item in coded if item.by == code and item.system == system.code]
            requests = sum(item.rank is None for item in own)
            rows.append(
                ReviewedRow(
                    system=system.code,
                    coder=code,
                    requests=len(runs),
                    requests_coded=requests,
                    hits=hits,
                    hits_coded=len(own) - requests,
                    nothing=sum(not item.categories for item in own),
                )
            )
    return tuple(rows)


def coder_agreement(coded: Sequence[CodedItem], first: str, second: str) -> CoderAgreement:
    """Two coders over the requests and hits that both coded, category by category."""
    said = {
        code: {(item.run_id, item.rank): set(item.categories) for item in coded if item.by == code}
        for code in (first, second)
    }
    shared = [place for place in said[first] if place in said[second]]
    pairs = [(said[first][place], said[second][place]) for place in shared]
    same = sum(one == other for one, other in pairs)
    return CoderAgreement(
        first=first,
        second=second,
        items=len(pairs),
        same=counted(same, len(pairs)) if pairs else Figure(cell=NO_ITEM),
        categories=tuple(
            _category_agreement(
                category, [(category in one, category in other) for one, other in pairs]
            )
            for category in FAILURE_CATEGORIES
        ),
    )


def _category_agreement(category: str, named: Sequence[tuple[bool, bool]]) -> CategoryAgreement:
    cells: Cells = np.zeros((1, len(ROWS), len(ROWS)), dtype=np.int64)
    for one, other in named:
        cells[0, NAMED if one else NOT_NAMED, NAMED if other else NOT_NAMED] += 1
    both, first, second, neither = (
        int(cells[0, row, column])
        for row, column in (
            (NAMED, NAMED),
            (NAMED, NOT_NAMED),
            (NOT_NAMED, NAMED),
            (NOT_NAMED, NOT_NAMED),
        )
    )
    return CategoryAgreement(
        category=category,
        both=both,
        first_alone=first,
        second_alone=second,
        neither=neither,
        raw=counted(both + neither, len(named)) if named else Figure(cell=NO_ITEM),
        on_named=_figure(on_relevant(), cells, NEVER),
        alpha=_figure(pooled_alpha(), cells, ONE_ANSWER),
        kappa=_figure(kappa(), cells, ONE_ANSWER),
    )


def _figure(measure: Measure, cells: Cells, undefined: str) -> Figure:
    if not cells.any():
        return Figure(cell=NO_ITEM)
    value = dataclasses.replace(measure, undefined=undefined).value(cells)
    if isinstance(value, Fraction) and measure.counts:
        numerator, denominator = measure.parts(cells)
        return counted(int(numerator), int(denominator))
    return exact(value) if isinstance(value, Fraction) else Figure(cell=value)


def _lines(
    records: Records, coded: Sequence[CodedItem], coders: tuple[str, ...]
) -> tuple[CodedLine, ...]:
    """In the order of the query set, systems and ranks: the order of packets says nothing here."""
    place = {run.run_id: number for number, (_, _, run) in enumerate(records.pairs())}
    said = [item for item in coded if item.categories or item.note.strip()]
    # A run that is not of the scored round any more (it was made again) comes last.
    said.sort(
        key=lambda item: (
            place.get(item.run_id, len(place)),
            item.run_id,
            item.rank or 0,
            coders.index(item.by),
        )
    )
    return tuple(map(_line, said))


def _line(item: CodedItem) -> CodedLine:
    return CodedLine(
        run_id=item.run_id,
        query_id=item.query_id,
        system=item.system,
        rank=item.rank,
        record_id=item.record_id,
        automatic=tuple(item.automatic),
        named=tuple(item.categories),
        text=item.note,
        by=item.by,
    )
