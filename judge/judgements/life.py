"""The life of a label: which labels stand, what state a unit is in, and what invalidates what.

A unit is a (need, record). Everything here is derived from what was written down; nothing that was
written is ever changed. `EFFECTS` is the whole table of consequences: what reads it are the states
below, the standing of an agreement (`judge.reports.life`), and the tests, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from judge.protocol.rubric import Rubrics
from judge.records.judgement import (
    JUDGEMENTS,
    Adjudication,
    DealtItem,
    GivenLabel,
    ItemState,
    JudgedItem,
    Label,
)
from judge.records.life import FOR_GOOD, UnitStep
from judge.records.protocol import EvidenceLevel

Happening = Literal[
    "revision_before_reveal",
    "revision_after_reveal",
    "retraction",
    "rubric_editorial",
    "rubric_clarifying",
    "rubric_breaking",
    "label_after_seen",
    "evidence",
    "need_changed",
    "pool_grew",
    "overturned",
    "decided_cannot_judge",
    "assessor_removed",
    "exclusion",
]


class Effect(NamedTuple):
    """What a happening does to labels, to an agreement that is frozen, to a decision, to P@k."""

    labels: Literal["stand", "superseded", "chain_dies", "touched_die", "cannot_judge_dies"]
    agreement: Literal["valid", "again", "per_version", "invalid", "left_out", "history"]
    """``again``: another freeze stands beside it. ``left_out``: valid, and a later one leaves the
    label out."""
    decision: Literal["valid", "stale", "superseded"]
    score: Literal["same", "recomputed", "consensus", "bounds"]


EFFECTS: dict[Happening, Effect] = {
    "revision_before_reveal": Effect("superseded", "again", "stale", "recomputed"),
    "revision_after_reveal": Effect("superseded", "valid", "stale", "consensus"),
    "retraction": Effect("chain_dies", "invalid", "stale", "bounds"),
    "rubric_editorial": Effect("stand", "valid", "valid", "same"),
    "rubric_clarifying": Effect("stand", "per_version", "valid", "same"),
    "rubric_breaking": Effect("touched_die", "invalid", "stale", "recomputed"),
    "label_after_seen": Effect("stand", "left_out", "stale", "consensus"),
    "evidence": Effect("cannot_judge_dies", "invalid", "stale", "recomputed"),
    "need_changed": Effect("chain_dies", "history", "stale", "recomputed"),
    "pool_grew": Effect("stand", "valid", "valid", "bounds"),
    "overturned": Effect("stand", "valid", "superseded", "recomputed"),
    "decided_cannot_judge": Effect("stand", "valid", "valid", "bounds"),
    "assessor_removed": Effect("chain_dies", "invalid", "stale", "recomputed"),
    "exclusion": Effect("stand", "valid", "stale", "bounds"),
}
"""What invalidates what. "Dies" and "stale" speak of what stands: the record keeps everything."""

LEVELS: tuple[EvidenceLevel, ...] = ("title", "abstract", "full_text")


def happening_of(step: UnitStep) -> Happening | None:
    """The row of the table that a step is; None for one that changes nothing by itself."""
    match step.kind:
        case "retraction":
            gone = step.cause == "removed_from_study"
            return "assessor_removed" if gone else "retraction"
        case "evidence" | "exclusion" | "need_changed":
            return step.kind
    return None


@dataclass(frozen=True)
class Chain:
    """What one person said of one unit in one packet, oldest first."""

    packet_id: str
    acts: tuple[GivenLabel, ...]
    """Labels that were not taken back; ``independent`` says whether each came before a reveal."""


@dataclass
class Unit:
    """Everything that was written of one (need, record)."""

    family: str = ""
    chains: dict[str, list[Chain]] = field(default_factory=dict)
    """By assessor, in the order the packets were dealt."""
    decisions: list[tuple[DealtItem, Adjudication]] = field(default_factory=list)
    steps: list[UnitStep] = field(default_factory=list)
    imported_final: Label | None = None

    def barred(self, code: str) -> bool:
        """Whether ``code`` is not to judge this unit again."""
        return any(step.cause in FOR_GOOD and code in step.lapsed for step in self.steps)

    @property
    def excluded(self) -> bool:
        """Whether the unit was taken out of the judging."""
        return any(step.kind == "exclusion" for step in self.steps)

    @property
    def unavailable(self) -> bool:
        """Whether the paper was looked for in vain, and nothing was found since."""
        told = [step.kind for step in self.steps if step.kind in ("evidence", "unavailable")]
        return told[-1:] == ["unavailable"]

    def dead(self, code: str, chain: Chain, rubrics: Rubrics) -> bool:
        """Whether nothing of a packet stands for this unit, so that it may be dealt again."""
        return self._lapsed(code, chain) or (
            bool(chain.acts) and self.touched(chain.acts[-1], rubrics)
        )

    def _lapsed(self, code: str, chain: Chain) -> bool:
        return any(chain.packet_id in step.lapsed.get(code, ()) for step in self.steps)

    def touched(self, given: GivenLabel | Adjudication, rubrics: Rubrics) -> bool:
        """Whether a breaking change of the rubric ended a label or a decision."""
        return rubrics.touched(given.rubric_version, self.family, given.reason)

    def lapsing(self, code: str, happening: Happening, rubrics: Rubrics) -> tuple[str, ...]:
        """The packets in which the label of ``code`` stands no longer after ``happening``."""
        fate = EFFECTS[happening].labels
        live = self.live(code, rubrics)
        if fate == "cannot_judge_dies" and (live is None or live.label in JUDGEMENTS):
            return ()
        if fate not in ("chain_dies", "cannot_judge_dies"):
            return ()
        return tuple(
            chain.packet_id for chain in self.chains.get(code, []) if not self._lapsed(code, chain)
        )

    def live(self, code: str, rubrics: Rubrics) -> GivenLabel | None:
        """The label of ``code`` that stands: the newest of the newest packet that did not lapse."""
        for chain in reversed(self.chains.get(code, [])):
            if chain.acts and not self.dead(code, chain, rubrics):
                return chain.acts[-1]
        return None

    def first(self, code: str, rubrics: Rubrics) -> GivenLabel | None:
        """The label of ``code`` that agreement is taken on: the newest that stands and was given
        before its assessor had seen another's."""
        for chain in reversed(self.chains.get(code, [])):
            if chain.acts and not self.dead(code, chain, rubrics):
                own = [act for act in chain.acts if act.independent]
                return own[-1] if own and not self.touched(own[-1], rubrics) else None
        return None


