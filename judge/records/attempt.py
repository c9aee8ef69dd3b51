"""What capture writes beside the run records: each request, and the rounds they belong to."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

AttemptClass = Literal[
    "good",
    "auth",
    "quota",
    "transient",
    "timeout",
    "malformed",
    "bad_reply",
    "rejected",
    "refused",
    "blocked",
    "in_doubt",
]
"""What one request came to. ``good`` alone is a reply that is read; `judge.runs.classify` says
what the others do to a query and to the service's run."""


class Intent(Record, frozen=True, kw_only=True):
    """A paid request, written before it is sent. Without its `Attempt` it is in doubt.

    Nobody can know whether a service has charged a request that it never answered.
    """

    run_id: str
    """The execution that it is part of."""
    number: int
    """1, 2, … in the order in which the requests of an execution were sent."""
    round: str
    system: str
    query_id: str
    request: str
    """Digest that names the request: adapter version, method, address without keys, body, page."""
    page: int
    at_utc: str


class Attempt(Record, frozen=True, kw_only=True):
    """One request and what came of it. Holds no key of a service (R39)."""

    run_id: str
    number: int
    round: str
    system: str
    query_id: str
    request: str
    page: int
    adapter: str
    """`name@version` of the code that asked."""
    paid: bool
    method: str
    url: str
    """The address with its parameters, less those that carry a key."""
    sent_body: str | None
    sent_utc: str
    received_utc: str
    """When the reply was whole, or when waiting for it ended."""
    elapsed_ms: int
    outcome: AttemptClass
    text: str = ""
    """Why there is no list: the service's own words, or what happened (R75)."""
    status: int | None = None
    http_version: str | None = None
    """Null for a service that runs inside this program."""
    headers: dict[str, str] = {}
    """Those of the allow-list, names in lower case."""
    server_date: str | None = None
    skew_s: int | None = None
    """The server's clock less ours at the receipt."""
    body: str | None = None
    """SHA-256 of the reply's bytes, content decoding undone. The bytes are in the store."""
    body_bytes: int | None = None
    redacted: bool = False
    """Whether a key was taken out of the reply; ``body`` is then the digest without it."""


class Excused(Record, frozen=True, kw_only=True):
    """Why a system has no record for a query in a closed round (R26)."""

    query_id: str
    system: str
    reason: str


class RoundStep(Record, frozen=True, kw_only=True):
    """The opening or the closing of a dated round of capture (R43)."""

    name: str
    step: Literal["opened", "closed"]
    at_utc: str
    excused: tuple[Excused, ...] = ()
