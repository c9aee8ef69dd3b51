"""Which record a hit is: one key per record, whatever service found it.

The key is text such as ``pmid:31234567``, ``doi:10.1000/x``, ``pmcid:PMC123`` or, where a service
gives no public identifier, ``id:<source>:<its own id>``. Raw identifiers are never changed; the
key is derived from them. Grouping by title is not done: a title is not an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import quote

from judge.records.protocol import SameRecord
from judge.records.run import Document, Hit
from judge.runs.links import DOI, identifiers, percent_decoded
from judge.text import title_key

_PMID = re.compile(r"(?:PMID:?\s*)?0*([1-9][0-9]{0,7})", re.ASCII | re.IGNORECASE)
_PMCID = re.compile(r"(?:PMCID:?\s*)?PMC0*([1-9][0-9]*)(?:\.([0-9]+))?", re.ASCII | re.IGNORECASE)
_DOI_PREFIX = re.compile(
    r"(?P<address>https?://(?:dx\.|www\.)?doi\.org/)|(?:doi|urn:doi):\s*|info:doi/", re.IGNORECASE
)

_BLANK = re.compile(r"[\s%]")


def pmid_key(raw: str | None) -> str | None:
    """The PMID without padding, out of digits, ``PMID:…`` or the address of a PubMed record.

    None where ``raw`` is none of them: ``8906788.0`` is not, nor are digits that are not ASCII.
    """
    if not raw:
        return None
    found = _PMID.fullmatch(raw.strip())
    return found[1] if found else identifiers(raw).pmid


def pmcid_key(raw: str | None) -> str | None:
    """``PMC`` and digits, without padding or version; bare digits are not a PMCID.

    The address of a PMC article counts too. What a version says is `pmcid_version`.
    """
    found = _pmcid(raw)
    return f"PMC{found[1]}" if found else None


def pmcid_version(raw: str | None) -> str | None:
    """The version in ``PMC123.1``: ``1``; None without one."""
    found = _pmcid(raw)
    return found[2] if found else None


def _pmcid(raw: str | None) -> re.Match[str] | None:
    if not raw:
        return None
    return _PMCID.fullmatch(raw.strip()) or _PMCID.fullmatch(identifiers(raw).pmcid or "")


def doi_key(raw: str | None) -> str | None:
    """The DOI for comparing, out of the name itself, ``doi:…`` or the address of a resolver.

    Prefixes go, an address is percent-decoded once, ASCII letters are lower-cased; a full stop, a
    slash or a closing bracket without its opening one at the end is the sentence's or the
    address's, not the DOI's. For keys alone: the raw DOI is kept and sent as it came.
    """
    if not raw:
        return None
    bare = raw.strip()
    encoded = False
    while (prefix := _DOI_PREFIX.match(bare)) is not None:
        encoded = encoded or prefix["address"] is not None
        bare = bare[prefix.end() :]
    if encoded or "/" not in bare:
        bare = percent_decoded(bare)
    while bare.endswith((".", "/")) or (bare.endswith(")") and bare.count(")") > bare.count("(")):
        bare = bare[:-1]
    if not DOI.fullmatch(bare):
        return None
    return "".join(char.lower() if char.isascii() else char for char in bare)


def record_key(
    *,
    pmid: str | None,
    doi: str | None,
    pmcid: str | None = None,
    source: str,
    record_id: str,
) -> str:
    """The key of a record: its PMID, else DOI, else PMCID, else the source's own id.

    A key holds no blank, since a qrels line is split at blanks: blanks of a source's name or id
    are percent-coded, and so is the percent sign.
    """
    if (number := pmid_key(pmid)) is not None:
        return f"pmid:{number}"
    if (name := doi_key(doi)) is not None:
        return f"doi:{name}"
    if (central := pmcid_key(pmcid)) is not None:
        return f"pmcid:{central}"
    return f"id:{_BLANK.sub(_coded, source)}:{_BLANK.sub(_coded, record_id)}"


def _coded(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


def hit_key(hit: Hit, service: str) -> str:
    """The record key of a hit of ``service``."""
    return record_key(
        pmid=hit.pmid, doi=hit.doi, pmcid=hit.pmcid, source=service, record_id=hit.record_id
    )


def canonical_link(key: str) -> str | None:
    """The link an assessor sees, built from the key alone, so that no service's style shows (L4).

    None for a record that only a source's own id names.
    """
    kind, _, value = key.partition(":")
    if kind == "pmid":
        return f"https://pubmed.ncbi.nlm.nih.gov/{value}/"
    if kind == "doi":
        return f"https://doi.org/{quote(value, safe='/')}"
    if kind == "pmcid":
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{value}/"
    return None


def titles_of(*told: Hit | Document | None) -> frozenset[str]:
    """The titles that are told of one record, as they are compared."""
    return frozenset(key for one in told if one is not None and (key := title_key(one.title)))


def titles_agree(some: Collection[str], others: Collection[str]) -> bool:
    """Whether two records can have one title: the same, one the other's start, or one unknown."""
    return (
        not some
        or not others
        or any(a.startswith(b) or b.startswith(a) for a in some for b in others)
    )


def same_work(
    keys: Iterable[str], documents: Mapping[str, Document], policy: tuple[SameRecord, ...]
) -> dict[str, str]:
    """Each key's group: the first key, in order, that ``policy`` makes the same work (R67).

    ``same_id`` makes hits with one key duplicates, which one key per record already says;
    ``same_doi`` joins keys whose documents share a DOI, unless their titles differ (chapters of a
    book may share one); ``preprint_of_article`` joins a preprint with its article.
    """
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent[key] != key:
            key = parent[key]
        return key

    ordered = list(dict.fromkeys(keys))
    parent = {key: key for key in ordered}
    by_doi: dict[str, list[str]] = {}
    for key in ordered:
        document = documents.get(key)
        joined: list[str] = []
        if "same_doi" in policy:
            name = doi_key(document.doi) if document else None
            name = name or (key.removeprefix("doi:") if key.startswith("doi:") else None)
            if name is not None:
                titles = titles_of(document)
                joined += [
                    other
                    for other in by_doi.setdefault(name, [])
                    if titles_agree(titles, titles_of(documents.get(other)))
                ]
                by_doi[name].append(key)
        if "preprint_of_article" in policy and document and document.preprint_of in parent:
            joined.append(document.preprint_of)
        for other in joined:
            first, second = sorted((root(key), root(other)), key=ordered.index)
            parent[second] = first
    return {key: root(key) for key in ordered}
