"""The study at a glance: how much there is of what, each count with what it is a part of.

Counts alone: no mean stands before the values it is made of (R69).
"""

from __future__ import annotations

import dataclasses

from judge.records.report import Report
from judge.reports.render.blocks import Page, Table, Text, clean_block, columns


def with_glance(report: Report, page: Page) -> Page:
    """The page with the table below its banners; a plan has nothing to count."""
    rows = _rows(report)
    if report.head.status == "planned" or not rows:
        return page
    table = Table("glance", "At a glance", columns("What", "Count"), tuple(rows), "")
    banners = [block for block in page.lead if isinstance(block, Text)]
    rest = [block for block in page.lead if not isinstance(block, Text)]
    return dataclasses.replace(page, lead=(*banners, clean_block(table), *rest))


def _rows(report: Report) -> list[tuple[str, str]]:
    outcomes = report.failures.by_outcome
    made = sum(one.requests for one in outcomes)
    lists = sum(one.requests for one in outcomes if one.outcome in ("answered", "empty"))
    rows = [
        (
            "Evaluation queries and systems",
            f"{report.runs.frozen_queries} queries, {len(report.runs.systems)} systems",
        ),
        ("Requests that gave a list", f"{lists} of {made}"),
    ]
    for one in report.judging.agreement:
        rows.append(
            (
                f"Items that {one.first} and {one.second} both judged, freeze {one.freeze}",
                f"{one.both_judged} of {one.pooled}",
            )
        )
    settled = len(report.judging.settled)
    if differed := settled + report.judging.open_disagreements:
        rows.append(("Disagreements that were adjudicated", f"{settled} of {differed}"))
    deepest = max(report.precision.cutoffs, default=0)
    complete = [
        f"{one.system} {one.scored} of {one.scored + one.incomplete + one.excluded}"
        for one in report.precision.accounting
        if one.cutoff == deepest
    ]
    if complete:
        rows.append((f"Ordinary queries with a complete P@{deepest}", ", ".join(complete)))
    return rows
