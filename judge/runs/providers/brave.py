"""Brave: pages of the web. Paid for answers alone.

``offset`` counts pages, not results, and pages may overlap. Spelling is left as asked and titles
without marks, by request: both are on otherwise. A search without a page has no ``web`` at all,
and so has an error: a reply counts as empty only where it says which query it answers.
"""

from __future__ import annotations

from typing import Any

from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, domains, web_hit
from judge.runs.providers.reading import (
    NoListError,
    as_list,
    error_words,
    read_object,
    refuse_errors,
    rows,
    said,
    table,
    text,
    title,
    whole,
)

FACTS = Facts(
    name="brave",
    version="1",
    modes=("web",),
    endpoint="https://api.search.brave.com/res/v1/web/search",
    base_env="BRAVE_BASE_URL",
    key_env="BRAVE_API_KEY",
    key_needed=True,
    paid=True,
    max_depth=200,
    page_size=20,
    min_interval_s=1.1,
    concurrency=1,
    operators={"web": ("AND", "OR", "NOT", "quotes", "field_tags")},
    unverified=(
        "a search without results answered without web",
        "a bad key answered with 422 SUBSCRIPTION_TOKEN_INVALID, as a bad parameter is with 422",
        "operators: documented as experimental",
    ),
)
_LONGEST, _MOST_WORDS = 400, 50


def sent_text(ask: Ask) -> str:
    """The text, and the sites that a protocol restricts it to, as operators."""
    sites = [f"site:{domain}" for domain in domains(ask)]
    if not sites:
        return ask.text
    joined = sites[0] if len(sites) == 1 else f"({' OR '.join(sites)})"
    return f"{ask.text} {joined}"


def request(ask: Ask, turn: Turn) -> Request:
    """The request for one page."""
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=(
            ("q", sent_text(ask)),
            ("count", str(turn.size)),
            ("offset", str(turn.number - 1)),
            ("spellcheck", "false"),
            ("text_decorations", "false"),
        ),
        headers={"Accept": "application/json"},
        secrets=(Secret(at="header", name="X-Subscription-Token", env="BRAVE_API_KEY"),),
        page=turn.number,
        paid=True,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The text where another one was sent than asked, and one that is longer than is taken."""
    found: list[Notice] = []
    sent = sent_text(ask)
    if sent != ask.text:
        found.append(Notice(kind="sent_query", text=f"asked {ask.text!r}, sent {sent!r}"))
    if len(sent) > _LONGEST or len(sent.split()) > _MOST_WORDS:
        long = f"{len(sent)} characters, {len(sent.split())} words; the service takes 400 and 50"
        found.append(Notice(kind="query_too_long", text=long))
    return tuple(found)


def read(reply: Reply) -> Page:
    """The web results of a reply."""
    top = read_object(reply.body)
    refuse_errors(top)
    query = table(top.get("query"))
    if top.get("type") != "search" or text(query.get("original")) is None:
        raise NoListError("bad_reply", "no search reply: type and query.original are missing")
    shown = _shown(top)
    if "web" not in top:
        if shown:
            raise NoListError("bad_reply", "web is missing, and mixed shows web results")
        return Page(hits=(), notices=_notices(query, []))
    found = rows(top, "web", "results")
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=query.get("more_results_available") is True,
        notices=_notices(query, shown),
    )


def _shown(top: dict[str, Any]) -> list[int]:
    """The places of web results in the order in which a page of Brave shows them."""
    blocks = [table(block) for block in as_list(table(top.get("mixed")).get("main"))]
    places = [whole(block.get("index")) for block in blocks if block.get("type") == "web"]
    return [place for place in places if place is not None]


def _notices(query: dict[str, Any], shown: list[int]) -> tuple[Notice, ...]:
    found: list[Notice] = []
    if (altered := text(query.get("altered"))) is not None:
        said_so = f"searched {altered!r} for {text(query.get('original'))!r}"
        found.append(Notice(kind="spelling", text=said_so))
    found += [
        Notice(kind="warning", text=f"query.{key} is true")
        for key in ("bad_results", "should_fallback")
        if query.get(key) is True
    ]
    if "more_results_available" not in query:
        found.append(Notice(kind="missing_cursor", text="query.more_results_available is missing"))
    if shown != sorted(shown):
        order = ", ".join(str(place + 1) for place in shown)
        found.append(Notice(kind="display_order", text=f"a page of Brave shows {order}"))
    return tuple(found)


def _hit(place: int, row: object) -> Hit:
    result = table(row)
    return web_hit(
        place,
        row,
        text(result.get("url")),
        title=title(result.get("title")),
        updated=text(result.get("page_age")),
        source_type=text(result.get("subtype")),
    )


def signal(request: Request, reply: Reply) -> Fault | None:
    """422 is the key's or a parameter's; 429 is the second's or the month's."""
    if reply.status == 422 and "SUBSCRIPTION_TOKEN" in (spoken := error_words(reply.body)):
        return Fault(kind="auth", text=spoken)
    if reply.status == 429 and (wait := _month_is_spent(reply.headers)) is not None:
        return Fault(
            kind="quota",
            text=said(reply.body),
            retry_after_s=wait,
            resets_at=f"{wait} s after the reply",
        )
    return None


def _month_is_spent(headers: dict[str, str]) -> int | None:
    """Seconds until the longest window has calls again, where it has none left; else None.

    The windows stand in one header each, in the same order: ``1;w=1, 15000;w=2592000``.
    """
    lists = {
        name: [part.strip() for part in headers.get(f"x-ratelimit-{name}", "").split(",")]
        for name in ("policy", "remaining", "reset")
    }
    windows = [whole(part.partition(";w=")[2]) for part in lists["policy"]]
    if not windows or any(window is None for window in windows):
        return None
    longest = max(range(len(windows)), key=lambda place: windows[place] or 0)
    left, resets = (
        whole(lists[name][longest]) if longest < len(lists[name]) else None
        for name in ("remaining", "reset")
    )
    return resets if left == 0 and len(windows) > 1 else None


ADAPTER = Paged(
    facts=FACTS,
    request=request,
    read=read,
    signal=signal,
    notes=notes,
    parameters={"domains": ()},
)
