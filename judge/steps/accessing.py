"""The access queue: what somebody could not judge, what was found since, and what stays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from judge.errors import Invalid, Problem, Refused
from judge.files import nearest
from judge.judgements.failure_review import refuse_after_review
from judge.judgements.items import Key
from judge.judgements.life import to_find
from judge.records.base import Record
from judge.records.judgement import CANNOT_KINDS, JudgedItem
from judge.records.run import Document
from judge.steps.context import Context, Work
from judge.steps.openness import openness_of, refuse_while_out
from judge.steps.retracting import check_said, lapsing, refrozen, unit_steps
from judge.text import unstorable


class Missing(Record, frozen=True, kw_only=True):
    """One record that somebody could not judge, or, while labels are closed, that has no abstract.

    Nobody's label is in it: kinds are counted over everybody.
    """

    record_id: str
    queries: tuple[str, ...]
    title: str
    missing: tuple[str, ...]
    """What its text lacks: title, abstract."""
    kinds: dict[str, int]
    """How many could not judge it, by kind; empty while labels are closed."""
    state: Literal["open", "unavailable", "labels closed"]


class Queue(Record, frozen=True, kw_only=True):
    """The access queue of a study."""

    closed: bool
    """Whether somebody is still out: then only what the records lack is listed (R51)."""
    lines: tuple[Missing, ...]


def access_queue(context: Context) -> Queue:
    """What somebody could not judge; while a packet is out, what has no abstract and no more."""
    with context.frozen() as work:
        if openness_of(work).closed or not any(item.labels for item in work.items):
            lines = [
                _missing(work, record, [], "labels closed")
                for record in sorted({one.record_id for one in work.pool})
                if _lacks(work.documents.get(record))
            ]
            return Queue(closed=True, lines=tuple(lines))
        waiting: dict[str, list[JudgedItem]] = {}
        for item in work.items:
            if to_find(item) or (item.unavailable and item.state != "excluded"):
                waiting.setdefault(item.record_id, []).append(item)
        lines = [
            _missing(work, record, items, "open" if any(map(to_find, items)) else "unavailable")
            for record, items in sorted(waiting.items())
        ]
        return Queue(closed=False, lines=tuple(lines))


def _lacks(document: Document | None) -> tuple[str, ...]:
    fields = ("title", "abstract")
    return tuple(name for name in fields if not (document and getattr(document, name)))


def _missing(
    work: Work,
    record: str,
    items: list[JudgedItem],
    state: Literal["open", "unavailable", "labels closed"],
) -> Missing:
    document = work.documents.get(record)
    given = [one for item in items for one in item.labels.values()]
    kinds = [one.cannot_kind or "other" for one in given if one.label == "cannot_judge"]
    queries = [item.query_id for item in items] or [
        one.query_id for one in work.pool if one.record_id == record
    ]
    return Missing(
        record_id=record,
        queries=tuple(queries),
        title=(document.title if document else None) or "",
        missing=_lacks(document),
        kinds={kind: kinds.count(kind) for kind in CANNOT_KINDS if kind in kinds},
        state=state,
    )


@dataclass(frozen=True)
class Found:
    """What evidence changed."""

    queries: tuple[str, ...]
    """Needs under which the record is pooled."""
    deal_to: tuple[str, ...]
    """Assessors whose cannot-judge labels lapsed: each is dealt the items again."""
    kept: int
    """Judgements that stand, though they were made without it."""


def evidence_found(
    context: Context,
    record: str,
    *,
    by: str,
    reason: str,
    abstract: str = "",
    link: str = "",
) -> Found:
    """Records that an abstract of a record, or a place to read it, was found.

    It is shown from now on, to everybody alike. Cannot-judge labels of the record lapse, under
    every need; judgements stand. Raises `Invalid` where nothing was found, `Refused` for a record
    that is not pooled and while an assessor is out: part of them would judge another text.
    """
    check_said("evidence needs who found it and where", by=by, reason=reason)
    if problems := _found_faults(abstract, link):
        raise Invalid("the evidence cannot be taken; nothing was changed", problems)
    with context.frozen() as work:
        keys = _units_of(work, record)
        refuse_after_review(work.deals, "new evidence")
        refuse_while_out(work, "new evidence")
        before = work.documents.get(record)
        document = None
        if abstract.strip():
            start = before or Document(record_id=record, provenance="")
            document = msgspec.structs.replace(
                start, abstract=abstract.strip(), provenance=f"found by {by}: {reason}"
            )
        if (document is None or document.abstract == (before and before.abstract)) and (
            not link or work.links.get(record) == link
        ):
            raise Refused(f"{record} has this already; nothing was changed")
        lapsed = {key: lapsing(work, key, "evidence") for key in keys}
        steps = unit_steps(
            context,
            work,
            keys,
            "evidence",
            by=by,
            reason=reason,
            lapsed=lapsed,
            document=document,
            link=link,
        )
        kept = sum(
            unit.live(code, work.rubrics) is not None and code not in lapsed[key]
            for key in keys
            if (unit := work.units.get(key)) is not None
            for code in unit.chains
        )
        work.ledger.record("access", f"{record}: found, {reason}", steps)
        refrozen(context, Work(work.ledger))
        people = work.protocol.people.assessors
        again = {code for one in lapsed.values() for code in one}
        return Found(
            tuple(query for query, _ in keys),
            tuple(code for code in people if code in again),
            kept,
        )


def _found_faults(abstract: str, link: str) -> list[Problem]:
    problems = []
    if not abstract.strip() and not link:
        problems.append(Problem("evidence", "none", "--abstract FILE or --link ADDRESS"))
    if fault := unstorable(abstract):
        problems.append(Problem("--abstract", fault))
    if link:
        try:
            split = urlsplit(link)
        except ValueError:
            split = urlsplit("")
        plain = link.isascii() and link.isprintable() and " " not in link
        if split.scheme not in ("http", "https") or not split.netloc or not plain:
            problems.append(Problem("--link", repr(link), "an http or https address"))
    return problems


def say_unavailable(context: Context, query: str, record: str, *, by: str, reason: str) -> None:
    """Says that what was missing was looked for in vain: the item goes to whoever settles.

    Raises `Refused` for an item that is not in the access queue, and while an assessor is out.
    """
    check_said("say who looked, and where", by=by, reason=reason)
    with context.frozen() as work:
        refuse_after_review(work.deals, "a place among what is to be settled")
        refuse_while_out(work, "the access queue")
        item = _item(work, query, record)
        if not to_find(item):
            raise Refused(
                f"{query} {record} is not in the access queue; nothing was changed",
                hint="judge access",
            )
        steps = unit_steps(context, work, [(query, record)], "unavailable", by=by, reason=reason)
        work.ledger.record("access", f"{query} {record}: unavailable, {reason}", steps)


def exclude(context: Context, query: str, record: str, *, by: str, reason: str) -> None:
    """Takes an item out of the judging for good. Its rank stays open: a bound, never a 0.

    Raises `Refused` while an assessor is out, and for an item that is excluded already.
    """
    check_said("an item is excluded by somebody, for a reason", by=by, reason=reason)
    with context.frozen() as work:
        refuse_after_review(work.deals, "an exclusion")
        refuse_while_out(work, "an exclusion")
        if _item(work, query, record).state == "excluded":
            raise Refused(f"{query} {record} is excluded already; nothing was changed")
        steps = unit_steps(context, work, [(query, record)], "exclusion", by=by, reason=reason)
        work.ledger.record("access", f"{query} {record}: excluded, {reason}", steps)


def _units_of(work: Work, record: str) -> list[Key]:
    keys = [(one.query_id, one.record_id) for one in work.pool if one.record_id == record]
    if not keys:
        close = nearest(record, {one.record_id for one in work.pool})
        raise Refused(
            f"{record} is not in the pool{close}; nothing was changed", hint="judge access"
        )
    return keys


def _item(work: Work, query: str, record: str) -> JudgedItem:
    _units_of(work, record)
    for item in work.items:
        if (item.query_id, item.record_id) == (query, record):
            return item
    raise Refused(f"{record} is not in the pool of {query}; nothing was changed")
