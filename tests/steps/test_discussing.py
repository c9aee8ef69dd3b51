"""Settling by discussion: the assessors at one packet, and what it may be called afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.records.judgement import AgreementFreeze, Label
from judge.steps.context import Context
from judge.steps.judging import adjudication_packet, collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.steps.status import status_of
from judge.store.desk import Desk
from tests.steps.acts import CLOCK, problems, relabel, states, strangers_copy
from tests.steps.studies import (
    PROTOCOL,
    REASON,
    context_of,
    give,
    label_packet,
    labels_of,
    sitting_at,
    write_inputs,
)

DISCUSSION = PROTOCOL.replace('"third_person"', '"discussion"').replace(
    'adjudicator = "D"', 'adjudicator = ""'
)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """The small study, declared to settle by discussion, with both assessors in."""
    root = tmp_path / "study"
    write_inputs(root, protocol=DISCUSSION)
    found = context_of(root)
    freeze_study(found)
    capture_study(found)
    pool_study(found)
    for who, code in enumerate("AB"):
        path = make_packet(found, code)
        label_packet(path, labels_of(who))
        collect_packet(found, path, code)
    return found


def talk(path: Path, decision: Label) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            sitting.show_both()
            sitting.decide(decision, REASON[decision])
        sitting.hand_in("We decided together.")


def test_a_discussion_is_one_packet_with_both_labels_and_no_names(context: Context) -> None:
    assert status_of(context).next == "judge adjudicate, then judge collect A-B"
    path = adjudication_packet(context)
    assert path.name == "A-B.discussion.packet"
    with Desk(path) as desk:
        assert (desk.packet.kind, desk.packet.items) == ("discussion", 2)
        sitting = sitting_at(desk)
        with pytest.raises(Refused, match="in a discussion nobody labels blind"):
            give(sitting, "relevant")
        with pytest.raises(Refused, match="before you decide"):
            sitting.decide("relevant", "on_topic")
        shown = sitting.show_both()
        assert "relevant" in {shown.first.label, shown.second.label}


def test_what_was_discussed_is_consensus_and_no_independent_label(context: Context) -> None:
    path = adjudication_packet(context)
    talk(path, "not_relevant")
    assert collect_packet(context, path, "A-B").events == 5
    assert states(context)["pmid:4"] == ("consensus", "not_relevant")
    report = report_study(context).report
    assert "Labels settled in discussion: 2." in report.head.labels_banner
    assert report.head.adjudicator == "none: the assessors discuss"
    life = report.judging.life
    assert life is not None
    told = {row.name: row.text for row in life.settling}
    # A said relevant to both, B not relevant and uncertain: one decision is what B had said.
    assert told == {
        "settled in discussion, consensus": "2",
        "A upheld": "0 of 2",
        "B upheld": "1 of 2",
        "'the rubric has a gap here'": "0 of 2",
    }
    assert {line.blind for line in report.judging.settled} == {""}
    publish_study(context)
    assert problems(context.study.root) == ()


def test_a_label_changed_after_the_discussion_enters_no_agreement(
    context: Context, tmp_path: Path
) -> None:
    path = adjudication_packet(context)
    talk(path, "not_relevant")
    collect_packet(context, path, "A-B")
    with context.frozen() as work:
        before = work.ledger.all(AgreementFreeze)
    relabel(context, "A", "Aspirin in mice", "not_relevant")
    assert states(context)["pmid:4"] == ("consensus", "not_relevant")
    with context.frozen() as work:
        assert work.ledger.all(AgreementFreeze) == before
        (item,) = [one for one in work.items if one.record_id == "pmid:4"]
        assert (item.labels["A"].independent, item.labels["A"].origin) == (False, "consensus")
    report = report_study(context).report
    assert report.judging.life is not None
    assert report.judging.life.revised == 1
    publish_study(context)
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()
