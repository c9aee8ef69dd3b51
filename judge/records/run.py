"""What a service answered: one run record per query and system, kept as it came."""

from __future__ import annotations

from typing import Literal, get_args

from judge.records.base import UNAVAILABLE, Record

Outcome = Literal[
    "answered",
    "empty",
    "empty_reported",
    "refused",
    "rejected",
    "auth",
    "quota",
    "timeout",
    "unavailable",
    "bad_reply",
    "in_doubt",
]
"""The closed list of what a query at a service ends with.

Only ``answered`` and ``empty`` are lists of results (``empty`` scores 0/k); every other outcome
gave no list, ``empty_reported`` too (a service whose "no results" is known to be unreliable), and
stays out of precision (R64, R65).
"""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
LIST_OUTCOMES: frozenset[str] = frozenset({"answered", "empty"})

Form = Literal["captured", "imported"]


class Hit(Record, frozen=True, kw_only=True):
    """One hit of a raw ranked list. Nothing here is re-derived: rank and score are the service's.

    ``record_id`` is the service's own identifier (R33); fields that the service did not expose
    are null. A hit without a source link is a counted data problem (R78).
    """

    rank: int
    """1..n in the service's own order, duplicates and all (R35)."""
    record_id: str
    link: str | None = None
    title: str | None = None
    pmid: str | None = None
    doi: str | None = None
    pmcid: str | None = None
    year: str | None = None
    source_type: str | None = None
    updated: str | None = None
    notice: str | None = None
    """Correction or retraction notice, where the service exposed one (R36)."""
    score: str | None = None
    """As text, exactly as sent; never compared or pooled (R71)."""


class Notice(Record, frozen=True, kw_only=True):
    """Something a service said or did beside its list, or that an import found and kept (R38)."""

    kind: str
    text: str


class RunRecord(Record, frozen=True, kw_only=True):
    """The record of one query at one system in one round.

    The first twelve fields are the local record format: a field is null while it is still to be
    captured, so a record with a null there is ``planned`` and cannot be called executed (R40).
    """

    status: Literal["planned", "executed"]
    query_id: str
    information_need: str
    query: str
    """The exact submitted text."""
    mode: str
    cutoffs: tuple[int, ...]
    retrieved_at_utc: str | None = None
    """Null while planned; `unavailable` for an imported run that does not say."""
    service_version: str | None = None
    index_version: str | None = None
    raw_results: tuple[Hit, ...] | None = None
    """The ranked list; empty for a valid empty answer. Null while planned, or when no list came."""
    relevance_judgements: str | None = None
    """Null until judged; judgements live in `judgements/`, keyed by need and record."""
    errors_and_notices: tuple[Notice, ...] | None = None
    """Empty where none was recorded; null means not captured."""

    run_id: str
    round: str
    system: str
    service: str
    endpoint: str
    filters: tuple[str, ...] = ()
    parameters: dict[str, str | int | bool] = {}
    requested: int
    attempt: int = 0
    """0 for the planned record; 1, 2, … for executions, none of which replaces another (R14)."""
    form: Form = "captured"
    adapter: str = UNAVAILABLE
    """`name@version` of the code that asked and parsed."""
    model_version: str | None = None
    outcome: Outcome | None = None
    http_status: int | None = None
    elapsed_ms: int | None = None
    index_digest: str | None = None
    """The service's own digest of its index, where it exposes one."""
    raw_replies: tuple[str, ...] = ()
    """Digests of the raw replies, in the order they were asked for (R32): one for each request
    of the query, or the file an imported run came in. The bytes are in the store and `runs/raw/`.
    """

    def gave_list(self) -> bool:
        """Whether this is an answer with a ranked list, an empty one included."""
        return self.outcome in LIST_OUTCOMES


IMPORTED = "imported from "
"""How the provenance of a text starts that came with a run, as the service wrote it."""


class Document(Record, frozen=True, kw_only=True):
    """The neutral text of a record: one source for every hit, whichever service found it.

    Identified by the record key of `judge.runs.identity`. ``provenance`` says where the fields
    were looked up; none of them is ever credited to a search service (R37).
    """

    record_id: str
    title: str | None = None
    journal: str | None = None
    year: str | None = None
    type: str | None = None
    abstract: str | None = None
    """Null where the source has none."""
    pmid: str | None = None
    doi: str | None = None
    pmcid: str | None = None
    preprint_of: str | None = None
    """Record key of the article that a preprint became, where known."""
    retracted: bool = False
    provenance: str


class PooledRecord(Record, frozen=True, kw_only=True):
    """One item to be judged: a need and a record, whichever systems found it."""

    query_id: str
    record_id: str
    found_by: tuple[FoundAt, ...]
    """The pool map: what would unblind. Never leaves the open half."""


class FoundAt(Record, frozen=True, kw_only=True):
    """Where in a raw list a pooled record stood."""

    system: str
    run_id: str
    rank: int
