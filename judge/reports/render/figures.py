"""Which figures stand on the page: each directly above the tables with its numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from judge.records.report import Report
from judge.reports.figures.agreement import drift, matrix
from judge.reports.figures.drawings import Chart
from judge.reports.figures.failures import categories, outcomes
from judge.reports.figures.means import comparisons, families, means
from judge.reports.figures.per_query import differences, per_query
from judge.reports.figures.stages import stages
from judge.reports.render.blocks import Block, Page, Table, Text, clean_block


def with_figures(report: Report, page: Page) -> Page:
    """The page with every figure above its table, or the sentence that says why it is not drawn.

    A table that is not on the page, or has no row, has no figure.
    """
    found = _figures(report)
    return dataclasses.replace(
        page,
        sections=tuple(
            dataclasses.replace(
                section,
                blocks=tuple(one for block in section.blocks for one in _above(block, found)),
            )
            for section in page.sections
        ),
    )


def _above(block: Block, found: Mapping[str, Sequence[Chart | str]]) -> Iterable[Block]:
    if isinstance(block, Table) and block.rows:
        for one in found.get(block.id, ()):
            yield clean_block(Text(one) if isinstance(one, str) else one)
    yield block


def _figures(report: Report) -> dict[str, Sequence[Chart | str]]:
    """Figures and sentences by the id of the first table below them."""
    precision = report.precision
    found: dict[str, Sequence[Chart | str]] = {"outcomes": outcomes(report.failures)}
    steps = [
        (
            step.name,
            step.total,
            "; ".join(
                f"{one.count} {one.name}" for one in step.parts if not one.goes_on and one.count
            ),
        )
        for step in report.flow.steps
    ]
    found["flow-table"] = stages(steps, "flow-table")
    automatic = {
        (row.category, row.system): row.automatic for row in report.failures.review.categories
    }
    found["failure-categories"] = categories(automatic, "failure-categories")
    for number, one in enumerate(report.judging.agreement, 1):
        found[f"counts-{number}"] = matrix(one, number)
        found[f"drift-{number}"] = drift(one, number)
    if precision.absent_reason:
        return found
    for k in precision.cutoffs:
        found[f"per-query-{k}"] = per_query(precision, k)
        found[f"per-family-{k}"] = families(precision, k)
    found[f"means-{precision.cutoffs[0]}"] = means(precision)
    found["differences"] = differences(report.comparison)
    found["comparisons"] = comparisons(report.comparison)
    return found
