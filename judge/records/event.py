"""The study's own chain: what was done to it, in order, each step holding the one before."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

StudyEventKind = Literal[
    "created",
    "frozen",
    "amended",
    "round_opened",
    "asked",
    "replied",
    "captured",
    "reread",
    "round_closed",
    "imported_run",
    "imported_labels",
    "imported_texts",
    "resolved",
    "checked",
    "pooled",
    "dealt",
    "voided",
    "collected",
    "agreement_frozen",
    "retracted",
    "access",
    "unlocked",
    "reported",
]


class Batch(Record, frozen=True, kw_only=True):
    """The records of one kind that an event wrote: how many, and the digest of their digests."""

    kind: str
    count: int
    root: str


class StudyEvent(Record, frozen=True, kw_only=True):
    """One step of the study. ``hash`` covers every other field."""

    seq: int
    at_utc: str
    kind: StudyEventKind
    subject: str
    batches: tuple[Batch, ...]
    prev_hash: str
    hash: str
