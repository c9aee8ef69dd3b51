"""How far a study has come, as its report must say it."""

from __future__ import annotations

from judge.judgements.life import to_settle
from judge.records.judgement import JUDGEMENTS
from judge.records.report import Status
from judge.reports.material import Material
from judge.reports.standing import scored_runs

_OUTSTANDING = {"unjudged", "one_label"}
"""States in which an assessor still has work to do."""

PLAN_ONLY = "PLAN ONLY – no query has been run, no relevance judged, no score exists."
LABELS_CLOSED = (
    "Labels stay closed until both assessors have handed in and their first labels are frozen "
    "(R51); no label, agreement or score is shown before."
)


def any_label(material: Material) -> bool:
    """Whether any open label of the pool exists."""
    return not material.closed and any(
        item.labels or item.final is not None for item in material.items
    )


def status_of(material: Material) -> Status:
    """How far the scored round has come (R01).

    ``closed`` means that nobody has a label or a decision left to give; items that could not be
    judged may remain, and stay gaps.
    """
    if not scored_runs(material):
        return "planned"
    if material.closed:
        return "judging"
    if not any_label(material):
        return "captured"
    waiting = any(item.state in _OUTSTANDING or to_settle(item) for item in material.items)
    return "adjudicating" if waiting else "closed"


def banner(material: Material, status: Status) -> str:
    """The status as the sentence at the top of the report."""
    if status == "planned":
        return PLAN_ONLY
    if status == "captured":
        return "RUNS CAPTURED – no relevance has been judged yet, and no score exists."
    if status == "judging":
        return f"JUDGING – {LABELS_CLOSED}"
    without = sum(item.final not in JUDGEMENTS for item in material.items)
    pool = f"pooled items without a final judgement: {without} of {len(material.items)}"
    if status == "adjudicating":
        return f"INTERIM – judging is not finished; {pool}, shown as bounds."
    if without:
        return f"JUDGED – every disagreement is settled; {pool}, shown as bounds."
    return "JUDGED – every pooled item has a final judgement."
