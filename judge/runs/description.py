"""What a description of a search service says, and what may not stand in one.

`judge.runs.described` makes an adapter of it. A description is refused whole for a key in the
clear, an address that could carry one in the clear, an unknown name or place, and a request into
which the query does not go exactly once, by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

from judge.errors import Problem
from judge.records.base import Record
from judge.records.protocol import Operator


class DescribedRequest(Record, frozen=True, kw_only=True):
    """How a page is asked for. Values hold places: ``{query}``, ``{mode}``, ``{page_size}``,
    ``{offset}``, ``{page}``, ``{cursor}``, ``{max_year}``; ``${ENV:NAME}`` stands for a key."""

    method: Literal["GET", "POST"] = "GET"
    url: str
    """Scheme, host and path."""
    redirect: Literal["refuse"] = "refuse"
    params: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: dict[str, Any] = {}
    """The JSON object of a POST; a value that is a place for a number alone is sent as a number."""


class DescribedPaging(Record, frozen=True, kw_only=True):
    """How one page follows another."""

    kind: Literal["none", "offset", "page", "cursor", "link"]
    size: int
    """Results a page."""
    base: int = 0
    """Number of the first result (offset) or page."""
    first: str = ""
    """Cursor of the first page; without one the place is left out there."""
    next_path: str = ""
    """Where the reply names the next page: a cursor, or the page's address."""
    end_path: str = ""
    """Where the reply says ``true`` on the last page."""


class DescribedRefusal(Record, frozen=True, kw_only=True):
    """A refusal that the service documents: one of the statuses, with words that match."""

    status: tuple[int, ...]
    pattern: str


class DescribedReply(Record, frozen=True, kw_only=True):
    """Where a reply holds what, as JSON Pointers from its top."""

    hits: str
    total: str = ""
    error: str = ""
    notices: tuple[str, ...] = ()
    versions: dict[Literal["service", "index", "model", "index_digest"], str] = {}
    empty_pattern: str = ""
    """What the service's error says where it means that nothing was found."""
    refusal: DescribedRefusal | None = None


class DescribedFields(Record, frozen=True, kw_only=True):
    """Where a result holds what, as JSON Pointers from the result; empty for not at all."""

    id: str = ""
    title: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    date: str = ""
    type: str = ""
    updated: str = ""
    retracted: str = ""
    score: str = ""
    abstract: str = ""
    """For the reader of the file: what people judge is never a service's own text."""


class DescribedMode(Record, frozen=True, kw_only=True):
    """One mode: how the service names it, and the operators that it reads."""

    sent: str = ""
    """What ``{mode}`` becomes; the mode's own name where empty."""
    operators: tuple[Operator, ...] = ()


class Description(Record, frozen=True, kw_only=True):
    """A service, described."""

    name: str
    adapter: str
    """Version of the description, grown with every change of it."""
    paid: bool
    min_interval_s: float
    max_depth: int
    concurrency: int = 1
    unverified: tuple[str, ...] = ()
    request: DescribedRequest
    paging: DescribedPaging
    reply: DescribedReply
    fields: DescribedFields
    modes: dict[str, DescribedMode]


ENV = re.compile(r"([^${}]*)\$\{ENV:([A-Z][A-Z0-9_]*)\}", re.ASCII)
"""A value that ends in a key: text before it, and the variable that holds it."""
PLACE = re.compile(r"\{([a-z_]+)\}", re.ASCII)
PLACES = ("query", "mode", "page_size", "offset", "page", "cursor", "max_year")
_LONGEST_INTERVAL_S = 3600
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:api[-_]?key|key|token|secret|password|auth|authori[sz]ation|cookie|credentials?)"
    r"(?:$|[-_.])",
    re.I,
)
_SCHEME = re.compile(r"^(?:bearer|basic|token|apikey)\s+\S", re.I)
_KEY_WORD = re.compile(r"(?:sk|pk|rk|ghp|xox[bp]|AIza)[-_]?[A-Za-z0-9_-]{12,}", re.ASCII)
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")


def problems_of(found: Description, name: str) -> list[Problem]:
    """Everything about a description that its types do not say."""
    return [Problem(f"{name}: {where}", what) for where, what in _problems(found)]


def _problems(found: Description) -> Iterator[tuple[str, str]]:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", found.name, re.ASCII):
        yield "name", f"{found.name!r}: small letters, digits and _ only, a letter first"
    if not re.fullmatch(r"[A-Za-z0-9.]+", found.adapter, re.ASCII):
        yield "adapter", f"{found.adapter!r}: letters, digits and full stops only"
    for where, number, least in (
        ("min_interval_s", found.min_interval_s, 0),
        ("max_depth", found.max_depth, 1),
        ("concurrency", found.concurrency, 1),
        ("paging.size", found.paging.size, 1),
        ("paging.base", found.paging.base, 0),
    ):
        if number < least:
            yield where, f"{number}: {least} at least"
    if not found.min_interval_s <= _LONGEST_INTERVAL_S:
        yield "min_interval_s", f"{found.min_interval_s}: {_LONGEST_INTERVAL_S} at most"
    if found.concurrency > 4:
        yield "concurrency", f"{found.concurrency}: four at most"
    if not found.modes:
        yield "modes", "none; each mode is a table of its own, [modes.NAME]"
    yield from _address_problems(found.request.url)
    yield from _value_problems(found)
    yield from _place_problems(found)
    yield from _pointer_problems(found)


