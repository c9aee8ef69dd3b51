"""`report.json`: everything a report says, as text and whole numbers, in the order it says it.

One `Report` feeds JSON, HTML, Markdown and the terminal, so that the four cannot differ. Numbers
that are not counts are `Share`: text, never a float. ``schema_version`` grows with every change
of a field's meaning.
"""

from __future__ import annotations

from typing import Literal

from judge.records.audit import LeakAudit
from judge.records.base import Record
from judge.records.checked import Checked
from judge.records.closing import CriteriaSection, Limitations, Omitted
from judge.records.cut import Cut
from judge.records.flow import Flow
from judge.records.lived import Lived
from judge.records.measured import (
    AgreementSection,
    ComparisonSection,
    Computation,
    GuessRow,
    Pair,
    PrecisionSection,
    RepeatsRow,
    SensitivitySection,
)
from judge.records.recall import RecallSection
from judge.records.reviewed import FailureReview

SCHEMA_VERSION = 2

Kind = Literal["plan", "dated_live_service", "frozen_index"]
Status = Literal["planned", "captured", "judging", "adjudicating", "closed"]


class Count(Record, frozen=True, kw_only=True):
    """A name and how many."""

    name: str
    count: int


class Head(Record, frozen=True, kw_only=True):
    """What a reader must know before any number."""

    title: str
    kind: Kind
    kind_reason: str
    study: str
    status: Status
    banner: str
    labels_banner: str
    """Where the labels came from, in a sentence; empty while there are none to speak of."""
    labels_by_origin: tuple[Count, ...]
    run_by: str
    judged_by: str
    same_people: str
    ties: str
    assessors: tuple[str, ...]
    adjudicator: str


class Answer(Record, frozen=True, kw_only=True):
    """A declared unacceptable failure and its answer (R09)."""

    code: str
    text: str
    answer: Literal["seen", "not_seen", "not_testable_here", "unanswered"]
    queries: tuple[str, ...]
    remark: str


class Purpose(Record, frozen=True, kw_only=True):
    """What the evaluation is for (R04, R05)."""

    decision: str
    intended_users: str
    source_scope: str
    families: tuple[Pair, ...]
    unacceptable: tuple[Answer, ...]


class AmendmentLine(Record, frozen=True, kw_only=True):
    """One amendment, and what it means for the results (R13, R25, R56)."""

    number: int
    at_utc: str
    author: str
    target: str
    reason: str
    seen: str
    consequence: str


class StratumCount(Record, frozen=True, kw_only=True):
    """How many evaluation queries hold a value of a stratum (R18)."""

    stratum: str
    value: str
    queries: int


class Choice(Record, frozen=True, kw_only=True):
    """A choice as declared before the first run, and as it holds now (R25)."""

    name: str
    text: str
    """As frozen."""
    in_force: str
    """As amended; empty where the frozen value holds."""
    amendments: tuple[int, ...]
    """Numbers of the amendments that changed it."""


class Rules(Record, frozen=True, kw_only=True):
    """The frozen protocol, by its digest and its choices."""

    freeze_id: str
    frozen_at: str
    digests: tuple[Pair, ...]
    choices: tuple[Choice, ...]
    measures: tuple[str, ...]
    strata: tuple[StratumCount, ...]
    amendments: tuple[AmendmentLine, ...]


class SystemRuns(Record, frozen=True, kw_only=True):
    """One system: what it is, what it exposed of itself, and how its requests ended."""

    code: str
    service: str
    mode: str
    endpoint: str
    parameters: str
    requested: int
    first_retrieved: str
    last_retrieved: str
    service_version: str
    model_version: str
    index_version: str
    index_digest: str
    executed: int
    outcomes: tuple[Count, ...]
    hits: int
    source_type_exposed: int
    source_type_checked: int
    source_type_unknown: int
    """Hits whose source type the service exposed, was checked at the source, or neither (R36)."""


class RunLine(Record, frozen=True, kw_only=True):
    """One run record on an evaluation query."""

    run_id: str
    query_id: str
    system: str
    round: str
    attempt: int
    form: str
    retrieved_at_utc: str
    outcome: str
    returned: int | None
    """Length of the list; null where no list came."""
    scored: bool


class TranslationLine(Record, frozen=True, kw_only=True):
    """What one system was sent for a need (R27)."""

    query_id: str
    need: str
    system: str
    submitted: str
    note: str


class Runs(Record, frozen=True, kw_only=True):
    """What was asked, and of whom."""

    summary: str
    frozen_queries: int
    scored_runs: int
    earlier_runs: int
    systems: tuple[SystemRuns, ...]
    runs: tuple[RunLine, ...]
    translations: tuple[TranslationLine, ...]


