"""What the records alone say went wrong: facts that no coder has to name, and none can remove."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.records.failure import AutomaticCode, AutomaticFact
from judge.records.protocol import Claim, SameRecord
from judge.records.run import Document, RunRecord
from judge.runs.identity import hit_key, same_work

OF_OUTCOME: dict[str, AutomaticCode] = {
    "refused": "refused",
    "timeout": "timeout",
    "unavailable": "service_unavailable",
}
"""Outcomes that say what failed: each rests on its own evidence (R75)."""


def is_preprint(document: Document | None) -> bool:
    """Whether the neutral text of a record says that it is a preprint."""
    return document is not None and (
        document.preprint_of is not None or (document.type or "").casefold() == "preprint"
    )


def request_facts(run: RunRecord, tested: Iterable[Claim]) -> tuple[AutomaticFact, ...]:
    """What the outcome of a request says. A timeout names the time that it took.

    ``tested`` are the documented claims of the system that the query tests: a refusal is the
    documented one of broad queries only where such a claim says so (R76).
    """
    code = OF_OUTCOME.get(run.outcome or "")
    if code is None:
        return ()
    if code == "refused" and any(claim.behaviour == "refusal" for claim in tested):
        code = "broad_query_refusal"
    text = f"the request ended as {run.outcome}"
    if run.http_status is not None:
        text += f", HTTP {run.http_status}"
    if code == "timeout" and run.elapsed_ms is not None:
        text += f" after {run.elapsed_ms} ms"
    if said := [notice.text for notice in run.errors_and_notices or ()]:
        text += f": {said[0]}"
    return (AutomaticFact(code=code, text=text),)


def records_of_hits(run: RunRecord, merged: Mapping[str, str]) -> dict[int, str]:
    """By rank, the record that a hit was pooled as; ``merged`` is that of the run's query."""
    keys = {hit.rank: hit_key(hit, run.service) for hit in run.raw_results or ()}
    return {rank: merged.get(keys[rank], keys[rank]) for rank in sorted(keys)}


def works_of(
    records: Mapping[int, str],
    documents: Mapping[str, Document],
    policy: tuple[SameRecord, ...],
) -> dict[int, str]:
    """By rank, the work that a record belongs to under the protocol's policy (R67)."""
    works = same_work(records.values(), documents, policy)
    return {rank: works[key] for rank, key in records.items()}


def hit_facts(
    run: RunRecord,
    documents: Mapping[str, Document],
    policy: tuple[SameRecord, ...],
    keys: Mapping[int, str],
) -> dict[int, tuple[AutomaticFact, ...]]:
    """By rank, what the records say of the hits of a run that gave a list (R78).

    ``keys`` is `records_of_hits`.

    A duplicate is a later copy under the protocol's own policy (R67); a preprint is one that the
    service did not itself call a preprint.
    """
    hits = sorted(run.raw_results or (), key=lambda hit: hit.rank)
    works = works_of(keys, documents, policy)
    first: dict[str, int] = {}
    found: dict[int, tuple[AutomaticFact, ...]] = {}
    for hit in hits:
        facts: list[AutomaticFact] = []
        document = documents.get(keys[hit.rank])
        earlier = first.setdefault(works[hit.rank], hit.rank)
        if earlier != hit.rank:
            text = f"the same work stands at rank {earlier} already"
            facts.append(AutomaticFact(code="duplicate_record", text=text))
        if hit.link is None:
            facts.append(AutomaticFact(code="missing_link", text="the service gave none"))
        if is_preprint(document) and "preprint" not in (hit.source_type or "").casefold():
            said = f"the service calls it {hit.source_type!r}" if hit.source_type else "unmarked"
            text = f"a preprint by its source; {said}"
            facts.append(AutomaticFact(code="preprint_as_article", text=text))
        if document is not None and document.retracted:
            said = "the service says so" if hit.notice else "the service gives no notice"
            facts.append(AutomaticFact(code="retracted", text=f"retracted by its source; {said}"))
        if facts:
            found[hit.rank] = tuple(facts)
    return found
