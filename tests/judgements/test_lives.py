"""Any history of one unit, against a model that keeps lists by hand.

The model is written from the rules alone: what ends a packet's labels ends them for good; a label
given after its person saw the other's is live and not independent; a decision stands while exactly
the labels it was made on stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from judge.judgements.life import to_find, to_settle
from judge.records.judgement import JUDGEMENTS, LABELS, FrozenPair, LabelEvent
from judge.reports.life import by_version
from tests.judgements.lives import Life

CODES = st.sampled_from(["A", "B"])


@dataclass
class ModelPacket:
    """What one person wrote in one packet."""

    version: int
    acts: list[tuple[str, str, bool, int]] = field(default_factory=list)
    """(label, reason, seen before it, serial)"""
    dead: bool = False

    def live(self) -> tuple[str, str, bool, int] | None:
        return self.acts[-1] if self.acts and not self.dead else None


class Lives(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.life = Life()
        self.people: dict[str, list[ModelPacket]] = {"A": [], "B": []}
        self.seen: set[str] = set()
        self.version = 1
        self.serial = 0
        self.decisions: list[tuple[dict[str, int], str]] = []
        self.sent = self.excluded = False
        self.before: list[LabelEvent] = []
        self.dealt: list[bytes] = []

    # --- the model ------------------------------------------------------------------------------

    def end(self, code: str) -> None:
        for packet in self.people[code]:
            packet.dead = True

    # --- acts -----------------------------------------------------------------------------------

    @rule(code=CODES, label=st.sampled_from(LABELS), reason=st.sampled_from(["x", "y"]))
    def label(self, code: str, label: Any, reason: str) -> None:
        """In the packet that is there, whether its labels still count or not."""
        packet = self.people[code][-1] if self.people[code] else None
        if packet is None:
            self.deal(code)
            packet = self.people[code][-1]
        self.life.again(code, label, reason=reason)
        last = packet.acts[-1] if packet.acts else None
        if last is None or last[:2] != (label, reason):
            self.serial += 1
            packet.acts.append((label, reason, code in self.seen, self.serial))

    @rule(code=CODES)
    def deal(self, code: str) -> None:
        self.life.dealt(code)
        self.people[code].append(ModelPacket(self.version))

    @rule(code=CODES, cause=st.sampled_from(["slip", "conflict_of_interest", "removed_from_study"]))
    def retract(self, code: str, cause: str) -> None:
        self.life.step("retraction", code, cause=cause)
        self.end(code)

    @rule()
    def evidence(self) -> None:
        found = [code for code, act in self.model_live().items() if act[0] == "cannot_judge"]
        self.life.step("evidence", "A", "B")
        for code in found:
            self.end(code)
        self.sent = False

    @rule()
    def need_changed(self) -> None:
        self.life.step("need_changed", "A", "B")
        for code in "AB":
            self.end(code)

    @rule()
    def unavailable(self) -> None:
        self.life.step("unavailable")
        self.sent = True

    @rule(kind=st.sampled_from(["editorial", "clarifying"]))
    def milder(self, kind: str) -> None:
        self.life.rubric(kind)
        self.version += 1

    @rule()
    def breaking(self) -> None:
        # Labels with the reason x end, in packets dealt so far, whenever they come in.
        self.life.rubric("breaking", reasons=("x",))
        self.version += 1

    @precondition(lambda self: len(self.model_live()) == 2)
    @rule(decision=st.sampled_from(LABELS))
    def adjudicate(self, decision: Any) -> None:
        self.life.decided("uncertain", decision)
        self.decisions.append(({c: act[3] for c, act in self.model_live().items()}, decision))

    @precondition(lambda self: len(self.model_live()) == 2)
    @rule(decision=st.sampled_from([None, *LABELS]))
    def discuss(self, decision: Any) -> None:
        self.life.discussed(decision)
        self.seen = {"A", "B"}
        if decision:
            self.decisions.append(({c: act[3] for c, act in self.model_live().items()}, decision))

    @precondition(lambda self: len(self.life.steps) > 3)
    @rule()
    def exclude(self) -> None:
        self.life.step("exclusion")
        self.excluded = True

    # --- what holds -----------------------------------------------------------------------------

    def touched(self, packet: ModelPacket) -> bool:
        return bool(packet.acts) and self.ended(packet, packet.acts[-1])

    def ended(self, packet: ModelPacket, act: tuple[str, str, bool, int]) -> bool:
        later = self.life.rubrics.changes[packet.version - 1 :]
        return act[1] == "x" and any(change.kind == "breaking" for change in later)

    def model_live(self) -> dict[str, tuple[str, str, bool, int]]:
        found = {}
        for code in "AB":
            for packet in reversed(self.people[code]):
                act = packet.live()
                if act is not None and not self.touched(packet):
                    found[code] = act
                    break
        return found

    def model_first(self) -> dict[str, str]:
        found = {}
        for code in "AB":
            for packet in reversed(self.people[code]):
                if packet.live() is not None and not self.touched(packet):
                    own = [act for act in packet.acts if not act[2]]
                    if own and not self.ended(packet, own[-1]):
                        found[code] = own[-1][0]
                    break
        return found

    @invariant()
    def originals_never_change(self) -> None:
        assert self.life.events[: len(self.before)] == self.before
        self.before = list(self.life.events)
        deals = [msgspec.json.encode(deal) for deal in self.life.deals]
        assert deals[: len(self.dealt)] == self.dealt
        self.dealt = deals

    @invariant()
    def live_and_independent_labels_are_those_of_the_model(self) -> None:
        live = self.model_live()
        item = self.life.item
        assert {code: one.label for code, one in item.labels.items()} == {
            code: act[0] for code, act in live.items()
        }
        assert {code: one.independent for code, one in item.labels.items()} == {
            code: not act[2] for code, act in live.items()
        }
        assert self.life.frozen == self.model_first()

    @invariant()
    def a_decision_stands_while_exactly_its_labels_do(self) -> None:
        item, live = self.life.item, self.model_live()
        rests_on = {code: act[3] for code, act in live.items()}
        current = [decision for ground, decision in self.decisions if ground == rests_on]
        labels = [act[0] for act in live.values()]
        judged = [label for label in labels if label in JUDGEMENTS]
        differ = len(labels) == 2 and len(judged) == 2 and labels[0] != labels[1]
        gap = len(labels) == 2 and len(judged) < 2 and self.sent
        if self.excluded:
            assert (item.state, item.final, item.adjudication) == ("excluded", None, None)
        elif (differ or gap) and current:
            assert item.adjudication is not None
            assert item.state in ("adjudicated", "consensus")
            assert item.adjudication.decision == item.final == current[-1]
        elif differ or gap:
            assert item.adjudication is None
            assert to_settle(item)
            assert item.final is None
        else:
            assert item.adjudication is None
            assert not to_settle(item)
            agreed = len(judged) == 2
            assert item.final == (judged[0] if agreed else None)
        assert item.stale == (bool(self.decisions) and not item.adjudication and not self.excluded)
        # Who could not judge never becomes a judgement: only a decision or two labels do.
        if item.final == "not_relevant" and item.adjudication is None:
            assert judged == ["not_relevant"] * 2
        assert not (to_find(item) and to_settle(item))

    @invariant()
    def versions_of_the_rubric_are_never_pooled(self) -> None:
        item = self.life.item
        pair = FrozenPair(
            query_id="q1",
            record_id="pmid:1",
            labels={code: one.label for code, one in item.labels.items()},
            versions={code: one.rubric_version for code, one in item.labels.items()},
        )
        apart, mixed = by_version([pair], ("A", "B"), self.life.rubrics)
        means = {self.life.rubrics.same_as(version) for version in pair.versions.values()}
        assert mixed == (len(means) == 2)
        assert sum(map(len, apart.values())) + mixed == 1


TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=80, stateful_step_count=30, deadline=None)
