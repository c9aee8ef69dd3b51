from __future__ import annotations

import dataclasses

import msgspec

from judge.canonical import canonical
from judge.records.query import GoldPaper
from judge.records.report import Report
from judge.reports.build import build
from judge.reports.material import Material
from judge.reports.render.data import report_json
from tests.reports.declared import QUERIES
from tests.reports.studies import plan, report_of


def test_a_plan_holds_no_score_of_any_kind() -> None:
    report = build(plan(), version="0.0")
    assert report.head.status == "planned"
    assert report.head.banner == (
        "PLAN ONLY – no query has been run, no relevance judged, no score exists."
    )
    assert report.head.title == "Plan of an evaluation"
    assert report.precision.per_query == ()
    assert report.precision.means == ()
    assert report.recall.per_query == ()
    assert report.judging.agreement == ()
    assert report.conclusions == ()
    assert report.purpose.unacceptable[0].answer == "unanswered"
    assert b'"fraction"' not in report_json(report)
    assert {line.as_expected for line in report.behaviour} == {"not_tested"}


def test_the_limitations_are_always_there(report: Report) -> None:
    said = " ".join(report.limitations.always)
    for words in (
        "query set",
        "missed",
        "complete an index",
        "clinical suitability",
        "generated answer",
        "Relevance only. Support for a claim and fitness for use were not judged.",
        "Judged on abstracts.",
        "Outputs of 30 November 2026 are kept for audit of this run only",
    ):
        assert words in said


def test_gold_papers_never_touch_precision(report: Report) -> None:
    gold = tuple(
        msgspec.structs.replace(query, gold=(GoldPaper(pmid="1"),) if query.gold else ())
        for query in QUERIES
    )
    assert report_of(evaluation=gold).precision == report.precision


def test_report_json_holds_no_float_and_is_the_same_twice(material: Material) -> None:
    first = report_json(build(material, version="0.0"))
    second = report_json(build(dataclasses.replace(material), version="0.0"))
    assert first == second
    assert canonical(build(material, version="0.0"))
    assert msgspec.json.decode(first)["schema_version"] == 2
    assert msgspec.json.decode(first, type=Report) == build(material, version="0.0")
