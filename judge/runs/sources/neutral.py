"""The neutral text of a record: one source for all of it, whichever services found the record."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from judge.records.run import Document
from judge.records.source import SourceName, SourceSays
from judge.runs.identity import doi_key
from judge.runs.sources.base import Found, Known

TEXT_ORDER: tuple[SourceName, ...] = ("pubmed", "europepmc", "crossref")
NAMES: dict[SourceName, str] = {
    "pubmed": "PubMed",
    "europepmc": "Europe PMC",
    "crossref": "Crossref",
    "openalex": "OpenAlex",
}
_NO_TYPES = ("retract", "research support", "published erratum", "expression of concern")


def neutral(
    known: Known,
    found: Mapping[SourceName, Found],
    says: Mapping[SourceName, SourceSays],
    current: Document | None,
    *,
    dealt: bool,
    keys: Mapping[str, str],
) -> Document | None:
    """The text from now on, or None where it stays as it is.

    Title, abstract, journal, year and type are of the first source with a title: PubMed, else
    Europe PMC, else Crossref. Once somebody was ``dealt`` the record the text stays, so that all
    assessors judge the same; what sources say of retraction and preprint is taken all the same.
    ``keys`` maps a DOI key to the record that has it.
    """
    retracted = any(one.retraction == "yes" for one in found.values())
    article = next((one.article_doi for one in found.values() if one.article_doi), None)
    name = doi_key(article)
    preprint_of = None if name is None else keys.get(name, f"doi:{name}")
    source = next((one for one in TEXT_ORDER if one in found and found[one].title), None)
    if source is None or (dealt and current is not None):
        if current is None:
            return None
        kept = msgspec.structs.replace(
            current,
            retracted=retracted or current.retracted,
            preprint_of=preprint_of or current.preprint_of,
        )
        return None if kept == current else kept
    text = found[source]
    preprint = any(one.preprint == "yes" for one in found.values())
    return Document(
        record_id=known.record_id,
        title=text.title,
        journal=text.journal,
        year=text.year,
        type="Preprint" if preprint else _type(text.types),
        abstract=text.abstract,
        pmid=known.pmid or _any(found, "pmid"),
        doi=known.doi or _any(found, "doi"),
        pmcid=known.pmcid or _any(found, "pmcid"),
        preprint_of=preprint_of,
        retracted=retracted,
        provenance=f"{NAMES[source]}, {says[source].at_utc}, reply {says[source].body}",
    )


def _type(types: tuple[str, ...]) -> str | None:
    """Publication types as shown; funding and notices are no type of paper."""
    return "; ".join(one for one in types if not one.lower().startswith(_NO_TYPES)) or None


def _any(found: Mapping[SourceName, Found], field: str) -> str | None:
    return next(
        (value for name in TEXT_ORDER if name in found if (value := getattr(found[name], field))),
        None,
    )
