"""Records at their sources in the report: every verdict counted, every notice with its evidence."""

from __future__ import annotations

from typing import Any, get_args

from judge.records.source import SourceCheck, SourceName, SourceSays, Verdict
from judge.reports.build import build
from judge.reports.checked import NOT_CHECKED, checked_section
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.outline import outline
from tests.reports.studies import LABELS, study

AT = "2026-12-01T08:00:00Z"


def says(source: SourceName, retraction: Verdict, **more: Any) -> SourceSays:
    plain = dict.fromkeys(("correction", "concern", "preprint"), retraction)
    asked = retraction != "not_checked"
    return SourceSays(
        source=source,
        retraction=retraction,
        at_utc=AT if asked else None,
        body="ab" * 32 if asked else None,
        **{**plain, **more},
    )


def check(pmid: str, *said: SourceSays) -> SourceCheck:
    asked = {one.source for one in said}
    others = (says(one, "not_checked") for one in get_args(SourceName) if one not in asked)
    return SourceCheck(record_id=f"pmid:{pmid}", number=1, says=(*said, *others), document=None)


CHECKS = {
    one.record_id: one
    for one in (
        check(
            "11",
            says("pubmed", "yes", correction="no_signal", concern="no_signal",
                 preprint="no_signal", signals=("RetractionIn: 999",),
                 types=("Retracted Publication",), updated="2026-01-02"),
            says("openalex", "no_signal", types=("article",)),
        ),
        check(
            "12",
            says("pubmed", "no_signal", concern="yes", signals=("ExpressionOfConcernIn: 998",)),
            says("crossref", "not_found"),
        ),
        check("13", says("pubmed", "error"), says("crossref", "no_signal", correction="yes")),
        check("999", says("pubmed", "yes")),  # not in the pool: of no list that is judged
    )
}  # fmt: skip
POOLED = len({pmid for _, pmid in LABELS})


def counted() -> dict[tuple[str, str], tuple[int, ...]]:
    """By source and question: yes, no signal, not found, not checked, error."""
    return {
        (one.source, one.question): (
            one.yes, one.no_signal, one.not_found, one.not_checked, one.error,
        )
        for one in checked_section(study(checks=CHECKS)).counts
    }  # fmt: skip


def test_every_verdict_is_counted_apart_and_an_error_is_no_signal_of_nothing() -> None:
    counts = counted()
    assert counts["pubmed", "retraction"] == (1, 1, 0, 0, 1)
    assert counts["pubmed", "concern"] == (1, 1, 0, 0, 1)
    assert counts["pubmed", "correction"] == (0, 2, 0, 0, 1)
    assert counts["pubmed", "type"] == (1, 1, 0, 0, 1)
    assert counts["pubmed", "updated"] == (1, 1, 0, 0, 1)
    assert counts["crossref", "retraction"] == (0, 1, 1, 1, 0)
    assert counts["crossref", "correction"] == (1, 0, 1, 1, 0)
    assert counts["openalex", "type"] == (1, 0, 0, 2, 0)
    assert counts["europepmc", "preprint"] == (0, 0, 0, 3, 0)
    assert {sum(one) for one in counts.values()} == {3}


def test_every_yes_of_a_notice_is_listed_with_its_source_date_and_digest() -> None:
    part = checked_section(study(checks=CHECKS))
    assert [(one.record_id, one.question, one.source) for one in part.flagged] == [
        ("pmid:11", "retraction", "pubmed"),
        ("pmid:12", "concern", "pubmed"),
        ("pmid:13", "correction", "crossref"),
    ]
    assert {(one.at_utc, one.body) for one in part.flagged} == {(AT, "ab" * 32)}
    assert part.flagged[0].signals == ("RetractionIn: 999",)
    assert part.summary == (
        f"Checked at their sources: 3 of {POOLED} records, from {AT} to {AT}; the other "
        f"{POOLED - 3} were not checked. By at least one source: 1 with a retraction, 1 with a "
        "concern, 1 with a correction. A record without a signal is not thereby free of one."
    )


def test_every_form_holds_the_counts_and_the_list() -> None:
    report = build(study(checks=CHECKS), version="0")
    page = outline(report)
    verdicts, flags = page.table("source-verdicts"), page.table("source-flags")
    assert verdicts is not None
    assert flags is not None
    assert verdicts.rows[0] == ("PubMed", "retraction", "1", "1", "0", "0", "1")
    assert flags.rows[0][:4] == ("pmid:11", "retraction", "PubMed", "RetractionIn: 999")
    for text in (render_html(report), render_markdown(report), report_json(report).decode()):
        assert "ExpressionOfConcernIn: 998" in text
        assert "abababababab" in text


def test_a_study_that_never_checked_says_so_and_prints_no_table() -> None:
    report = build(study(), version="0")
    assert report.sources.summary == NOT_CHECKED
    assert (report.sources.counts, report.sources.flagged) == ((), ())
    page = outline(report)
    assert page.table("source-verdicts") is None
    assert NOT_CHECKED in render_html(report)
    assert NOT_CHECKED in render_markdown(report)
