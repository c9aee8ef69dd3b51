"""Failure review: what a coder is shown, and what was named. Never part of a label (R77)."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.judgement import FailureCategory
from judge.records.query import Expected

AutomaticCode = FailureCategory | Literal["refused", "retracted"]
"""What the records can say. The last two are nobody's to name: a refusal that no documentation
announces, until somebody reads why, and a retraction, which is known from the source."""


class AutomaticFact(Record, frozen=True, kw_only=True):
    """A failure that the records show. It stands whatever a coder says."""

    code: AutomaticCode
    text: str
    """The evidence for it, in a few words (R75)."""


class ListedHit(Record, frozen=True, kw_only=True):
    """One line of what a request came back with."""

    rank: int
    title: str | None
    label: str
    """The final label; ``not_yet_judged`` where there is none."""


class ShownHit(Record, frozen=True, kw_only=True):
    """A hit: the neutral text, the final label, and what the service itself said of it.

    The fields that start with ``given_`` are the service's; null where it exposed none (R37).
    """

    rank: int
    record_id: str
    title: str | None
    journal: str | None
    year: str | None
    type: str | None
    abstract: str | None
    link: str | None
    label: str
    given_title: str | None
    given_year: str | None
    given_type: str | None
    given_link: str | None
    given_notice: str | None


class FailureView(Record, frozen=True, kw_only=True):
    """All that a coder sees of an item. Request and system are shown: relevance is locked."""

    need: str
    expected: Expected
    system: str
    service: str
    mode: str
    submitted: str
    translation: str
    """Why the system got another text than the query's own; empty where it did not (R27)."""
    unparsed: tuple[str, ...]
    """Operators in the submitted text that this mode is not documented to parse."""
    outcome: str
    returned: int | None
    """Length of the list; null where no list came."""
    said: tuple[str, ...]
    """Notices and errors, as the service gave them."""
    listed: tuple[ListedHit, ...]
    """The list down to the deepest cutoff; empty for an item that is a hit."""
    automatic: tuple[AutomaticFact, ...]
    hit: ShownHit | None
    """Null for an item that is the request itself."""


class FailureScript(Record, frozen=True, kw_only=True):
    """What one coder of the worked study says of a request (no rank) or of a hit."""

    query_id: str
    system: str
    rank: int | None = None
    categories: tuple[FailureCategory, ...] = ()
    note: str = ""


class CodedItem(Record, frozen=True, kw_only=True):
    """What one coder said of one request or hit, as it stands."""

    by: str
    origin: Literal["blind", "scripted"]
    """``scripted``, or by a person (who saw the system: failure review is never blind)."""
    query_id: str
    system: str
    run_id: str
    rank: int | None
    record_id: str
    automatic: tuple[AutomaticCode, ...]
    categories: tuple[FailureCategory, ...]
    note: str
