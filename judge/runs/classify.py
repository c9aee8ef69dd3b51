"""What one request came to, and what that does to its query and to the service's run.

The two tables are the whole rule; the function reads them. A status settles what no service uses
otherwise; the rest is first shown to the adapter, which knows its service's own words. Nothing here
turns a failure into an empty list (R65): only a reply that the adapter finds good is read at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from judge.records.attempt import AttemptClass
from judge.records.run import Outcome
from judge.runs.exchange import Exchange, Limits
from judge.runs.pacing import http_date, later, retry_after
from judge.runs.providers.base import Fault, Faulting, Reply, Request
from judge.runs.providers.reading import looks_like_page, said
from judge.text import repair


@dataclass(frozen=True)
class Rule:
    """What a class of reply does."""

    outcome: Outcome | None
    """What the query ends with once no further send is made; null for a good reply."""
    sends: Literal["once", "twice", "limit"] = "once"
    """How often one capture sends the request before that: `Limits.sends` is the limit."""
    stops: bool = False
    """Whether it ends the service's whole run."""


RULES: dict[AttemptClass, Rule] = {
    "good": Rule(None),
    "auth": Rule("auth", stops=True),
    "quota": Rule("quota", stops=True),
    # A block page answers every request alike; asking on would be rude and would change nothing.
    "blocked": Rule("unavailable", stops=True),
    "transient": Rule("unavailable", "limit"),
    "timeout": Rule("timeout", "limit"),
    "malformed": Rule("bad_reply", "limit"),
    "bad_reply": Rule("bad_reply", "twice"),
    "rejected": Rule("rejected"),
    "refused": Rule("refused"),
    "in_doubt": Rule("in_doubt"),
}
"""By class; `most_sends` says what a paid request makes of it."""

PASSING: frozenset[AttemptClass] = frozenset({"transient", "timeout", "malformed", "bad_reply"})
"""Classes after which the request is sent again, once the gate is open."""


@dataclass(frozen=True)
class StatusRule:
    """What a status means, and whether the adapter is asked first."""

    statuses: range | tuple[int, ...]
    kind: AttemptClass
    asks_adapter: bool


STATUSES: tuple[StatusRule, ...] = (
    StatusRule((401,), "auth", False),
    StatusRule((402,), "quota", False),
    StatusRule((408, 425), "transient", False),
    StatusRule(range(500, 600), "transient", False),
    StatusRule((429,), "transient", True),
    StatusRule((403,), "auth", True),
    StatusRule((200, 201, 203), "good", True),
    StatusRule(range(300, 400), "bad_reply", False),
    StatusRule(range(400, 500), "rejected", True),
    StatusRule(range(100, 1000), "bad_reply", False),
)
"""The first row that holds a status counts."""


@dataclass(frozen=True)
class Verdict:
    """One request, classified."""

    kind: AttemptClass
    text: str = ""
    retry_after_s: float | None = None
    resets_at: str | None = None
    """When a quota comes back, in the service's words or as UTC."""

    @property
    def rule(self) -> Rule:
        return RULES[self.kind]


def most_sends(verdict: Verdict, request: Request, limits: Limits) -> int:
    """How often one capture sends a request that came to ``verdict``.

    A paid reply that arrived and cannot be read was paid for: nobody said to pay for another.
    """
    if request.paid and verdict.rule.outcome == "bad_reply":
        return 1
    return {"once": 1, "twice": 2, "limit": limits.sends}[verdict.rule.sends]


def classify(
    adapter: Faulting, request: Request, exchange: Exchange, received_utc: str, limits: Limits
) -> Verdict:
    """What a request came to. Never raises: what an adapter cannot read is a bad reply."""
    reply = exchange.reply
    if exchange.trouble or reply is None:
        return _without_reply(request, exchange)
    row = next((row for row in STATUSES if reply.status in row.statuses), STATUSES[-1])
    fault = _fault(adapter, request, reply) if row.asks_adapter else None
    if fault is not None:
        wait = None if fault.retry_after_s is None else max(0.0, float(fault.retry_after_s))
        found = Verdict(fault.kind, repair(fault.text)[0], wait, fault.resets_at)
    elif row.kind == "good":
        # No service answers with a page, so that an adapter which overlooked it is not believed.
        page = looks_like_page(reply.body)
        found = Verdict("bad_reply", _said(reply)) if page else Verdict("good")
    elif reply.status == 403 and looks_like_page(reply.body):
        found = Verdict("blocked", _said(reply))
    else:
        found = Verdict(row.kind, _said(reply))
    if found.kind == "refused" and not found.text.strip():
        # A refusal is one by the service's notice alone (R75).
        found = Verdict("rejected", _said(reply))
    return _timed(found, reply, received_utc, limits)


def _without_reply(request: Request, exchange: Exchange) -> Verdict:
    match exchange.trouble:
        case "unsent":
            return Verdict("transient", exchange.text)
        case "truncated":
            return Verdict("malformed", exchange.text)
        case "too_large" | "packed" | "redirect":
            return Verdict("bad_reply", exchange.text)
    if request.paid:
        return Verdict("in_doubt", f"{exchange.text}; it may have been charged")
    return Verdict("timeout" if exchange.trouble == "timeout" else "transient", exchange.text)


def _fault(adapter: Faulting, request: Request, reply: Reply) -> Fault | None:
    try:
        return adapter.fault(request, reply)
    except Exception as error:
        what = f"the adapter could not read it ({type(error).__name__})"
        return Fault(kind="bad_reply", text=what)


def _timed(found: Verdict, reply: Reply, received_utc: str, limits: Limits) -> Verdict:
    """The verdict with the wait that the service asks for; too long a wait is a used-up quota."""
    if found.kind not in ("transient", "quota"):
        return found
    wait = found.retry_after_s
    if wait is None:
        date = reply.headers.get("date")
        wait = retry_after(reply.headers.get("retry-after"), date, received_utc)
    if wait is None:
        return found
    long = wait > limits.longest_wait_s
    resets_at = found.resets_at or (later(received_utc, wait) if long else None)
    return Verdict("quota" if long else found.kind, found.text, wait, resets_at)


def _said(reply: Reply) -> str:
    """A status and the service's own words."""
    return f"HTTP {reply.status}: {said(reply.body)}"


def skew_s(server_date: str | None, received_utc: str) -> int | None:
    """Seconds by which a service's clock is ahead of ours at the receipt, or None."""
    server = http_date(server_date or "")
    if server is None:
        return None
    return round((server - datetime.fromisoformat(received_utc)).total_seconds())
