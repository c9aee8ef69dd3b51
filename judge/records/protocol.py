"""The protocol: what a team wants to know and by which rules, as declared before any result.

`Protocol` is `protocol/protocol.toml`; `Frozen` is `protocol/frozen.json`, its bytes fixed for
good; `Amendment` is one later change, filed beside the frozen bytes and never into them.
"""

from __future__ import annotations

from typing import Literal, get_args

from judge.records.base import Record

TaskType = Literal["known_item", "mechanism_survey", "review_evidence", "no_match_control", "other"]
Judgement = Literal["relevant", "not_relevant", "uncertain"]
"""The three labels that are judgements. See `judge.records.judgement.Label` for the others."""
EvidenceLevel = Literal["title", "abstract", "full_text"]
Operator = Literal["AND", "OR", "NOT", "quotes", "grouping", "field_tags", "wildcard"]
Behaviour = Literal["operators", "quotes_joined_by_and", "grouping_unsupported", "refusal", "other"]
SameRecord = Literal["same_id", "same_doi", "same_title", "preprint_of_article"]
Measure = Literal[
    "precision_at_k",
    "precision_over_returned",
    "judged_at_k",
    "agreement",
    "comparison",
    "failure_categories",
    "bioasq_recall",
]
MEASURES: tuple[Measure, ...] = get_args(Measure)


class Family(Record, frozen=True, kw_only=True):
    """Queries of one task type that serve one kind of information need (R06)."""

    code: str
    task_type: TaskType
    need: str
    """What people of this family want to find, in a sentence."""
    name: str = ""
    """Shown name; the code where empty."""


class UnacceptableFailure(Record, frozen=True, kw_only=True):
    """A failure the team would not accept; the report answers each by name (R09)."""

    code: str
    text: str


class Claim(Record, frozen=True, kw_only=True):
    """What a service's own documentation says it does: "not verified here" until tested (R10)."""

    id: str
    system: str
    behaviour: Behaviour
    text: str
    address: str
    read_on: str
    """Day on which the documentation was read, YYYY-MM-DD."""
    untested_reason: str = ""
    """Why no query tests it, where none does (R20)."""


class System(Record, frozen=True, kw_only=True):
    """One search service in one mode, as it will be asked (R28, R30)."""

    code: str
    service: str
    mode: str
    endpoint: str
    operators: tuple[Operator, ...]
    """The operators this mode parses, as documented; anything else is sent as ordinary text."""
    quotes_joined_by_and: bool
    """Whether several quoted requirements are joined by AND."""
    parameters: dict[str, str | int | bool] = {}
    filters: tuple[str, ...] = ()


class Depth(Record, frozen=True, kw_only=True):
    """How deep services are asked, how deep people judge, and where precision is cut."""

    requested: int
    pool: int
    cutoffs: tuple[int, ...]


class Rubric(Record, frozen=True, kw_only=True):
    """What counts as relevant. The text that assessors read is `protocol/rubric.md` (R45, R46)."""

    version: str
    target_entity: str
    organism: str
    mechanism: str
    evidence_type: str
    evidence_level: Literal["abstract", "full_text"]
    """The least that must have been read for a label to become final (R47)."""
    note: Literal["optional", "required"]


class Reason(Record, frozen=True, kw_only=True):
    """One reason code of the rubric: the short rationale that completes a label (R50)."""

    code: str
    key: str
    """The single key that chooses it at the desk."""
    labels: tuple[Literal["relevant", "not_relevant", "uncertain", "cannot_judge"], ...]
    text: str
    clause: str
    """The clause of the rubric that it rests on."""


class Choices(Record, frozen=True, kw_only=True):
    """The four choices that are the team's alone. None has a default."""

    uncertain: Literal["bounds", "relevant", "not_relevant"]
    failed_request: Literal["that_system", "all_systems"]
    duplicates: Literal["first_counts", "every_copy_counts"]
    same_record: tuple[SameRecord, ...]
    """What makes two hits duplicates of each other (R67)."""
    gaps: Literal["bounds", "exclude_query"]


class Threshold(Record, frozen=True, kw_only=True):
    """A criterion that a mean of the report decides. There is no default anywhere (R80)."""

    measure: Literal["precision_at_k"]
    system: str
    cutoff: int
    at_least: str
    """A share, as "3/5"."""
    family: str = ""
    """The family whose mean it is; the whole set where empty."""


class Criterion(Record, frozen=True, kw_only=True, omit_defaults=True):
    """An acceptance criterion of the team's own, with the reason that fits the task (R80).

    Defaults are left out of files, so that a criterion in words keeps its frozen bytes.
    """

    code: str
    text: str
    reason: str
    threshold: Threshold | None = None


class People(Record, frozen=True, kw_only=True):
    """Who runs, judges and settles, by code; and what ties them to a compared product (R81)."""

    assessors: tuple[str, ...]
    adjudicator: str
    adjudication: Literal["third_person", "discussion"]
    run_by: str
    judged_by: str
    ties: str
    practice: tuple[str, ...] = ()
    """Codes that may label a packet to try the desk; their labels are never scored."""


class Stratum(Record, frozen=True, kw_only=True):
    """A stratum that matters, with the values a query may have (R18)."""

    name: str
    values: tuple[str, ...]


class Protocol(Record, frozen=True, kw_only=True):
    """Everything that is declared before the first run, except the queries themselves."""

    title: str
    decision: str
    """The decision or work that the search is to support (R04)."""
    intended_users: str
    source_scope: str
    index_frozen: bool
    """Whether the team says that the index did not move; believed only with digests (R42)."""
    families: tuple[Family, ...]
    unacceptable_failures: tuple[UnacceptableFailure, ...]
    systems: tuple[System, ...]
    depth: Depth
    rubric: Rubric
    reasons: tuple[Reason, ...]
    choices: Choices
    measures: tuple[Measure, ...]
    people: People
    strata: tuple[Stratum, ...]
    largest_entity_share: str
    """Largest share of the evaluation set that one target entity may have, as "1/5" (R19)."""
    resampling_seed: int
    """Seed of the resampling behind intervals; the order of packets never uses it."""
    claims: tuple[Claim, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    comparisons: tuple[tuple[str, str], ...] = ()
    """Pairs of system codes that will be compared: the family for Holm's correction."""
    scored_round: str = "r1"
    repeats_share: str = "0"
    """Share of each assessor's items shown a second time, unmarked, as "1/20"; "0" for none."""
    sharing: dict[str, Literal["share", "leave_out"]] = {}
    """Sharing decision per field of the record (R82)."""


class Frozen(Record, frozen=True, kw_only=True):
    """`protocol/frozen.json`: the protocol and the digests of what is frozen with it (R23)."""

    format: int
    protocol: Protocol
    rubric_sha256: str
    queries_sha256: dict[str, str]
    """File name to SHA-256, for the evaluation and the development queries."""
    corpus_sha256: str
    """Digest of the embedded corpus; `not_applicable` without one."""


class Amendment(Record, frozen=True, kw_only=True):
    """A change after the freeze (R25). The frozen bytes stay as they are."""

    number: int
    at_utc: str
    author: str
    reason: str
    seen: Literal["nothing_run", "run_results_not_seen", "results_seen"]
    target: str
    """What is changed, as a path into the frozen record, such as `protocol.depth.cutoffs`."""
    before: str
    after: str
    """Canonical JSON of the value before and after."""
