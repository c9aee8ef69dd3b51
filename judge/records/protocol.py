"""The protocol: what a team wants to know and by which rules, as declared before any result.

`Protocol` is `protocol/protocol.toml`; `Frozen` is `protocol/frozen.json`, its bytes fixed for
good; `Amendment` is one later change, filed beside the frozen bytes and never into them.
"""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record

TaskType = Literal["known_item", "mechanism_survey", "review_evidence", "no_match_control", "other"]
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
SHARED = ("title", "abstract", "journal", "year", "type", "raw_results", "note")
"""Every field that a sharing decision is about (R82)."""


class Family(Record, frozen=True, kw_only=True):
    """Queries of one task type that serve one kind of information need (R06)."""

    code: str
    """Queries name their family by it."""
    task_type: TaskType
    """What a reader of results is doing; means are printed per family, never alone (R07)."""
    need: str
    """What people of this family want to find, in a sentence."""
    name: str = ""
    """Shown name; the code where empty."""


class UnacceptableFailure(Record, frozen=True, kw_only=True):
    """A failure the team would not accept; the report answers each by name (R09)."""

    code: str
    text: str
    """What would be seen, so that a person can answer seen or not seen."""


class Claim(Record, frozen=True, kw_only=True):
    """What a service's own documentation says it does: "not verified here" until tested (R10)."""

    id: str
    """Queries name it in `tests`."""
    system: str
    """Code of the system it speaks of."""
    behaviour: Behaviour
    text: str
    """What the documentation says."""
    address: str
    """Where it was read."""
    read_on: str
    """Day on which the documentation was read, YYYY-MM-DD."""
    untested_reason: str = ""
    """Why no query tests it, where none does (R20)."""


class System(Record, frozen=True, kw_only=True):
    """One search service in one mode, as it will be asked (R28, R30)."""

    code: str
    """Short name; reports, files and run ids go by it."""
    service: str
    """A name of `judge providers`, or the name of a service whose runs are imported."""
    mode: str
    """A mode of that service."""
    endpoint: str
    """What is asked; it stands in every run record (R30)."""
    operators: tuple[Operator, ...]
    """The operators this mode parses, as documented; anything else is sent as ordinary text."""
    quotes_joined_by_and: bool
    """Whether several quoted requirements are joined by AND."""
    parameters: dict[str, str | int | bool] = {}
    """Sent with every request, and recorded (R28)."""
    filters: tuple[str, ...] = ()
    """In words, where the service was narrowed by something (R28)."""


class Depth(Record, frozen=True, kw_only=True):
    """How deep services are asked, how deep people judge, and where precision is cut."""

    requested: int
    """Hits asked for of each system; at least `pool`."""
    pool: int
    """Ranks of each list that are pooled and judged; no cutoff is deeper."""
    cutoffs: tuple[int, ...]
    """The k of P@k, rising; declared before labels (R59)."""


class Rubric(Record, frozen=True, kw_only=True):
    """What counts as relevant. The text that assessors read is `protocol/rubric.md` (R45, R46)."""

    version: str
    """Labels under two versions are never mixed (R57)."""
    target_entity: str
    """What must be the subject of a record; 'not relevant here' where nothing must."""
    organism: str
    """Which organisms count."""
    mechanism: str
    """Which mechanism or direction of effect counts."""
    evidence_type: str
    """Which kinds of study or record count."""
    evidence_level: Literal["abstract", "full_text"]
    """The least that must have been read for a label to become final (R47)."""
    note: Literal["optional", "required"]
    """Whether the desk asks for a note with every label."""


class Reason(Record, frozen=True, kw_only=True):
    """One reason code of the rubric: the short rationale that completes a label (R50)."""

    code: str
    key: str
    """The single key that chooses it at the desk."""
    labels: tuple[Literal["relevant", "not_relevant", "uncertain", "cannot_judge"], ...]
    """The labels that it may complete; each judgement needs a reason."""
    text: str
    """What the desk shows beside the key."""
    clause: str
    """The clause of the rubric that it rests on."""


