"""What became of labels, in the report: settlements, versions apart, one work with two labels."""

from __future__ import annotations

import msgspec

from judge.protocol.rubric import Rubrics
from judge.records.judgement import FrozenPair
from judge.records.protocol import RubricChange
from judge.records.report import Report
from judge.records.run import Document
from judge.reports.life import by_version
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from tests.reports.studies import report_of, study

CLARIFYING, EDITORIAL = RubricChange(kind="clarifying"), RubricChange(kind="editorial")


def pair(record: str, **versions: str) -> FrozenPair:
    labels = dict.fromkeys(versions, "relevant")
    return FrozenPair(query_id="q1", record_id=record, labels=labels, versions=versions)


def test_versions_are_apart_and_editorial_ones_are_none() -> None:
    history = Rubrics(("1", "2", "3"), (EDITORIAL, CLARIFYING))
    pairs = [
        pair("a", A="1", B="1"),
        pair("b", A="1", B="2"),
        pair("c", A="3", B="3"),
        pair("d", A="2", B="3"),
        pair("e"),
    ]
    apart, mixed = by_version(pairs, ("A", "B"), history)
    found = {version: [one.record_id for one in own] for version, own in apart.items()}
    assert found == {"1": ["a", "b"], "3": ["c", "e"]}
    assert mixed == 1


def test_settlements_are_counted_by_whom_they_upheld(report: Report) -> None:
    life = report.judging.life
    assert life is not None
    # One disagreement: A relevant, B not relevant; D blind uncertain, then not relevant.
    assert {row.name: row.text for row in life.settling} == {
        "adjudicator's blind label differs from the decision": "1 of 1",
        "A upheld": "0 of 1",
        "B upheld": "1 of 1",
        "'the rubric has a gap here'": "0 of 1",
    }
    assert [(one.name, one.count) for one in life.states] == [
        ("agree", 13),
        ("split_access", 1),
        ("both_cannot_judge", 1),
        ("adjudicated", 1),
    ]
    assert (life.steps, life.versions, life.revised, life.twins) == ((), (), 0, ())
    assert [one.standing for one in life.freezes] == ["current"]


def test_while_labels_are_closed_nothing_of_their_life_is_said() -> None:
    assert report_of(agreement=(), closed=True).judging.life is None


def documents(**changes: dict[str, str]) -> dict[str, Document]:
    found = dict(study().documents)
    for number, fields in changes.items():
        key = f"pmid:{number.removeprefix('p')}"
        found[key] = msgspec.structs.replace(found[key], **fields)
    return found


def lines(found: dict[str, Document]) -> list[tuple[str, str, str, str]]:
    life = report_of(documents=found).judging.life
    assert life is not None
    return [(one.first, one.second, one.because, one.labels) for one in life.twins]


def test_a_preprint_and_its_article_with_different_labels_are_listed() -> None:
    # 4 is relevant to both assessors, 5 to neither.
    told = "A: relevant / not_relevant; B: relevant / not_relevant; final: relevant / not_relevant"
    assert lines(documents(p4={"preprint_of": "pmid:5"})) == [
        ("pmid:4", "pmid:5", "preprint and article", told)
    ]
    doi = documents(p4={"doi": "10.5555/ABC"}, p5={"doi": "https://doi.org/10.5555/abc"})
    assert lines(doi) == [("pmid:4", "pmid:5", "same DOI", told)]
    title = documents(
        p4={"title": "Aspirin after a stroke: a trial"},
        p5={"title": "Aspirin after a Stroke - a trial."},
    )
    assert lines(title) == [("pmid:4", "pmid:5", "same title", told)]


def test_equal_labels_other_needs_and_short_titles_are_not_listed() -> None:
    assert lines(documents(p3={"doi": "10.5555/x"}, p4={"doi": "10.5555/x"})) == []
    assert lines(documents(p4={"doi": "10.5555/x"}, p13={"doi": "10.5555/x"})) == []
    assert lines(documents(p4={"title": "Editorial"}, p5={"title": "Editorial"})) == []


def test_all_forms_carry_it() -> None:
    report = report_of(documents=documents(p4={"preprint_of": "pmid:5"}))
    for text in (render_markdown(report), render_html(report)):
        assert "What became of labels" in text
        assert "preprint and article" in text
        assert "upheld" in text
