"""What sending one request amounts to, whoever sends it, and the limits that it is sent under."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from judge.runs.providers.base import Reply, Request

Trouble = Literal[
    "", "timeout", "transport", "unsent", "truncated", "too_large", "packed", "redirect"
]
"""Why there is no whole reply to read; empty for a whole one.

``packed`` is a coding that nobody asked for, not undone: one inside another turns a few bytes into
gigabytes in one step, before any cap can count them.
``unsent`` is certain (no connection); ``transport`` is not: the service may have got the request.
"""


@dataclass(frozen=True)
class Limits:
    """How long, how much and how often. Seconds and bytes."""

    deadline_s: float = 90.0
    """From the start of an attempt to the last byte of its reply, however slowly it drips."""
    connect_s: float = 15.0
    body_bytes: int = 32 * 2**20
    sends: int = 5
    """How often one request is sent in one capture before a passing trouble counts as lasting."""
    backoff_s: float = 1.0
    """Wait after the first passing trouble; doubled after each further one."""
    longest_wait_s: float = 120.0
    """A service that asks for more than this ends its run instead."""
    misses: int = 5
    """Queries in a row without any reply that end a service's run."""


@dataclass(frozen=True)
class Exchange:
    """One request as it went: the reply, or what stood in its way."""

    reply: Reply | None
    """With ``truncated`` and ``redirect``, what there was of it."""
    trouble: Trouble = ""
    text: str = ""
    """What stood in the way, in words that hold no key."""
    http_version: str | None = None
    redacted: bool = False


class Sender(Protocol):
    """Where the requests of a service go: over the network, or into this program."""

    async def send(self, request: Request) -> Exchange:
        """Sends one request once. Never raises for what a service or a network does."""
