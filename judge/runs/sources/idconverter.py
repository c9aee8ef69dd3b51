"""NCBI's ID converter: PMCIDs to PMIDs. It knows the articles that are in PMC, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from judge.runs.identity import doi_key, pmcid_key, pmid_key
from judge.runs.providers.base import Request, Secret
from judge.runs.providers.reading import (
    NoListError,
    identifier,
    read_object,
    rows,
    spoken,
    table,
    text,
    words,
)
from judge.runs.sources.base import Source, facts

ENDPOINT = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
BATCH = 200
"""Ids a request, as documented."""


@dataclass(frozen=True)
class Converted:
    """What the converter says of one PMCID."""

    state: Literal["resolved", "no_pmid", "not_found", "not_live"]
    pmid: str | None = None
    doi: str | None = None
    live: str | None = None
    said: str = ""


def request(pmcids: Sequence[str]) -> Request:
    """The request for up to `BATCH` PMCIDs, all with their prefix: a bare number among them is
    refused with the whole batch."""
    return Request(
        method="GET",
        url=ENDPOINT,
        params=(
            ("ids", ",".join(pmcids)),
            ("idtype", "pmcid"),
            ("format", "json"),
            ("versions", "yes"),
            ("tool", "blindjudge"),
        ),
        secrets=(Secret(at="param", name="email", env="JUDGE_CONTACT"),),
    )


def read(body: bytes) -> dict[str, Converted]:
    """By PMCID, ``PMC`` and digits. Raises `NoListError` for a reply without records."""
    top = read_object(body)
    if top.get("status") == "error":
        raise NoListError("rejected", words(top) or "an error without a text")
    found: dict[str, Converted] = {}
    for row in rows(top, "records"):
        record = table(row)
        named = identifier(record.get("requested-id")) or identifier(record.get("pmcid"))
        if (key := pmcid_key(named)) is not None:
            found[key] = _converted(record)
    return found


def _converted(record: dict[str, Any]) -> Converted:
    if record.get("status") == "error" or record.get("errmsg"):
        return Converted("not_found", said=spoken(record.get("errmsg")) or "an error")
    # A number in the reply of today, text in older ones: text here.
    pmid = pmid_key(text(record.get("pmid")))
    raw_doi = text(record.get("doi"))
    doi = raw_doi if doi_key(raw_doi) is not None else None
    live = record.get("live")
    said_live = None if live is None else str(live).lower()
    if said_live not in (None, "true"):
        return Converted("not_live", pmid, doi, said_live)
    return Converted("no_pmid" if pmid is None else "resolved", pmid, doi, said_live)


SOURCE = Source(facts("idconverter", ENDPOINT, "IDCONVERTER_BASE_URL", 0.34), read)
