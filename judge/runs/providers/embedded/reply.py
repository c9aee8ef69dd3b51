"""The reply body of the embedded service: what `ask` writes and `parse` reads back.

A body holds exactly one of ``results``, ``refusal`` and ``error``. Whatever is not such a body is
a bad reply: an error never becomes an empty list (R64, R65).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from judge.decode import decode
from judge.files import parse_json
from judge.records.base import UNAVAILABLE, Record
from judge.records.corpus import Note
from judge.records.run import Hit, Notice
from judge.runs.outcome import Parsed
from judge.runs.providers.embedded.corpus import repaired

RETRACTED = "This article has been retracted."


class Index(Record, frozen=True, kw_only=True):
    """Which index answered, where the mode exposes it."""

    version: str
    digest: str


class Result(Record, frozen=True, kw_only=True):
    """One result, as the service presents it; ``score`` as text, six decimals."""

    id: str
    title: str
    link: str | None
    pmid: str | None
    doi: str | None
    year: str | None
    type: str
    updated: str | None
    notice: str | None
    score: str


class Fault(Record, frozen=True, kw_only=True):
    """Why there is no list."""

    code: str
    text: str


class Reply(Record, frozen=True, kw_only=True):
    """The body."""

    service: Literal["embedded"]
    version: str
    mode: str
    index: Index | None = None
    notices: tuple[Notice, ...] = ()
    results: tuple[Result, ...] | None = None
    refusal: Fault | None = None
    error: Fault | None = None


def result(note: Note, score: str) -> Result:
    """A note as a result."""
    return Result(
        id=note.id,
        title=note.title,
        link=note.link,
        pmid=note.pmid,
        doi=note.doi,
        year=note.year,
        type=note.type,
        updated=note.updated,
        notice=RETRACTED if note.retracted else None,
        score=score,
    )


def encode(reply: Reply) -> bytes:
    """The body as bytes: JSON in UTF-8, indented, the same for the same reply."""
    return msgspec.json.format(msgspec.json.encode(reply), indent=1) + b"\n"


def parse(data: bytes) -> Parsed:
    """The outcome of a stored reply. Never raises; ranks are positions in ``results``."""
    try:
        found = parse_json(data.decode("utf-8"), floats_as_text=True)
    except (ValueError, RecursionError) as error:
        return _bad(f"not JSON: {error}")
    reply, problems = decode(found, Reply)
    if reply is None:
        return _bad(*map(str, problems))
    given = [name for name in ("results", "refusal", "error") if getattr(reply, name) is not None]
    if len(given) != 1:
        return _bad(f"{' and '.join(given) or 'none'} of results, refusal, error; exactly one")
    if reply.refusal is not None:
        return _parsed(reply, "refused", None, _notice("refusal", reply.refusal))
    if reply.error is not None:
        return _parsed(reply, "rejected", None, _notice("error", reply.error))
    hits = tuple(_hit(rank, result) for rank, result in enumerate(reply.results or (), 1))
    missing = [f"hit {hit.rank}: record_id missing" for hit in hits if not hit.record_id.strip()]
    if missing:  # R33
        return _bad(*missing)
    return _parsed(reply, "answered" if hits else "empty", hits)


def _hit(rank: int, raw: Result) -> Hit:
    clean, _ = repaired(raw)
    return Hit(
        rank=rank,
        record_id=clean.id,
        link=clean.link,
        title=clean.title,
        pmid=clean.pmid,
        doi=clean.doi,
        year=clean.year,
        source_type=clean.type,
        updated=clean.updated,
        notice=clean.notice,
        score=clean.score,
    )


def _parsed(
    reply: Reply,
    outcome: Literal["answered", "empty", "refused", "rejected"],
    hits: tuple[Hit, ...] | None,
    *more: Notice,
) -> Parsed:
    return Parsed(
        outcome=outcome,
        hits=hits,
        notices=tuple(repaired(notice)[0] for notice in (*more, *reply.notices)),
        service_version=reply.version,
        index_version=reply.index.version if reply.index else UNAVAILABLE,
        index_digest=reply.index.digest if reply.index else None,
    )


def _notice(kind: str, fault: Fault) -> Notice:
    return Notice(kind=kind, text=f"{fault.code}: {fault.text}")


def _bad(*found: str) -> Parsed:
    notices = tuple(repaired(Notice(kind="bad_reply", text=text))[0] for text in found)
    return Parsed(outcome="bad_reply", hits=None, notices=notices)
