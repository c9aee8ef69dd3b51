"""One record at its sources: which of them are asked, and what their answers amount to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judge.records.source import SourceName, SourceSays, Verdict
from judge.runs.sources import crossref, europepmc, openalex, pubmed
from judge.runs.sources.asking import Answer, Enquiry
from judge.runs.sources.base import Found, Known, Source

SOURCES: dict[SourceName, Source] = {
    "pubmed": pubmed.SOURCE,
    "europepmc": europepmc.SOURCE,
    "crossref": crossref.SOURCE,
    "openalex": openalex.SOURCE,
}


@dataclass
class Looked:
    """A record while it is looked up."""

    known: Known
    says: dict[SourceName, SourceSays] = field(default_factory=dict)
    found: dict[SourceName, Found] = field(default_factory=dict)

    def take(self, name: SourceName, answer: Answer, found: Found | None) -> None:
        """Keeps what a source answered; ``found`` is the record in a good reply."""
        verdict: Verdict = "error"
        said = answer.said
        if found is not None:
            self.found[name] = found
            self.says[name] = SourceSays(
                source=name,
                retraction=found.retraction,
                correction=found.correction,
                concern=found.concern,
                preprint=found.preprint,
                signals=found.signals,
                types=found.types,
                updated=found.updated,
                at_utc=answer.at_utc,
                body=answer.body,
            )
            return
        if answer.good or answer.absent or (name == "pubmed" and pubmed.names_nothing(said)):
            verdict = "not_found"
            said = "no such record in the reply" if answer.good else said
        self.says[name] = _without(name, verdict, said, answer.at_utc, answer.body)

    def skip(self, name: SourceName, why: str) -> None:
        """Notes that a source was not asked."""
        self.says[name] = _without(name, "not_checked", why, None, None)

    @property
    def whole(self) -> bool:
        """Whether every source has answered, or was not to be asked."""
        return self.says.keys() == SOURCES.keys()

    def learned(self) -> Known:
        """The identifiers, with those that sources added: PubMed's DOI before a service's."""
        pubmed_says = self.found.get("pubmed")
        doi = (pubmed_says.doi if pubmed_says else None) or self.known.doi
        for one in self.found.values():
            doi = doi or one.doi
        return replace(self.known, doi=doi)


def _without(
    name: SourceName, verdict: Verdict, said: str, at_utc: str | None, body: str | None
) -> SourceSays:
    return SourceSays(
        source=name,
        retraction=verdict,
        correction=verdict,
        concern=verdict,
        preprint=verdict,
        at_utc=at_utc,
        body=body,
        said=said,
    )


async def look_up(enquiry: Enquiry, looked: Sequence[Looked]) -> None:
    """Asks every source about records, no more than `pubmed.BATCH` of them.

    Where it is cancelled, those that are `Looked.whole` have every answer.

    PubMed comes first, in one request: it gives the DOI that Crossref and OpenAlex are asked by.
    Europe PMC is asked only about records whose text PubMed does not have.
    """
    await _pubmed(enquiry, looked)
    await asyncio.gather(*(_europepmc(enquiry, one) for one in looked))
    await asyncio.gather(
        *(_crossref(enquiry, one) for one in looked), *(_openalex(enquiry, one) for one in looked)
    )


async def _pubmed(enquiry: Enquiry, looked: Sequence[Looked]) -> None:
    with_pmid = [one for one in looked if one.known.pmid is not None]
    for one in looked:
        if one.known.pmid is None:
            one.skip("pubmed", "no PMID is known")
    if not with_pmid:
        return
    pmids = list(dict.fromkeys(one.known.pmid for one in with_pmid if one.known.pmid))
    answers: dict[str, tuple[Answer, Found | None]] = {}
    await _pubmed_batch(enquiry, pmids, answers)
    for one in with_pmid:
        one.take("pubmed", *answers[one.known.pmid or ""])


async def _pubmed_batch(
    enquiry: Enquiry, pmids: Sequence[str], answers: dict[str, tuple[Answer, Found | None]]
) -> None:
    """One batch; in halves where PubMed refuses it, so that no id sinks the others."""
    answer = await enquiry.ask(pubmed.SOURCE, pubmed.request(pmids))
    if answer.kind == "rejected" and len(pmids) > 1:
        half = len(pmids) // 2
        await _pubmed_batch(enquiry, pmids[:half], answers)
        await _pubmed_batch(enquiry, pmids[half:], answers)
        return
    # Records come in any order, and those that do not exist are left out: joined by PMID.
    found = pubmed.read(answer.reply.body) if answer.good and answer.reply else {}
    answers.update({pmid: (answer, found.get(pmid)) for pmid in pmids})


async def _europepmc(enquiry: Enquiry, one: Looked) -> None:
    known = one.known
    if (text := one.found.get("pubmed")) is not None and text.title:
        return one.skip("europepmc", "PubMed has its text")
    if (search := europepmc.query(known)) is None:
        return one.skip("europepmc", "no PMID, PMCID or DOI is known")
    answer = await enquiry.ask(europepmc.SOURCE, europepmc.request(search))
    found = None
    if answer.good and answer.reply is not None:
        found = europepmc.the_one(europepmc.read(answer.reply.body), known)
    return one.take("europepmc", answer, found)


async def _crossref(enquiry: Enquiry, one: Looked) -> None:
    doi = one.learned().doi
    if doi is None:
        return one.skip("crossref", "no DOI is known")
    answer = await enquiry.ask(crossref.SOURCE, crossref.request(doi))
    read = crossref.read(answer.reply.body) if answer.good and answer.reply else None
    return one.take("crossref", answer, read)


async def _openalex(enquiry: Enquiry, one: Looked) -> None:
    doi, pmid = one.learned().doi, one.known.pmid
    if doi is None and pmid is None:
        return one.skip("openalex", "no DOI and no PMID is known")
    answer = await enquiry.ask(openalex.SOURCE, openalex.request(doi=doi, pmid=pmid))
    read = openalex.read(answer.reply.body) if answer.good and answer.reply else None
    return one.take("openalex", answer, read)
