"""A search service without code of its own: described in a TOML file, asked like any other.

The file says how a page is asked for, how pages follow each other, and where in the reply each
field stands (JSON Pointer, RFC 6901: one pointer to the list, then one per field into each result,
so that a result without a title keeps its place). It fails closed: `judge.runs.description` says
what a file may not hold; what a reply does not hold is a bad reply, and never an empty list.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from judge.canonical import sha256
from judge.decode import count_problems, scan_toml
from judge.errors import Invalid
from judge.records.base import UNAVAILABLE
from judge.records.run import Hit, Notice
from judge.runs.description import ENV, PLACE, Description, problems_of, values
from judge.runs.links import identifiers
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.paging import Page, Paged, Turn, year_filter
from judge.runs.providers.reading import (
    NoListError,
    as_rows,
    identifier,
    joined,
    json_body,
    notices,
    own_id,
    read_json,
    said,
    spoken,
    text,
    title,
    whole,
    year,
)

_NUMBERS = {"page_size", "offset", "page", "max_year"}
MISSING: Final = object()


def load_described(data: bytes, name: str) -> Paged:
    """The adapter that a description makes; ``name`` is the file's, for messages.

    The digest of the file is part of the adapter's version: a description that was changed is
    another adapter. Raises `Invalid` with every problem of the file.
    """
    found, problems = scan_toml(data, name, Description)
    if found is not None:
        problems = [*problems, *problems_of(found, name)]
    if problems or found is None:
        raise Invalid(f"{name} has {count_problems(problems)}", problems)
    return Paged(
        facts=_facts(found, sha256(data)),
        request=partial(_request, found),
        read=partial(_read, found),
        signal=partial(_signal, found),
        notes=partial(_notes, found),
    )


def pointed(value: Any, pointer: str) -> Any:
    """What a JSON Pointer points at (RFC 6901); `MISSING` where it points at nothing."""
    here = value
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict) and key in here:
            here = here[key]
        elif isinstance(here, list) and re.fullmatch(r"0|[1-9][0-9]{0,8}", key, re.ASCII):
            if int(key) >= len(here):
                return MISSING
            here = here[int(key)]
        else:
            return MISSING
    return here


def _at(value: Any, pointer: str) -> Any:
    """What ``pointer`` points at; None for nothing, and for no pointer at all."""
    found = pointed(value, pointer) if pointer else None
    return None if found is MISSING else found


# --- asking -------------------------------------------------------------------------------------


def _facts(found: Description, digest: str) -> Facts:
    keys = [secret.env for secret in _secrets(found)]
    return Facts(
        name=found.name,
        version=f"{found.adapter}+{digest[:12]}",
        modes=tuple(found.modes),
        endpoint=found.request.url,
        base_env=f"{found.name.upper()}_BASE_URL",
        key_env=keys[0] if keys else None,
        key_needed=bool(keys),
        paid=found.paid,
        max_depth=found.max_depth,
        page_size=min(found.paging.size, found.max_depth),
        min_interval_s=found.min_interval_s,
        concurrency=found.concurrency,
        operators={name: mode.operators for name, mode in found.modes.items()},
        filters_year=_filters_year(found),
        unverified=found.unverified,
    )


def _filters_year(found: Description) -> bool:
    return any(isinstance(one, str) and "{max_year}" in one for _, _, one in values(found.request))


def _secrets(found: Description) -> tuple[Secret, ...]:
    request = found.request
    keys = [("header", name, value) for name, value in request.headers.items()]
    keys += [("param", name, value) for name, value in request.params.items()]
    return tuple(
        Secret(at="header" if at == "header" else "param", name=name, env=key[2], prefix=key[1])
        for at, name, value in keys
        if (key := ENV.fullmatch(value)) is not None
    )


def _request(found: Description, ask: Ask, turn: Turn) -> Request:
    request = found.request
    places = _places(found, ask, turn)
    url, params = request.url, _filled(request.params, places)
    if found.paging.kind == "link" and turn.cursor is not None:
        url, params = request.url, dict(_link(found, turn.cursor))
    headers = {"Accept": "application/json", **_filled(request.headers, places)}
    body = None
    if request.method == "POST" and request.body:
        body = json_body(_filled(request.body, places))
        headers = {"Content-Type": "application/json", **headers}
    return Request(
        method=request.method,
        url=url,
        params=tuple((name, str(value)) for name, value in params.items()),
        headers={name: str(value) for name, value in headers.items()},
        body=body,
        secrets=_secrets(found),
        page=turn.number,
        paid=found.paid,
    )


def _places(found: Description, ask: Ask, turn: Turn) -> dict[str, str | int | None]:
    """What each place becomes; None leaves the value out that holds it."""
    mode, before = ask.system.mode, turn.number - 1
    described = found.modes.get(mode)
    return {
        "query": ask.text,
        "mode": (described.sent if described else "") or mode,
        "page_size": turn.size,
        "offset": found.paging.base + before * turn.size,
        "page": found.paging.base + before,
        "cursor": turn.cursor or found.paging.first or None,
        "max_year": ask.max_year,
    }


def _filled(value: dict[str, Any], places: dict[str, str | int | None]) -> dict[str, Any]:
    filled = {name: _fill(inner, places) for name, inner in value.items()}
    return {name: inner for name, inner in filled.items() if inner is not MISSING}


def _fill(value: Any, places: dict[str, str | int | None]) -> Any:
    if isinstance(value, dict):
        return _filled(value, places)
    if isinstance(value, list):
        return [one for one in (_fill(inner, places) for inner in value) if one is not MISSING]
    if not isinstance(value, str):
        return value
    names = PLACE.findall(value)
    if ENV.fullmatch(value) or any(places[name] is None for name in names):
        return MISSING
    if len(names) == 1 and value == f"{{{names[0]}}}" and names[0] in _NUMBERS:
        return places[names[0]]
    return PLACE.sub(lambda place: str(places[place[1]]), value)


def _link(found: Description, address: str) -> list[tuple[str, str]]:
    """The parameters of the next page's address, less keys. It must be the described address.

    Raises `NoListError` for any other: a reply does not say where keys are sent.
    """
    own = urlsplit(found.request.url)
    try:
        parts = urlsplit(urljoin(found.request.url, address))
        there = (parts.scheme, parts.netloc, parts.path)
        given = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        there, given = ("", "", ""), []
    if there != (own.scheme, own.netloc, own.path):
        raise NoListError("bad_reply", f"the next page is at another address: {address!r}")
    keys = {secret.name for secret in _secrets(found) if secret.at == "param"}
    return [(name, value) for name, value in given if name not in keys]


def _notes(found: Description, ask: Ask) -> tuple[Notice, ...]:
    return year_filter(ask, f"max_year={ask.max_year}") if _filters_year(found) else ()


# --- reading ------------------------------------------------------------------------------------


def _read(found: Description, reply: Reply) -> Page:
    top = read_json(reply.body)
    described = found.reply
    error = _at(top, described.error)
    listed = pointed(top, described.hits)
    if error or listed is MISSING:
        message = spoken(error) or said(reply.body)
        if described.empty_pattern and re.search(described.empty_pattern, message):
            return Page(hits=(), notices=(Notice(kind="no_results", text=message),))
        if _refuses(found, reply.status, message):
            raise NoListError("refused", message)
        missing = f"no list at {described.hits!r}; " if listed is MISSING else ""
        raise NoListError("bad_reply", f"{missing}{message}")
    rows = as_rows(listed, described.hits or "the top")
    following = _following(found, top)
    versions = {name: text(_at(top, at)) for name, at in described.versions.items()}
    return Page(
        hits=tuple(_hit(found, place, row) for place, row in enumerate(rows, 1)),
        more=_more(found, top, following),
        cursor=following,
        total=whole(_at(top, described.total)),
        notices=tuple(
            notice for at in described.notices for notice in notices("warning", _at(top, at))
        ),
        service_version=versions.get("service") or UNAVAILABLE,
        index_version=versions.get("index") or UNAVAILABLE,
        model_version=versions.get("model") or UNAVAILABLE,
        index_digest=versions.get("index_digest"),
    )


def _following(found: Description, top: Any) -> str | None:
    if found.paging.kind not in {"cursor", "link"}:
        return None
    following = text(_at(top, found.paging.next_path))
    if following is not None and found.paging.kind == "link":
        _link(found, following)
    return following


def _more(found: Description, top: Any, following: str | None) -> bool:
    if found.paging.kind == "none" or _at(top, found.paging.end_path) is True:
        return False
    return following is not None if found.paging.kind in {"cursor", "link"} else True


def _hit(found: Description, place: int, row: Any) -> Hit:
    fields = found.fields
    link = text(_at(row, fields.url))
    carried = identifiers(link)
    pmid = identifier(_at(row, fields.pmid)) or carried.pmid
    doi = identifier(_at(row, fields.doi)) or carried.doi
    pmcid = identifier(_at(row, fields.pmcid)) or carried.pmcid
    return Hit(
        rank=place,
        record_id=own_id(row, text(_at(row, fields.id)), pmid, doi, pmcid, link),
        link=link,
        title=title(_at(row, fields.title)),
        pmid=pmid,
        doi=doi,
        pmcid=pmcid,
        year=year(_at(row, fields.date)),
        source_type=joined(_at(row, fields.type)),
        updated=text(_at(row, fields.updated)),
        notice=_retraction(_at(row, fields.retracted)),
        score=text(_at(row, fields.score)),
    )


def _retraction(value: Any) -> str | None:
    if value is True:
        return "retracted"
    spoken = text(value)
    return None if spoken is None or spoken.lower() in {"false", "no", "0"} else spoken


def _refuses(found: Description, status: int, message: str) -> bool:
    refusal = found.reply.refusal
    return (
        refusal is not None
        and status in refusal.status
        and re.search(refusal.pattern, message) is not None
    )


def _signal(found: Description, request: Request, reply: Reply) -> Fault | None:
    if 200 <= reply.status < 300:
        return None  # the reading says so, where there is no list
    message = said(reply.body)
    return Fault(kind="refused", text=message) if _refuses(found, reply.status, message) else None
