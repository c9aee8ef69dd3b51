"""Recall: the rows of questions and results files, what scoring them gives, the report's part.

Rows come from outside, so that keys unknown here are passed over. `RecallScore` is what `judge
recall --json` prints; its figures are floats, bit for bit those of the reference scorer, and are
never frozen. The report's figures are `Share`.
"""

from __future__ import annotations

import msgspec

from judge.records.base import Record
from judge.records.measured import Figure


class GoldRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=False, gc=False):
    """A gold paper of a questions file."""

    pmid: str | int | None = None
    doi: str | None = None
    title: str | None = None


class QuestionRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """A line of a questions file, as far as scoring reads it."""

    question_id: str
    gold: tuple[GoldRow, ...]


class Candidate(Record, frozen=True, kw_only=True, forbid_unknown_fields=False, gc=False):
    """One result at its rank."""

    rank: int
    pmid: str | int | None = None
    doi: str | None = None
    title: str | None = None


class ResultRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """A line of a results file: what a service answered to one question."""

    question_id: str
    provider: str | None = None
    candidates: tuple[Candidate, ...] | msgspec.UnsetType | None = msgspec.UNSET


class RecallWarning(Record, frozen=True, kw_only=True):
    """Something that the scoring rules pass over in silence, how often, and the first case."""

    kind: str
    count: int
    text: str
    example: str


class Credit(Record, frozen=True, kw_only=True, gc=False):
    """Where a gold paper was found first, and by which tier it was known."""

    rank: int
    tier: str


class QuestionRecall(Record, frozen=True, kw_only=True):
    """Recall of one question at every cutoff."""

    question_id: str
    total_gold: int
    returned: int
    last_rank: int
    """Rank of the last candidate; 0 for an empty list."""
    found: dict[str, int]
    """Gold papers found, by cutoff."""
    recall: dict[str, float]
    matches: dict[str, Credit]
    """By PMID of the gold paper."""


class FailedQuestion(Record, frozen=True, kw_only=True):
    """A question without an answer whose latest failure is on record."""

    question_id: str
    error: str
    status: str
    retryable: str


class ManifestCheck(Record, frozen=True, kw_only=True):
    """What a manifest says, held against the inputs and the figures."""

    checked: tuple[str, ...]
    differs: tuple[str, ...]
    not_named: tuple[str, ...]
    """Inputs without a digest in the manifest."""


class RecallScore(Record, frozen=True, kw_only=True):
    """One results file scored on one questions file. Names are the reference scorer's where it
    has them; a mean over no question is null."""

    system: str
    cutoffs: tuple[int, ...]
    num_input_questions: int
    num_input_gold: int
    num_scored_questions: int
    num_missing_questions: int
    missing_question_ids: tuple[str, ...]
    num_failure_records: int
    num_failed_questions: int
    failed_question_ids: tuple[str, ...]
    num_unattempted_questions: int
    unattempted_question_ids: tuple[str, ...]
    num_empty_answers: int
    num_candidates: int
    total_gold: int
    macro_recall: dict[str, float | None]
    micro_recall: dict[str, float | None]
    match_tier_counts: dict[str, int]
    matching: str
    absent_reason: str
    """Why there is no recall; empty where there is."""
    latest_failures: tuple[FailedQuestion, ...]
    warnings: tuple[RecallWarning, ...]
    limits: tuple[str, ...]
    manifest: ManifestCheck | None = None
    per_question: tuple[QuestionRecall, ...] = ()


class ComparedFigure(Record, frozen=True, kw_only=True):
    """Macro recall of one system at one cutoff, over two sets of questions."""

    cutoff: int
    own: float | None
    """Over the questions that the system completed; null where that depth was not returned."""
    shared: float | None
    """Over the questions that every system completed."""
    ceiling: bool
    """Most lists end before this rank: the figure repeats what they end with."""


class ComparedSystem(Record, frozen=True, kw_only=True):
    """One system of a comparison."""

    system: str
    completed: int
    median_depth: str
    """Median rank of the last candidate, over the questions completed."""
    figures: tuple[ComparedFigure, ...]


class RecallComparison(Record, frozen=True, kw_only=True):
    """Systems side by side, in the order they were given."""

    cutoffs: tuple[int, ...]
    questions: int
    shared: int
    """Questions that every system completed."""
    systems: tuple[ComparedSystem, ...]
    notes: tuple[str, ...]


class RecallRow(Record, frozen=True, kw_only=True):
    """Share of a query's gold papers, or the mean of the shares, at one system and cutoff."""

    query_id: str
    """Empty for the mean."""
    system: str
    cutoff: int
    gold: int
    figure: Figure
    queries: int
    """Queries in the figure, of ``asked`` that have gold papers; 1 of 1 for one query."""
    asked: int


class TierRow(Record, frozen=True, kw_only=True):
    """Gold papers that a system found, by the tier that knew them."""

    system: str
    pmid: int
    doi: int
    title: int


class CeilingRow(Record, frozen=True, kw_only=True):
    """The most that any list could reach at a cutoff, given how many gold papers queries have."""

    cutoff: int
    queries: int
    precision: Figure
    """If only gold papers counted as relevant."""
    recall: Figure


class PublishedRow(Record, frozen=True, kw_only=True):
    """Macro recall of one service as published; a dash where that depth was not returned."""

    system: str
    cells: tuple[str, ...]
    note: str = ""


class PublishedTable(Record, frozen=True, kw_only=True):
    """One published table, under its own rules and date."""

    title: str
    dated: str
    rules: str
    source: str
    cutoffs: tuple[int, ...]
    rows: tuple[PublishedRow, ...]


class PublishedTables(Record, frozen=True, kw_only=True):
    """The file of published tables."""

    tables: tuple[PublishedTable, ...]


class GoldDifference(Record, frozen=True, kw_only=True):
    """A record on which gold set and final label do not agree."""

    query_id: str
    record_id: str
    title: str


class RecallSection(Record, frozen=True, kw_only=True):
    """Recall against gold papers, in its own section (R60)."""

    absent_reason: str
    definition: str
    per_query: tuple[RecallRow, ...]
    means: tuple[RecallRow, ...]
    pooled: tuple[RecallRow, ...] = ()
    """Micro recall: gold papers found over gold papers, all queries of the mean together."""
    tiers: tuple[TierRow, ...] = ()
    ceilings: tuple[CeilingRow, ...] = ()
    warnings: tuple[RecallWarning, ...] = ()
    relevant_not_gold: tuple[GoldDifference, ...] = ()
    gold_not_relevant: tuple[GoldDifference, ...] = ()
    published: tuple[PublishedTable, ...] = ()
    published_note: str = ""
    limits: tuple[str, ...] = ()
