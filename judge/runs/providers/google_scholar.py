"""Google Scholar by way of SerpAPI. Paid, one search a page.

"No results" comes with status 200 under ``error``, and is known to come for queries that have
results: it is `empty_reported`, never an empty list. A result has no DOI, no PMID and no date; its
year stands in a line of text, identifiers are those that its address carries. The place SerpAPI
gives a result is not used: its base is not documented.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, web_hit, year_filter
from judge.runs.providers.reading import (
    NoListError,
    error_words,
    read_object,
    refuse_errors,
    rows,
    table,
    text,
    title,
    whole,
)

FACTS = Facts(
    name="google_scholar",
    version="1",
    modes=("keyword",),
    endpoint="https://serpapi.com/search.json",
    base_env="SERPAPI_BASE_URL",
    key_env="SERPAPI_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=1000,
    page_size=20,
    min_interval_s=1.0,
    concurrency=2,
    operators={"keyword": ("OR", "quotes", "field_tags")},
    filters_year=True,
    unverified=(
        "20 results a page at most (num), and 1,000 results at most",
        "a repeated request within the hour is free, and an older observation",
        "operators: Google Scholar documents quotes, OR and author:, no other",
    ),
)
_NO_RESULTS = re.compile(r"has(?:n.?t| not) returned any results", re.I)
_RUN_OUT = re.compile(r"run(?:s|ning)? out of searches", re.I)
_YEAR = re.compile(r"(?:^|, )((?:1[5-9]|20)[0-9]{2})$", re.ASCII)
_ORDINARY = {"Results for exact spelling", "Fully empty"}


def request(ask: Ask, turn: Turn) -> Request:
    """The request for one page. The key goes with the query: the service takes it nowhere else."""
    params = [
        ("engine", "google_scholar"),
        ("q", ask.text),
        ("num", str(turn.size)),
        ("start", turn.cursor or "0"),
    ]
    if ask.max_year is not None:
        params.append(("as_yhi", str(ask.max_year)))
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=tuple(params),
        headers={"Accept": "application/json"},
        secrets=(Secret(at="param", name="api_key", env="SERPAPI_API_KEY"),),
        page=turn.number,
        paid=True,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The year that was asked for."""
    return year_filter(ask, f"as_yhi={ask.max_year}")


def read(reply: Reply) -> Page:
    """The organic results of a reply."""
    top = read_object(reply.body)
    meta, information = table(top.get("search_metadata")), table(top.get("search_information"))
    error = text(top.get("error"))
    state = text(information.get("organic_results_state"))
    said = _notices(meta, information, state)
    if error is not None and _NO_RESULTS.search(error) and not top.get("organic_results"):
        said = (Notice(kind="no_results", text=error), *said)
        return Page(hits=(), nothing="empty_reported", notices=said)
    refuse_errors(top)
    if meta.get("status") != "Success":
        status = text(meta.get("status")) or "missing"
        raise NoListError("bad_reply", f"search_metadata.status is {status}")
    if "organic_results" not in top and state == "Fully empty":
        said = (Notice(kind="no_results", text=state), *said)
        return Page(hits=(), nothing="empty_reported", notices=said)
    found = rows(top, "organic_results")
    following = _following(table(top.get("serpapi_pagination")))
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=following is not None,
        cursor=following,
        nothing="empty_reported",
        notices=said,
    )


def _following(pagination: dict[str, Any]) -> str | None:
    """``start`` of the next page, out of its address; None at the end."""
    address = text(pagination.get("next"))
    if address is None:
        return None
    try:
        start = parse_qs(urlsplit(address).query).get("start", [""])[0]
    except ValueError:
        start = ""
    offset = whole(start)
    if offset is None:
        raise NoListError("bad_reply", "serpapi_pagination.next names no start")
    return str(offset)


def _notices(
    meta: dict[str, Any], information: dict[str, Any], state: str | None
) -> tuple[Notice, ...]:
    found: list[Notice] = []
    names = ("id", "created_at", "processed_at")
    times = [f"{key} {value}" for key in names if (value := text(meta.get(key))) is not None]
    if times:
        found.append(Notice(kind="service_time", text="; ".join(times)))
    if (total := whole(information.get("total_results"))) is not None:
        found.append(Notice(kind="estimate", text=f"about {total} results"))
    if state is not None and state not in _ORDINARY:
        found.append(Notice(kind="interpretation", text=state))
    for key in ("spelling_fix", "showing_results_for"):
        if (fixed := text(information.get(key))) is not None:
            found.append(Notice(kind="spelling", text=f"{key}: {fixed}"))
    return tuple(found)


def _hit(place: int, row: object) -> Hit:
    result = table(row)
    summary = text(table(result.get("publication_info")).get("summary")) or ""
    years = [found[1] for part in summary.split(" - ")[1:] if (found := _YEAR.search(part.strip()))]
    return web_hit(
        place,
        row,
        text(result.get("link")),
        name=text(result.get("result_id")),
        title=title(result.get("title")),
        year=years[0] if years else None,
        source_type=text(result.get("type")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """429 is the hour's rate, or the end of what was bought: the text tells which."""
    if reply.status == 429 and _RUN_OUT.search(spoken := error_words(reply.body)):
        return Fault(kind="quota", text=spoken)
    return None


ADAPTER = Paged(facts=FACTS, request=request, read=read, signal=signal, notes=notes)