class NoListLine(Record, frozen=True, kw_only=True):
    """One request that gave no list (R65)."""

    run_id: str
    query_id: str
    system: str
    outcome: str
    http_status: int | None
    elapsed_ms: int | None
    said: str


class OutcomeCount(Record, frozen=True, kw_only=True):
    """How many requests of a system ended in one outcome."""

    system: str
    outcome: str
    requests: int


class NoticeCount(Record, frozen=True, kw_only=True):
    """Notices of a system; none recorded and not captured are two things (R38, R41)."""

    system: str
    recorded: int
    none_recorded: int
    not_captured: int
    said: tuple[Pair, ...]
    """Query id and text of each notice."""


class DataProblems(Record, frozen=True, kw_only=True):
    """Problems of the data of one system's lists, apart from relevance (R78)."""

    system: str
    hits: int
    duplicates: int
    missing_links: int
    preprints: int
    notices_exposed: int
    retracted_at_source: int


class BehaviourLine(Record, frozen=True, kw_only=True):
    """A control, guard or invalid query: expected against observed (R17, R20, R21)."""

    query_id: str
    system: str
    kind: Literal["no_match_control", "documented_guard", "invalid_by_design"]
    expected: str
    observed: str
    as_expected: Literal["yes", "no", "not_tested", "not_applicable", "to_be_read"]
    """``not_applicable``: nothing is documented for this system. ``to_be_read``: no rule of ours
    can tell; the observation stands for itself."""


class ClaimLine(Record, frozen=True, kw_only=True):
    """A documented claim and what was observed of it (R10, R76)."""

    id: str
    system: str
    text: str
    address: str
    documented: str
    observed: str
    tested: bool
    """Whether a recorded answer bears on it; without one it is documentation and no more."""


class Claims(Record, frozen=True, kw_only=True):
    """What services say of themselves, against what was seen here."""

    summary: str
    rows: tuple[ClaimLine, ...]


class Failures(Record, frozen=True, kw_only=True):
    """Failures and behaviour, apart from every score."""

    summary: str
    no_list: tuple[NoListLine, ...]
    by_outcome: tuple[OutcomeCount, ...]
    notices: tuple[NoticeCount, ...]
    data: tuple[DataProblems, ...]
    review: FailureReview


class SettledLine(Record, frozen=True, kw_only=True):
    """How one disagreement was settled (R53)."""

    query_id: str
    record_id: str
    first_labels: str
    blind: str
    """The adjudicator's own label; empty for a discussion."""
    decision: str
    reason: str


class GapLine(Record, frozen=True, kw_only=True):
    """What is missing in the judgements of one query, by kind (R55); never printed as 0/k."""

    query_id: str
    pooled: int
    without_final: int
    final_uncertain: int
    paper_unavailable: int
    no_abstract: int
    conflicting_metadata: int
    other: int
    """The last four: items that an assessor could not judge, by kind."""
    records_without_abstract: int


class Judging(Record, frozen=True, kw_only=True):
    """How the pool was judged."""

    closed_reason: str
    """Why labels are not shown yet (R51); empty once they are."""
    blindness: tuple[Count, ...]
    agreement_note: str
    agreement: tuple[AgreementSection, ...]
    repeats: tuple[RepeatsRow, ...]
    repeats_note: str
    """What the rows rest on, or why there are none."""
    settled: tuple[SettledLine, ...]
    open_disagreements: int
    gaps: tuple[GapLine, ...]
    life: Lived | None = None
    """What became of labels; null while they are closed."""


class Blinding(Record, frozen=True, kw_only=True):
    """What the assessors could have known of the systems, and what they did know."""

    closed_reason: str
    """Why nothing is shown yet (R51); empty once labels are open."""
    said: tuple[str, ...]
    """What could not be blinded, and what nobody can check, a sentence for each."""
    declared: tuple[Pair, ...]
    """Assessor and the declaration made at each hand-in."""
    audits: tuple[LeakAudit, ...]
    """The leak audit of every packet that came back, in the order they were dealt."""
    guesses: tuple[GuessRow, ...]
    guesses_note: str
    """What the rows mean, or that nobody was asked."""


class Report(Record, frozen=True, kw_only=True):
    """The whole report. Field order is the order of its sections."""

    schema_version: int
    tool: str
    head: Head
    purpose: Purpose
    rules: Rules
    flow: Flow
    runs: Runs
    cut: Cut
    claims: Claims
    failures: Failures
    sources: Checked
    behaviour: tuple[BehaviourLine, ...]
    blinding: Blinding
    judging: Judging
    precision: PrecisionSection
    comparison: ComparisonSection
    sensitivity: SensitivitySection
    criteria: CriteriaSection
    recall: RecallSection
    conclusions: tuple[str, ...]
    limitations: Limitations
    left_out: Omitted
    computation: Computation
    verify: tuple[str, ...]
