"""A list that comes in pages: asked for one after the other, put together without mending it.

Most services are the same conversation in other words. Each adapter says how a page is asked for
and how it is read (two pure functions); how far to go, when to stop and what to note is here, once.

Ranks are positions in the service's own list, across pages: nothing is dropped, sorted or merged
on the way. What is odd (short, repeated or missing pages, results without a title or a name) is
noted and left as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from judge.records.base import UNAVAILABLE
from judge.records.run import Hit, Notice
from judge.runs.identity import doi_key, pmcid_key, pmid_key
from judge.runs.links import identifiers
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request
from judge.runs.providers.reading import NO_ID, NoListError, block_page, own_id


@dataclass(frozen=True)
class Page:
    """One reply with a list, read. The ranks of its hits are positions in the page."""

    hits: tuple[Hit, ...]
    more: bool = False
    """Whether the service says that there is a next page."""
    cursor: str | None = None
    """What asks for the next page, where the service names it."""
    size: int | None = None
    """How many results the service says that a page holds."""
    total: int | None = None
    """How many the service says it found."""
    notices: tuple[Notice, ...] = ()
    nothing: Literal["empty", "empty_reported"] = "empty"
    """What a list without results is here."""
    service_version: str = UNAVAILABLE
    index_version: str = UNAVAILABLE
    model_version: str = UNAVAILABLE
    index_digest: str | None = None


@dataclass(frozen=True)
class Turn:
    """What a page is asked for with."""

    number: int
    """1, 2, …"""
    size: int
    """Results a page, the same for every page of a query."""
    cursor: str | None = None
    """As the page before named it; None for the first."""


def web_hit(
    place: int,
    row: Any,
    address: str | None,
    *,
    name: str | None = None,
    title: str | None = None,
    year: str | None = None,
    updated: str | None = None,
    source_type: str | None = None,
    score: str | None = None,
) -> Hit:
    """A result that is a page of the web: its identifiers are those that its address carries."""
    ids = identifiers(address)
    return Hit(
        rank=place,
        record_id=own_id(row, name, address),
        link=address,
        title=title,
        pmid=ids.pmid,
        doi=ids.doi,
        pmcid=ids.pmcid,
        year=year,
        source_type=source_type,
        updated=updated,
        score=score,
    )


def domains(ask: Ask) -> tuple[str, ...]:
    """The sites that a protocol restricts a system to (parameter ``domains``, with commas)."""
    given = str(ask.system.parameters.get("domains", "")).split(",")
    return tuple(domain.strip() for domain in given if domain.strip())


def year_filter(ask: Ask, how: str) -> tuple[Notice, ...]:
    """How a service was asked to leave out later publications; nothing where it was not."""
    return () if ask.max_year is None else (Notice(kind="year_filter", text=how),)


def no_signal(request: Request, reply: Reply) -> Fault | None:
    """For services whose statuses say all."""
    return None


def no_notes(ask: Ask) -> tuple[Notice, ...]:
    """For services that are sent the text as it is."""
    return ()


@dataclass(frozen=True)
class Paged:
    """An `Adapter` whose every request asks for a page of the same list."""

    facts: Facts
    request: Callable[[Ask, Turn], Request]
    read: Callable[[Reply], Page]
    """Raises `NoListError` for a reply without a list."""
    signal: Callable[[Request, Reply], Fault | None] = no_signal
    """What a status or a body means at this service alone, checked before anything else."""
    notes: Callable[[Ask], tuple[Notice, ...]] = no_notes
    """What was done to the text or asked beside it, for the run record."""
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters a protocol may give a system, each with its allowed values, () for any text."""

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        """The next page's request, or the outcome. See `Adapter.step`."""
        try:
            pages = [self.read(reply) for reply in replies]
        except NoListError as none:
            return none.parsed()
        except RecursionError:
            return NoListError("bad_reply", "nested too deeply").parsed()
        depth = min(ask.requested, self.facts.max_depth)
        size = min(self.facts.page_size, depth)
        if not pages:
            return self.request(ask, Turn(1, size))
        if (why := _end(pages, depth, self.facts.calls(ask.requested))) is None:
            return self.request(ask, Turn(len(pages) + 1, size, pages[-1].cursor))
        return together(ask, self.facts, pages, self.notes(ask), size=size, end=why)

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        """Why a reply gives no list. See `Adapter.fault`."""
        return list_fault(request, reply, self.signal, self.read)


def list_fault(
    request: Request,
    reply: Reply,
    signal: Callable[[Request, Reply], Fault | None],
    read: Callable[[Reply], Page],
) -> Fault | None:
    """The fault of a reply: what the service signals, else a guard's page, else what is unreadable.

    None for a reply with a list, and for a status other than 2xx that says all there is to say.
    """
    if (found := signal(request, reply) or block_page(reply)) is not None:
        return found
    if not 200 <= reply.status < 300:
        return None
    try:
        page = read(reply)
        if request.page == 1:
            refuse_hidden(page)
    except NoListError as none:
        return none.fault()
    except RecursionError:
        return Fault(kind="bad_reply", text="nested too deeply")
    return None


def refuse_hidden(page: Page) -> None:
    """Raises `NoListError` for a first page that says some were found and sends none (R64)."""
    if not page.hits and page.total:
        raise NoListError("bad_reply", f"{page.total} found, and an empty list sent")


