"""What one reply of a service amounts to, whoever sent it."""

from __future__ import annotations

from typing import Protocol

from judge.records.base import UNAVAILABLE, Record
from judge.records.protocol import System
from judge.records.run import Hit, Notice, Outcome


class Parsed(Record, frozen=True, kw_only=True):
    """A raw reply, read: the outcome, the ranked list as it stood, and what was said beside it.

    ``hits`` is null for every outcome that gave no list; an empty tuple is a valid empty answer.
    """

    outcome: Outcome
    hits: tuple[Hit, ...] | None
    notices: tuple[Notice, ...] = ()
    service_version: str = UNAVAILABLE
    index_version: str = UNAVAILABLE
    model_version: str = UNAVAILABLE
    index_digest: str | None = None


class Service(Protocol):
    """A search service as capture sees it: asked for bytes, which are kept; read afterwards."""

    @property
    def adapter(self) -> str:
        """`name@version` of the code that asks and parses."""

    def ask(self, system: System, text: str, requested: int) -> bytes:
        """The raw reply to one query, byte for byte."""

    def parse(self, reply: bytes) -> Parsed:
        """A pure function of the stored bytes. Ranks are positions in the service's own list."""
