"""Figures of whole reports: which there are, what they hold, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from judge.records.measured import DriftRow
from judge.records.report import OutcomeCount, Report
from judge.reports.build import build
from judge.reports.figures.agreement import drift
from judge.reports.figures.drawings import Chart, Dot, Flow, Grid, Matrix, Step
from judge.reports.figures.failures import categories, outcomes
from judge.reports.figures.per_query import MOST_QUERIES, per_query
from judge.reports.figures.stages import stages
from judge.reports.render.blocks import Block, Page, Table, Text
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.outline import outline
from tests.reports.many import many
from tests.reports.render.pages import read_html, read_markdown
from tests.reports.studies import plan, report_of, study


def blocks(page: Page) -> list[Block]:
    return [*page.lead, *(block for section in page.sections for block in section.blocks)]


def charts(report: Report) -> dict[str, Chart]:
    return {one.id: one for one in blocks(outline(report)) if isinstance(one, Chart)}


def grid(chart: Chart) -> Grid:
    assert isinstance(chart.drawing, Grid)
    return chart.drawing


def only(found: list[Chart | str]) -> Chart:
    (chart,) = found
    assert isinstance(chart, Chart)
    return chart


def said(grid: Grid) -> Iterator[str]:
    """Every word with a number that a grid writes beside its marks."""
    for row in grid.rows:
        yield row.note
        yield from (one.words for one in row.dots)


# --- what they hold -----------------------------------------------------------------------------


def test_the_dots_of_the_small_study_are_those_worked_by_hand(report: Report) -> None:
    found = grid(charts(report)["per-query-5"])
    assert found.panels == ("K", "S")
    assert [(row.name, row.note, row.dots) for row in found.rows] == [
        ("q1", "fa", (Dot(3 / 5, 3 / 5), Dot(1 / 5, 1 / 5))),
        ("q2", "fa", (Dot(2 / 5, 4 / 5), Dot(0, 0))),
        ("q3", "fb", (Dot(words="refused"), Dot(1 / 5, 2 / 5))),
        ("q4", "fb", (Dot(2 / 5, 2 / 5), Dot(words="timeout"))),
    ]


def test_the_differences_of_the_small_study_are_those_worked_by_hand(report: Report) -> None:
    """q1: 3/5 - 1/5; q2: 2/5 to 4/5 less 0/5; q3 and q4 have one list each."""
    found = grid(charts(report)["differences-5"])
    assert found.panels == ("K - S",)
    values = {row.name: row.dots[0] for row in found.rows if row.dots[0].known}
    assert values == {"q1": Dot(2 / 5, 2 / 5), "q2": Dot(2 / 5, 4 / 5)}


def test_means_carry_their_interval_and_n() -> None:
    report = build(many(30), version="0.0")
    found = grid(charts(report)["means"])
    rows = [row for row in report.precision.means if row.over == "queries"]
    assert [(row.group, row.name) for row in found.rows] == [
        ("P@2", "K"),
        ("P@2", "S"),
        ("P@5", "K"),
        ("P@5", "S"),
    ]
    # 4 3 2 5 1 3 4 2 3 5 relevant of five, three times over: 96 of 150.
    assert found.rows[2].dots[0].lower == pytest.approx(0.64)
    assert found.rows[2].note == "0.64; n = 30"
    for row, drawn in zip(rows, found.rows, strict=True):
        assert drawn.dots[0].interval == (float(row.interval.lower), float(row.interval.upper))


def test_the_matrix_is_the_table_of_counts(report: Report) -> None:
    drawing = charts(report)["agreement-1"].drawing
    assert isinstance(drawing, Matrix)
    assert drawing.counts == tuple(row.counts for row in report.judging.agreement[0].table)
    assert drawing.counts[0][:2] == (8, 1)


def test_requests_are_counted_by_outcome_and_system(report: Report) -> None:
    found = grid(charts(report)["outcomes"])
    assert {row.name: [one.lower for one in row.dots] for row in found.rows} == {
        "answered": [3, 5],
        "empty": [1, 1],
        "refused": [2, 0],
        "rejected": [1, 0],
        "timeout": [0, 1],
    }


def test_categories_of_failures_are_counted_by_system() -> None:
    counts = {("operators", "K"): 2, ("operators", "S"): 0, ("empty", "S"): 3, ("other", "K"): 0}
    found = grid(only(categories(counts, "failure-categories")))
    assert found.panels == ("K", "S")
    assert [(row.name, [one.lower for one in row.dots]) for row in found.rows] == [
        ("operators", [2, 0]),
        ("empty", [0, 3]),
    ]
    assert [one.words for one in found.rows[0].dots] == ["2", "none"]
    assert categories({}, "failure-categories") == []


def test_drift_is_a_share_of_the_items_of_each_third(report: Report) -> None:
    section = msgspec.structs.replace(
        report.judging.agreement[0],
        drift=tuple(
            DriftRow(assessor=one, third=third, items=items, disagreements=third, relevant=5)
            for one in "AB"
            for third, items in ((1, 10), (2, 10), (3, 0))
        ),
    )
    found = grid(only(drift(section, 1)))
    assert [row.dots for row in found.rows[:2]] == [
        (Dot(0.1, 0.1), Dot(0.5, 0.5)),
        (Dot(0.2, 0.2), Dot(0.5, 0.5)),
    ]
    assert found.rows[2].dots == (Dot(words="no item"),) * 2
    assert found.rows[0].note == "1 and 5 of 10"


def test_a_flow_holds_its_steps_in_order() -> None:
    chart = only(stages([("queries", 30, ""), ("lists", 55, "5 gave none")], "flow"))
    assert chart.drawing == Flow((Step("queries", 30), Step("lists", 55, "5 gave none")))
    assert stages([], "flow") == []


# --- where they stand ---------------------------------------------------------------------------


@pytest.mark.parametrize("material", [study(), many(30), many(90)])
def test_every_figure_stands_on_the_tables_with_its_numbers(material: Any) -> None:
    page = outline(build(material, version="0.0"))
    found = [one for one in blocks(page) if isinstance(one, Chart)]
    assert len(found) >= 9
    assert len({one.id for one in found}) == len(found)
    for section in page.sections:
        for at, block in enumerate(section.blocks):
            if not isinstance(block, Chart):
                continue
            below = [one for one in section.blocks[at:] if isinstance(one, Table)]
            assert tuple(one.id for one in below[: len(block.tables)]) == block.tables
            between = section.blocks[at : section.blocks.index(below[0])]
            assert all(isinstance(one, Chart) for one in between)
            text = " ".join(
                cell for table in below[: len(block.tables)] for row in table.rows for cell in row
            )
            if isinstance(block.drawing, Grid):
                for words in said(block.drawing):
                    numbers = re.findall(r"-?\d+(?:\.\d+)?", words)
                    assert all(re.search(rf"(?<!\d){one}(?!\d)", text) for one in numbers), words


def test_markdown_says_each_figure_in_words_above_its_table(report: Report) -> None:
    page = render_markdown(report)
    for one in charts(report).values():
        assert page.count(f"**Figure: {one.title}.**") == 1
    parsed = read_markdown(page)
    assert not {tag for tag, _ in parsed.tags} & {"img", "svg"}


def test_html_holds_a_picture_for_each_figure_and_no_more(report: Report) -> None:
    tags = read_html(render_html(report)).tags
    figures = [attrs["id"] for tag, attrs in tags if tag == "figure"]
    assert figures == [f"fig-{one}" for one in charts(report)]
    assert [tag for tag, _ in tags].count("svg") == len(figures)


# --- much and nothing ---------------------------------------------------------------------------


def test_many_queries_are_paged_and_each_is_drawn_once() -> None:
    report = build(many(90), version="0.0")
    found = [one for name, one in charts(report).items() if name.startswith("per-query-5")]
    assert [one.id for one in found] == [f"per-query-5-page-{page}" for page in (1, 2, 3)]
    assert found[1].title.endswith("rows 31 to 60 of 90")
    names = [row.name for one in found for row in grid(one).rows]
    assert names == [f"m{number:03d}" for number in range(90)]


def test_more_queries_than_can_be_read_are_left_to_the_table_and_it_says_so() -> None:
    report = build(many(MOST_QUERIES + 1), version="0.0")
    (sentence,) = per_query(report.precision, 5)
    assert isinstance(sentence, str)
    assert "241 queries" in sentence
    shown = [one.text for one in blocks(outline(report)) if isinstance(one, Text)]
    assert sentence in shown
    assert "per-family-5" in charts(report)


def test_one_system_has_dots_and_no_difference() -> None:
    one = study()
    protocol = one.frozen.protocol
    report = report_of(
        frozen=msgspec.structs.replace(
            one.frozen,
            protocol=msgspec.structs.replace(
                protocol, systems=protocol.systems[:1], comparisons=(), claims=()
            ),
        ),
        runs=tuple(run for run in one.runs if run.system == "K"),
    )
    found = charts(report)
    assert grid(found["per-query-5"]).panels == ("K",)
    assert not [name for name in found if name.startswith(("differences", "comparisons"))]


def test_a_plan_and_a_report_before_labels_draw_no_score() -> None:
    assert charts(build(plan(), version="0.0")) == {}
    captured = report_of(items=(), deals=(), agreement=(), pool=())
    assert set(charts(captured)) == {"flow", "outcomes", "failure-categories"}


def test_nothing_to_show_is_no_figure(report: Report) -> None:
    empty = msgspec.structs.replace(report.failures, by_outcome=())
    assert outcomes(empty) == []
    many_systems = tuple(
        OutcomeCount(system=f"S{number}", outcome="answered", requests=1) for number in range(9)
    )
    crowded = msgspec.structs.replace(report.failures, by_outcome=many_systems)
    (sentence,) = outcomes(crowded)
    assert isinstance(sentence, str)
    assert "9 systems" in sentence
    rows = tuple(
        msgspec.structs.replace(
            row, figure=msgspec.structs.replace(row.figure, lower=None, upper=None)
        )
        for row in report.precision.per_query
    )
    (undefined,) = per_query(msgspec.structs.replace(report.precision, per_query=rows), 5)
    assert undefined == "No figure of “P@5 of every query, by system”: no query has a value."
