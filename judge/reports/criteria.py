"""Acceptance criteria: each with its reason and its verdict, from a mean or from the team (R80).

The tool ships no threshold. A criterion that names one is met only where the lower bound of the
mean reaches it, and not met only where the upper bound stays below; between the two nobody can
tell. Whatever else a criterion says, the team answers in its own words.
"""

from __future__ import annotations

from fractions import Fraction

from judge.errors import Invalid, Problem
from judge.protocol.lint import share_of
from judge.records.closing import CriteriaSection, CriterionRow, ToldBy, Verdict
from judge.records.measured import Figure, MeanRow, PrecisionSection
from judge.records.protocol import Criterion, Frozen, Threshold
from judge.records.report import Status
from judge.records.statement import CriterionAnswer
from judge.reports.material import Material
from judge.reports.numbers import share

NOTE = (
    "Declared by the team before the first run, each with its reason; the tool ships none. A "
    "criterion with a threshold is met where the lower bound of its mean reaches it, not met "
    "where the upper bound stays below it, and cannot be told otherwise; every other verdict is "
    "the team's own."
)
FILE = "reports/statement.toml"


def criteria_section(
    material: Material,
    declared: Frozen,
    status: Status,
    absent: str,
    precision: PrecisionSection,
) -> CriteriaSection:
    """Every criterion of the protocol in force; with ``absent`` (why there is no score) no verdict.

    ``declared`` is the protocol as frozen: what differs from it came later.

    Raises `Invalid` for an answer to a criterion that nobody declared, a criterion answered
    twice, and, once judging is closed, an answer that the mean contradicts.
    """
    answers = {one.code: one for one in material.statement.criteria}
    rows = tuple(
        _row(one, declared, material, "" if absent else status, answers.get(one.code), precision)
        for one in material.frozen.protocol.criteria
    )
    problems = [*_unknown(material), *(_contradicted(rows, answers) if status == "closed" else [])]
    if problems:
        raise Invalid(f"{FILE} answers acceptance criteria that it cannot", problems)
    return CriteriaSection(absent_reason=absent if rows else "", note=NOTE, rows=rows)


def verdict(figure: Figure | None, at_least: Fraction) -> Verdict:
    """What a mean, or its bounds, says of a threshold."""
    if figure is None or figure.lower is None or figure.upper is None:
        return "cannot_be_told"
    if Fraction(figure.lower.fraction) >= at_least:
        return "met"
    return "not_met" if Fraction(figure.upper.fraction) < at_least else "cannot_be_told"


def _row(
    one: Criterion,
    declared: Frozen,
    material: Material,
    status: str,
    answer: CriterionAnswer | None,
    precision: PrecisionSection,
) -> CriterionRow:
    """``status`` is empty where no verdict may be given yet."""
    threshold = one.threshold
    figure = None if threshold is None or not status else _figure(threshold, precision)
    told: tuple[Verdict, ToldBy] = ("unanswered", "nobody")
    if status and threshold is not None:
        told = (verdict(figure, _least(threshold)), "mean")
    elif status and answer is not None:
        told = (answer.met, "team")
    least = None if threshold is None else _least(threshold)
    return CriterionRow(
        code=one.code,
        text=one.text,
        reason=one.reason,
        post_hoc=one not in declared.protocol.criteria
        and any(
            change.target.startswith("protocol.criteria") and change.seen != "nothing_run"
            for change in material.amendments
        ),
        verdict=told[0],
        told_by=told[1],
        measured="" if threshold is None else _measured(threshold),
        at_least=None if least is None else share(least.numerator, least.denominator),
        figure=figure,
        remark=answer.text if answer is not None and status else "",
    )


def _measured(threshold: Threshold) -> str:
    over = f"family {threshold.family}" if threshold.family else "all ordinary queries"
    return f"mean P@{threshold.cutoff} of {threshold.system}, {over}"


def _least(threshold: Threshold) -> Fraction:
    found = share_of(threshold.at_least)
    if found is None:
        raise Invalid(f"criteria: at_least is {threshold.at_least!r}, which is no share as 3/5")
    return found


def _figure(threshold: Threshold, precision: PrecisionSection) -> Figure | None:
    rows: tuple[MeanRow, ...] = precision.per_family if threshold.family else precision.means
    return next(
        (
            row.figure
            for row in rows
            if (row.over, row.family, row.system, row.cutoff)
            == ("queries", threshold.family, threshold.system, threshold.cutoff)
        ),
        None,
    )


def _unknown(material: Material) -> list[Problem]:
    declared = [one.code for one in material.frozen.protocol.criteria]
    answered = [one.code for one in material.statement.criteria]
    return [
        *(
            Problem(f"{FILE}: criteria", repr(code), "not declared in the protocol")
            for code in answered
            if code not in declared
        ),
        *(
            Problem(f"{FILE}: criteria", f"{code!r} is answered twice", "one answer for each")
            for code in dict.fromkeys(answered)
            if answered.count(code) > 1
        ),
    ]


def _contradicted(
    rows: tuple[CriterionRow, ...], answers: dict[str, CriterionAnswer]
) -> list[Problem]:
    return [
        Problem(
            f"{FILE}: criteria {row.code!r}",
            f"met = {answers[row.code].met!r}",
            f"{row.verdict!r}, which the mean says",
        )
        for row in rows
        if row.told_by == "mean" and row.code in answers and answers[row.code].met != row.verdict
    ]
