"""Reading what a service sent: strict JSON, text that can be kept, titles, dates.

A body is refused for duplicate keys, NaN and bytes that are not UTF-8; a number with a point stays
the text it was written as, so that a score is what the service sent (R71). Derived text alone is
touched (lone surrogates become U+FFFD); the stored bytes never are.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html.entities import html5
from typing import Any, Literal

from judge.canonical import sha256
from judge.files import parse_json
from judge.records.run import Notice, Outcome
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Fault, FaultClass, Reply
from judge.text import repair, shorten

_SAID = 300
"""How many characters of a service's own words a fault keeps; the reply is stored whole."""
_ERROR_KEYS = ("error", "errors", "detail", "message", "errMsg", "ERROR", "tag")
_TAG = re.compile(
    r"</?[A-Za-z][A-Za-z0-9:-]*(?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s*/?>"
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_GUARD_CODE = re.compile(r"\berror(?: code)?:? 10(?:0[6-9]|1[0-9]|20)\b", re.I)
_CHALLENGE = re.compile(r"attention required|just a moment|captcha|verify you are human", re.I)
_OUTCOMES: dict[str, Outcome] = {
    "auth": "auth",
    "quota": "quota",
    "rejected": "rejected",
    "refused": "refused",
    "transient": "unavailable",
    "blocked": "unavailable",
}


class NoListError(Exception):
    """A reply gives no list: what it is instead, in a service's own words where it has any."""

    def __init__(self, kind: FaultClass, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text

    def fault(self) -> Fault:
        """As what an adapter answers about one reply."""
        return Fault(kind=self.kind, text=self.text)

    def parsed(self) -> Parsed:
        """As the outcome of the query, for a stored conversation that ends in this reply."""
        outcome = _OUTCOMES.get(self.kind, "bad_reply")
        return Parsed(outcome=outcome, hits=None, notices=(Notice(kind=outcome, text=self.text),))


# --- the body -----------------------------------------------------------------------------------


def read_json(body: bytes) -> Any:
    """The JSON of a body. Raises `NoListError`: malformed where it is cut off or no JSON."""
    try:
        return parse_json(body.decode("utf-8-sig"), floats_as_text=True)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        if looks_like_page(body):
            raise NoListError("bad_reply", f"a web page instead of JSON: {said(body)}") from None
        if body.lstrip().startswith(b"<"):
            raise NoListError("bad_reply", f"XML instead of JSON: {said(body)}") from None
        raise NoListError("malformed", f"not whole JSON ({error})") from None
    except ValueError as error:  # a duplicate key, NaN, endless nesting, a number without end
        raise NoListError("bad_reply", f"not strict JSON ({shorten(str(error), 200)})") from None


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body. Raises `NoListError` for anything else (`read_json`)."""
    found = read_json(body)
    if not isinstance(found, dict):
        raise NoListError("bad_reply", f"{kind_of(found)} where an object is expected")
    return found


def refuse_errors(top: Mapping[str, Any], *keys: str) -> None:
    """Raises `NoListError` where the object holds an error, whatever else is in it (R65)."""
    for key in keys or ("error", "errors"):
        if top.get(key):
            raise NoListError("bad_reply", words(top) or f"the key {key!r} without a text")


def rows(top: Mapping[str, Any], *path: str) -> list[Any]:
    """The list of results at ``path``. Raises `NoListError` where there is none, or it is no list.

    A null among them keeps its place; anything else that is no object makes the reply unreadable.
    """
    here: Any = top
    for key in path:
        if not isinstance(here, dict) or key not in here:
            raise NoListError("bad_reply", f"no list of results: {'.'.join(path)} is missing")
        here = here[key]
    return as_rows(here, ".".join(path))


def as_rows(found: Any, where: str) -> list[Any]:
    """``found`` as a list of results. Raises `NoListError` where it is none (`rows`)."""
    if not isinstance(found, list):
        raise NoListError("bad_reply", f"{kind_of(found)} at {where} where a list is expected")
    for place, row in enumerate(found, 1):
        if row is not None and not isinstance(row, dict):
            raise NoListError("bad_reply", f"result {place} is {kind_of(row)}, not an object")
    return found


def looks_like_page(body: bytes) -> bool:
    """Whether a body is an HTML page."""
    start = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:400].lower()
    return start.startswith(b"<") and (b"<!doctype html" in start or b"<html" in start)


def block_page(reply: Reply) -> Fault | None:
    """A page or code with which the guard before a service turns a client away, else None.

    Cloudflare's codes 1006 to 1020 are about the client, not the key: never taken for a bad key.
    """
    found = reply.body[:20_000].decode("utf-8", "replace")
    turned_away = 400 <= reply.status < 500 and _GUARD_CODE.search(found)
    challenged = (
        reply.status in {200, 403, 429, 503}
        and looks_like_page(reply.body)
        and _CHALLENGE.search(found)
    )
    if turned_away or challenged:
        return Fault(kind="blocked", text=said(reply.body))
    return None


def said(body: bytes) -> str:
    """What a service says in a body that holds no list (R75): its message, else its beginning."""
    text = body.decode("utf-8", "replace")
    try:
        found = parse_json(text, floats_as_text=True)
    except ValueError:
        found = None
    message = words(found) if isinstance(found, dict) else ""
    if not message and looks_like_page(body):
        head = re.search(r"<title[^>]*>(.*?)</title>", text, re.I | re.S)
        message = html.unescape(head[1]) if head else ""
    return shorten(" ".join((message or text).split()), _SAID) or "an empty body"


def error_words(body: bytes) -> str:
    """What an object says under its error keys; empty for any other body."""
    try:
        return words(read_object(body))
    except NoListError:
        return ""


def words(top: Mapping[str, Any]) -> str:
    """The texts under the usual error keys of an object, in one line; empty where it has none."""
    parts = [spoken(top[key]) for key in _ERROR_KEYS if top.get(key)]
    return shorten(": ".join(dict.fromkeys(filter(None, parts))), _SAID)


def spoken(value: Any, depth: int = 4) -> str:
    """The text in a message, however it is wrapped; empty where there is none."""
    if isinstance(value, str):
        return repair(value)[0]
    if depth and isinstance(value, list):
        return "; ".join(filter(None, (spoken(one, depth - 1) for one in value[:5])))
    if depth and isinstance(value, dict):
        keys = ("code", "type", "message", "msg", "detail", "tag", "loc")
        return ": ".join(filter(None, (spoken(value.get(key), depth - 1) for key in keys)))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


# --- values -------------------------------------------------------------------------------------


def table(value: Any) -> dict[str, Any]:
    """``value`` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """``value`` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str | None:
    """Text or a number as text, without blanks around it; None for anything else and for blank.

    Never for true and false: a truth value is no identifier.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return repair(str(value))[0].strip() or None


def identifier(value: Any) -> str | None:
    """An identifier as text; a truth value too, so that it is noted as none and not used."""
    return json.dumps(value) if isinstance(value, bool) else text(value)


def whole(value: Any) -> int | None:
    """A whole number, also one that was sent as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,15}", value, re.ASCII):
        return int(value)
    return value if isinstance(value, int) else None


def texts(value: Any) -> tuple[str, ...]:
    """The texts of a list, or of one text; what is no text is left out."""
    found = value if isinstance(value, list) else [value]
    return tuple(one for one in map(text, found) if one is not None)


def joined(value: Any) -> str | None:
    """The texts of a list in one, with semicolons; None for none."""
    return "; ".join(texts(value)) or None


def own_id(row: Any, *names: str | None) -> str:
    """The first name that a result gives itself; without any, the digest of what was sent.

    Two results without a name are then one record only if they say exactly the same.
    """
    for name in names:
        if name:
            return name
    sent = json.dumps(row, sort_keys=True, ensure_ascii=True)
    return f"{NO_ID}{sha256(sent.encode('ascii'))[:16]}"


NO_ID = "no-id:"
"""How the name of a result without an identifier begins."""


def notices(kind: str, values: Any) -> tuple[Notice, ...]:
    """What a service said beside its list, one notice for each text or object of ``values``."""
    if not values:
        return ()
    found: Iterable[Any] = values if isinstance(values, list) else [values]
    said_so = (
        spoken(one) or (json.dumps(one, sort_keys=True) if isinstance(one, dict) else "")
        for one in found
    )
    return tuple(Notice(kind=kind, text=one) for one in said_so if one)


def json_body(fields: Mapping[str, Any]) -> str:
    """The body of a request, its fields in the order given, those that are None left out."""
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


# --- titles -------------------------------------------------------------------------------------


def title(value: Any) -> str | None:
    """A title as plain text on one line (`strip_markup`); None for none."""
    found = text(value)
    return (" ".join(strip_markup(found).split()) or None) if found else None


def strip_markup(raw: str) -> str:
    """``raw`` without its tags, its character references decoded once, after that.

    A tag starts with a letter, holds no ``<`` and only attributes with a quoted value, so that
    ``P<0.001`` and ``a<b and c>d`` stay; what is escaped twice (``&amp;lt;``) is decoded once.
    """
    return _ENTITY.sub(_character, _TAG.sub("", raw))


def _character(found: re.Match[str]) -> str:
    name = found[0][1:]
    return html.unescape(found[0]) if name[0] == "#" else html5.get(name, found[0])


# --- dates --------------------------------------------------------------------------------------

Precision = Literal["day", "month", "year", "unknown"]
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2})(?:[T ].*)?)?)?", re.ASCII)
_NAMED = re.compile(r"([0-9]{4}) ([A-Za-z]{3,9})\.?(?: ([0-9]{1,2}))?", re.ASCII)
_YEAR = re.compile(r"(?<![0-9])(1[5-9][0-9]{2}|2[01][0-9]{2})(?![0-9])", re.ASCII)


@dataclass(frozen=True)
class Dated:
    """A date as far as it is known. A part is None where it was not said."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def precision(self) -> Precision:
        """The smallest part that is known."""
        if self.day is not None:
            return "day"
        if self.month is not None:
            return "month"
        return "unknown" if self.year is None else "year"

    def by_end_of(self, year: int) -> bool | None:
        """Whether it lies no later than the end of ``year``; None where the year is unknown."""
        return None if self.year is None else self.year <= year


def read_date(value: Any, *, january_first_is_year: bool = False) -> Dated:
    """A date out of text, a number or Crossref's parts (``[[2020, 1]]``, ``[[null]]``).

    ISO, ``2020 Jan 5``, and in any other wording (``2020 Jan-Feb``, ``Winter 2019``) the first
    year alone. OpenAlex writes a date of which only the year is known as 1 January:
    ``january_first_is_year`` reads it as that.
    """
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    if isinstance(value, list):
        return _dated(*(whole(part) for part in value[:3]))
    found = text(value)
    if found is None:
        return Dated()
    if (iso := _ISO.fullmatch(found)) is not None:
        dated = _dated(*(int(part) if part else None for part in iso.groups()))
        if january_first_is_year and (dated.month, dated.day) == (1, 1):
            return Dated(dated.year)
        return dated
    named = _NAMED.fullmatch(found)
    if named is not None and named[2][:3].lower() in _MONTHS:
        month = _MONTHS.index(named[2][:3].lower()) + 1
        return _dated(int(named[1]), month, int(named[3]) if named[3] else None)
    year = _YEAR.search(found)
    return Dated(int(year[1])) if year else Dated()


def _dated(year: int | None = None, month: int | None = None, day: int | None = None) -> Dated:
    """A date without its impossible parts, and without parts below an unknown one."""
    if year is None or not 1000 <= year <= 2999:
        return Dated()
    if month is None or not 1 <= month <= 12:
        return Dated(year)
    return Dated(year, month, day if day is not None and 1 <= day <= 31 else None)


def year(value: Any) -> str | None:
    """The year of a date as text; None where it is unknown."""
    found = read_date(value).year
    return None if found is None else str(found)
