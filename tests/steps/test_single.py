"""A study with one assessor: no agreement is claimed, nothing is settled, every gap is a gap."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.steps.accessing import access_queue, say_unavailable
from judge.steps.context import Context
from judge.steps.judging import adjudication_packet, collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.steps.status import status_of
from tests.steps.acts import CLOCK, folders, problems, states, strangers_copy
from tests.steps.studies import PROTOCOL, context_of, label_packet, labels_of, write_inputs

ALONE = PROTOCOL.replace('assessors = ["A", "B"]', 'assessors = ["A"]').replace(
    'measures = ["precision_at_k", "agreement"]', 'measures = ["precision_at_k"]'
)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    root = tmp_path / "alone"
    write_inputs(root, protocol=ALONE)
    context = context_of(root, entropy="alone")
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    path = make_packet(context, "A")
    label_packet(path, labels_of(0))
    collect_packet(context, path, "A")
    return context


def test_what_the_one_could_not_judge_stays_a_gap_and_goes_to_nobody(context: Context) -> None:
    before = states(context)
    assert before["pmid:6"][1] is None
    say_unavailable(context, "q2", "pmid:6", by="R", reason="asked in vain")
    assert states(context) == before
    assert {one.record_id: one.state for one in access_queue(context).lines} == {
        "pmid:6": "unavailable",
        "pmid:7": "open",
    }
    with pytest.raises(Refused, match="nothing to adjudicate"):
        adjudication_packet(context)
    assert (status_of(context).stage, status_of(context).next) == ("closed", "judge report")


def test_it_is_reported_and_published_and_comes_back(context: Context, tmp_path: Path) -> None:
    report = report_study(context).report
    assert report.head.status == "closed"
    assert report.judging.agreement == ()
    publish_study(context)
    assert problems(context.study.root) == ()
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert publish_study(context_of(again)) == []
    assert not report_study(context_of(again)).new
    assert folders(again) == folders(context.study.root)
