"""Elicit: papers for a question (semantic) or for words (keyword). Paid.

One request gives the whole list; how many a plan gives is not documented alike everywhere. Result
fields hold no PMCID, no full date, no type and no retraction. Words and filters together are
refused by the service, so that the keyword mode cannot be cut off by year.
"""

from __future__ import annotations

import re

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, year_filter
from judge.runs.providers.reading import (
    identifier,
    json_body,
    looks_like_page,
    notices,
    own_id,
    read_object,
    refuse_errors,
    rows,
    said,
    table,
    text,
    texts,
    title,
    year,
)

FACTS = Facts(
    name="elicit",
    version="1",
    modes=("semantic", "keyword"),
    endpoint="https://elicit.com/api/v2/search/papers",
    base_env="ELICIT_BASE_URL",
    key_env="ELICIT_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=200,
    page_size=200,
    min_interval_s=1.0,
    concurrency=1,
    operators={"semantic": (), "keyword": ()},
    filters_year=True,
    unverified=(
        "names of the filters, and that keyword mode takes none",
        "results a request: 10,000 at most (v2) or 5,000 (v1), less by plan",
        "requests a day and results a request by plan: stored copies of the reference disagree",
        "Retry-After on 429: the official skill says wait 60 s",
        "403 with the code 1010 for a client that the guard before the service does not like",
        "operators of the keyword mode are not documented",
    ),
)


def request(ask: Ask, turn: Turn) -> Request:
    """The one request of a query."""
    parameters = ask.system.parameters
    filters: dict[str, object] = {}
    if ask.system.mode == "semantic":
        if ask.max_year is not None:
            filters["maxYear"] = ask.max_year
        if "retracted" in parameters:
            filters["retracted"] = parameters["retracted"]
    return Request(
        method="POST",
        url=FACTS.endpoint,
        headers={"Accept": "application/json", "Content-Type": "application/json"},
        body=json_body(
            {
                "query": ask.text,
                "searchMode": ask.system.mode,
                "corpus": parameters.get("corpus"),
                "filters": filters or None,
                "maxResults": turn.size,
            }
        ),
        secrets=(
            Secret(at="header", name="Authorization", env="ELICIT_API_KEY", prefix="Bearer "),
        ),
        page=turn.number,
        paid=True,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """Whether the year was part of the request."""
    if ask.max_year is not None and ask.system.mode == "keyword":
        said_so = "keyword mode takes no filters; cut off afterwards"
        return (Notice(kind="year_not_filtered", text=said_so),)
    return year_filter(ask, f"filters.maxYear={ask.max_year}")


def read(reply: Reply) -> Page:
    """The papers of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    found = rows(top, "papers")
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        notices=notices("warning", top.get("warnings")),
    )


def _hit(place: int, row: object) -> Hit:
    paper = table(row)
    addresses = texts(paper.get("urls"))
    pmid, doi = identifier(paper.get("pmid")), identifier(paper.get("doi"))
    link = addresses[0] if addresses else None
    return Hit(
        rank=place,
        record_id=own_id(row, text(paper.get("elicitId")), pmid, doi, link),
        link=link,
        title=title(paper.get("title")),
        pmid=pmid,
        doi=doi,
        year=year(paper.get("year")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """403 by the guard before the service is not the plan's; 429 without a time means a minute."""
    if reply.status == 403 and (looks_like_page(reply.body) or re.search(rb"\b1010\b", reply.body)):
        return Fault(kind="blocked", text=said(reply.body))
    if reply.status == 429 and "retry-after" not in reply.headers:
        return Fault(kind="transient", text=said(reply.body), retry_after_s=60)
    return None


ADAPTER = Paged(
    facts=FACTS,
    request=request,
    read=read,
    signal=signal,
    notes=notes,
    parameters={
        "corpus": ("elicit", "pubmed"),
        "retracted": ("exclude_retracted", "include_retracted", "only_retracted"),
    },
)
