"""The order of the report: one `Report` into one `Page`, which every form prints."""

from __future__ import annotations

from judge.records.report import Report
from judge.reports.render import front, middle, results
from judge.reports.render.blocks import Page, clean
from judge.reports.render.comparison import comparison
from judge.reports.render.flow import flow
from judge.reports.render.recall import recall


def outline(report: Report) -> Page:
    """The page of ``report``, every text safe to show. Section order is fixed (R69)."""
    return clean(
        Page(
            title=report.head.title,
            lead=front.lead(report.head, report.tool),
            sections=(
                *front.purpose(report.purpose),
                *front.rules(report.rules),
                *flow(report.flow),
                *front.runs(report.runs),
                *middle.failures(report.failures),
                *middle.judging(report.judging),
                *results.precision(report.precision),
                *comparison(report.comparison),
                *recall(report.recall),
                *results.closing(report),
            ),
        )
    )
