"""What a release says of itself: the gate's list, what was left out, what the bundle is."""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

ReleaseKind = Literal["benchmark", "worked_example", "record"]
"""``benchmark``: every label was given blind in this tool. ``worked_example``: some are scripted.
``record``: some were made elsewhere, so that no blinding can be claimed."""

SharedField = Literal["title", "abstract", "journal", "year", "type", "note"]
"""Texts of records that a protocol may leave out; a release needs `raw_results` (R79)."""


class GateLine(Record, frozen=True, kw_only=True):
    """One check of the release gate."""

    name: str
    rule: str
    held: bool
    found: str
    """What holds, or what is missing."""
    mend: str = ""
    """The command or act that would mend it; empty where it holds."""


class LeftOutRecord(Record, frozen=True, kw_only=True):
    """One record without texts that may not be shared: its own digest is what the chain holds."""

    file: str
    line: int
    fields: tuple[SharedField, ...]
    record_sha256: str
    note_sha256: str = ""
    """Digest of a note that was left out: a chain of labels holds notes by their digests."""


class Loss(Record, frozen=True, kw_only=True):
    """What one released file cannot carry."""

    file: str
    format: Literal["csv", "jsonl", "qrels", "trec_run"]
    carried: int
    """Items or hits that stand in it."""
    lost: dict[str, int]
    """What does not, by kind."""
    said: str


class TrecMean(Record, frozen=True, kw_only=True):
    """P@k of one system over the complete queries that its run file and the qrels reproduce."""

    system: str
    k: int
    queries: tuple[str, ...]
    mean: str
    """Exact, as a fraction; `not_applicable` over no query."""
    others: dict[str, str]
    """By id, complete queries that the two files do not reproduce, and why."""


class Release(Record, frozen=True, kw_only=True):
    """`release.json`: what a bundle is. Digests of its files are in the manifest alone."""

    schema_version: int
    kind: ReleaseKind
    title: str
    freeze_id: str
    released_on: str
    report: str
    """Folder of the report that the bundle's numbers are of."""
    chain_head: str
    """The line that dates the study where it is kept by somebody else (`judge.study.anchor`)."""
    sharing: dict[str, Literal["share", "leave_out"]]
    """Every field with its decision; one that the protocol is silent about is left out."""
    left_out: dict[str, int]
    """How many texts, and raw replies, are not in the bundle."""
    losses: tuple[Loss, ...]
    trec: tuple[TrecMean, ...]
    gate: tuple[GateLine, ...]
