"""Failure review: which requests and hits are worth coding, their packet, and what came back.

What goes in, by rule and not by anybody's eye:

- a request whose list did not come, or came empty where it should not, or came with a notice, or
  for a text with operators or quotes, or without one relevant hit down to the deepest cutoff; and a
  no-match control that was answered with hits;
- of the ordinary queries every hit down to the deepest cutoff that is finally not relevant, or
  that the records say something about (no source link, a preprint, a retraction), and all copies
  of a work that is listed more than once.

The deepest declared cutoff is the cap. Request and system are shown, so that relevance must be
locked before and stays locked after (`refuse_after_review`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from judge.canonical import digest
from judge.errors import Refused
from judge.judgements.collect import handed_in
from judge.judgements.failure_facts import (
    hit_facts,
    records_of_hits,
    request_facts,
    works_of,
)
from judge.judgements.lifecycle import fold
from judge.judgements.packet import Entropy
from judge.queries.operators import found_operators
from judge.records.failure import (
    AutomaticFact,
    CodedItem,
    FailureView,
    ListedHit,
    ShownHit,
)
from judge.records.judgement import Deal, DealtItem, JudgedItem, Label, LabelEvent, Packet
from judge.records.protocol import Protocol, System
from judge.records.query import Query
from judge.records.run import Document, Hit, RunRecord
from judge.runs.identity import canonical_link
from judge.store.packet_file import FailureItem

Place = tuple[str, int | None]
"""A run, and the rank of a hit in it; no rank for the request itself."""


@dataclass(frozen=True)
class Records:
    """What failure review reads of a study. ``runs``: scored round, by (system, query)."""

    protocol: Protocol
    evaluation: Sequence[Query]
    runs: Mapping[tuple[str, str], RunRecord]
    documents: Mapping[str, Document]
    items: Iterable[JudgedItem]
    merged: Mapping[str, Mapping[str, str]]
    """By query, the record that a key was pooled as (`judge.runs.merging`)."""

    def keys(self, run: RunRecord) -> dict[int, str]:
        """By rank, the record that a hit of ``run`` was pooled and labelled as."""
        return records_of_hits(run, self.merged.get(run.query_id, {}))

    @property
    def depth(self) -> int:
        """The deepest declared cutoff."""
        return max(self.protocol.depth.cutoffs)

    def pairs(self) -> list[tuple[Query, System, RunRecord]]:
        """Every request of the scored round, in the order of query set and protocol."""
        return [
            (query, system, self.runs[system.code, query.id])
            for query in self.evaluation
            for system in self.protocol.systems
            if (system.code, query.id) in self.runs
        ]


@dataclass(frozen=True)
class Candidate:
    """A request or a hit that is worth coding."""

    query_id: str
    system: str
    run_id: str
    record_id: str
    rank: int | None
    view: FailureView

    @property
    def place(self) -> Place:
        """What names it."""
        return self.run_id, self.rank


def automatic(records: Records) -> dict[Place, tuple[AutomaticFact, ...]]:
    """What the records say of every request, and of every hit down to the deepest cutoff."""
    found: dict[Place, tuple[AutomaticFact, ...]] = {}
    policy = records.protocol.choices.same_record
    claims = {claim.id: claim for claim in records.protocol.claims}
    for query, system, run in records.pairs():
        tested = [claims[name] for name in query.tests if name in claims]
        if facts := request_facts(run, [one for one in tested if one.system == system.code]):
            found[run.run_id, None] = facts
        if query.expected == "ordinary" and run.gave_list():
            for rank, facts in hit_facts(run, records.documents, policy, records.keys(run)).items():
                if rank <= records.depth:
                    found[run.run_id, rank] = facts
    return found


def worth_coding(records: Records) -> tuple[Candidate, ...]:
    """What a packet of failure review holds, by query, system and rank."""
    finals = {(item.query_id, item.record_id): item.final for item in records.items}
    known = automatic(records)
    found: list[Candidate] = []
    for query, system, run in records.pairs():
        hits = sorted(run.raw_results or (), key=lambda hit: hit.rank)
        hits = [hit for hit in hits if hit.rank <= records.depth]
        keys = records.keys(run)
        labels = {hit.rank: finals.get((query.id, keys[hit.rank])) for hit in hits}
        request = _request_view(query, system, run, hits, labels, records, known)
        if _request_is_worth(query, run, request, labels.values()):
            found.append(Candidate(query.id, system.code, run.run_id, "", None, request))
        if query.expected != "ordinary" or not run.gave_list():
            continue
        works = works_of(keys, records.documents, records.protocol.choices.same_record)
        copies = Counter(works[hit.rank] for hit in hits)
        for hit in hits:
            facts = known.get((run.run_id, hit.rank), ())
            if labels[hit.rank] == "not_relevant" or facts or copies[works[hit.rank]] > 1:
                key = keys[hit.rank]
                shown = _shown(hit, key, records.documents.get(key), labels[hit.rank])
                view = _hit_view(request, shown, facts)
                found.append(Candidate(query.id, system.code, run.run_id, key, hit.rank, view))
    return tuple(found)


def _request_is_worth(
    query: Query, run: RunRecord, view: FailureView, labels: Iterable[Label | None]
) -> bool:
    if query.expected == "no_match_control":
        return run.outcome != "empty"
    return (
        run.outcome != "answered"
        or bool(view.said)
        or bool(found_operators(view.submitted))
        or (query.expected == "ordinary" and "relevant" not in labels)
    )


def _request_view(
    query: Query,
    system: System,
    run: RunRecord,
    hits: Sequence[Hit],
    labels: Mapping[int, Label | None],
    records: Records,
    known: Mapping[Place, tuple[AutomaticFact, ...]],
) -> FailureView:
    translation = query.translations.get(system.code)
    unparsed = found_operators(run.query) - set(system.operators)
    keys = records.keys(run)
    return FailureView(
        need=query.need,
        expected=query.expected,
        system=system.code,
        service=system.service,
        mode=system.mode,
        submitted=run.query,
        translation=translation.note if translation else "",
        unparsed=tuple(sorted(unparsed)),
        outcome=str(run.outcome),
        returned=None if run.raw_results is None else len(run.raw_results),
        said=tuple(notice.text for notice in run.errors_and_notices or ()),
        listed=tuple(
            ListedHit(
                rank=hit.rank,
                title=_title(hit, records.documents.get(keys[hit.rank])),
                label=labels[hit.rank] or "not_yet_judged",
            )
            for hit in hits
        ),
        automatic=known.get((run.run_id, None), ()),
        hit=None,
    )


def _title(hit: Hit, document: Document | None) -> str | None:
    return (document.title if document else None) or hit.title


def _shown(hit: Hit, key: str, document: Document | None, label: Label | None) -> ShownHit:
    return ShownHit(
        rank=hit.rank,
        record_id=key,
        title=_title(hit, document),
        journal=document.journal if document else None,
        year=document.year if document else None,
        type=document.type if document else None,
        abstract=document.abstract if document else None,
        link=canonical_link(key),
        label=label or "not_yet_judged",
        given_title=hit.title,
        given_year=hit.year,
        given_type=hit.source_type,
        given_link=hit.link,
        given_notice=hit.notice,
    )


def _hit_view(request: FailureView, hit: ShownHit, facts: tuple[AutomaticFact, ...]) -> FailureView:
    return msgspec.structs.replace(request, listed=(), automatic=facts, hit=hit)


@dataclass(frozen=True)
class DealtFailures:
    """A packet ready to be written, and the open half that tells its positions."""

    packet: Packet
    items: tuple[FailureItem, ...]
    deal: Deal


def deal_failures(
    candidates: Sequence[Candidate],
    *,
    coder: str,
    scripted: bool,
    protocol: Protocol,
    freeze_id: str,
    rubric: str,
    day: str,
    entropy: Entropy,
) -> DealtFailures:
    """Deals ``candidates`` to a coder: queries in random order, one request and its hits together.

    Raises `Refused` where there is nothing to deal.
    """
    if not candidates:
        raise Refused(f"there is nothing to deal to {coder}; nothing was written")
    packet_id, order_seed = entropy(16).hex(), entropy(32)
    ordered = _ordered(candidates, order_seed)
    packet = Packet(
        packet_id=packet_id,
        kind="failures",
        assessor=coder,
        origin="scripted" if scripted else "blind",
        study_title=protocol.title,
        freeze_id=freeze_id,
        rubric_version=protocol.rubric.version,
        rubric=rubric,
        reasons=(),
        evidence_level=protocol.rubric.evidence_level,
        note="optional",
        items=len(ordered),
        dealt_on=day,
    )
    return DealtFailures(
        packet,
        tuple(FailureItem(entropy(8).hex(), one.view) for one in ordered),
        Deal(
            packet_id=packet_id,
            assessor=coder,
            kind="failures",
            practice=False,
            order_seed=order_seed.hex(),
            packet_sha256=digest(packet),
            items=tuple(
                DealtItem(
                    position=position,
                    query_id=one.query_id,
                    record_id=one.record_id,
                    view_sha256=digest(one.view),
                    run_id=one.run_id,
                    rank=one.rank,
                )
                for position, one in enumerate(ordered, 1)
            ),
        ),
    )


def _ordered(candidates: Sequence[Candidate], seed: bytes) -> list[Candidate]:
    """Queries in random order, and the systems within each; a request before its hits by rank."""
    source = random.Random(seed)
    runs: dict[str, dict[str, list[Candidate]]] = {}
    for one in candidates:
        runs.setdefault(one.query_id, {}).setdefault(one.run_id, []).append(one)
    queries = sorted(runs)
    source.shuffle(queries)
    ordered: list[Candidate] = []
    for query in queries:
        systems = sorted(runs[query])
        source.shuffle(systems)
        for run in systems:
            ordered += sorted(runs[query][run], key=lambda one: one.rank or 0)
    return ordered


# --- what came back -----------------------------------------------------------------------------


def coders_out(deals: Iterable[Deal], events: Sequence[LabelEvent]) -> tuple[str, ...]:
    """Who was dealt a packet of failure review that does not stand handed in."""
    return tuple(
        dict.fromkeys(
            deal.assessor
            for deal in deals
            if deal.kind == "failures" and not handed_in(deal, events)
        )
    )


def coded_items(
    deals: Iterable[Deal],
    packets: Mapping[str, Packet],
    events: Iterable[LabelEvent],
    runs: Mapping[str, RunRecord],
    known: Mapping[Place, tuple[AutomaticFact, ...]],
) -> tuple[CodedItem, ...]:
    """What every coder said, in the order of deals and positions. ``runs`` are by run id.

    An item that was dealt to one person twice counts as it was coded last.
    """
    by_packet: dict[str, list[LabelEvent]] = {}
    for event in events:
        by_packet.setdefault(event.packet_id, []).append(event)
    found: dict[tuple[str, Place], CodedItem] = {}
    for deal in deals:
        own = by_packet.get(deal.packet_id)
        if deal.kind != "failures" or own is None:
            continue
        state = fold(own, len(deal.items))
        for dealt in deal.items:
            item = state.items[dealt.position]
            code = item.newest("code")
            if code is None:
                continue
            run = runs[dealt.run_id]
            place = (dealt.run_id, dealt.rank)
            found[deal.assessor, place] = CodedItem(
                by=deal.assessor,
                origin=packets[deal.packet_id].origin,
                query_id=dealt.query_id,
                system=run.system,
                run_id=dealt.run_id,
                rank=dealt.rank,
                record_id=dealt.record_id,
                automatic=tuple(fact.code for fact in known.get(place, ())),
                categories=code.categories,
                note=item.note,
            )
    return tuple(found.values())


def refuse_after_review(deals: Iterable[Deal], what: str) -> None:
    """Raises `Refused` once a packet of failure review was dealt, even one that was voided.

    Whoever has it sees which system found what: no label is given or changed after that.
    """
    coder = next((deal.assessor for deal in deals if deal.kind == "failures"), None)
    if coder is not None:
        raise Refused(
            f"failure review has begun (a packet of {coder} shows which system found what): "
            f"relevance is locked, so {what} is refused; nothing was changed",
            hint="judge status",
        )
