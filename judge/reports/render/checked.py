"""Records at their sources, on the page: counts of verdicts, and every notice with its evidence."""

from __future__ import annotations

from judge.records.checked import Checked
from judge.reports.render.blocks import Block, Section, Table, Text, columns

_SOURCES = {
    "pubmed": "PubMed",
    "europepmc": "Europe PMC",
    "crossref": "Crossref",
    "openalex": "OpenAlex",
}
_QUESTIONS = {
    "retraction": "retraction",
    "concern": "expression of concern",
    "correction": "correction",
    "preprint": "preprint",
    "type": "publication type stated",
    "updated": "update date stated",
}


def checked(part: Checked) -> list[Section]:
    """The section; one sentence where nothing was checked."""
    blocks: list[Block] = [Text(part.summary)]
    if part.counts:
        blocks += [_counts(part), _flagged(part)]
    return [Section("sources", "Records at their sources", 3, tuple(blocks))]


def _counts(part: Checked) -> Table:
    return Table(
        "source-verdicts",
        "Verdicts by source; none of them is credited to a search service",
        columns("Source", "Question", "#Yes", "#No signal", "#Not found", "#Not checked", "#Error"),
        tuple(
            (
                _SOURCES[one.source],
                _QUESTIONS[one.question],
                str(one.yes),
                str(one.no_signal),
                str(one.not_found),
                str(one.not_checked),
                str(one.error),
            )
            for one in part.counts
        ),
        "None.",
    )


def _flagged(part: Checked) -> Table:
    return Table(
        "source-flags",
        "Records that a source says are retracted, of concern or corrected",
        columns("Record", "Notice", "Source", "In its words", "Asked (UTC)", "Reply (SHA-256)"),
        tuple(
            (
                one.record_id,
                _QUESTIONS[one.question],
                _SOURCES[one.source],
                "; ".join(one.signals) or "–",
                one.at_utc,
                one.body[:12],
            )
            for one in part.flagged
        ),
        "No source says so of any record.",
    )