def chained(acts: Iterable[GivenLabel]) -> tuple[GivenLabel, ...]:
    """``acts`` without those that say again what the one before them said: a resend is no act."""
    kept: list[GivenLabel] = []
    for act in acts:
        if not kept or _said(kept[-1]) != _said(act):
            kept.append(act)
    return tuple(kept)


def _said(given: GivenLabel) -> tuple[object, ...]:
    return given.label, given.cannot_kind, given.reason, given.evidence


def below(given: GivenLabel | Adjudication, level: EvidenceLevel) -> bool:
    """Whether a label rests on less than the rubric asks for (R47); unknown is not less."""
    return given.evidence is not None and LEVELS.index(given.evidence) < LEVELS.index(level)


def by_labels(given: Sequence[GivenLabel], needed: int) -> tuple[ItemState, Label | None]:
    """The state that labels alone make, and the final label where they agree.

    Only labels are compared; reasons, notes and times never make a disagreement.
    """
    if not given:
        return "unjudged", None
    if len(given) < needed:
        return "one_label", None
    judged = [one.label for one in given if one.label in JUDGEMENTS]
    if not judged:
        return "both_cannot_judge", None
    if len(judged) < len(given):
        return "split_access", None
    if len(set(judged)) > 1:
        return "disagree", None
    blind = all(one.independent for one in given)
    return ("agree" if blind else "consensus"), judged[0]


