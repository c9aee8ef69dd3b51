"""What an adapter is: pure functions between a query, the requests it takes, and their replies.

An adapter never sends anything. `Adapter.step` is given the replies so far and says what to ask
next or what it all amounts to; capture sends, stores and retries for every service alike, and a
stored conversation can be read again by the same function without a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from judge.records.base import Record
from judge.records.protocol import Operator, System
from judge.runs.outcome import Parsed

FaultClass = Literal[
    "auth", "quota", "transient", "rejected", "refused", "bad_reply", "malformed", "blocked"
]
"""What a reply without a list is, before retries; see `judge.runs.classify` for the table."""


class Ask(Record, frozen=True, kw_only=True):
    """One query for one system, as it goes to an adapter."""

    system: System
    text: str
    """The exact submitted text."""
    requested: int
    max_year: int | None = None
    """Publications after this year do not count; for services that can filter by it."""


class Secret(Record, frozen=True, kw_only=True):
    """A place in a request where a key from the environment goes, so that no record holds it."""

    at: Literal["header", "param"]
    name: str
    env: str
    """Name of the environment variable."""
    prefix: str = ""
    """Text before the key, such as ``Bearer ``."""


class Request(Record, frozen=True, kw_only=True):
    """One request without its secrets: what is stored, and what a resumed capture compares."""

    method: Literal["GET", "POST"]
    url: str
    """Scheme, host and path, without a query string."""
    params: tuple[tuple[str, str], ...] = ()
    """Query parameters in order, as plain text; the client encodes them."""
    headers: dict[str, str] = {}
    body: str | None = None
    """The exact body text (JSON) of a POST."""
    secrets: tuple[Secret, ...] = ()
    page: int = 1
    """1, 2, … within the query."""
    paid: bool = False
    """Whether sending it again costs money or quota."""


class Reply(Record, frozen=True, kw_only=True):
    """One reply as it is stored. ``body`` is what the service sent, content decoding undone."""

    status: int
    headers: dict[str, str]
    """Lower-case names; only those of the allow-list."""
    body: bytes


class Fault(Record, frozen=True, kw_only=True):
    """A reply that gives no list, classified."""

    kind: FaultClass
    text: str
    """The service's own words (R75), shortened."""
    retry_after_s: int | None = None
    resets_at: str | None = None
    """When a quota comes back, as the service says it."""


@dataclass(frozen=True)
class Facts:
    """What is known of a service, and what is not: printed, and part of the run record."""

    name: str
    version: str
    """Of the adapter; grows with every change of request or reading."""
    modes: tuple[str, ...]
    endpoint: str
    base_env: str
    """Environment variable that replaces scheme and host, for tests and mirrors."""
    key_env: str | None
    key_needed: bool
    paid: bool
    max_depth: int
    page_size: int
    min_interval_s: float
    """Least time between two requests, from the documented rate."""
    concurrency: int
    operators: dict[str, tuple[Operator, ...]] = field(default_factory=dict)
    """By mode, as documented."""
    filters_year: bool = False
    unverified: tuple[str, ...] = ()
    """Facts that no live reply has confirmed; shown with the word ``unverified``."""

    @property
    def adapter(self) -> str:
        """``name@version``."""
        return f"{self.name}@{self.version}"

    def calls(self, requested: int) -> int:
        """The most requests one query can take at a depth."""
        depth = min(requested, self.max_depth)
        return max(1, -(-depth // self.page_size))


class Faulting(Protocol):
    """Whatever can tell its own service's failures from its answers."""

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        """As `Adapter.fault`."""


class Adapter(Protocol):
    """A service in code."""

    @property
    def facts(self) -> Facts:
        """What is known of the service."""

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        """The next request, or the outcome once nothing more is to be asked.

        ``replies`` are the good replies so far, in order (those for which `fault` gave None).
        Ranks are positions in the service's own list, across pages. Pure: the same replies give
        the same answer on every machine.
        """

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        """Why a reply gives no list, beyond what its status says; None for a good one.

        Called only for replies that the shared table does not settle by status alone.
        """
