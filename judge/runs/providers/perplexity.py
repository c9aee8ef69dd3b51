"""Perplexity: pages for a question. Paid, one request a query.

One text is sent, for several come back in groups. The filter by date is about the page, not the
paper, and is left alone: a year is cut off afterwards. The service's own clock is asked for.
"""

from __future__ import annotations

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, domains, web_hit
from judge.runs.providers.reading import (
    json_body,
    read_object,
    refuse_errors,
    rows,
    table,
    text,
    title,
    year,
)

FACTS = Facts(
    name="perplexity",
    version="1",
    modes=("web", "academic", "sec"),
    endpoint="https://api.perplexity.ai/search",
    base_env="PERPLEXITY_BASE_URL",
    key_env="PERPLEXITY_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=20,
    page_size=20,
    min_interval_s=1.0,
    concurrency=2,
    operators={"web": (), "academic": (), "sec": ()},
    unverified=("bodies of errors, and requests a second",),
)


def request(ask: Ask, turn: Turn) -> Request:
    """The one request of a query."""
    return Request(
        method="POST",
        url=FACTS.endpoint,
        headers={"Accept": "application/json", "Content-Type": "application/json"},
        body=json_body(
            {
                "query": ask.text,
                "max_results": turn.size,
                "search_mode": ask.system.mode,
                "search_domain_filter": domains(ask) or None,
                "display_server_time": True,
            }
        ),
        secrets=(
            Secret(at="header", name="Authorization", env="PERPLEXITY_API_KEY", prefix="Bearer "),
        ),
        page=turn.number,
        paid=True,
    )


def read(reply: Reply) -> Page:
    """The results of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    found = rows(top, "results")
    said = [
        Notice(kind=kind, text=value)
        for kind, value in (
            ("request_id", text(top.get("id"))),
            ("service_time", text(top.get("server_time"))),
        )
        if value is not None
    ]
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)), notices=tuple(said)
    )


def _hit(place: int, row: object) -> Hit:
    result = table(row)
    return web_hit(
        place,
        row,
        text(result.get("url")),
        title=title(result.get("title")),
        year=year(result.get("date")),
        updated=text(result.get("last_updated")),
    )


ADAPTER = Paged(facts=FACTS, request=request, read=read, parameters={"domains": ()})
