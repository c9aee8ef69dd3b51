from __future__ import annotations

from judge.records.measured import MeanRow
from judge.records.report import Report
from tests.reports.studies import report_of


def mean_cells(rows: tuple[MeanRow, ...], k: int) -> list[tuple[str, str, str, str, str]]:
    return [
        (
            row.family or row.over,
            row.system,
            row.figure.cell,
            row.figure.lower.fraction if row.figure.lower else "",
            row.figure.upper.fraction if row.figure.upper else "",
        )
        for row in rows
        if row.cutoff == k
    ]


def test_means_of_the_small_study(report: Report) -> None:
    assert mean_cells(report.precision.per_family, 5) == [
        ("fa", "K", "– (between 0.50 and 0.70)", "5/10", "7/10"),
        ("fa", "S", "0.10", "1/10", "1/10"),
        ("fb", "K", "0.40", "2/5", "2/5"),
        ("fb", "S", "– (between 0.20 and 0.40)", "1/5", "2/5"),
    ]
    assert mean_cells(report.precision.means, 5) == [
        ("queries", "K", "– (between 0.4667 and 0.60)", "7/15", "9/15"),
        ("queries", "S", "– (between 0.1333 and 0.20)", "2/15", "3/15"),
        ("families", "K", "– (between 0.45 and 0.55)", "9/20", "11/20"),
        ("families", "S", "– (between 0.15 and 0.25)", "3/20", "1/4"),
    ]


def test_a_mean_says_what_is_in_it_and_what_is_not_and_why(report: Report) -> None:
    (row,) = (
        row
        for row in report.precision.means
        if (row.over, row.system, row.cutoff) == ("queries", "K", 5)
    )
    assert row.members == ("q1", "q2", "q4")
    assert [(one.id, one.reason) for one in row.left_out] == [
        ("q3", "no list (refused)"),
        ("q5", "no-match control: has no P@k"),
        ("q6", "documented guard: has no P@k"),
        ("q7", "invalid by design: has no P@k"),
    ]


def test_cells_are_worded_as_the_rules_say(report: Report) -> None:
    cells = {
        (row.query_id, row.system): row.figure.cell
        for row in report.precision.per_query
        if row.cutoff == 5
    }
    assert cells == {
        ("q1", "K"): "0.60 (3 relevant)",
        ("q1", "S"): "0.20 (1 relevant; returned 4 of 5)",
        ("q2", "K"): "– (3 of 5 judged; between 0.40 and 0.80)",
        ("q2", "S"): "0.00 (0 relevant; returned 0 of 5)",
        ("q3", "K"): "– (no list (refused))",
        ("q3", "S"): "– (2 of 2 judged, 1 uncertain; between 0.20 and 0.40; returned 2 of 5)",
        ("q4", "K"): "0.40 (2 relevant; returned 2 of 5)",
        ("q4", "S"): "– (no list (timeout))",
    }


def test_every_system_and_cutoff_is_accounted_for(report: Report) -> None:
    assert [(row.system, row.cutoff) for row in report.precision.accounting] == [
        ("K", 2),
        ("S", 2),
        ("K", 5),
        ("S", 5),
    ]
    for row in report.precision.accounting:
        parts = row.scored + row.incomplete + row.excluded + row.controls + row.guards + row.invalid
        assert row.frozen == parts == 7


def test_nothing_but_declared_measures_is_printed() -> None:
    report = report_of(measures=("failure_categories",))
    assert report.precision.per_query == ()
    assert report.precision.means == ()
    assert report.precision.absent_reason == (
        "'precision_at_k' is not a declared measure of this protocol."
    )
    assert report.judging.agreement == ()
    assert report.judging.agreement_note == (
        "'agreement' is not a declared measure of this protocol."
    )
    assert report.recall.per_query == ()


def test_a_declared_measure_that_is_not_computed_is_said() -> None:
    report = report_of(measures=("precision_at_k", "comparison"))
    assert report.rules.not_computed == ("comparison",)
