"""The order of the report: one `Report` into one `Page`, which every form prints."""

from __future__ import annotations

from judge.records.report import Report
from judge.reports.render import closing, front, middle, results
from judge.reports.render.blinding import blinding
from judge.reports.render.blocks import Page, clean
from judge.reports.render.checked import checked
from judge.reports.render.comparison import comparison
from judge.reports.render.cut import cut
from judge.reports.render.figures import with_figures
from judge.reports.render.flow import flow
from judge.reports.render.glance import with_glance
from judge.reports.render.recall import recall
from judge.reports.render.sensitivity import sensitivity


def outline(report: Report) -> Page:
    """The page of ``report``, every text safe to show, figures above tables."""
    return with_figures(report, with_glance(report, _words(report)))


def _words(report: Report) -> Page:
    """The page without its figures. Section order is fixed (R69): that of the record's fields."""
    return clean(
        Page(
            title=report.head.title,
            lead=front.lead(report.head, report.tool),
            sections=(
                *front.purpose(report.purpose),
                *front.rules(report.rules),
                *flow(report.flow),
                *front.runs(report.runs),
                *cut(report.cut),
                *middle.claims(report.claims),
                *middle.failures(report.failures),
                *checked(report.sources),
                *middle.behaviour(report.behaviour),
                *blinding(report.blinding),
                *middle.judging(report.judging),
                *results.precision(report.precision),
                *comparison(report.comparison),
                *sensitivity(report.sensitivity),
                *closing.criteria(report.criteria),
                *recall(report.recall),
                *closing.closing(report),
            ),
        )
    )
