"""What the replies to one query amount to, whoever sent them."""

from __future__ import annotations

from judge.records.base import UNAVAILABLE, Record
from judge.records.run import Hit, Notice, Outcome


class Parsed(Record, frozen=True, kw_only=True):
    """Raw replies, read: the outcome, the ranked list as it stood, and what was said beside it.

    ``hits`` is null for every outcome that gave no list; an empty tuple is a valid empty answer.
    """

    outcome: Outcome
    hits: tuple[Hit, ...] | None
    notices: tuple[Notice, ...] = ()
    service_version: str = UNAVAILABLE
    index_version: str = UNAVAILABLE
    model_version: str = UNAVAILABLE
    index_digest: str | None = None
