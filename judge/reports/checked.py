"""Records checked at their sources: every verdict counted by source, every notice listed.

None of it is a service's own doing (R37): a source that knows of a retraction says nothing of
what a search service exposed.
"""

from __future__ import annotations

from collections import Counter
from typing import get_args

from judge.records.checked import Checked, FlaggedRecord, VerdictCount
from judge.records.source import SourceCheck, SourceName, SourceSays, Verdict
from judge.reports.material import Material

NOT_CHECKED = "Not checked: no record was looked up at PubMed, Crossref or OpenAlex."
QUESTIONS = ("retraction", "concern", "correction", "preprint", "type", "updated")
_FLAGS = QUESTIONS[:3]


def checked_section(material: Material) -> Checked:
    """The newest check of every pooled record, or before pooling of every record checked (R36)."""
    pooled = tuple(dict.fromkeys(one.record_id for one in material.pool))
    records = pooled or tuple(sorted(material.checks))
    checks = [material.checks[one] for one in records if one in material.checks]
    if not checks:
        return Checked(summary=NOT_CHECKED)
    flagged = tuple(_flagged(checks))
    return Checked(
        summary=_summary(checks, len(records), flagged),
        counts=tuple(
            _count(source, question, checks)
            for source in get_args(SourceName)
            for question in QUESTIONS
        ),
        flagged=flagged,
    )


def verdict(said: SourceSays, question: str) -> Verdict:
    """What a source says on a question. A type and a date are ``yes`` where it states them."""
    if question == "retraction":
        return said.retraction
    if question == "concern":
        return said.concern
    if question == "correction":
        return said.correction
    if question == "preprint":
        return said.preprint
    if said.retraction in ("not_found", "not_checked", "error"):
        return said.retraction
    stated = said.types if question == "type" else said.updated
    return "yes" if stated else "no_signal"


def _count(source: SourceName, question: str, checks: list[SourceCheck]) -> VerdictCount:
    counts: Counter[Verdict] = Counter()
    for check in checks:
        said = next((one for one in check.says if one.source == source), None)
        counts["not_checked" if said is None else verdict(said, question)] += 1
    return VerdictCount(
        source=source,
        question=question,
        yes=counts["yes"],
        no_signal=counts["no_signal"],
        not_found=counts["not_found"],
        not_checked=counts["not_checked"],
        error=counts["error"],
    )


def _flagged(checks: list[SourceCheck]) -> list[FlaggedRecord]:
    return [
        FlaggedRecord(
            record_id=check.record_id,
            question=question,
            source=said.source,
            signals=said.signals,
            at_utc=said.at_utc or "unavailable",
            body=said.body or "unavailable",
        )
        for question in _FLAGS
        for check in checks
        for said in check.says
        if verdict(said, question) == "yes"
    ]


def _summary(checks: list[SourceCheck], records: int, flagged: tuple[FlaggedRecord, ...]) -> str:
    moments = sorted(said.at_utc for check in checks for said in check.says if said.at_utc)
    when = f", from {moments[0]} to {moments[-1]}" if moments else ""
    parts = ", ".join(
        f"{len({one.record_id for one in flagged if one.question == question})} with a {question}"
        for question in _FLAGS
    )
    left = records - len(checks)
    rest = f"; the other {left} were not checked" if left else ""
    return (
        f"Checked at their sources: {len(checks)} of {records} records{when}{rest}. "
        f"By at least one source: {parts}. "
        "A record without a signal is not thereby free of one."
    )
