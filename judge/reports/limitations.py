"""Limitations: what no such test tells, and what the data of this study itself holds back.

A sentence of the second kind stands only where it is true, and always with its count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from judge.records.closing import Limitations
from judge.records.judgement import JUDGEMENTS
from judge.records.report import Claims, Kind, Status
from judge.reports.blinding import one_sided
from judge.reports.failures import executed_runs
from judge.reports.intervals import FEW, MANY
from judge.reports.material import Material
from judge.reports.setting import last_retrieval_day, long_date
from judge.reports.standing import scored_runs
from judge.reports.status import any_label

DEPENDS = (
    "Every figure depends on this query set, these systems and these dates.",
    "P@k does not tell: literature that was missed, how complete an index is, clinical "
    "suitability, or whether a generated answer is correct.",
)
"""What stands next to P@k and again at the end (R72)."""
_ONE_SCALE = (
    "Raw scores of services are kept as they were sent and compared nowhere: they are not on one "
    "scale."
)


def limitations(material: Material, status: Status, kind: Kind, claims: Claims) -> Limitations:
    """The fixed sentences, then those that the data of this study make true."""
    here = [*_of_queries(material), *_of_claims(claims)]
    if status != "planned":
        here += _of_requests(material, kind)
    if any_label(material):
        here += _of_labels(material)
    if status != "planned" and not material.closed:
        here += _of_blinding(material)
    return Limitations(always=tuple(_always(material, status)), here=tuple(here))


def _always(material: Material, status: Status) -> Iterator[str]:
    """The fixed box (R72) and what a reader must not take from this report (R08, R43, R48)."""
    yield from DEPENDS
    yield "Relevance only. Support for a claim and fitness for use were not judged."
    if status not in ("planned", "captured"):
        level = material.frozen.protocol.rubric.evidence_level
        yield "Judged on abstracts." if level == "abstract" else "Judged on full text."
    yield (
        "An executed search test speaks for retrieval under this set-up and does not validate a "
        "research workflow."
    )
    if status != "planned":
        day = last_retrieval_day(material)
        outputs = "These outputs" if day == "unavailable" else f"Outputs of {long_date(day)}"
        yield (
            f"{outputs} are kept for audit of this run only; the service may answer differently "
            "today. A later run is a new run, never a correction of this one."
        )
    yield _ONE_SCALE


def _of_queries(material: Material) -> Iterator[str]:
    protocol = material.frozen.protocol
    ordinary = [query.family for query in material.evaluation if query.expected == "ordinary"]
    if len(ordinary) < FEW:
        yield (
            f"Ordinary queries in the set: {len(ordinary)}, fewer than {FEW}. No interval is given "
            "for a mean over them."
        )
    elif len(ordinary) < MANY:
        yield (
            f"Ordinary queries in the set: {len(ordinary)}, fewer than {MANY}. Intervals and p "
            "values rest on few queries; one of them moves a mean a long way."
        )
    families = {one.code: ordinary.count(one.code) for one in protocol.families}
    small = [f"{code} ({count})" for code, count in families.items() if 0 < count < FEW]
    if small:
        yield (
            f"Families with fewer than {FEW} ordinary queries: {_of(len(small), families)}, namely "
            f"{', '.join(small)}. Their means have no interval."
        )
    late = sum(one.seen == "results_seen" for one in material.amendments)
    if late:
        yield (
            f"Amendments filed after results had been seen: {_of(late, material.amendments)}. What "
            "rests on them is post hoc."
        )


def _of_claims(claims: Claims) -> Iterator[str]:
    untested = sum(not row.tested for row in claims.rows)
    if untested:
        yield (
            f"Documented claims not verified here: {_of(untested, claims.rows)}. They are the "
            "services' own words."
        )


def _of_requests(material: Material, kind: Kind) -> Iterator[str]:
    protocol = material.frozen.protocol
    runs = scored_runs(material)
    lists = sum(run.gave_list() for run in runs.values())
    ordinary = [query.id for query in material.evaluation if query.expected == "ordinary"]
    if kind == "dated_live_service":
        yield (
            f"Lists from an index that was not shown to stand still: {_of(lists, runs)} counted "
            "requests. The study is dated, and nobody can ask the same index again."
        )
    for system in protocol.systems:
        gave = sum((run := runs.get((one, system.code))) is not None and run.gave_list()
                   for one in ordinary)  # fmt: skip
        if gave < len(ordinary):
            yield (
                f"Ordinary queries without a list from {system.code}: "
                f"{_of(len(ordinary) - gave, ordinary)}. They have no P@k there."
            )
    rounds = {run.round for run in executed_runs(material)}
    if len(rounds) == 1:
        yield (
            f"Rounds of requests: 1 ({', '.join(rounds)}). How answers change from day to day was "
            "not measured."
        )
    if material.pool:
        records = {one.record_id for one in material.pool}
        unchecked = len(records - set(material.checks))
        if unchecked:
            yield (
                f"Pooled records not checked at their sources: {_of(unchecked, records)}. "
                "Retractions and preprints among them may have gone unseen."
            )
        bare = sum(
            (document := material.documents.get(one)) is None or document.abstract is None
            for one in records
        )
        if bare:
            yield f"Pooled records without an abstract: {_of(bare, records)}."


def _of_labels(material: Material) -> Iterator[str]:
    items = material.items
    without = sum(item.final not in JUDGEMENTS for item in items)
    if without:
        yield (
            f"Pooled items without a final judgement: {_of(without, items)}. P@k of their queries "
            "is between bounds wherever they hold a scored rank."
        )
    unsure = sum(item.final == "uncertain" for item in items)
    if unsure:
        yield f"Pooled items whose final label is uncertain: {_of(unsure, items)}."
    origins = [{label.origin for label in item.labels.values()} for item in items]
    scripted = sum("scripted" in one for one in origins)
    if scripted:
        yield (
            f"Items with a label written in advance: {_of(scripted, items)}. Nobody judged them, "
            "and no figure that rests on them says anything of a service."
        )
    imported = sum(
        "imported" in one or item.state == "imported_final"
        for one, item in zip(origins, items, strict=True)
    )
    if imported:
        yield f"Items with a label made elsewhere, not blinded here: {_of(imported, items)}."
    once = sum(len(item.labels) == 1 for item in items)
    if once:
        yield f"Items labelled once: {_of(once, items)}. Their agreement is not known."


def _of_blinding(material: Material) -> Iterator[str]:
    if len(material.frozen.protocol.systems) < 2:
        return
    void, pooled = one_sided(material)
    if void:
        yield (
            f"Queries that one system alone gave hits for: {len(void)} of {pooled} pooled. "
            "Blinding is void for them."
        )
    packets = [one for one in material.audits if one.kind == "label"]
    powerless = sum(one.permutations == 0 for one in packets)
    if powerless:
        yield (
            f"Packets whose leak audit had no power: {_of(powerless, packets)}. Nothing was shown "
            "of what could tell the system."
        )
    blind = {
        code
        for item in material.items
        for code, label in item.labels.items()
        if label.origin == "blind"
    }
    silent = blind - set(material.guesses)
    if silent:
        yield (
            f"Assessors who were not asked which system found an item: {_of(len(silent), blind)}. "
            "Whether blinding held for them was not measured."
        )


def _of(count: int, whole: Collection[object]) -> str:
    return f"{count} of {len(whole)}"
