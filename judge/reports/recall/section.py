"""The recall section of a report: figures on the study's own runs, and what stands beside them.

Never mixed with P@k (R60). Raw ranked lists are scored by the rules of `judge recall`; a hit's own
identifiers come first, then those of its neutral record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from judge.records.measured import Figure, Share
from judge.records.query import Query
from judge.records.recall import (
    Candidate,
    CeilingRow,
    Credit,
    GoldDifference,
    PublishedTable,
    RecallRow,
    RecallSection,
    TierRow,
)
from judge.records.run import Document, RunRecord
from judge.reports.material import Material
from judge.reports.numbers import reduced, share
from judge.reports.recall.matching import GoldIndex, found_at, match, points_at, tell_gold
from judge.reports.recall.published import LIMITS, published_tables
from judge.reports.recall.traps import Traps
from judge.reports.standing import scored_runs
from judge.runs.identity import hit_key

DEFINITION = (
    "recall@k = gold papers found at ranks 1 to k ÷ gold papers of the query. The gold is what "
    "question writers found sufficient, not every relevant paper: this says nothing of precision, "
    "and no count of all relevant documents is claimed. A hit is matched by PMID, then DOI, then "
    "exact normalised title; the first of them that points at a gold paper decides, and a gold "
    "paper is credited once. A request that gave no list has no recall and leaves the mean; an "
    "empty list is 0."
)
# A BioASQ question id, bare or as the pooled questions file writes it.
_BIOASQ_ID = re.compile(r"(?:golden_enriched:)?[0-9a-f]{24}")

Found = Mapping[tuple[str, str], Mapping[int, Credit]]
"""Credits by query id and system, for every run that gave a list."""


def recall_section(material: Material, absent: str) -> RecallSection:
    """recall@k at the declared cutoffs; with ``absent`` (why there is none) only the definition."""
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
    traps = Traps()
    indexes = {query.id: GoldIndex(query.gold) for query in queries}
    found: dict[tuple[str, str], Mapping[int, Credit]] = {}
    for query in queries:
        traps.at = query.id
        tell_gold(indexes[query.id], traps)
        for system in protocol.systems:
            run = runs.get((query.id, system.code))
            if run is not None and run.gave_list():
                traps.at = f"{query.id}, {system.code}"
                hits = _candidates(run, material)
                found[query.id, system.code] = match(indexes[query.id], hits, traps)
    codes = [system.code for system in protocol.systems]
    pairs = [(k, code) for k in protocol.depth.cutoffs for code in codes]
    relevant, not_relevant = _differences(material, indexes)
    published, note = published_beside(queries)
    return RecallSection(
        absent_reason="",
        definition=DEFINITION,
        per_query=tuple(
            _row(query, code, k, found, runs) for k, code in pairs for query in queries
        ),
        means=tuple(_mean_row(code, k, found, queries) for k, code in pairs),
        pooled=tuple(_pooled_row(code, k, found, queries) for k, code in pairs),
        tiers=tuple(_tiers(code, found) for code in codes),
        ceilings=tuple(
            ceiling(k, [len(query.gold) for query in queries]) for k in protocol.depth.cutoffs
        ),
        warnings=traps.warnings(),
        relevant_not_gold=relevant,
        gold_not_relevant=not_relevant,
        published=published,
        published_note=note,
        limits=LIMITS,
    )


def ceiling(k: int, gold: Sequence[int]) -> CeilingRow:
    """The most that any list reaches at ``k`` on queries with these numbers of gold papers (at
    least 1 each): mean of min(gold, k) ÷ k, were only gold papers relevant, and of min(gold, k) ÷
    gold."""
    precision = sum((Fraction(min(n, k), k) for n in gold), Fraction(0)) / len(gold)
    recall = sum((Fraction(min(n, k), n) for n in gold), Fraction(0)) / len(gold)
    return CeilingRow(
        cutoff=k,
        queries=len(gold),
        precision=_figure(reduced(precision)),
        recall=_figure(reduced(recall)),
    )


def _candidates(run: RunRecord, material: Material) -> list[Candidate]:
    found: list[Candidate] = []
    for hit in sorted(run.raw_results or (), key=lambda hit: hit.rank):
        document = material.documents.get(hit_key(hit, run.service))
        found.append(
            Candidate(
                rank=hit.rank,
                pmid=hit.pmid or (document.pmid if document else None),
                doi=hit.doi or (document.doi if document else None),
                title=hit.title or (document.title if document else None),
            )
        )
    return found


def _row(
    query: Query,
    system: str,
    k: int,
    found: Found,
    runs: Mapping[tuple[str, str], RunRecord],
) -> RecallRow:
    gold = len(query.gold)
    credits = found.get((query.id, system))
    if credits is None:
        run = runs.get((query.id, system))
        why = "not run" if run is None else f"no list ({run.outcome})"
        figure = Figure(cell=f"– ({why})")
    else:
        figure = _figure(share(found_at(credits, k), gold))
    return RecallRow(
        query_id=query.id, system=system, cutoff=k, gold=gold, figure=figure, queries=1, asked=1
    )


def _mean_row(system: str, k: int, found: Found, queries: Sequence[Query]) -> RecallRow:
    values = [
        Fraction(found_at(found[query.id, system], k), len(query.gold))
        for query in queries
        if (query.id, system) in found
    ]
    mean = reduced(sum(values, Fraction(0)) / len(values)) if values else None
    return _over(system, k, mean, len(values), queries, found)


def _pooled_row(system: str, k: int, found: Found, queries: Sequence[Query]) -> RecallRow:
    mine = [query for query in queries if (query.id, system) in found]
    hits = sum(found_at(found[query.id, system], k) for query in mine)
    pooled = share(hits, sum(len(query.gold) for query in mine)) if mine else None
    return _over(system, k, pooled, len(mine), queries, found)


def _over(
    system: str,
    k: int,
    value: Share | None,
    count: int,
    queries: Sequence[Query],
    found: Found,
) -> RecallRow:
    none = Figure(cell="– (no query enters this mean)")
    return RecallRow(
        query_id="",
        system=system,
        cutoff=k,
        gold=sum(len(query.gold) for query in queries if (query.id, system) in found),
        figure=none if value is None else _figure(value),
        queries=count,
        asked=len(queries),
    )


def _figure(value: Share) -> Figure:
    return Figure(cell=value.decimal, lower=value, upper=value)


def _tiers(system: str, found: Found) -> TierRow:
    counts = Counter(
        credit.tier
        for (_, code), credits in found.items()
        if code == system
        for credit in credits.values()
    )
    return TierRow(system=system, pmid=counts["pmid"], doi=counts["doi"], title=counts["title"])


def _differences(
    material: Material, indexes: Mapping[str, GoldIndex]
) -> tuple[tuple[GoldDifference, ...], tuple[GoldDifference, ...]]:
    """Records judged relevant that are no gold paper, and gold papers judged not relevant."""
    relevant: list[GoldDifference] = []
    not_relevant: list[GoldDifference] = []
    for item in material.items:
        index = indexes.get(item.query_id)
        if index is None or item.final not in ("relevant", "not_relevant"):
            continue
        document = material.documents.get(item.record_id)
        in_gold = bool(points_at(index, _identified(item.record_id, document)))
        if in_gold is (item.final == "relevant"):
            continue
        line = GoldDifference(
            query_id=item.query_id,
            record_id=item.record_id,
            title=(document.title if document else None) or "",
        )
        (not_relevant if in_gold else relevant).append(line)
    return tuple(relevant), tuple(not_relevant)


def _identified(record_id: str, document: Document | None) -> Candidate:
    kind, _, value = record_id.partition(":")
    own = {kind: value} if kind in ("pmid", "doi") else {}
    return Candidate(
        rank=1,
        pmid=own.get("pmid") or (document.pmid if document else None),
        doi=own.get("doi") or (document.doi if document else None),
        title=document.title if document else None,
    )


def published_beside(queries: Sequence[Query]) -> tuple[tuple[PublishedTable, ...], str]:
    """The published tables that may stand beside these queries' figures, and what is said of them.

    They are of BioASQ questions: they stand there when every query with gold papers is one, by its
    id, and only then.
    """
    others = [query.id for query in queries if not _BIOASQ_ID.fullmatch(query.id)]
    if others:
        return (), (
            "The published figures on BioASQ are not printed here: their gold papers are those of "
            f"BioASQ questions, and {len(others)} of {len(queries)} queries with gold papers here "
            f"have no BioASQ question id ({others[0]} is the first). Figures on another gold set "
            "are not comparable with them."
        )
    return published_tables(), (
        "Published macro recall, each table under its own rules and date, to be read beside the "
        "figures above and never as one table with them: published over 5,486 questions, here over "
        f"{len(queries)}. A dash is a depth at which the service returned nothing, never a zero."
    )
