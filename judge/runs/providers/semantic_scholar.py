"""Semantic Scholar: relevance search over papers. Free; a key buys a place of one's own.

The service says that words with a hyphen find nothing and asks for a blank instead: hyphens
between word characters are replaced, and both texts are noted. Pages may be short on the way; only
a missing ``next`` ends the list. Rank 999 is the last that can be reached.
"""

from __future__ import annotations

import re

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn
from judge.runs.providers.reading import (
    NoListError,
    identifier,
    joined,
    own_id,
    read_object,
    refuse_errors,
    rows,
    table,
    text,
    title,
    whole,
    year,
)

FACTS = Facts(
    name="semantic_scholar",
    version="1",
    modes=("keyword",),
    endpoint="https://api.semanticscholar.org/graph/v1/paper/search",
    base_env="SEMANTIC_SCHOLAR_BASE_URL",
    key_env="SEMANTIC_SCHOLAR_API_KEY",
    key_needed=False,
    paid=False,
    max_depth=999,
    page_size=100,
    min_interval_s=1.1,
    concurrency=1,
    operators={"keyword": ()},
    filters_year=True,
    unverified=(
        "that offset and limit together must stay below 1,000",
        "one request a second for a key, and 429 below that rate",
    ),
)
FIELDS = "paperId,corpusId,externalIds,title,year,publicationDate,publicationTypes,venue,url"
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011\u2013](?=\w)")


def sent_text(asked: str) -> str:
    """The text as the service can match it: a blank for each hyphen between word characters."""
    return _HYPHEN.sub(" ", asked)


def request(ask: Ask, turn: Turn) -> Request:
    """The request for one page. The year is an open range; a date would count 1 January."""
    offset = int(turn.cursor or "0")
    params = [
        ("query", sent_text(ask.text)),
        ("fields", FIELDS),
        ("offset", str(offset)),
        # The last page at the very end of what can be reached is the one that may be smaller.
        ("limit", str(min(turn.size, FACTS.max_depth - offset))),
    ]
    if ask.max_year is not None:
        params.append(("year", f"-{ask.max_year}"))
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=tuple(params),
        headers={"Accept": "application/json"},
        secrets=(Secret(at="header", name="x-api-key", env="SEMANTIC_SCHOLAR_API_KEY"),),
        page=turn.number,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The year, and the text where another one was sent than asked."""
    found: list[Notice] = []
    sent = sent_text(ask.text)
    if sent != ask.text:
        said = f"asked {ask.text!r}, sent {sent!r}: hyphens between word characters as blanks"
        found.append(Notice(kind="sent_query", text=said))
    if ask.max_year is not None:
        found.append(Notice(kind="year_filter", text=f"year=-{ask.max_year}"))
    return tuple(found)


def read(reply: Reply) -> Page:
    """The papers of a reply. A list without papers comes as ``total`` 0 and no ``data`` at all."""
    top = read_object(reply.body)
    refuse_errors(top, "error", "errors", "message")
    total = whole(top.get("total"))
    if "data" not in top and total == 0:
        return Page(hits=(), total=0)
    found = rows(top, "data")
    following, offset = whole(top.get("next")), whole(top.get("offset"))
    if top.get("next") is not None and (following is None or following <= (offset or 0)):
        raise NoListError("bad_reply", "next names no later offset")
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=following is not None and following < FACTS.max_depth,
        cursor=None if following is None else str(following),
        size=None if following is None or offset is None else following - offset,
        total=total,
    )


def _hit(place: int, row: object) -> Hit:
    paper = table(row)
    ids = table(paper.get("externalIds"))
    central = identifier(ids.get("PubMedCentral"))
    pmid, doi = identifier(ids.get("PubMed")), identifier(ids.get("DOI"))
    link = text(paper.get("url"))
    return Hit(
        rank=place,
        record_id=own_id(row, text(paper.get("paperId")), pmid, doi, link),
        link=link,
        title=title(paper.get("title")),
        pmid=pmid,
        doi=doi,
        # The field holds the digits alone; its name says what they are.
        pmcid=f"PMC{central}" if central is not None and central.isdecimal() else central,
        year=year(paper.get("year")) or year(paper.get("publicationDate")),
        source_type=joined(paper.get("publicationTypes")),
    )


ADAPTER = Paged(facts=FACTS, request=request, read=read, notes=notes)