def _address_problems(url: str) -> Iterator[tuple[str, str]]:
    where = "request.url"
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        plain = parts.username is None and parts.password is None and parts.port != 0
    except ValueError as error:
        yield where, f"{url!r}: {error}"
        return
    if not host or parts.scheme not in {"https", "http"}:
        yield where, f"{url!r}: https:// and a host"
    elif parts.scheme == "http" and host not in _LOOPBACK:
        yield where, f"{url!r}: http sends keys in the clear; https, or an address of this machine"
    if not plain:
        yield where, f"{url!r}: no user and no password in an address"
    if "?" in url or "#" in url or "{" in url or any(char.isspace() for char in url):
        yield where, f"{url!r}: scheme, host and path alone; the rest goes into request.params"


def leaves(value: Any, where: str) -> Iterator[tuple[str, str, Any]]:
    """Each value inside, with the path to it and the name it has there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                yield from leaves(inner, f"{where}.{key}")
            else:
                yield f"{where}.{key}", str(key), inner
    elif isinstance(value, list):
        for place, inner in enumerate(value, 1):
            if isinstance(inner, dict | list):
                yield from leaves(inner, f"{where}[{place}]")
            else:
                yield f"{where}[{place}]", "", inner


def values(request: DescribedRequest) -> list[tuple[str, str, Any]]:
    """Every value of a request, with its path and its name."""
    return [
        *leaves(request.params, "request.params"),
        *leaves(request.headers, "request.headers"),
        *leaves(request.body, "request.body"),
    ]


def _value_problems(found: Description) -> Iterator[tuple[str, str]]:
    """Keys in the clear, and keys where none can be kept out of the record."""
    if found.request.body and found.request.method == "GET":
        yield "request.body", "a GET has no body"
    for where, name, value in values(found.request):
        text = value if isinstance(value, str) else str(value)
        kept = ENV.fullmatch(text)
        if kept is not None and where.startswith("request.body"):
            yield where, "a key goes into a header or a parameter, never into a body"
        elif kept is not None:
            if kept[1].strip() and not re.fullmatch(r"[A-Za-z]+\s+", kept[1]):
                yield where, "before ${ENV:NAME} stands a scheme such as Bearer, or nothing"
        elif "${" in text:
            yield where, f"{text!r}: ${{ENV:NAME}} at the end of the value, in capitals"
        elif _SECRET_NAME.search(name) or _looks_like_key(text):
            # The value is not shown: it may be the key.
            yield where, "looks like a key in the clear; write ${ENV:NAME}"


def _looks_like_key(text: str) -> bool:
    if _SCHEME.match(text):
        return True
    for word in text.split():
        digits = sum(char.isdigit() for char in word)
        long = re.fullmatch(r"[A-Za-z0-9_+=-]{20,}", word, re.ASCII)
        if _KEY_WORD.fullmatch(word) or (long and digits >= 2 and digits < len(word)):
            return True
    return False


def _place_problems(found: Description) -> Iterator[tuple[str, str]]:
    """Whether every place is known, and each that the paging needs is there."""
    used: list[str] = []
    for where, _, value in values(found.request):
        text = value if isinstance(value, str) else ""
        names = [] if ENV.fullmatch(text) else PLACE.findall(text)
        used += names
        for name in names:
            if name not in PLACES:
                known = ", ".join(f"{{{place}}}" for place in PLACES)
                yield where, f"unknown place {{{name}}}; one of {known}"
        if "query" in names and text != "{query}":
            yield where, f"{text!r}: the query is sent as it is, alone in its value"
        if not ENV.fullmatch(text) and re.search(r"[{}]", PLACE.sub("", text)):
            yield where, f"{text!r}: a brace that belongs to no place"
    if used.count("query") != 1:
        yield "request", f"{{query}} stands {used.count('query')} times; once"
    needs = {"offset": "offset", "page": "page", "cursor": "cursor"}
    wanted = needs.get(found.paging.kind)
    if wanted is not None and wanted not in used:
        yield "request", f"{{{wanted}}} is missing, which paging.kind needs"
    for name in needs.values():
        if name in used and name != wanted:
            yield "request", f"{{{name}}} has no use with paging.kind {found.paging.kind!r}"
    if found.paging.kind in {"cursor", "link"} and not found.paging.next_path:
        yield "paging.next_path", f"missing, which paging.kind {found.paging.kind!r} needs"
    if len(found.modes) > 1 and "mode" not in used:
        yield "request", "{mode} is missing, and there are several modes"


def _pointer_problems(found: Description) -> Iterator[tuple[str, str]]:
    reply, fields = found.reply, found.fields
    pointers = {
        "paging.next_path": found.paging.next_path,
        "paging.end_path": found.paging.end_path,
        "reply.hits": reply.hits,
        "reply.total": reply.total,
        "reply.error": reply.error,
        **{f"reply.notices[{place}]": one for place, one in enumerate(reply.notices, 1)},
        **{f"reply.versions.{name}": one for name, one in reply.versions.items()},
        **{f"fields.{name}": getattr(fields, name) for name in fields.__struct_fields__},
    }
    for where, pointer in pointers.items():
        if not _POINTER.fullmatch(pointer):
            yield where, f"{pointer!r} is no JSON Pointer, such as /meta/total"
    if not any((fields.id, fields.doi, fields.pmid, fields.pmcid, fields.url)):
        yield "fields", "none of id, doi, pmid, pmcid, url: nothing would name a result"
    patterns = {"reply.empty_pattern": reply.empty_pattern}
    if reply.refusal is not None:
        patterns["reply.refusal.pattern"] = reply.refusal.pattern
        if not reply.refusal.pattern:
            yield "reply.refusal.pattern", "empty: it would take every reply for a refusal"
    for where, pattern in patterns.items():
        try:
            re.compile(pattern)
        except re.error as error:
            yield where, f"{pattern!r} is no pattern ({error})"
