"""Consensus: papers for a question. Paid.

The size of a page is cut to the plan's without a word: it is read from the reply. A page after the
first is refused on a free plan (403 ``feature_not_allowed``), which says nothing of the key. A
result has no PMID and no id of its own; its address and DOI are all that names it.
"""

from __future__ import annotations

from judge.records.run import Hit, Notice
from judge.runs.links import identifiers
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, year_filter
from judge.runs.providers.reading import (
    identifier,
    own_id,
    read_object,
    refuse_errors,
    rows,
    said,
    table,
    text,
    title,
    whole,
    year,
)

FACTS = Facts(
    name="consensus",
    version="1",
    modes=("semantic",),
    endpoint="https://api.consensus.app/v1/search",
    base_env="CONSENSUS_BASE_URL",
    key_env="CONSENSUS_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=1000,
    page_size=20,
    min_interval_s=1.0,
    concurrency=1,
    operators={"semantic": ()},
    filters_year=True,
    unverified=(
        "bodies of 402 and 429, and requests a second",
        "that a page after the first needs a paid plan (403 feature_not_allowed)",
        "the largest page: 20 by default, cut to the plan's",
    ),
)


def request(ask: Ask, turn: Turn) -> Request:
    """The request for one page; the service counts pages from 0."""
    params = [
        ("query", ask.text),
        ("page", turn.cursor or "0"),
        ("page_size", str(turn.size)),
    ]
    if ask.max_year is not None:
        params.append(("year_max", str(ask.max_year)))
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=tuple(params),
        headers={"Accept": "application/json"},
        secrets=(Secret(at="header", name="x-api-key", env="CONSENSUS_API_KEY"),),
        page=turn.number,
        paid=True,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The year that was asked for."""
    return year_filter(ask, f"year_max={ask.max_year}")


def read(reply: Reply) -> Page:
    """The results of a reply."""
    top = read_object(reply.body)
    refuse_errors(top, "error", "errors", "detail")
    found = rows(top, "results")
    after = whole(top.get("next_page"))
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=top.get("is_end") is not True and after is not None and after > 0,
        cursor=None if after is None else str(after),
        size=whole(top.get("page_size")),
    )


def _hit(place: int, row: object) -> Hit:
    paper = table(row)
    link, doi = text(paper.get("url")), identifier(paper.get("doi"))
    carried = identifiers(link)
    return Hit(
        rank=place,
        record_id=own_id(row, link, doi),
        link=link,
        title=title(paper.get("title")),
        pmid=carried.pmid,
        doi=doi or carried.doi,
        pmcid=carried.pmcid,
        year=year(paper.get("publish_year")) or year(paper.get("publish_date")),
        source_type="preprint"
        if paper.get("is_preprint") is True
        else text(paper.get("study_type")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """A page that the plan does not give is refused for the query; the key stays good."""
    if reply.status == 403 and b"feature_not_allowed" in reply.body:
        return Fault(kind="rejected", text=said(reply.body))
    return None


ADAPTER = Paged(facts=FACTS, request=request, read=read, signal=signal, notes=notes)