class Choices(Record, frozen=True, kw_only=True):
    """The choices that are the team's alone. None has a default."""

    uncertain: Literal["bounds", "relevant", "not_relevant"]
    """What the final label `uncertain` counts as in P@k."""
    failed_request: Literal["that_system", "all_systems"]
    """Whose mean a query leaves when one system gave no list for it."""
    duplicates: Literal["first_counts", "every_copy_counts"]
    """Whether a later copy of a work can be a relevant hit too."""
    same_record: tuple[SameRecord, ...]
    """What makes two hits duplicates of each other (R67)."""
    gaps: Literal["bounds", "exclude_query"]
    """A query with an undecided rank makes the mean bounds, or leaves it."""


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
    """What must hold. A person compares it with the figures; the tool does not."""
    reason: str
    """Why this fits the task."""
    threshold: Threshold | None = None


class People(Record, frozen=True, kw_only=True):
    """Who runs, judges and settles, by code; and what ties them to a compared product (R81)."""

    assessors: tuple[str, ...]
    """Codes of those who label, each every item; agreement needs two."""
    adjudicator: str
    """Code of the third person, who is no assessor; empty for a discussion."""
    adjudication: Literal["third_person", "discussion"]
    """Who settles disagreements: a third person, or the assessors together."""
    run_by: str
    """Who asked the services."""
    judged_by: str
    """Who the assessors are to the systems."""
    ties: str
    """Ties of any of them to a compared product; 'none' where there are none."""
    practice: tuple[str, ...] = ()
    """Codes that may label a packet to try the desk; their labels are never scored."""


class Stratum(Record, frozen=True, kw_only=True):
    """A stratum that matters, with the values a query may have (R18)."""

    name: str
    values: tuple[str, ...]
    """The values that a query may have."""


class Protocol(Record, frozen=True, kw_only=True):
    """Everything that is declared before the first run, except the queries themselves."""

    title: str
    """The study's name; it may not say more than a report could (R42, R60)."""
    decision: str
    """The decision or work that the search is to support (R04)."""
    intended_users: str
    """Who will use the search (R05)."""
    source_scope: str
    """Which sources and years are in scope (R05)."""
    index_frozen: bool
    """Whether the team says that the index did not move; believed only with digests (R42)."""
    families: tuple[Family, ...]
    """At least one."""
    unacceptable_failures: tuple[UnacceptableFailure, ...]
    """At least one; each is answered in `reports/statement.toml`."""
    systems: tuple[System, ...]
    """At least one."""
    depth: Depth
    rubric: Rubric
    reasons: tuple[Reason, ...]
    """The keys that complete a label at the desk."""
    choices: Choices
    measures: tuple[Measure, ...]
    """What may be printed; nothing else is (R03)."""
    people: People
    strata: tuple[Stratum, ...]
    """Whatever queries should be counted by; may be empty."""
    largest_entity_share: str
    """Largest share of the evaluation set that one target entity may have, as "1/5" (R19)."""
    resampling_seed: int
    """Seed of the resampling behind intervals; the order of packets never uses it."""
    claims: tuple[Claim, ...] = ()
    """What documentation says, to be tested by queries."""
    criteria: tuple[Criterion, ...] = ()
    """None is shipped: they are the team's own."""
    comparisons: tuple[tuple[str, str], ...] = ()
    """Pairs of system codes that will be compared: the family for Holm's correction."""
    scored_round: str = "r1"
    """The round whose runs are scored; all others are listed (R14)."""
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


class RubricChange(Record, frozen=True, kw_only=True):
    """What a change of the rubric's text means for labels that were given before it (R56)."""

    kind: Literal["editorial", "clarifying", "breaking"]
    families: tuple[str, ...] = ()
    """Breaking: families whose labels end by it."""
    reasons: tuple[str, ...] = ()
    """Breaking: reason codes whose labels end by it."""


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
    """Canonical JSON of the value before and after; for the target `rubric` an object with the
    version and the whole text."""
    rubric: RubricChange | None = None
    """For the target `rubric` alone."""
