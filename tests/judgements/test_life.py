"""The table "what invalidates what", row by row: what stands after each happening.

Each test says the four columns in its own words: labels, frozen agreement, decision, P@k (the
final label: None is a bound).
"""

from __future__ import annotations

from typing import Any

import pytest

from judge.judgements.life import EFFECTS, to_find, to_settle
from judge.judgements.packet import _drawn, fixed_entropy
from judge.records.judgement import ImportedLabel
from tests.judgements.lives import Life
from tests.judgements.test_items import C, N, R, U, with_assessors


def adjudicated() -> Life:
    """A says relevant, B not; D decides that it is relevant."""
    life = Life()
    life.labels(A=R, B=N).decided(R, R)
    assert life.standing() == ("adjudicated", R)
    return life


def labels(life: Life) -> dict[str, str]:
    return {code: given.label for code, given in life.item.labels.items()}


# --- the rows -----------------------------------------------------------------------------------


def test_a_revision_before_any_reveal_is_the_independent_label_from_then_on() -> None:
    life = adjudicated().again("A", U)
    assert labels(life) == life.frozen == {"A": U, "B": N}
    assert [event.label for event in life.events if event.kind == "label"] == [R, N, R, U]
    assert life.standing() == ("adjudication_stale", None)
    assert life.item.stale
    assert to_settle(life.item)
    assert EFFECTS["revision_before_reveal"] == ("superseded", "again", "stale", "recomputed")


def test_a_revision_after_a_reveal_is_consensus_and_leaves_the_agreement_alone() -> None:
    life = Life()
    life.labels(A=R, B=N)
    life.discussed(R)
    assert life.standing() == ("consensus", R)
    life.again("B", R)
    assert labels(life) == {"A": R, "B": R}
    assert life.frozen == {"A": R, "B": N}
    assert life.standing() == ("consensus", R)
    given = life.item.labels["B"]
    assert (given.independent, given.origin) == (False, "consensus")
    assert life.item.labels["A"].origin == "blind"
    assert life.item.stale  # the decision rested on another label of B
    assert EFFECTS["revision_after_reveal"].agreement == "valid"


@pytest.mark.parametrize("cause", ["slip", "wrong_item", "conflict_of_interest"])
def test_a_retraction_ends_the_whole_chain_and_no_older_version_comes_back(cause: Any) -> None:
    life = adjudicated().again("A", U).again("A", R)
    life.step("retraction", "A", cause=cause)
    assert labels(life) == life.frozen == {"B": N}
    assert life.standing() == ("one_label", None)
    assert life.item.stale
    # It cannot be decided until there are two live labels again.
    assert not to_settle(life.item)
    # Neither does what is written in the packet later.
    life.again("A", N)
    assert labels(life) == {"B": N}
    assert life.unit.barred("A") is (cause == "conflict_of_interest")


def test_after_a_slip_a_label_in_another_packet_stands() -> None:
    life = adjudicated()
    life.step("retraction", "A", cause="slip")
    life.labels(A=N)
    assert life.standing() == ("agree", N)
    assert life.frozen == {"A": N, "B": N}


def test_an_editorial_change_of_the_rubric_changes_nothing() -> None:
    life = adjudicated().rubric("editorial")
    assert life.standing() == ("adjudicated", R)
    assert life.rubrics.same_as("2") == "1"


def test_a_clarifying_change_keeps_labels_and_tells_versions_apart() -> None:
    life = adjudicated().rubric("clarifying")
    assert life.standing() == ("adjudicated", R)
    assert [given.rubric_version for given in life.item.labels.values()] == ["1", "1"]
    assert life.rubrics.same_as("2") == "2"
    life.rubric("editorial")
    assert life.rubrics.same_as("3") == "2"


