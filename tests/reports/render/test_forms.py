"""HTML, Markdown and JSON hold the same numbers, cell by cell, whatever text is in them."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rich.console import Console

from judge.records.report import Report
from judge.records.run import Notice
from judge.records.statement import FailureAnswer, Statement
from judge.reports.build import build
from judge.reports.material import Material
from judge.reports.render.blocks import Table
from judge.reports.render.html import render_html
from judge.reports.render.markdown import escape, render_markdown
from judge.reports.render.outline import outline
from judge.reports.render.terminal import print_summary
from judge.text import display_text
from tests.reports.declared import QUERIES
from tests.reports.render.pages import Reader, intervals, read_html, read_markdown, shares
from tests.reports.studies import plan, studies, study

HOSTILE = (
    "benzo[a]pyrene",
    "[Article in German].",
    "P<0.001 & <script>alert(1)</script>",
    "a | b \\| c",
    "`code` *star* _line_ **bold** ~~no~~",
    "Effect of [/] and [/b",
    "![x](https://example.org/x.png) <img src=x onerror=y>",
    "IL-6\u202eevil\u202c \x1b[31mred\x07 \x00",
    "- item",
    "1. first",
    "# heading",
    "&lt;b&gt; {{ 7 * 7 }} {% raw %}",
    "line one\nline two\r\n| third |",
    '" onmouseover="x',
    "\u03b1-\u53d7\u4f53 \U0001f9ec",
)


def hostile(text: str) -> Material:
    """The study with ``text`` wherever text comes from outside."""
    queries = tuple(msgspec.structs.replace(query, need=text, note=text) for query in QUERIES)
    runs = tuple(
        msgspec.structs.replace(
            run,
            query=text,
            endpoint=text,
            service_version=text,
            errors_and_notices=(Notice(kind="message", text=text),),
        )
        for run in study().runs
    )
    coded = msgspec.structs.replace(study().coded[0], note=text, record_id=text)
    return study(
        evaluation=queries,
        runs=runs,
        coded=(coded,),
        title=text,
        decision=text,
        statement=Statement(
            answers=(FailureAnswer(code="wrong-gene", answer="not_seen", text=text),),
            conclusions=(text,),
            left_out=(text,),
        ),
    )


def grids(report: Report) -> list[list[tuple[str, ...]]]:
    """The tables of the page as they are meant, blanks at the ends of cells aside."""
    page = outline(report)
    blocks = [*page.lead, *(block for section in page.sections for block in section.blocks)]
    return [
        [
            tuple(column.name for column in block.columns),
            *(tuple(cell.strip() for cell in row) for row in block.rows),
        ]
        for block in blocks
        if isinstance(block, Table) and block.rows
    ]


def check_same(report: Report) -> tuple[Reader, Reader]:
    """The HTML and the Markdown of a report, read, once both say what it says."""
    html, markdown = read_html(render_html(report)), read_markdown(render_markdown(report))
    meant = grids(report)
    assert html.tables == meant
    assert markdown.tables == meant
    said = [cell for grid in html.tables for row in grid for cell in row]
    words = {word.strip("();,") for cell in said for word in cell.split()}
    for fraction, decimal in shares(report):
        assert {fraction, decimal} <= words
    for limits in intervals(report):
        assert set(limits) <= words
    return html, markdown


def test_every_number_of_the_small_study_is_in_every_form(report: Report) -> None:
    check_same(report)
    assert len(set(shares(report))) > 20


@given(studies())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_every_number_of_any_study_is_in_every_form(material: Material) -> None:
    check_same(build(material, version="0.0"))


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_outside_is_shown_and_means_nothing(text: str) -> None:
    page, parsed = check_same(build(hostile(text), version="0.0"))
    assert not {tag for tag, _ in page.tags} & {"script", "img", "b", "del"}
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    allowed = {
        *("h1", "h2", "h3", "p", "strong", "blockquote", "ul", "li"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert {tag for tag, _ in parsed.tags} <= allowed
    assert parsed.headings == page.headings


@pytest.mark.parametrize("text", HOSTILE)
def test_controls_and_overrides_never_reach_a_page(text: str) -> None:
    report = build(hostile(text), version="0.0")
    for form in (render_html(report), render_markdown(report)):
        assert not {"\x1b", "\x07", "\x00", "\u202e", "\r"} & set(form)


@given(st.text())
@example("__0__")
@example("a_b_c _d_ __e")
def test_escaped_markdown_reads_as_the_text_it_was(text: str) -> None:
    shown = display_text(text, one_line=True)
    page = read_markdown(f"| a |\n| --- |\n| {escape(shown)} |\n")
    assert " ".join(page.tables[0][1][0].split()) == " ".join(shown.split())


def test_the_same_report_gives_the_same_bytes(material: Material) -> None:
    one, two = (build(material, version="0.0") for _ in range(2))
    assert render_html(one) == render_html(two)
    assert render_markdown(one) == render_markdown(two)


# --- order --------------------------------------------------------------------------------------


def test_status_and_origin_come_before_any_table(material: Material) -> None:
    report = build(study(origin="scripted"), version="0.0")
    for form in (render_html(report), render_markdown(report)):
        first_table = min(i for i in (form.find("<table"), form.find("| ---")) if i >= 0)
        assert 0 < form.index("JUDGED") < first_table
        assert 0 < form.index("SCRIPTED LABELS") < first_table


def test_a_plan_prints_no_number_of_a_score_in_any_form() -> None:
    report = build(plan(), version="0.0")
    page = outline(report)
    assert page.table("per-query-5") is None
    for form in (render_html(report), render_markdown(report), terminal(report)):
        assert "PLAN ONLY" in form
        assert "0.00" not in form


# --- HTML ---------------------------------------------------------------------------------------


def test_the_page_loads_and_runs_nothing(report: Report) -> None:
    page = read_html(render_html(report))
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "form"}
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    assert links
    assert all(link and link.startswith("#") for link in links)
    assert "@import" not in render_html(report)


def test_the_page_can_be_read_without_seeing_it(report: Report) -> None:
    page = read_html(render_html(report))
    assert page.tags[0] == ("html", {"lang": "en"})
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    assert len(page.captions) == len(page.tables)
    assert all(page.captions)
    scopes = [attrs.get("scope") for tag, attrs in page.tags if tag == "th"]
    assert set(scopes) == {"col", "row"}
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


# --- terminal -----------------------------------------------------------------------------------


def terminal(report: Report, width: int = 80, **options: Any) -> str:
    file = io.StringIO()
    print_summary(report, Console(file=file, width=width, **options))
    return file.getvalue()


def test_the_terminal_shows_the_tables_in_order_within_80_columns(report: Report) -> None:
    shown = terminal(report)
    places = [
        shown.index(words)
        for words in (
            "Dated live-service evaluation, 30 November 2026",
            "P@2 per query",
            "P@5 per query",
            "Mean P@2 per family",
            "Mean P@5 per family",
            "Mean P@2 over the set",
            "Mean P@5 over the set",
            "Mean difference of P@k",
            "Agreement before adjudication",
        )
    ]
    assert places == sorted(places)
    assert max(len(line) for line in shown.splitlines()) <= 80
    for words in ("0.4667 to 0.60", "7/15 to 9/15", "0.8683", "0.40 to 0.80", "(timeout)"):
        assert words in shown


def test_the_terminal_needs_no_colour(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = terminal(report, force_terminal=True)
    assert "\x1b[3" not in shown
    assert "0.8683" in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_the_terminal_obeys_no_text(text: str) -> None:
    shown = terminal(build(hostile(text), version="0.0"))
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_a_query_with_a_value_that_is_not_in_the_mean_says_so() -> None:
    shown = terminal(build(study(failed_request="all_systems"), version="0.0"))
    assert "0.40 (not in mean)" in shown
