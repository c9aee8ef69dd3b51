"""Parallel: pages for an objective and its queries. Paid, one request a query.

The question goes out twice, as the objective and as the one search query, for the service wants
queries. No session is named: one would change the results. One request at a time: 402 may mean
credit that is held for requests under way, and then there are none.
"""

from __future__ import annotations

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, domains, web_hit
from judge.runs.providers.reading import (
    json_body,
    notices,
    read_object,
    refuse_errors,
    rows,
    table,
    text,
    title,
    year,
)

FACTS = Facts(
    name="parallel",
    version="1",
    modes=("advanced", "basic", "fast", "turbo"),
    endpoint="https://api.parallel.ai/v1/search",
    base_env="PARALLEL_BASE_URL",
    key_env="PARALLEL_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=20,
    page_size=20,
    min_interval_s=0.1,
    concurrency=1,
    operators={"advanced": (), "basic": (), "fast": (), "turbo": ()},
    unverified=(
        "the most results a request: 20 were seen, no ceiling is published",
        "the longest query (200 characters) and objective (5,000), from older documents",
    ),
)


def request(ask: Ask, turn: Turn) -> Request:
    """The one request of a query."""
    settings: dict[str, object] = {"max_results": turn.size}
    if sites := domains(ask):
        settings["source_policy"] = {"include_domains": sites}
    return Request(
        method="POST",
        url=FACTS.endpoint,
        headers={"Accept": "application/json", "Content-Type": "application/json"},
        body=json_body(
            {
                "objective": ask.text,
                "search_queries": [ask.text],
                "mode": ask.system.mode,
                "advanced_settings": settings,
            }
        ),
        secrets=(Secret(at="header", name="x-api-key", env="PARALLEL_API_KEY"),),
        page=turn.number,
        paid=True,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """That the text was sent twice."""
    return (Notice(kind="sent_query", text="sent as objective and as the one of search_queries"),)


def read(reply: Reply) -> Page:
    """The results of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    found = rows(top, "results")
    said = list(notices("warning", top.get("warnings")))
    if (search := text(top.get("search_id"))) is not None:
        said.append(Notice(kind="request_id", text=search))
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
        year=year(result.get("publish_date")),
    )


ADAPTER = Paged(facts=FACTS, request=request, read=read, notes=notes, parameters={"domains": ()})
