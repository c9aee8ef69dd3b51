"""PMID, PMCID and DOI out of the address of a page, as web services return it.

Only what an address carries is read: a page whose address says nothing of an identifier has none
here, however well its publisher's numbering is known. Digits are ASCII. Nothing is looked up.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+", re.ASCII | re.DOTALL)
"""A DOI as Crossref registers them: ``10.``, the registrant, ``/``, anything without a blank."""

_NCBI = re.compile(r"(?:(?:www|m)\.)?ncbi\.nlm\.nih\.gov")
_PUBMED_PATH = re.compile(r"/(?:m/)?pubmed/0*([1-9][0-9]{0,7})(?:/.*)?", re.ASCII | re.I)
_NUMBER_PATH = re.compile(r"/0*([1-9][0-9]{0,7})(?:/.*)?", re.ASCII)
_PMC_PATH = re.compile(
    r"(?:/m)?(?:/pmc)?/articles/(?:PMC)?0*([1-9][0-9]*)(\.[0-9]+)?(?:/.*)?", re.ASCII | re.I
)
_PMC_BY_PMID = re.compile(r"(?:/pmc)?/articles/pmid/0*([1-9][0-9]{0,7})(?:/.*)?", re.ASCII | re.I)
_EPMC_MED = re.compile(r"/(?:article|abstract)/med/0*([1-9][0-9]{0,7})(?:/.*)?", re.ASCII | re.I)
_EPMC_PMC = re.compile(
    r"/(?:articles?|abstract)(?:/pmc)?/PMC0*([1-9][0-9]*)(\.[0-9]+)?(?:/.*)?",
    re.ASCII | re.I,
)
_ONE_NUMBER = re.compile(r"\s*0*([1-9][0-9]{0,7})\s*(?:\[(?:uid|pmid)\])?\s*", re.ASCII | re.I)
_PATH_DOI = re.compile(r"(?:^|[/:])(10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+)", re.ASCII)
_DOI_HOSTS = {"doi.org", "www.doi.org", "dx.doi.org"}
_DOI_PREFIX = re.compile(r"(?:info:doi/|doi:\s*|https?://(?:(?:dx|www)\.)?doi\.org/)", re.I)
_DOI_PARAMETERS = ("doi", "id", "DOI", "Id", "rft_id", "article_doi")
# What publishers put behind a DOI in a path; none of it can end a DOI they register.
_TAILS = (
    re.compile(r"/suppl_file/.*$", re.I),
    re.compile(
        r"/(?:full(?:[.-]?text)?|abstract|abs|pdf|epdf|epub|html|meta|summary|references|citations?"
        r"|figures?|tables?|related|metrics|supplementary-material|fulltext\.html)$",
        re.I,
    ),
    re.compile(r"\.(?:pdf|html?|full|full\.pdf|abstract|full-text)$", re.I),
)
_PREPRINT_TAIL = re.compile(
    r"^(10\.(?:1101|64898)/[0-9.]+?)(?:v[0-9]+)?(?:\.(?:full|abstract|supplementary-material|article"
    r"-info|article-metrics))*(?:\.pdf)?(?:\+html)?$",
    re.I,
)
_OXFORD_TAIL = re.compile(r"^(10\.1093/[^/]+/[^/]+)/[0-9]+(?:/.*)?$", re.I)


class Identifiers(NamedTuple):
    """What an address says of the paper on its page; a PMCID keeps its version (``PMC1.2``)."""

    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None


def identifiers(address: str | None) -> Identifiers:
    """The identifiers that ``address`` carries; all None for one that carries none.

    PubMed and PMC pages at NCBI (today's and former addresses) and at Europe PMC give a PMID or a
    PMCID; a DOI counts on any host that carries one, in the path or as a parameter.
    """
    if not address:
        return Identifiers()
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").lower()
    except ValueError:
        return Identifiers()
    if parts.scheme.lower() not in {"http", "https"} or not host:
        return Identifiers()
    path = re.sub(r"/{2,}", "/", parts.path) if host not in _DOI_HOSTS else parts.path
    if host == "pubmed.ncbi.nlm.nih.gov":
        return Identifiers(pmid=_first(_NUMBER_PATH, path) or _searched(parts))
    if host == "pmc.ncbi.nlm.nih.gov" or _NCBI.fullmatch(host):
        return _at_ncbi(parts, host, path)
    if host in {"europepmc.org", "www.europepmc.org"}:
        if (pmid := _first(_EPMC_MED, path)) is not None:
            return Identifiers(pmid=pmid)
        if (found := _EPMC_PMC.fullmatch(path)) is not None:
            return Identifiers(pmcid=f"PMC{found[1]}{found[2] or ''}")
    return Identifiers(doi=_doi(parts, host, path))


def _at_ncbi(parts: SplitResult, host: str, path: str) -> Identifiers:
    if (pmid := _first(_PMC_BY_PMID, path)) is not None:
        return Identifiers(pmid=pmid)
    # Under /pmc/ the path itself says that bare digits are a PMCID.
    found = _PMC_PATH.fullmatch(path)
    if found is not None and (host.startswith("pmc.") or "/pmc/" in path.lower()):
        return Identifiers(pmcid=f"PMC{found[1]}{found[2] or ''}")
    if (pmid := _first(_PUBMED_PATH, path)) is not None:
        return Identifiers(pmid=pmid)
    if re.fullmatch(r"/(?:m/)?pubmed/?", path, re.I):
        return Identifiers(pmid=_searched(parts))
    if path.lower() == "/entrez/query.fcgi":
        ids = _parameters(parts)
        if ids.get("db", [""])[0].lower() == "pubmed":
            return Identifiers(pmid=_first(_ONE_NUMBER, ids.get("list_uids", [""])[0]))
    return Identifiers(doi=_doi(parts, host, path))


def _searched(parts: SplitResult) -> str | None:
    """PubMed opens the record where one number is all that was searched for."""
    return _first(_ONE_NUMBER, _parameters(parts).get("term", [""])[0])


def _doi(parts: SplitResult, host: str, path: str) -> str | None:
    if host in _DOI_HOSTS:
        # A resolver's whole path is the DOI: nothing behind it is the publisher's.
        return _whole(_bare(percent_decoded(path.removeprefix("/"))).rstrip("/"))
    found = _PATH_DOI.search(percent_decoded(path))
    if found is not None:
        return _whole(_trimmed(found[1].rstrip("/")))
    parameters = _parameters(parts)
    for name in _DOI_PARAMETERS:
        for value in parameters.get(name, []):
            if (doi := _whole(_bare(value))) is not None:
                return doi
    return None


def _trimmed(doi: str) -> str:
    """``doi`` without what its publisher's address puts behind it."""
    for pattern in (_PREPRINT_TAIL, _OXFORD_TAIL):
        if (found := pattern.match(doi)) is not None:
            return found[1]
    before = ""
    while before != doi:
        before = doi
        for tail in _TAILS:
            shorter = tail.sub("", doi)
            # A DOI keeps a name behind its registrant: 10.1000/pdf stays.
            if DOI.fullmatch(shorter):
                doi = shorter
    return doi


def _bare(text: str) -> str:
    found = _DOI_PREFIX.match(text)
    return text[found.end() :] if found else text


def _whole(text: str) -> str | None:
    return text if DOI.fullmatch(text) else None


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.fullmatch(text)
    return found[1] if found else None


def percent_decoded(text: str) -> str:
    """``text`` percent-decoded once; as it is where that gives no text."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _parameters(parts: SplitResult) -> dict[str, list[str]]:
    try:
        return parse_qs(parts.query)
    except ValueError:  # more fields than the parser takes
        return {}
