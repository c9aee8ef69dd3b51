"""The flow adds up on every study, and a report is refused where it does not."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from judge.errors import Integrity
from judge.records.flow import Flow
from judge.records.report import Report
from judge.records.run import FoundAt
from judge.reports.build import build
from judge.reports.flow import refuse_unless_whole
from judge.reports.material import Material
from judge.reports.status import PLAN_ONLY
from tests.reports.studies import plan, studies, study


def numbers(flow: Flow) -> dict[str, tuple[int, list[int]]]:
    return {step.code: (step.total, [part.count for part in step.parts]) for step in flow.steps}


def test_the_flow_of_the_small_study_by_hand(report: Report) -> None:
    # Counted on the table at the top of studies.py: 14 requests, of which 3 refused or rejected
    # and 1 timed out, 2 empty; 22 hits, record 3 of q1 three times over both lists;
    # 4 hits of controls, guards and invalid queries are not in this study's pool.
    assert numbers(report.flow) == {
        "queries": (8, [4, 1, 1, 1, 1]),
        "requests": (14, [14, 0, 0]),
        "replies": (14, [8, 2, 2, 1, 1]),
        "hits": (22, [22, 0]),
        "hits_in_depth": (22, [16, 0, 2, 4]),
        "pool": (16, [16, 0]),
        "labelled": (16, [13, 1, 1, 1]),
        "adjudication": (14, [13, 1, 0, 0]),
    }


@given(studies())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_every_step_of_any_study_is_the_sum_of_its_parts(material: Material) -> None:
    flow = build(material, version="0.0").flow
    for step in flow.steps:
        assert sum(part.count for part in step.parts) == step.total
    refuse_unless_whole(flow.steps)


@pytest.mark.parametrize("place", range(8))
def test_one_number_too_many_is_refused_by_name(report: Report, place: int) -> None:
    steps = list(report.flow.steps)
    steps[place] = msgspec.structs.replace(steps[place], total=steps[place].total + 1)
    with pytest.raises(Integrity, match="does not add up") as refused:
        refuse_unless_whole(steps)
    assert f"{steps[place].name}: {steps[place].total} is not" in refused.value.message


def test_evidence_that_contradicts_itself_is_refused_all_at_once() -> None:
    whole = study()
    moved = msgspec.structs.replace(
        whole.pool[0], found_by=(FoundAt(system="K", run_id="r1-K-q1-1", rank=4),)
    )
    with pytest.raises(Integrity) as refused:
        build(study(items=whole.items[:-1], pool=(moved, *whole.pool[1:])), version="0.0")
    assert "1 pooled records are not among the judged items" in refused.value.message
    assert "pmid:1 of q1 at rank 4 of r1-K-q1-1" in refused.value.message


def test_closed_labels_have_no_place_in_the_flow() -> None:
    flow = build(study(agreement=(), closed=True), version="0.0").flow
    assert [step.code for step in flow.steps][-1] == "pool"


def test_a_plan_has_no_flow() -> None:
    flow = build(plan(), version="0.0").flow
    assert (flow.absent_reason, flow.steps) == (PLAN_ONLY, ())
