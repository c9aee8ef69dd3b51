"""What people decide: packets, the views they see, and the events they cause."""

from __future__ import annotations

from typing import Literal, get_args

from judge.records.base import Record
from judge.records.protocol import EvidenceLevel, Reason

Label = Literal["relevant", "not_relevant", "uncertain", "cannot_judge"]
"""The first three are judgements. A label that is not there yet is ``not_yet_judged``: absent."""
LABELS: tuple[Label, ...] = get_args(Label)
JUDGEMENTS: frozenset[str] = frozenset({"relevant", "not_relevant", "uncertain"})

CannotKind = Literal["paper_unavailable", "no_abstract", "conflicting_metadata", "other"]
CANNOT_KINDS: tuple[CannotKind, ...] = get_args(CannotKind)

Origin = Literal["blind", "imported", "consensus", "scripted"]
"""Where a label came from. A report claims blinding for the first alone."""

PacketKind = Literal["label", "adjudication", "discussion", "failures", "guess"]
"""``guess``: which system found it? Asked after a person's labels are locked (L20)."""
SETTLING: frozenset[str] = frozenset({"adjudication", "discussion"})
"""Kinds of packet that show labels and end in a decision."""

GUESSES = " --guesses"
"""What `judge label` and `judge packet make` are told for such a packet."""

DONT_KNOW = "?"
"""The guess that names no system; no system has this code."""


class Candidate(Record, frozen=True, kw_only=True):
    """A system that a guess may name, as the person reads it."""

    code: str
    name: str


class View(Record, frozen=True, kw_only=True):
    """All that is shown of an item. An allow-list: no other field can be in a packet (L1, L7).

    Built from the neutral text (`judge.records.run.Document`) and the information need; holds no
    system, rank, score, submitted text or time.
    """

    need: str
    title: str | None
    journal: str | None
    year: str | None
    type: str | None
    abstract: str | None
    link: str | None


class Side(Record, frozen=True, kw_only=True):
    """One of the two first labels, as an adjudicator sees it: no name, no system (L18)."""

    label: Label
    cannot_kind: CannotKind | None
    reason: str
    note: str
    evidence: str


class Reveal(Record, frozen=True, kw_only=True):
    """All live labels of a disagreement, in an order drawn per item."""

    first: Side
    second: Side
    others: tuple[Side, ...] = ()
    """Where more than two people label: the third and on."""


class Packet(Record, frozen=True, kw_only=True):
    """The head of a packet: who labels what under which rules."""

    packet_id: str
    """Random, new for every packet."""
    kind: PacketKind
    assessor: str
    origin: Literal["blind", "scripted"]
    study_title: str
    freeze_id: str
    """SHA-256 of the frozen protocol the packet was dealt under."""
    rubric_version: str
    rubric: str
    """The text of the criteria, one key away at the desk."""
    reasons: tuple[Reason, ...]
    evidence_level: EvidenceLevel
    """Least evidence for a label to become final (R47)."""
    note: Literal["optional", "required"]
    items: int
    dealt_on: str
    """Day only: a finer time would tell (L11)."""
    systems: tuple[Candidate, ...] = ()
    """Guesses only: what may be named, in declared order. Empty in every other packet (L1)."""


class Deal(Record, frozen=True, kw_only=True):
    """The open half of a packet: which need and record each position holds. Never in the packet."""

    packet_id: str
    assessor: str
    kind: PacketKind
    practice: bool
    order_seed: str
    """Hex seed of the order, from the system's entropy; opens the shuffle, so it stays here."""
    packet_sha256: str
    """Digest of the `Packet` record, the root of the packet's chain."""
    items: tuple[DealtItem, ...]


class DealtItem(Record, frozen=True, kw_only=True):
    """One position of a packet."""

    position: int
    query_id: str
    record_id: str
    view_sha256: str
    shown: tuple[str, ...] = ()
    """Settling only: the assessors whose labels are shown, in the order drawn."""
    rests_on: dict[str, str] = {}
    """Settling only: by assessor, the id of the label that stood when it was dealt. A decision is
    current for as long as exactly these stand."""
    reveal_sha256: str | None = None
    """Settling only: digest of the very labels and reasons that are shown."""
    run_id: str = ""
    """Failure review only: the request that the item is, or whose hit it is (R73). An item that
    is the request itself has no record (``record_id`` is empty) and no rank."""
    rank: int | None = None
    repeat_of: int | None = None
    """The position of the first time, where this is a hidden repeat; its label counts nowhere but
    in self-consistency."""


FailureCategory = Literal[
    "operator_not_parsed",
    "quotes_narrow_wrongly",
    "broad_query_refusal",
    "service_unavailable",
    "timeout",
    "wrong_literal_match",
    "near_semantic_match",
    "duplicate_record",
    "stale_metadata",
    "missing_link",
    "preprint_as_article",
    "other",
]
"""R74 and, from ``duplicate_record`` on, the data problems of R78."""
FAILURE_CATEGORIES: tuple[FailureCategory, ...] = get_args(FailureCategory)

EventKind = Literal[
    "label", "note", "later", "undo", "reveal", "decision", "code", "guess", "hand_in", "unlock"
]


