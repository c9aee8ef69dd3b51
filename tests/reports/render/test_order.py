"""The fixed order of a report, in the record, in JSON, in Markdown and in HTML (R69)."""

from __future__ import annotations

import json
from itertools import pairwise

import msgspec

from judge.records.report import Report
from judge.reports.build import build
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.outline import outline
from tests.reports.render.pages import read_html, read_markdown
from tests.reports.studies import plan

# Every heading of level 2 with the field of `report.json` that it prints, in the order agreed on.
SECTIONS = {
    "purpose": "What this evaluation is for",
    "rules": "Protocol",
    "flow": "From queries to final labels",
    "runs": "Systems and run records",
    "claims": "Documented claims and observed behaviour",
    "failures": "Failures and data problems",
    "blinding": "Blinding",
    "judging": "Judging",
    "precision": "Precision at fixed depth",
    "comparison": "Comparing systems",
    "sensitivity": "Sensitivity",
    "criteria": "Acceptance criteria",
    "recall": "Recall against gold papers",
    "conclusions": "What the team concludes",
    "limitations": "Limitations",
    "left_out": "What was left out and why",
    "verify": "How to check this report",
}
# Fields that are printed below one of those headings, or nowhere as a section of their own.
UNDER = {
    "runs": ["cut"],
    "failures": ["sources", "behaviour"],
    "left_out": ["computation"],
}
IN_FRONT = ["schema_version", "tool", "head"]


def test_headings_stand_in_the_same_order_in_markdown_and_html(report: Report) -> None:
    for page in (read_html(render_html(report)), read_markdown(render_markdown(report))):
        headings = [words for level, words in page.headings if level == 2]
        assert headings == list(SECTIONS.values())


def test_a_plan_has_the_same_headings_in_the_same_order() -> None:
    page = read_html(render_html(build(plan(), version="0.0")))
    assert [words for level, words in page.headings if level == 2] == list(SECTIONS.values())


def test_fields_of_the_record_and_of_json_stand_in_the_order_of_the_sections(
    report: Report,
) -> None:
    meant = [*IN_FRONT, *(one for field in SECTIONS for one in (field, *UNDER.get(field, [])))]
    assert list(Report.__struct_fields__) == meant
    assert list(json.loads(report_json(report))) == meant


def test_the_parts_of_each_section_stand_in_the_fixed_order(report: Report) -> None:
    ids = [section.id for section in outline(report).sections]
    assert ids == [
        *("purpose", "protocol", "flow", "runs", "translations", "cut-off", "claims"),
        *("failures", "failure-review", "sources", "behaviour"),
        *("blinding", "leak-audit", "residual"),
        *("judging", "agreement", "settled", "life", "gaps"),
        *("precision", "per-query", "per-family", "means", "account"),
        *("comparison", "order"),
        *("sensitivity", "bounds", "duplicates", "labellings", "over-returned"),
        *("acceptance", "recall", "recall-differences", "recall-published"),
        *("conclusions", "limitations", "limitations-here", "left-out", "verify"),
    ]


def test_blinding_stands_before_agreement_and_single_queries_before_any_average(
    report: Report,
) -> None:
    for form in (render_html(report), render_markdown(report)):
        places = [
            form.index(words)
            for words in (
                "How well content alone tells the system",
                "Agreement before adjudication",
                "By query: P@5",
                "Mean by family: P@5",
                "Mean over the set: P@5",
                "Mean difference of P@k",
                "sensitivity: duplicates collapsed",
                "Criteria, reasons and verdicts",
                "gold papers found ÷ gold papers",
                "Limitations</h2>" if "<html" in form else "## Limitations",
            )
        ]
        assert all(before < after for before, after in pairwise(places)), places


def test_json_is_read_back_as_the_very_same_report(report: Report) -> None:
    assert msgspec.json.decode(report_json(report), type=Report, strict=True) == report
