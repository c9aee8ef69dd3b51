"""PMCIDs resolved to PMIDs at NCBI's ID converter: one record for the two pages of a paper."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from judge.errors import Incomplete, Refused
from judge.records.run import Document
from judge.records.source import ResolvedId
from judge.runs.identity import hit_key
from judge.runs.resolving import unresolved, with_pmids
from judge.runs.sources import idconverter
from judge.runs.sources.asking import Answer, Enquiry
from judge.runs.sources.idconverter import BATCH, SOURCE
from judge.steps.capturing import REAL_WIRE, Wire
from judge.steps.context import Context, Work
from judge.steps.sources import enquiry


@dataclass(frozen=True)
class Resolved:
    """What resolving came to."""

    asked: int
    states: dict[str, int]
    """How many PMCIDs are in which state, earlier ones included."""
    left: tuple[str, ...]
    """PMCIDs without a PMID, whatever the reason: records of their own."""


def resolve_ids(context: Context, *, wire: Wire = REAL_WIRE) -> Resolved:
    """Asks for the PMID of every PMCID whose hits have none; raw records stay as they are.

    A PMCID is asked about once, and again after an error. Raises `Refused` once anything is pooled
    or labels were imported, since keys must not change any more; `Incomplete` where Ctrl-C ended
    it early or the converter gave errors, with what was answered kept.
    """
    with context.frozen() as work:
        if work.pool or work.imported:
            raise Refused(
                "records are pooled or labelled already; their keys do not change any more, and "
                "nothing was asked",
                hint="identifiers are resolved between judge capture and judge pool",
            )
        due = [
            key
            for key in unresolved(work.runs)
            if key not in work.resolved or work.resolved[key].state == "error"
        ]
        stopped = False
        try:
            if due:
                asyncio.run(_resolve(context, work, due, wire))
        except KeyboardInterrupt:
            stopped = True
        done = Work(work.ledger)
        if stopped:
            known = sum(key in done.resolved for key in due)
            raise Incomplete(
                f"stopped by Ctrl-C; {known} of {len(due)} PMCIDs have an answer, which is kept",
                hint="judge resolve-ids goes on",
            )
        states = Counter(one.state for one in done.resolved.values())
        left = tuple(key for key, one in done.resolved.items() if one.state != "resolved")
        if states["error"]:
            raise Incomplete(
                f"{states['error']} PMCIDs got an error and no answer; "
                f"{states['resolved']} are resolved",
                hint="judge resolve-ids asks for them again",
            )
        return Resolved(len(due), dict(sorted(states.items())), left)


async def _resolve(context: Context, work: Work, due: Sequence[str], wire: Wire) -> None:
    async with enquiry(context, [SOURCE], wire) as asking:
        for start in range(0, len(due), BATCH):
            found: list[ResolvedId] = []
            await _batch(asking, work, due[start : start + BATCH], found)
            bodies = {one.body for one in found}
            blobs = {key: body for key, body in asking.bodies.items() if key in bodies}
            asking.bodies.clear()
            ids = f"{len(found)} PMCIDs"
            work.ledger.record("resolved", ids, found, _texts(work, found), blobs=blobs)
            context.progress("resolve-ids", start + len(found), len(due))


async def _batch(
    asking: Enquiry, work: Work, pmcids: Sequence[str], found: list[ResolvedId]
) -> None:
    """One batch; in halves where the converter refuses it for one of its ids."""
    answer = await asking.ask(SOURCE, idconverter.request(pmcids))
    if answer.kind == "rejected" and len(pmcids) > 1:
        half = len(pmcids) // 2
        await _batch(asking, work, pmcids[:half], found)
        await _batch(asking, work, pmcids[half:], found)
        return
    said = idconverter.read(answer.reply.body) if answer.good and answer.reply else None
    found += [asking.redactor.clean_record(_record(work, pmcid, answer, said)) for pmcid in pmcids]


def _record(
    work: Work, pmcid: str, answer: Answer, said: Mapping[str, idconverter.Converted] | None
) -> ResolvedId:
    before = work.resolved.get(pmcid)
    record = ResolvedId(
        pmcid=pmcid,
        number=before.number + 1 if before else 1,
        state="error",
        at_utc=answer.at_utc,
        body=answer.body,
        said=answer.said,
    )
    if said is None:
        # Alone in its batch and refused: the converter cannot read this very id.
        state = "not_found" if answer.kind == "rejected" else "error"
        return msgspec.structs.replace(record, state=state)
    one = said.get(pmcid)
    if one is None:
        return msgspec.structs.replace(record, said="the reply does not speak of it")
    return msgspec.structs.replace(
        record, state=one.state, pmid=one.pmid, doi=one.doi, live=one.live, said=one.said
    )


def _texts(work: Work, found: Sequence[ResolvedId]) -> list[Document]:
    """Texts of records under the keys that they have from now on."""
    new: dict[str, Document] = {}
    after = with_pmids(work.runs, {one.pmcid: one for one in found})
    for run, keyed in zip(work.runs, after, strict=True):
        for hit, other in zip(run.raw_results or (), keyed.raw_results or (), strict=True):
            old, key = hit_key(hit, run.service), hit_key(other, run.service)
            if old != key and old in work.documents and key not in work.documents:
                document = work.documents[old]
                new.setdefault(
                    key, msgspec.structs.replace(document, record_id=key, pmid=other.pmid)
                )
    known = work.ledger.keys(Document)
    return [document for key, document in new.items() if key not in known]
