"""Crossref by DOI: notices that update a work, preprint and article, and text for want of PubMed's.

A DOI of another agency is not found here, which says nothing of a retraction.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from judge.runs.providers.base import Request, Secret
from judge.runs.providers.reading import (
    NoListError,
    as_list,
    read_date,
    read_object,
    strip_markup,
    table,
    text,
    texts,
    title,
)
from judge.runs.sources.base import Found, Source, facts, seen

ENDPOINT = "https://api.crossref.org/works/"
_RETRACTIONS = {"retraction", "withdrawal", "removal"}
_CONCERNS = {"expression_of_concern"}
_CORRECTIONS = {"correction", "erratum", "corrigendum", "addendum", "partial_retraction"}


def request(doi: str) -> Request:
    """The request for one work. The DOI is encoded whole and once, as it came."""
    return Request(
        method="GET",
        url=ENDPOINT + quote(doi, safe=""),
        secrets=(Secret(at="param", name="mailto", env="JUDGE_CONTACT"),),
    )


def read(body: bytes) -> Found:
    """A work. Raises `NoListError` for any other body."""
    top = read_object(body)
    work = top.get("message")
    if top.get("status") != "ok" or not isinstance(work, dict) or not text(work.get("DOI")):
        raise NoListError("bad_reply", "no work in the reply")
    updates = [table(one) for one in as_list(work.get("updated-by"))]
    kinds = {(text(one.get("type")) or "").lower().replace("-", "_") for one in updates}
    relation = table(work.get("relation"))
    article = _doi_of(relation.get("is-preprint-of"))
    kind = (text(work.get("type")) or "", text(work.get("subtype")) or "")
    return Found(
        retraction=seen(bool(kinds & _RETRACTIONS)),
        correction=seen(bool(kinds & _CORRECTIONS)),
        concern=seen(bool(kinds & _CONCERNS)),
        preprint=seen(kind == ("posted-content", "preprint") or article is not None),
        signals=(
            *(f"updated-by {_said(one)}" for one in updates),
            *(f"update-to {_said(table(one))}" for one in as_list(work.get("update-to"))),
            *((f"is-preprint-of {article}",) if article else ()),
        ),
        types=tuple(filter(None, kind)),
        updated=text(table(work.get("indexed")).get("date-time")),
        title=title(next(iter(texts(work.get("title"))), None)),
        journal=title(next(iter(texts(work.get("container-title"))), None)),
        year=_year(work),
        abstract=_abstract(work.get("abstract")),
        doi=text(work.get("DOI")),
        article_doi=article,
    )


def _said(update: dict[str, Any]) -> str:
    parts = [text(update.get(key)) for key in ("type", "DOI", "source")]
    return " ".join(part for part in parts if part) or "without a type"


def _doi_of(related: Any) -> str | None:
    for one in as_list(related):
        if table(one).get("id-type") == "doi" and (doi := text(table(one).get("id"))):
            return doi
    return None


def _year(work: dict[str, Any]) -> str | None:
    """Of the first date that has one; Crossref writes an unknown date as ``[[null]]``."""
    for key in ("published", "published-print", "published-online", "issued", "posted"):
        year = read_date(table(work.get(key)).get("date-parts")).year
        if year is not None:
            return str(year)
    return None


def _abstract(raw: Any) -> str | None:
    found = text(raw)
    return (" ".join(strip_markup(found).split()) or None) if found else None


SOURCE = Source(facts("crossref", ENDPOINT, "CROSSREF_BASE_URL", 0.2, concurrency=2), read)
"""5 requests a second, the rate of the public pool: a contact address gives 10."""
