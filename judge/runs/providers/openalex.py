"""OpenAlex: works by words (keyword) or by likeness (semantic). Paid out of a daily budget.

Two adapters, for they page differently: by cursor, and not at all. The size of a page is the same
for every page of a query, since a page that is smaller than asked ends the cursor. The order is
asked for by name. A search that took too long comes back in part, with status 200: ``timed_out``
is noted where the service shows it, and the list ends there.
"""

from __future__ import annotations

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn
from judge.runs.providers.reading import (
    NoListError,
    error_words,
    identifier,
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

_KEY = Secret(at="header", name="Authorization", env="OPENALEX_API_KEY", prefix="Bearer ")
_UNVERIFIED = (
    "the key as a Bearer header (one official client sends it so) instead of api_key=",
    "that meta.timed_out is shown when a search came back in part",
    "a spent budget answered with status 200",
)
KEYWORD = Facts(
    name="openalex_keyword",
    version="1",
    modes=("keyword",),
    endpoint="https://api.openalex.org/works",
    base_env="OPENALEX_BASE_URL",
    key_env="OPENALEX_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=10_000,
    page_size=100,
    min_interval_s=0.1,
    concurrency=4,
    operators={"keyword": ("AND", "OR", "NOT", "quotes", "grouping")},
    filters_year=True,
    unverified=_UNVERIFIED,
)
SEMANTIC = Facts(
    name="openalex_semantic",
    version="1",
    modes=("semantic",),
    endpoint="https://api.openalex.org/works",
    base_env="OPENALEX_BASE_URL",
    key_env="OPENALEX_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=50,
    page_size=50,
    min_interval_s=1.25,
    concurrency=1,
    operators={"semantic": ()},
    filters_year=True,
    unverified=(
        *_UNVERIFIED,
        "requests a second in semantic mode: 0.8 was used elsewhere",
        "ranks are not likeness alone: citations count, and short queries get title matches",
        "the query is cut at 2,000 characters without a word",
    ),
)
SELECT = (
    "id,doi,ids,display_name,publication_year,publication_date,type,is_retracted,is_paratext"
    ",primary_location,updated_date,relevance_score"
)


def keyword_request(ask: Ask, turn: Turn) -> Request:
    """One page of the keyword search, by cursor."""
    return _request(
        ask,
        KEYWORD,
        turn,
        ("search", ask.text),
        ("cursor", turn.cursor or "*"),
        ("sort", "relevance_score:desc"),
    )


def semantic_request(ask: Ask, turn: Turn) -> Request:
    """The one page of the semantic search, which takes no cursor."""
    return _request(ask, SEMANTIC, turn, ("search.semantic", ask.text))


def _request(ask: Ask, facts: Facts, turn: Turn, *own: tuple[str, str]) -> Request:
    params = [*own, ("per_page", str(turn.size)), ("select", SELECT)]
    if ask.max_year is not None:
        params.append(("filter", _filter(ask.max_year)))
    return Request(
        method="GET",
        url=facts.endpoint,
        params=tuple(params),
        headers={"Accept": "application/json"},
        secrets=(_KEY,),
        page=turn.number,
        paid=True,
    )


def _filter(max_year: int) -> str:
    return f"publication_year:<{max_year + 1}"


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The year that was asked for, and a text that the semantic mode cuts."""
    found: list[Notice] = []
    if ask.max_year is not None:
        found.append(Notice(kind="year_filter", text=f"filter={_filter(ask.max_year)}"))
    if ask.system.mode == "semantic" and len(ask.text) > 2000:
        cut = f"{len(ask.text)} characters sent; the service reads the first 2,000"
        found.append(Notice(kind="query_cut", text=cut))
    return tuple(found)


def read(reply: Reply) -> Page:
    """The works of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    meta = table(top.get("meta"))
    found = rows(top, "results")
    total = whole(meta.get("count"))
    if total is None:
        raise NoListError("bad_reply", "meta.count is missing")
    partial = meta.get("timed_out") is True
    if partial and not found:
        raise NoListError("bad_reply", "meta.timed_out is true, and the list is empty")
    cursor = text(meta.get("next_cursor"))
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=cursor is not None and not partial,
        cursor=cursor,
        size=whole(meta.get("per_page")),
        total=total,
        notices=_notices(meta, partial),
    )


def _notices(meta: dict[str, object], partial: bool) -> tuple[Notice, ...]:
    found: list[Notice] = []
    if partial:
        said_so = "meta.timed_out is true: the search came back in part"
        found.append(Notice(kind="partial", text=said_so))
    if (took := text(meta.get("db_response_time_ms"))) is not None:
        found.append(Notice(kind="service_time", text=f"db_response_time_ms {took}"))
    if (cost := text(meta.get("cost_usd"))) is not None:
        found.append(Notice(kind="cost", text=f"{cost} USD"))
    return tuple(found)


def _hit(place: int, row: object) -> Hit:
    work = table(row)
    ids = table(work.get("ids"))
    doi = identifier(work.get("doi")) or identifier(ids.get("doi"))
    own, landing = text(work.get("id")), table(work.get("primary_location"))
    link = text(landing.get("landing_page_url")) or own
    # A work without a type may still say that it is front matter.
    kind = "paratext" if work.get("is_paratext") is True else text(work.get("type"))
    return Hit(
        rank=place,
        record_id=own_id(row, own, doi, link),
        link=link,
        title=title(work.get("display_name")),
        pmid=identifier(ids.get("pmid")),
        doi=doi,
        pmcid=identifier(ids.get("pmcid")),
        year=year(work.get("publication_year")) or year(work.get("publication_date")),
        source_type=kind,
        updated=text(work.get("updated_date")),
        notice="retracted (is_retracted)" if work.get("is_retracted") is True else None,
        score=text(work.get("relevance_score")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """A spent budget whatever the status; 403 is the rate; a failed embedding is passing."""
    spoken = error_words(reply.body)
    lower = spoken.lower()
    if "insufficient budget" in lower:
        return Fault(
            kind="quota",
            text=spoken,
            retry_after_s=whole(reply.headers.get("retry-after")),
            resets_at=reply.headers.get("x-ratelimit-reset") or "midnight UTC",
        )
    if reply.status == 403 and spoken and "key" not in lower:
        return Fault(kind="transient", text=spoken)
    if reply.status == 400 and "embed query" in lower:
        return Fault(kind="transient", text=spoken)
    return None


KEYWORD_ADAPTER = Paged(
    facts=KEYWORD, request=keyword_request, read=read, signal=signal, notes=notes
)
SEMANTIC_ADAPTER = Paged(
    facts=SEMANTIC, request=semantic_request, read=read, signal=signal, notes=notes
)