class LabelEvent(Record, frozen=True, kw_only=True, gc=False):  # 20,000 of them hold no cycle
    """One act at the desk. Append-only; each holds the digest of the one before.

    A ``label`` is written when its reason is given, and it is complete: an earlier label of the
    same position is superseded, never changed. ``undo`` takes back the newest live act of the
    position it names (R53). ``decision`` is an adjudicator's final label after the reveal; ``code``
    is what failure review says of a request or a hit, and changes no label (R77); ``guess`` the
    answer to which system found the item.
    """

    packet_id: str
    seq: int
    """1, 2, … within the packet: the order of acts, whatever the clock says."""
    kind: EventKind
    position: int | None = None
    """The item, 1..n; null for what concerns the whole packet."""
    label: Label | None = None
    guess: str | None = None
    """Code of the system that was named, or `DONT_KNOW`."""
    cannot_kind: CannotKind | None = None
    reason: str = ""
    note: str = ""
    evidence: EvidenceLevel | None = None
    """What was actually looked at (R47)."""
    rubric_gap: bool = False
    categories: tuple[FailureCategory, ...] = ()
    """Failure review: what the coder names beside what the records say; empty for nothing."""
    highlight: bool = False
    undoes: int | None = None
    """``seq`` of the event an undo takes back."""
    view_sha256: str | None = None
    """Digest of the very view that was judged (R34)."""
    seconds: int = 0
    """Active seconds on the item, from a monotonic clock."""
    on: str
    """Day of the act. The time of day is not kept: it tells working hours and adds nothing."""
    prev_hash: str
    hash: str


class Script(Record, frozen=True, kw_only=True):
    """One scripted label or decision of the worked study, keyed by need and record."""

    query_id: str
    record_id: str
    label: Label
    reason: str
    evidence: EvidenceLevel
    cannot_kind: CannotKind | None = None
    note: str = ""
    decision: Label | None = None
    """Adjudicator only: the label after seeing both; null where it stays."""
    decision_reason: str = ""


class ImportedLabel(Record, frozen=True, kw_only=True):
    """A label made elsewhere (R54): not blinded by this tool, reason and evidence unavailable."""

    assessor: str
    """Code of the assessor, or ``final`` for an imported adjudicated label."""
    query_id: str
    record_id: str
    label: Label
    source: str
    """File name and the line or row it stood in."""


class AgreementFreeze(Record, frozen=True, kw_only=True):
    """The first labels of both assessors, frozen before adjudication opens (R53)."""

    number: int
    at_utc: str
    packets: dict[str, str]
    """Assessor code to the hash of the newest event of the packet counted."""
    pairs: tuple[FrozenPair, ...]
    steps: int = 0
    """Number of the newest `judge.records.life.UnitStep` then; a later one may invalidate it."""


class FrozenPair(Record, frozen=True, kw_only=True):
    """The labels of one item at the freeze, by assessor code; ``not_yet_judged`` where absent."""

    query_id: str
    record_id: str
    labels: dict[str, str]
    versions: dict[str, str] = {}
    """By assessor code, the version of the rubric the label was given under, where known (R57)."""


class GivenLabel(Record, frozen=True, kw_only=True):
    """A label as it stands now: the newest live one of its assessor on its item."""

    assessor: str
    label: Label
    origin: Origin
    cannot_kind: CannotKind | None = None
    reason: str = ""
    note: str = ""
    evidence: EvidenceLevel | None = None
    """Null where unavailable (imported labels)."""
    position: int | None = None
    seconds: int = 0
    rubric_version: str = ""
    id: str = ""
    """Packet and number of the act: what a decision names as its ground."""
    independent: bool = True
    """False where its assessor had seen another's label of the item by then."""


class Adjudication(Record, frozen=True, kw_only=True):
    """How a disagreement was settled: the adjudicator's blind label, then the decision.

    In a discussion the assessors decide together, and there is no blind label.
    """

    by: str
    blind: Label | None
    decision: Label
    reason: str
    note: str = ""
    rubric_gap: bool = False
    origin: Origin
    evidence: EvidenceLevel | None = None
    form: Literal["third_person", "discussion"] = "third_person"
    rubric_version: str = ""
    """Of the packet that it was made in."""


ItemState = Literal[
    "unjudged",
    "one_label",
    "agree",
    "below_evidence",
    "disagree",
    "split_access",
    "both_cannot_judge",
    "adjudicated",
    "adjudication_stale",
    "consensus",
    "excluded",
    "imported_final",
]


class JudgedItem(Record, frozen=True, kw_only=True):
    """A pooled (need, record) and what the declared assessors and the adjudicator said of it.

    ``final`` is the label that scores use: the common judgement, the decision, or an imported
    final label; null (not yet judged) until then, and `cannot_judge` only by decision.
    """

    query_id: str
    record_id: str
    labels: dict[str, GivenLabel]
    """By code of the declared assessors; practice packets never appear here."""
    state: ItemState
    final: Label | None
    adjudication: Adjudication | None = None
    stale: bool = False
    """Whether a decision was made that rests on labels which stand no longer."""
    unavailable: bool = False
    """Whether what an assessor missed was looked for in vain."""
