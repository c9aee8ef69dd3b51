from __future__ import annotations

import msgspec
import pytest

from judge.errors import Refused
from judge.records.report import Report
from tests.reports.studies import freeze, item, report_of, study


def test_scripted_labels_are_said_to_be_no_evaluation() -> None:
    head = report_of(origin="scripted").head
    assert "nobody judged blind" in head.labels_banner
    assert "nothing is evaluated" in head.labels_banner
    assert "blind in this tool's labelling app" not in head.labels_banner
    assert [(one.name, one.count) for one in head.labels_by_origin] == [("scripted", 33)]


def test_blinding_is_claimed_for_labels_of_the_app_alone(report: Report) -> None:
    assert report.head.labels_banner == "Labels given blind in this tool's labelling app: 33."
    counts = {one.name: one.count for one in report.judging.blindness}
    assert counts["items with two or more labels given blind here"] == 16
    scripted = {one.name: one.count for one in report_of(origin="scripted").judging.blindness}
    assert scripted["items with two or more labels given blind here"] == 0
    assert scripted["items with a scripted label"] == 16


def test_labels_from_elsewhere_are_counted_as_not_blinded() -> None:
    items = (
        *(msgspec.structs.replace(one, labels={}) for one in study().items[:1]),
        *study().items[1:],
    )
    imported = (msgspec.structs.replace(items[0], state="imported_final"), *items[1:])
    report = report_of(items=imported)
    assert "Labels made elsewhere, not blinded by this tool: 1." in report.head.labels_banner
    counts = {one.name: one.count for one in report.judging.blindness}
    assert counts["items with a label made elsewhere, not blinded by this tool"] == 1
    assert counts["items without any label"] == 0


def test_labels_of_two_rubric_versions_in_one_query_are_refused() -> None:
    items = list(study().items)
    later = msgspec.structs.replace(items[0].labels["A"], rubric_version="2")
    items[0] = msgspec.structs.replace(items[0], labels={**items[0].labels, "A": later})
    with pytest.raises(Refused, match=r"q1 mixes rubric 2 \(1 labels\) and 1 \(13 labels\)"):
        report_of(items=tuple(items))


def test_gaps_are_counted_by_kind_and_query(report: Report) -> None:
    (gap,) = (one for one in report.judging.gaps if one.query_id == "q2")
    assert (gap.pooled, gap.without_final, gap.no_abstract, gap.records_without_abstract) == (
        5,
        1,
        2,
        1,
    )
    (other,) = (one for one in report.judging.gaps if one.query_id == "q3")
    assert (other.pooled, other.without_final, other.final_uncertain) == (2, 0, 1)


def test_settlements_stand_beside_both_first_labels(report: Report) -> None:
    (line,) = report.judging.settled
    assert (line.query_id, line.record_id) == ("q1", "pmid:2")
    assert line.first_labels == "A: relevant, B: not_relevant"
    assert (line.blind, line.decision) == ("uncertain", "not_relevant")


def test_agreement_is_of_the_frozen_pairs_not_of_later_labels() -> None:
    later = tuple(item(one.query_id, one.record_id.removeprefix("pmid:")) for one in study().items)
    settled = tuple(
        msgspec.structs.replace(
            one, labels={code: label for code, label in one.labels.items() if code == "A"}
        )
        for one in later
    )
    (after,), (before,) = (
        report_of(items=items).judging.agreement for items in (settled, study().items)
    )
    # The kinds of cannot_judge alone are those of the labels as they stand.
    assert msgspec.structs.replace(after, coverage=()) == msgspec.structs.replace(
        before, coverage=()
    )


def test_a_later_freeze_stands_beside_the_first() -> None:
    second = freeze(2)
    report = report_of(agreement=(freeze(), second))
    assert [one.freeze for one in report.judging.agreement] == [1, 2]
