"""Exa: pages by likeness. Paid, one request a query.

A date on a page is Exa's own estimate from its HTML. A limit by date leaves out every page without
one. The category of scientific publications is written in two ways; a protocol says which to send.
"""

from __future__ import annotations

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, web_hit, year_filter
from judge.runs.providers.reading import (
    error_words,
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
    name="exa",
    version="1",
    modes=("auto", "neural", "fast"),
    endpoint="https://api.exa.ai/search",
    base_env="EXA_BASE_URL",
    key_env="EXA_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=100,
    page_size=100,
    min_interval_s=1.0,
    concurrency=2,
    operators={"auto": (), "neural": (), "fast": ()},
    filters_year=True,
    unverified=(
        'whether the category is "research paper" (client and specification) or "publication"',
        "whether endPublishedDate takes in its own day",
        "requests a second",
    ),
)
_SPENT = ("NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED")


def request(ask: Ask, turn: Turn) -> Request:
    """The one request of a query; no page contents are asked for."""
    return Request(
        method="POST",
        url=FACTS.endpoint,
        headers={"Accept": "application/json", "Content-Type": "application/json"},
        body=json_body(
            {
                "query": ask.text,
                "type": ask.system.mode,
                "category": ask.system.parameters.get("category"),
                "numResults": turn.size,
                "endPublishedDate": None if ask.max_year is None else _before(ask.max_year),
            }
        ),
        secrets=(Secret(at="header", name="x-api-key", env="EXA_API_KEY"),),
        page=turn.number,
        paid=True,
    )


def _before(max_year: int) -> str:
    return f"{max_year + 1}-01-01T00:00:00.000Z"


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The date that was asked for, and what it leaves out."""
    before = _before(ask.max_year or 0)
    return year_filter(ask, f"endPublishedDate {before}; pages without a date are left out")


def read(reply: Reply) -> Page:
    """The results of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    found = rows(top, "results")
    said: list[Notice] = []
    if (kind := text(top.get("resolvedSearchType")) or text(top.get("searchType"))) is not None:
        said.append(Notice(kind="interpretation", text=f"searched as {kind}"))
    if (cost := text(table(top.get("costDollars")).get("total"))) is not None:
        said.append(Notice(kind="cost", text=f"{cost} USD"))
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)), notices=tuple(said)
    )


def _hit(place: int, row: object) -> Hit:
    result = table(row)
    return web_hit(
        place,
        row,
        text(result.get("url")),
        name=text(result.get("id")),
        title=title(result.get("title")),
        year=year(result.get("publishedDate")),
        score=text(result.get("score")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """What was bought is spent, whatever the status that says so."""
    if reply.status < 400:
        return None
    said = error_words(reply.body)
    return Fault(kind="quota", text=said) if any(tag in said for tag in _SPENT) else None


ADAPTER = Paged(
    facts=FACTS,
    request=request,
    read=read,
    signal=signal,
    notes=notes,
    parameters={"category": ("research paper", "publication")},
)
