"""What P@k would be under other labels and other rules for duplicates, of the small study."""

from __future__ import annotations

import msgspec

from judge.records.measured import VariantTable
from judge.records.report import Report
from judge.reports.render.outline import outline
from tests.reports.studies import hit, report_of, study


def cells(table: VariantTable, k: int, over: str, name: str) -> dict[str, list[str]]:
    return {
        row.system: [figure.cell for figure in row.figures]
        for row in table.rows
        if (row.cutoff, row.over, row.name) == (k, over, name)
    }


def test_labellings_of_the_small_study(report: Report) -> None:
    table = report.sensitivity.labellings
    assert table.names == (
        "A",
        "B",
        "strict (all say relevant)",
        "lenient (any says relevant or uncertain)",
        "final",
    )
    # q1, ranks 1 to 5 of K: A calls 1 2 3 4 relevant, B 1 3 4.
    assert cells(table, 5, "query", "q1")["K"] == ["0.80", "0.60", "0.60", "0.80", "0.60"]
    # q2: 11 and 15 relevant; 12 B alone judged, relevant; 14 nobody could judge.
    assert cells(table, 5, "query", "q2")["K"] == [
        "– (between 0.40 and 0.80)",
        "– (between 0.60 and 0.80)",
        "– (between 0.40 and 0.80)",
        "– (between 0.60 and 0.80)",
        "– (between 0.40 and 0.80)",
    ]
    # q3: 21 relevant, 22 uncertain to both, and an uncertain label leaves its rank open.
    assert cells(table, 5, "query", "q3")["S"] == [
        "– (between 0.20 and 0.40)",
        "– (between 0.20 and 0.40)",
        "0.20",
        "0.40",
        "– (between 0.20 and 0.40)",
    ]
    # S over q1, q2, q3: 1, 0 and 1 to 2 of five each.
    assert cells(table, 5, "queries", "")["S"][-1] == "– (between 0.1333 and 0.20)"


def test_every_column_is_over_the_same_queries_even_where_gaps_leave_the_mean() -> None:
    table = report_of(gaps="exclude_query").sensitivity.labellings
    rows = {row.system: row for row in table.rows if (row.cutoff, row.over) == (5, "queries")}
    assert (rows["K"].queries, rows["S"].queries) == (3, 3)
    assert "whatever the protocol declares" in table.note


def test_duplicates_under_the_other_policy_and_collapsed(report: Report) -> None:
    table = report.sensitivity.duplicates
    assert table.names == (
        "declared: first_counts",
        "sensitivity: every_copy_counts (not the declared measure)",
        "sensitivity: duplicates collapsed (not the declared measure)",
    )
    # q1 at S: 3 6 3 7, of which 3 is relevant and stands twice. At k = 2 the copy is below; at
    # k = 5 it counts once, twice, and once again with the list closed up.
    assert cells(table, 2, "query", "q1") == {"S": ["0.50", "0.50", "0.50"]}
    assert cells(table, 5, "query", "q1") == {"S": ["0.20", "0.40", "0.20"]}
    # No other list holds a copy; families and the set are there all the same.
    assert {row.name for row in table.rows if row.over == "query"} == {"q1"}
    assert {row.name for row in table.rows if row.over == "family"} == {"fa", "fb"}


def test_the_other_policy_is_the_one_that_was_not_declared() -> None:
    table = report_of(duplicates="every_copy_counts").sensitivity.duplicates
    assert table.names[:2] == (
        "declared: every_copy_counts",
        "sensitivity: first_counts (not the declared measure)",
    )
    assert cells(table, 5, "query", "q1") == {"S": ["0.40", "0.20", "0.20"]}


def test_closing_ranks_up_pulls_a_hit_that_nobody_judged_into_the_top() -> None:
    # 3 3 99 at K: the copy holds rank 2; closed up, record 99 does, and its rank is open.
    hits = tuple(hit(rank, pmid) for rank, pmid in enumerate(("3", "3", "99"), 1))
    runs = tuple(
        msgspec.structs.replace(run, raw_results=hits) if run.run_id == "r1-K-q1-1" else run
        for run in study().runs
    )
    table = report_of(runs=runs).sensitivity.duplicates
    assert cells(table, 2, "query", "q1")["K"] == ["0.50", "1.00", "– (between 0.50 and 1.00)"]


def test_a_sensitivity_is_marked_wherever_it_is_printed(report: Report) -> None:
    table = outline(report).table("duplicates-table")
    assert table is not None
    marked = [column.name for column in table.columns if "sensitivity" in column.name]
    assert len(marked) == 2
    assert all("not the declared measure" in name for name in marked)


def test_bounds_stand_in_two_columns_and_are_not_called_precision(report: Report) -> None:
    """R61. q2 at K is 2/5 to 4/5, q3 at S 1/5 to 2/5; K over q1, q2, q4 is 7/15 to 9/15."""
    table = report.sensitivity.bounds
    assert cells(table, 5, "query", "q2") == {"K": ["0.40", "0.80"]}
    assert cells(table, 5, "query", "q3") == {"S": ["0.20", "0.40"]}
    assert cells(table, 5, "query", "q1") == {}
    assert cells(table, 5, "queries", "")["K"] == ["0.4667", "0.60"]
    shown = outline(report).table("bounds-table")
    assert shown is not None
    assert "neither is P@k" in shown.caption


# --- precision over returned --------------------------------------------------------------------


def returned(report: Report, k: int, over: str) -> dict[tuple[str, str], tuple[str, int]]:
    return {
        (row.name, row.system): (row.figures[0].cell, row.queries)
        for row in report.sensitivity.over_returned.rows
        if (row.cutoff, row.over) == (k, over)
    }


def test_precision_over_returned_divides_by_what_came(report: Report) -> None:
    assert returned(report, 5, "query") == {
        ("q1", "K"): ("0.60", 1),
        ("q1", "S"): ("0.25", 1),
        ("q2", "K"): ("– (between 0.40 and 0.80)", 1),
        ("q2", "S"): ("– (nothing returned)", 0),
        ("q3", "S"): ("– (between 0.50 and 1.00)", 1),
        ("q4", "K"): ("1.00", 1),
    }
    # An empty list has none and leaves the mean: S over q1 and q3, (1/4 + 1/2)/2 to (1/4 + 1)/2.
    assert returned(report, 5, "queries")["", "S"] == ("– (between 0.375 and 0.625)", 2)
    assert returned(report, 5, "family")["fb", "K"] == ("1.00", 1)


def test_it_has_its_own_name_and_no_column_with_precision_at_k(report: Report) -> None:
    page = outline(report)
    table = page.table("over-returned-table")
    assert table is not None
    assert table.columns[-1].name == "precision over returned (a different measure)"
    assert not [column.name for column in table.columns if "P@" in column.name]
    assert "never averaged with P@k" in report.sensitivity.over_returned.definition


def test_it_is_not_printed_unless_declared() -> None:
    part = report_of(measures=("precision_at_k",)).sensitivity.over_returned
    assert part.rows == ()
    assert part.absent_reason == (
        "'precision_over_returned' is not a declared measure of this protocol."
    )


def test_it_can_be_declared_without_precision_at_k() -> None:
    report = report_of(measures=("precision_over_returned",))
    assert report.precision.per_query == ()
    assert len(returned(report, 5, "query")) == 6
