"""recall@k of a system on a query's gold papers. Never mixed with P@k (R60).

A hit is matched by the first tier at which it points at a gold paper: PMID, then DOI, then
normalised title. A gold paper is credited once; a hit whose gold paper is taken gets nothing and
does not fall through to a weaker tier. The gold is what question writers found sufficient, so
this is a share of the gold, never of all relevant papers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.records.measured import (
    Figure,
    RecallRow,
    RecallSection,
)
from judge.records.query import GoldPaper, Query
from judge.records.run import RunRecord
from judge.reports.material import Material
from judge.reports.numbers import reduced, share
from judge.reports.standing import scored_runs
from judge.runs.identity import doi_key, hit_key, pmid_key

DEFINITION = (
    "recall@k = gold papers found at ranks 1 to k ÷ gold papers of the query. The gold is what "
    "question writers found sufficient, not every relevant paper: this says nothing of precision, "
    "and no count of all relevant documents is claimed."
)


@dataclass(frozen=True)
class Found:
    """What identifies a hit: the service's own identifiers, or those of the neutral record."""

    rank: int
    pmid: str | None
    doi: str | None
    title: str | None


def title_key(title: str | None) -> str | None:
    """A title for exact comparison: NFKC, lower case, punctuation dropped, blanks collapsed."""
    if not title:
        return None
    kept = (
        char
        for char in unicodedata.normalize("NFKC", title).lower()
        if not unicodedata.category(char).startswith("P")
    )
    return " ".join("".join(kept).split()) or None


def credited(hits: Sequence[Found], gold: Sequence[GoldPaper]) -> dict[int, int]:
    """The rank at which each gold paper (by its index in ``gold``) is first found."""
    tiers = (
        _index([pmid_key(paper.pmid) for paper in gold]),
        _index([doi_key(paper.doi) for paper in gold]),
        _index([title_key(paper.title) for paper in gold]),
    )
    ranks: dict[int, int] = {}
    for hit in sorted(hits, key=lambda hit: hit.rank):
        keys = (pmid_key(hit.pmid), doi_key(hit.doi), title_key(hit.title))
        for tier, key in zip(tiers, keys, strict=True):
            if key in tier:
                free = [index for index in tier[key] if index not in ranks]
                if free:
                    ranks[free[0]] = hit.rank
                break
    return ranks


def found_at(ranks: dict[int, int], k: int) -> int:
    """How many gold papers were found at ranks 1 to ``k``: recall@k is this over their number."""
    return sum(rank <= k for rank in ranks.values())


def _index(keys: list[str | None]) -> dict[str | None, list[int]]:
    index: dict[str | None, list[int]] = {}
    for position, key in enumerate(keys):
        if key is not None:
            index.setdefault(key, []).append(position)
    return index


def recall_section(material: Material, absent: str) -> RecallSection:
    """recall@k at the declared cutoffs; with ``absent`` (why there is none) only the definition.

    A request that gave no list has no recall and leaves the mean; a valid empty list is 0.
    """
    protocol = material.frozen.protocol
    queries = [query for query in material.evaluation if query.gold]
    reason = absent
    if not reason and "bioasq_recall" not in protocol.measures:
        reason = "Recall is not a declared measure of this protocol."
    elif not reason and not queries:
        reason = "Recall needs a gold set; no query of this study has one."
    if reason:
        return RecallSection(absent_reason=reason, definition=DEFINITION, per_query=(), means=())
    runs = scored_runs(material)
    rows: list[RecallRow] = []
    means: list[RecallRow] = []
    for k in protocol.depth.cutoffs:
        for system in protocol.systems:
            values: list[Fraction] = []
            for query in queries:
                run = runs.get((query.id, system.code))
                ranks = None
                if run is not None and run.gave_list():
                    ranks = credited(_found(run, material), query.gold)
                    values.append(Fraction(found_at(ranks, k), len(query.gold)))
                rows.append(_row(query, system.code, k, ranks, run))
            means.append(_mean_row(system.code, k, values, len(queries)))
    return RecallSection(
        absent_reason="", definition=DEFINITION, per_query=tuple(rows), means=tuple(means)
    )


def _found(run: RunRecord, material: Material) -> list[Found]:
    found: list[Found] = []
    for hit in run.raw_results or ():
        document = material.documents.get(hit_key(hit, run.service))
        found.append(
            Found(
                rank=hit.rank,
                pmid=hit.pmid or (document.pmid if document else None),
                doi=hit.doi or (document.doi if document else None),
                title=hit.title or (document.title if document else None),
            )
        )
    return found


def _row(
    query: Query, system: str, k: int, ranks: dict[int, int] | None, run: RunRecord | None
) -> RecallRow:
    gold = len(query.gold)
    if ranks is None:
        why = "not run" if run is None else f"no list ({run.outcome})"
        figure = Figure(cell=f"– ({why})")
    else:
        number = share(found_at(ranks, k), gold)
        figure = Figure(cell=number.decimal, lower=number, upper=number)
    return RecallRow(
        query_id=query.id, system=system, cutoff=k, gold=gold, figure=figure, queries=1, asked=1
    )


def _mean_row(system: str, k: int, values: Sequence[Fraction], asked: int) -> RecallRow:
    figure = Figure(cell="– (no query enters this mean)")
    if values:
        number = reduced(sum(values, Fraction(0)) / len(values))
        figure = Figure(cell=number.decimal, lower=number, upper=number)
    return RecallRow(
        query_id="",
        system=system,
        cutoff=k,
        gold=0,
        figure=figure,
        queries=len(values),
        asked=asked,
    )
