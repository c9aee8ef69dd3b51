from __future__ import annotations

import msgspec

from judge.records.judgement import JudgedItem
from tests.reports.studies import deal, report_of, study


def test_while_one_assessor_is_still_at_work_no_label_shows() -> None:
    # A handed in and was collected; B did not: no label, no count, no conflict may be told.
    half = tuple(
        msgspec.structs.replace(one, labels={"A": one.labels["A"]}, state="one_label", final=None)
        for one in study().items
    )
    changed = tuple(
        msgspec.structs.replace(
            one,
            labels={"A": msgspec.structs.replace(one.labels["A"], label="not_relevant")},
        )
        for one in half
    )
    reports = [report_of(items=items, agreement=(), closed=True) for items in (half, changed)]
    assert reports[0] == reports[1]
    assert reports[0].head.status == "judging"
    assert reports[0].head.labels_by_origin == ()
    assert reports[0].precision.per_query == ()
    assert reports[0].judging.gaps == ()
    assert "R51" in reports[0].judging.closed_reason


def test_runs_without_labels_have_no_score() -> None:
    empty = tuple(
        JudgedItem(
            query_id=one.query_id,
            record_id=one.record_id,
            labels={},
            state="unjudged",
            final=None,
        )
        for one in study().items
    )
    report = report_of(items=empty, deals=(), agreement=())
    assert report.head.status == "captured"
    assert report.precision.per_query == ()


def test_an_unsettled_disagreement_makes_an_interim_report_with_bounds() -> None:
    items = list(study().items)
    items[1] = msgspec.structs.replace(items[1], state="disagree", final=None, adjudication=None)
    report = report_of(items=tuple(items))
    assert report.head.status == "adjudicating"
    assert report.head.banner.startswith("INTERIM")
    assert report.judging.open_disagreements == 1
    (cell,) = (
        row.figure.cell
        for row in report.precision.per_query
        if (row.query_id, row.system, row.cutoff) == ("q1", "K", 5)
    )
    # Silence is a gap: the lower bound counts 0 for it until it is settled.
    assert cell == "– (4 of 5 judged; between 0.60 and 0.80)"


def test_practice_and_adjudication_packets_close_nothing() -> None:
    deals = (deal("C", practice=True), deal("D", kind="adjudication"))
    assert report_of(deals=deals).head.status == "closed"
