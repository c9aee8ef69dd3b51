"""The counts at the top of the page: what stands there, and what never may."""

from __future__ import annotations

from judge.records.report import Report
from judge.reports.build import build
from judge.reports.render.blocks import Table, Text
from judge.reports.render.outline import outline
from tests.reports.studies import plan, report_of


def glance(report: Report) -> dict[str, str]:
    table = outline(report).table("glance")
    return {} if table is None else {row[0]: row[1] for row in table.rows}


def test_every_count_stands_with_what_it_is_a_part_of(report: Report) -> None:
    """By hand: 14 requests, 4 without a list; 16 items, 2 that somebody could not judge; one
    disagreement, settled; at k = 5 each system has two complete queries of the four ordinary."""
    assert glance(report) == {
        "Evaluation queries and systems": "7 queries, 2 systems",
        "Requests that gave a list": "10 of 14",
        "Items that A and B both judged, freeze 1": "14 of 16",
        "Disagreements that were adjudicated": "1 of 1",
        "Ordinary queries with a complete P@5": "K 2 of 4, S 2 of 4",
    }


def test_it_follows_the_banners_and_comes_before_all_else(report: Report) -> None:
    lead = outline(report).lead
    banners = [block for block in lead if isinstance(block, Text)]
    table = lead[len(banners)]
    assert banners == list(lead[: len(banners)])
    assert isinstance(table, Table)
    assert table.id == "glance"


def test_no_mean_stands_before_the_values_it_is_made_of(report: Report) -> None:
    """R69: the top of the page holds whole numbers alone."""
    assert not [text for text in glance(report).values() if "." in text]


def test_a_plan_has_nothing_to_count() -> None:
    assert glance(build(plan(), version="0.0")) == {}


def test_while_labels_are_closed_nothing_of_them_is_counted() -> None:
    """R51: requests and queries may be told; items and disagreements may not."""
    report = report_of(agreement=(), closed=True)
    assert report.head.status == "judging"
    assert set(glance(report)) == {"Evaluation queries and systems", "Requests that gave a list"}
