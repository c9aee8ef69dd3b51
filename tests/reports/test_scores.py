from __future__ import annotations

import msgspec
import pytest

from judge.records.measured import MeanRow
from judge.records.protocol import Amendment
from judge.records.report import Report
from judge.reports.build import build
from tests.reports.many import many
from tests.reports.studies import hit, report_of, study


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


def test_a_mean_says_how_much_of_its_ranks_was_judged(report: Report) -> None:
    rows = {
        (row.over, row.family, row.system): (row.judged, row.filled)
        for row in (*report.precision.per_family, *report.precision.means)
        if row.cutoff == 5
    }
    # K: q1 5 of 5, q2 3 of 5, q4 2 of 2. S: q1 4 of 4, q2 nothing returned, q3 2 of 2.
    assert rows["queries", "", "K"] == (10, 12)
    assert rows["queries", "", "S"] == (6, 6)
    assert rows["queries", "fa", "K"] == (8, 10)


def test_a_mean_of_few_queries_or_with_bounds_has_a_sentence_for_its_interval(
    report: Report,
) -> None:
    said = {
        (row.over, row.family, row.system): row.interval.cell
        for row in (*report.precision.per_family, *report.precision.means)
        if row.cutoff == 5
    }
    assert said["queries", "fb", "K"] == "no interval: 1 query, fewer than 5"
    assert said["queries", "", "K"] == "no interval: the mean is a pair of bounds"
    assert said["families", "", "K"] == "–"


def test_a_mean_of_many_complete_queries_has_an_interval() -> None:
    # Hits of ten queries 4 3 2 5 1 3 4 2 3 5, of five: mean 0.64, sd sqrt(15.6/9)/5, t(9) 2.2622.
    report = build(many(10), version="0.0")
    row = next(
        one
        for one in report.precision.means
        if (one.over, one.system, one.cutoff) == ("queries", "K", 5)
    )
    assert row.figure.cell == "0.64"
    assert row.interval.method == "jackknife-t, 10 queries"
    reach = 2.262157 * (15.6 / 9) ** 0.5 / 5 / 10**0.5
    assert float(row.interval.lower) == pytest.approx(0.64 - reach, abs=1e-4)
    assert float(row.interval.upper) == pytest.approx(0.64 + reach, abs=1e-4)


def test_a_cutoff_deeper_than_the_pool_gives_bounds() -> None:
    # Amended to 7 with a pool of 5: what stands below the pool was never judged.
    late = Amendment(
        number=1,
        at_utc="2026-12-01T00:00:00Z",
        author="R",
        reason="Deeper",
        seen="results_seen",
        target="protocol.depth.cutoffs",
        before="[2,5]",
        after="[2,5,7]",
    )
    hits = tuple(hit(rank, pmid) for rank, pmid in enumerate(("1", "2", "3", "4", "5", "88"), 1))
    runs = tuple(
        msgspec.structs.replace(run, raw_results=hits) if run.run_id == "r1-K-q1-1" else run
        for run in study().runs
    )
    report = report_of(runs=runs, amendments=(late,))
    (row,) = (
        one
        for one in report.precision.per_query
        if (one.query_id, one.system, one.cutoff) == ("q1", "K", 7)
    )
    assert row.figure.cell == ("– (5 of 6 judged; between 0.4286 and 0.5714; returned 6 of 7)")
    assert report.precision.post_hoc == (7,)