def judged(
    key: tuple[str, str],
    unit: Unit,
    assessors: Sequence[str],
    level: EvidenceLevel,
    rubrics: Rubrics,
) -> JudgedItem:
    """The state of a unit, its final label, and the decision that stands, if any.

    A decision is current while exactly the labels that it rests on are the live ones, no breaking
    change of the rubric touches it, and only where they leave something to decide. One by somebody
    who labelled the unit never counts.
    """
    standing = {code: unit.live(code, rubrics) for code in assessors}
    labels = {code: given for code, given in standing.items() if given is not None}
    state, final = by_labels(list(labels.values()), len(assessors))
    if final is not None and any(below(given, level) for given in labels.values()):
        state, final = "below_evidence", None
    rests_on = {code: given.id for code, given in labels.items()}
    made = [one for one in unit.decisions if one[1].by not in labellers(unit)]
    current = [
        decision
        for dealt, decision in made
        if dealt.rests_on == rests_on and not unit.touched(decision, rubrics)
    ]
    decided = None
    if state == "disagree" or (state in ACCESS and unit.unavailable):
        if current:
            decided = current[-1]
            too_little = decided.decision in JUDGEMENTS and below(decided, level)
            final = None if too_little else decided.decision
            state = "consensus" if decided.form == "discussion" else "adjudicated"
        elif made:
            state = "adjudication_stale"
    if unit.excluded:
        state, final, decided = "excluded", None, None
    elif unit.imported_final is not None:
        state, final = "imported_final", unit.imported_final
    return JudgedItem(
        query_id=key[0],
        record_id=key[1],
        labels=labels,
        state=state,
        final=final,
        adjudication=decided,
        stale=bool(made) and decided is None and state != "excluded",
        unavailable=unit.unavailable,
    )


ACCESS: frozenset[str] = frozenset({"split_access", "both_cannot_judge"})
"""States of the access queue: somebody could not judge."""


def labellers(unit: Unit) -> set[str]:
    """Everybody who ever labelled the unit, whether the label stands or not."""
    return {code for code, chains in unit.chains.items() if any(one.acts for one in chains)}


def to_settle(item: JudgedItem) -> bool:
    """Whether a unit waits for the adjudicator or the discussion: all labels are live and differ,
    or the paper was looked for in vain. One label alone is settled by nobody: it stays a gap."""
    if item.state in ACCESS:
        return item.unavailable and len(item.labels) > 1
    return item.state in ("disagree", "adjudication_stale")


def to_find(item: JudgedItem) -> bool:
    """Whether a unit stands in the access queue: somebody could not judge it, and nobody has said
    that the paper cannot be had."""
    return item.state in ACCESS and not item.unavailable


def owing(units: Iterable[Unit], assessors: Sequence[str], rubrics: Rubrics) -> set[str]:
    """Assessors who are to label a unit again that another has labelled again already.

    Where the labels of several ended at once, the first to come back is not shown to the others
    (R51). Where only one person's ended, the others' were open before, and nothing is owed.
    """
    found = set()
    for unit in units:
        anew = {
            code
            for code in assessors
            if unit.live(code, rubrics) is not None
            and any(unit.dead(code, chain, rubrics) for chain in unit.chains[code])
        }
        ended = {
            code
            for code in assessors
            if unit.chains.get(code)
            and unit.live(code, rubrics) is None
            and not (unit.barred(code) or unit.excluded)
        }
        if anew:
            found |= ended
    return found


def firsts(
    units: Mapping[tuple[str, str], Unit],
    key: tuple[str, str],
    assessors: Sequence[str],
    rubrics: Rubrics,
) -> dict[str, GivenLabel]:
    """The independent labels of a unit by assessor: what an agreement is frozen on."""
    unit = units.get(key, Unit())
    found = {code: unit.first(code, rubrics) for code in assessors}
    return {code: given for code, given in found.items() if given is not None}