@pytest.mark.parametrize(
    ("touches", "left"),
    [
        ({"families": ("f",)}, {}),
        ({"families": ("g",)}, {"A": R, "B": N}),
        ({"reasons": ("on",)}, {"B": N}),
        ({"reasons": ("off", "on")}, {}),
    ],
)
def test_a_breaking_change_ends_the_labels_that_it_touches(
    touches: dict[str, tuple[str, ...]], left: dict[str, str]
) -> None:
    life = Life()
    life.act(life.dealt("A"), "label", R, reason="on")
    life.act(life.dealt("B"), "label", N, reason="off")
    life.decided(R, R)
    life.rubric("breaking", **touches)
    assert labels(life) == life.frozen == left
    assert life.item.stale is (len(left) < 2)
    # A label that comes in later from a packet dealt before is under the old rubric too.
    life.again("A", U, reason="on")
    assert ("A" in labels(life)) is ("A" in left)
    if "A" not in left:
        life.act(life.dealt("A"), "label", N, reason="on")
        assert labels(life)["A"] == N


def test_who_saw_the_others_label_is_not_independent_after_a_breaking_change() -> None:
    life = Life()
    life.labels(A=R, B=N)
    life.discussed(R)
    life.rubric("breaking", families=("f",))
    assert life.standing() == ("unjudged", None)
    life.labels(A=R, B=R)
    assert life.frozen == {}
    assert life.standing() == ("consensus", R)


def test_evidence_ends_cannot_judge_and_keeps_judgements() -> None:
    life = Life()
    life.labels(A=C, B=R)
    assert life.standing() == ("split_access", None)
    assert to_find(life.item)
    life.step("evidence", "A", "B")
    assert labels(life) == life.frozen == {"B": R}
    assert life.standing() == ("one_label", None)
    life.labels(A=R)
    assert life.standing() == ("agree", R)
    both = Life()
    both.labels(A=C, B=C)
    assert both.standing() == ("both_cannot_judge", None)
    assert both.step("evidence", "A", "B").standing() == ("unjudged", None)


def test_a_need_that_changed_makes_a_new_unit_whatever_was_said_of_the_old() -> None:
    life = adjudicated()
    life.dealt("A")  # dealt under the old need, and still out
    life.step("need_changed", "A", "B")
    assert life.standing() == ("unjudged", None)
    assert life.again("A", R).standing() == ("unjudged", None)
    life.labels(A=N, B=N)
    assert life.standing() == ("agree", N)


def test_the_adjudicator_overturns_and_the_older_decision_is_kept() -> None:
    life = adjudicated()
    life.act(life.deals[-1].packet_id, "decision", N)
    assert life.standing() == ("adjudicated", N)
    assert labels(life) == life.frozen == {"A": R, "B": N}
    assert [event.label for event in life.events if event.kind == "decision"] == [R, N]
    assert not life.item.stale


def test_a_decision_that_it_cannot_be_judged_is_a_gap_and_never_a_no() -> None:
    life = adjudicated()
    life.act(life.deals[-1].packet_id, "decision", C)
    assert life.standing() == ("adjudicated", C)
    assert labels(life) == {"A": R, "B": N}


def test_of_somebody_who_left_no_label_stands_and_none_is_given_again() -> None:
    life = adjudicated()
    life.step("retraction", "A", cause="removed_from_study")
    assert labels(life) == {"B": N}
    assert life.unit.barred("A")
    assert EFFECTS["assessor_removed"] == ("chain_dies", "invalid", "stale", "recomputed")


def test_an_excluded_unit_has_no_final_label_and_is_not_to_be_settled() -> None:
    life = adjudicated().step("exclusion")
    assert life.standing() == ("excluded", None)
    assert labels(life) == {"A": R, "B": N}
    assert not to_settle(life.item)


def test_every_row_of_the_table_is_there() -> None:
    # agreement.md 4.3 has thirteen rows; exclusion is its fourteenth event.
    assert len(EFFECTS) == 14
    assert {name for name, effect in EFFECTS.items() if effect.agreement == "invalid"} == {
        "retraction",
        "rubric_breaking",
        "evidence",
        "assessor_removed",
    }
    assert {name for name, effect in EFFECTS.items() if effect.score == "bounds"} == {
        "retraction",
        "pool_grew",
        "decided_cannot_judge",
        "exclusion",
    }