def _end(pages: Sequence[Page], depth: int, calls: int) -> str | None:
    """Why no further page is asked for, in a word; None to go on."""
    last = pages[-1]
    came = sum(len(page.hits) for page in pages)
    if came >= depth:
        return "depth"
    if not last.hits:
        return "empty page"
    if not last.more:
        return "no next page was named"
    if last.cursor is None and last.total is not None and came >= last.total:
        return "all that was found came"
    sent = [page.cursor for page in pages[:-1]]
    if last.cursor is not None and last.cursor in sent:
        return "the next page named is one that was sent before"
    names = [tuple(hit.record_id for hit in page.hits) for page in pages]
    if names[-1] in names[:-1]:
        return "the page repeats an earlier one"
    return f"{calls} requests are the most for this depth" if len(pages) >= calls else None


def together(
    ask: Ask,
    facts: Facts,
    pages: Sequence[Page],
    notes: Sequence[Notice],
    *,
    size: int,
    end: str = "depth",
) -> Parsed:
    """The pages as one list, with everything that is odd about them noted.

    ``size`` is how many results a page was asked for, ``end`` why the last page is the last.
    Results beyond the depth that was asked for are left in the stored reply.
    """
    depth = min(ask.requested, facts.max_depth)
    listed = [hit for page in pages for hit in page.hits]
    hits = tuple(
        msgspec.structs.replace(hit, rank=rank) for rank, hit in enumerate(listed[:depth], 1)
    )
    last = pages[-1]
    found = [
        *notes,
        *_year_notes(ask, facts),
        *(notice for page in pages for notice in page.notices),
        *_page_notes(pages, size),
        *_depth_notes(ask, facts, len(listed), end, last.total),
        *_hit_notes(hits),
    ]
    if not hits:
        try:
            refuse_hidden(pages[0])
        except NoListError as none:
            return none.parsed()
    return Parsed(
        outcome="answered" if hits else pages[0].nothing,
        hits=hits if hits or pages[0].nothing == "empty" else None,
        notices=tuple(dict.fromkeys(found)),
        service_version=last.service_version,
        index_version=last.index_version,
        model_version=last.model_version,
        index_digest=last.index_digest,
    )


def _year_notes(ask: Ask, facts: Facts) -> list[Notice]:
    if ask.max_year is None or facts.filters_year:
        return []
    said = f"the service cannot leave out publications after {ask.max_year}; cut off afterwards"
    return [Notice(kind="year_not_filtered", text=said)]


def _page_notes(pages: Sequence[Page], size: int) -> list[Notice]:
    """Pages that are smaller than they should be, or that say so themselves."""
    found: list[Notice] = []
    names = [tuple(hit.record_id for hit in page.hits) for page in pages]
    for number, page in enumerate(pages, 1):
        if page.size is not None and page.size < size:
            text = f"page {number}: {size} results asked for, the service sends {page.size}"
            found.append(Notice(kind="page_size_capped", text=text))
        full = size if page.size is None else min(size, page.size)
        if number < len(pages) and len(page.hits) < full:
            text = f"page {number} held {len(page.hits)} of {full}"
            found.append(Notice(kind="short_page", text=text))
        if page.hits and names[number - 1] in names[: number - 1]:
            text = f"page {number} is page {names.index(names[number - 1]) + 1} again"
            found.append(Notice(kind="repeated_page", text=text))
    return found


def _depth_notes(ask: Ask, facts: Facts, came: int, end: str, total: int | None) -> list[Notice]:
    """How many came, against how many were asked for and how many the service says it found."""
    found: list[Notice] = []
    depth = min(ask.requested, facts.max_depth)
    if ask.requested > depth:
        text = f"{ask.requested} asked for; the service gives {depth} at most"
        found.append(Notice(kind="depth_limit", text=text))
    if total is not None:
        found.append(Notice(kind="total", text=str(total)))
    if came > depth:
        text = f"{came - depth} further results came with the last page"
        found.append(Notice(kind="beyond_requested", text=text))
    elif 0 < came < depth and (total is None or total > came):
        text = f"{came} of {depth} came" + ("" if end == "depth" else f": {end}")
        found.append(Notice(kind="short_list", text=text))
    return found


def _hit_notes(hits: Sequence[Hit]) -> list[Notice]:
    """Results without a name or a title, named twice, or with an identifier that is none."""
    found: list[Notice] = []
    first: dict[str, int] = {}
    repeats: list[str] = []
    for hit in hits:
        if hit.record_id in first:
            repeats.append(f"{hit.rank} repeats {first[hit.record_id]}")
        first.setdefault(hit.record_id, hit.rank)
        for name, value, key in (
            ("pmid", hit.pmid, pmid_key(hit.pmid)),
            ("pmcid", hit.pmcid, pmcid_key(hit.pmcid)),
            ("doi", hit.doi, doi_key(hit.doi)),
        ):
            if value is not None and key is None:
                text = f"rank {hit.rank}: {value!r} is no {name.upper()}; kept as sent, not used"
                found.append(Notice(kind="identifier", text=text))
    nameless = [str(hit.rank) for hit in hits if hit.record_id.startswith(NO_ID)]
    untitled = [str(hit.rank) for hit in hits if hit.title is None]
    for kind, ranks in (("repeated", repeats), ("no_id", nameless), ("no_title", untitled)):
        if ranks:
            found.append(Notice(kind=kind, text="ranks " + ", ".join(ranks)))
    return found
