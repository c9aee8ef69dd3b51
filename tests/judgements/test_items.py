"""From labels to final labels: every state an item can be in, and what brings it there."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.packet import deal, fixed_entropy
from judge.records.judgement import (
    Deal,
    ImportedLabel,
    JudgedItem,
    Label,
    LabelEvent,
    Packet,
)
from judge.records.protocol import Protocol
from judge.records.query import Query
from judge.records.run import Document, FoundAt, PooledRecord
from tests.judgements.judging import judged_items
from tests.steps.studies import TWO_ASSESSORS as TWO

RECORD = PooledRecord(
    query_id="q1",
    record_id="pmid:1",
    found_by=(FoundAt(system="K", run_id="r1/K/q1/1", rank=1),),
)
QUERY = Query(id="q1", family="f", need="Papers on one.", text="one", expected="ordinary")
DOCUMENT = Document(record_id="pmid:1", title="One", abstract="Text", provenance="test")


def with_assessors(*codes: str) -> Protocol:
    return msgspec.structs.replace(TWO, people=msgspec.structs.replace(TWO.people, assessors=codes))


class Study:
    """One pooled record, and what people did about it, in order."""

    def __init__(self, protocol: Protocol = TWO) -> None:
        self.protocol = protocol
        self.deals: list[Deal] = []
        self.packets: dict[str, Packet] = {}
        self.events: list[LabelEvent] = []
        self.imported: list[ImportedLabel] = []

    def dealt(self, code: str, *, kind: Any = "label", practice: bool = False) -> str:
        made = deal(
            [RECORD],
            kind=kind,
            assessor=code,
            practice=practice,
            scripted=False,
            protocol=self.protocol,
            freeze_id="f" * 64,
            rubric="1.1 1.2",
            queries={"q1": QUERY},
            documents={"pmid:1": DOCUMENT},
            day="2026-11-30",
            entropy=fixed_entropy(f"{code} {len(self.deals)}"),
            judged={("q1", "pmid:1"): self.item},
        )
        self.deals.append(made.deal)
        self.packets[made.packet.packet_id] = made.packet
        return made.packet.packet_id

    def act(self, packet_id: str, kind: Any, label: Label | None = None, **fields: Any) -> None:
        own = [event for event in self.events if event.packet_id == packet_id]
        self.events.append(
            LabelEvent(
                packet_id=packet_id,
                seq=len(own) + 1,
                kind=kind,
                position=1,
                label=label,
                on="2026-11-30",
                prev_hash="",
                hash="",
                **({"evidence": "abstract"} if label else {}) | fields,
            )
        )

    def labels(self, **given: Label) -> Study:
        """A label by each of these people, each in a packet of their own."""
        for code, label in given.items():
            self.act(self.dealt(code), "label", label)
        return self

    def decided(self, blind: Label, decision: Label, **fields: Any) -> Study:
        packet_id = self.dealt("D", kind="adjudication")
        self.act(packet_id, "label", blind)
        self.act(packet_id, "reveal")
        self.act(packet_id, "decision", decision, **fields)
        return self

    @property
    def item(self) -> JudgedItem:
        (found,) = judged_items(
            [RECORD], self.deals, self.packets, self.events, self.imported, self.protocol
        )
        return found

    def standing(self) -> tuple[str, str | None]:
        found = self.item
        return found.state, found.final


R: Label = "relevant"
N: Label = "not_relevant"
U: Label = "uncertain"
C: Label = "cannot_judge"


@pytest.mark.parametrize(
    ("first", "second", "state", "final"),
    [
        (None, None, "unjudged", None),
        (R, None, "one_label", None),
        (None, C, "one_label", None),
        (R, R, "agree", R),
        (N, N, "agree", N),
        (U, U, "agree", U),
        (R, N, "disagree", None),
        (N, R, "disagree", None),
        (R, U, "disagree", None),
        (U, N, "disagree", None),
        (R, C, "split_access", None),
        (C, N, "split_access", None),
        (U, C, "split_access", None),
        (C, C, "both_cannot_judge", None),
    ],
)
def test_two_first_labels_make_a_state(
    first: Any, second: Any, state: str, final: str | None
) -> None:
    given_labels = {code: label for code, label in (("A", first), ("B", second)) if label}
    assert Study().labels(**given_labels).standing() == (state, final)


@pytest.mark.parametrize("other", [{"reason": "x"}, {"note": "no"}, {"seconds": 900}])
def test_only_labels_are_compared(other: dict[str, Any]) -> None:
    study = Study()
    study.act(study.dealt("A"), "label", R, reason="on_topic", note="yes")
    study.act(study.dealt("B"), "label", R, **other)
    assert study.standing() == ("agree", R)


@pytest.mark.parametrize(
    ("least", "read", "state", "final"),
    [
        ("abstract", "title", "below_evidence", None),
        ("abstract", "abstract", "agree", R),
        ("abstract", "full_text", "agree", R),
        ("full_text", "abstract", "below_evidence", None),
        ("full_text", "full_text", "agree", R),
    ],
)
def test_a_label_that_rests_on_too_little_is_not_final(
    least: Any, read: Any, state: str, final: str | None
) -> None:
    rubric = msgspec.structs.replace(TWO.rubric, evidence_level=least)
    study = Study(msgspec.structs.replace(TWO, rubric=rubric))
    study.act(study.dealt("A"), "label", R, evidence="full_text")
    study.act(study.dealt("B"), "label", R, evidence=read)
    assert study.standing() == (state, final)


@pytest.mark.parametrize("decision", [R, N, U, C])
def test_a_decision_settles_a_disagreement(decision: Label) -> None:
    study = Study().labels(A=R, B=N).decided(U, decision)
    assert study.standing() == ("adjudicated", decision)
    settled = study.item.adjudication
    assert settled is not None
    assert (settled.by, settled.blind, settled.decision) == ("D", U, decision)
    # Both first labels are still there, as they were given.
    assert [given_.label for given_ in study.item.labels.values()] == [R, N]


def test_a_decision_that_rests_on_a_title_is_not_final() -> None:
    study = Study().labels(A=R, B=N).decided(R, R, evidence="title")
    assert study.standing() == ("adjudicated", None)
    # That it cannot be judged needs no abstract to be said.
    study = Study().labels(A=R, B=N).decided(R, C, evidence="title")
    assert study.standing() == ("adjudicated", C)


def test_a_blind_label_alone_settles_nothing() -> None:
    study = Study().labels(A=R, B=N)
    packet_id = study.dealt("D", kind="adjudication")
    study.act(packet_id, "label", R)
    study.act(packet_id, "reveal")
    assert study.standing() == ("disagree", None)


@pytest.mark.parametrize(
    ("again", "state", "final"),
    [
        (N, "agree", N),
        (U, "adjudication_stale", None),  # another disagreement than the one that was decided
        (C, "split_access", None),
        (R, "adjudicated", R),  # the same said again: no other label
    ],
)
def test_a_decision_goes_stale_when_a_first_label_changes(
    again: Label, state: str, final: str | None
) -> None:
    study = Study().labels(A=R, B=N).decided(R, R)
    study.act(study.deals[0].packet_id, "label", again)
    assert study.standing() == (state, final)
    assert (study.item.adjudication is not None) is (state == "adjudicated")


def test_a_label_that_is_taken_back_leaves_a_decision_nothing_to_rest_on() -> None:
    study = Study().labels(A=R, B=N).decided(R, R)
    study.act(study.deals[0].packet_id, "undo", undoes=1)
    assert study.standing() == ("one_label", None)
    assert study.item.stale
    # A label given anew is another label than the one that was decided on, though it says the same.
    study.act(study.deals[0].packet_id, "label", R)
    assert study.standing() == ("adjudication_stale", None)


def test_what_changed_is_decided_again_and_an_older_decision_does_not_come_back() -> None:
    study = Study().labels(A=R, B=N).decided(R, R)
    study.act(study.deals[0].packet_id, "label", U)
    assert study.standing() == ("adjudication_stale", None)
    study.decided(N, N)
    assert study.standing() == ("adjudicated", N)
    study.act(study.deals[0].packet_id, "label", R)
    assert study.standing() == ("adjudication_stale", None)
    # The undo brings back the very label that the second decision rests on.
    study.act(study.deals[0].packet_id, "undo", undoes=3)
    assert study.standing() == ("adjudicated", N)


def test_a_label_that_changed_between_dealing_and_deciding_is_not_what_was_decided() -> None:
    study = Study().labels(A=R, B=N)
    packet_id = study.dealt("D", kind="adjudication")
    study.act(study.deals[0].packet_id, "label", U)
    study.act(packet_id, "label", R)
    study.act(packet_id, "reveal")
    study.act(packet_id, "decision", R)
    assert study.standing() == ("adjudication_stale", None)


def test_practice_is_never_counted() -> None:
    study = Study().labels(A=R)
    study.act(study.dealt("C", practice=True), "label", R)
    assert study.standing() == ("one_label", None)
    study.act(study.dealt("B", practice=True), "label", R)
    assert study.standing() == ("one_label", None)
    assert list(study.item.labels) == ["A"]


def test_the_adjudicator_is_no_assessor() -> None:
    study = Study().labels(A=R, D=R)
    assert study.standing() == ("one_label", None)


def test_a_packet_that_has_not_come_back_says_nothing() -> None:
    study = Study().labels(A=R)
    study.dealt("B")
    assert study.standing() == ("one_label", None)


@pytest.mark.parametrize(
    ("labels", "state", "final"),
    [
        ((R, R, None), "one_label", None),
        ((R, R, R), "agree", R),
        ((R, R, N), "disagree", None),
        ((R, U, N), "disagree", None),
        ((R, R, C), "split_access", None),
        ((C, C, C), "both_cannot_judge", None),
    ],
)
def test_nothing_fixes_the_number_of_assessors_at_two(
    labels: tuple[Any, ...], state: str, final: str | None
) -> None:
    study = Study(with_assessors("A", "B", "E"))
    study.labels(**{code: label for code, label in zip("ABE", labels, strict=True) if label})
    assert study.standing() == (state, final)


def test_a_replaced_assessor_stays_on_record_and_out_of_the_labels() -> None:
    study = Study().labels(A=R, B=R)
    study.protocol = with_assessors("E", "B")
    assert study.standing() == ("one_label", None)
    study.labels(E=N)
    assert study.standing() == ("disagree", None)
    assert len([event for event in study.events if event.kind == "label"]) == 3


def imported(assessor: str, label: Label) -> ImportedLabel:
    return ImportedLabel(
        assessor=assessor, query_id="q1", record_id="pmid:1", label=label, source="f: line 1"
    )


def test_labels_from_elsewhere_are_marked_and_have_no_evidence() -> None:
    study = Study()
    study.imported = [imported("A", R), imported("B", R), imported("Z", N)]
    assert study.standing() == ("agree", R)
    assert {code: one.origin for code, one in study.item.labels.items()} == {
        "A": "imported",
        "B": "imported",
    }
    assert [one.evidence for one in study.item.labels.values()] == [None, None]


def test_a_final_label_from_elsewhere_says_so_itself() -> None:
    study = Study()
    study.imported = [imported("final", N)]
    assert study.standing() == ("imported_final", N)
    assert study.item.labels == {}


@given(st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from([R, N, U, C])), max_size=12))
def test_the_last_label_of_each_person_counts_and_no_average_is_taken(
    acts: list[tuple[str, Label]],
) -> None:
    study = Study()
    packets = {code: study.dealt(code) for code in "AB"}
    for code, label in acts:
        study.act(packets[code], "label", label)
    last = dict(acts)
    found = study.item
    assert {code: one.label for code, one in found.labels.items()} == last
    assert found.final in {None, *last.values()}
    if found.final is not None:
        assert set(last.values()) == {found.final}
        assert len(last) == 2