# --- the access queue ---------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(C, R), (C, C)])
def test_what_cannot_be_had_goes_to_whoever_settles(first: Any, second: Any) -> None:
    life = Life()
    life.labels(A=first, B=second)
    assert (to_find(life.item), to_settle(life.item)) == (True, False)
    life.step("unavailable")
    assert (to_find(life.item), to_settle(life.item)) == (False, True)
    life.decided(C, C)
    assert life.standing() == ("adjudicated", C)
    assert not to_settle(life.item)
    # Found after all: the cannot-judge labels lapse, and so does what was decided on them.
    life.step("evidence", "A", "B")
    assert life.item.final is None
    life.labels(A=R, **({"B": R} if second == C else {}))
    assert life.standing() == ("agree", R)


def test_a_decision_on_a_split_counts_only_where_it_was_sent_to_be_decided() -> None:
    life = Life()
    life.labels(A=C, B=R).decided(R, R)
    assert life.standing() == ("split_access", None)
    life.step("unavailable")
    assert life.standing() == ("adjudicated", R)


# --- who decides --------------------------------------------------------------------------------


def test_nobody_settles_what_they_labelled() -> None:
    life = Life(with_assessors("A", "B", "D"))
    life.labels(D=R)
    life.protocol = with_assessors("A", "B")
    life.labels(A=R, B=N).decided(R, R)
    assert life.standing() == ("disagree", None)
    assert life.item.adjudication is None


def test_of_three_assessors_all_labels_are_what_a_decision_rests_on() -> None:
    life = Life(with_assessors("A", "B", "E"))
    life.labels(A=R, B=R, E=N).decided(R, R)
    assert life.standing() == ("adjudicated", R)
    assert set(life.deals[-1].items[0].rests_on) == {"A", "B", "E"}
    assert sorted(life.deals[-1].items[0].shown) == ["A", "B", "E"]
    life.again("B", N)
    assert life.standing() == ("adjudication_stale", None)


def test_a_discussion_has_no_blind_label_and_ends_in_consensus() -> None:
    life = Life()
    life.labels(A=R, B=N)
    life.discussed(N)
    settled = life.item.adjudication
    assert settled is not None
    assert (settled.form, settled.blind, settled.origin, settled.by) == (
        "discussion",
        None,
        "consensus",
        "A-B",
    )


def test_a_discussion_decides_nothing_before_both_labels_were_shown() -> None:
    life = Life()
    life.labels(A=R, B=N)
    packet_id = life.dealt("A-B", kind="discussion")
    life.act(packet_id, "decision", R)
    assert life.standing() == ("disagree", None)


def test_the_same_label_sent_again_is_no_other_label() -> None:
    life = adjudicated().again("A", R).again("B", N)
    assert life.standing() == ("adjudicated", R)
    assert life.again("B", N, reason="another").standing() == ("adjudication_stale", None)


def test_an_imported_label_can_be_retracted() -> None:
    life = Life()
    life.imported = [
        ImportedLabel(assessor=code, query_id="q1", record_id="pmid:1", label=R, source="f: 1")
        for code in "AB"
    ]
    assert life.standing() == ("agree", R)
    life.step("retraction", "A", cause="conflict_of_interest")
    assert labels(life) == {"B": R}


def test_three_are_drawn_in_each_of_six_orders_alike() -> None:
    # 600 draws: each order 100 times, give or take 4.5 standard deviations of 9.1.
    draw = fixed_entropy("orders")
    counts: dict[tuple[str, ...], int] = {}
    for _ in range(600):
        order = _drawn(("A", "B", "E"), draw)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(59 <= count <= 141 for count in counts.values())
