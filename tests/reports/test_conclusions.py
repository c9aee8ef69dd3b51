"""Conclusions that a study cannot carry stop its report, all at once, with the rule."""

from __future__ import annotations

import pytest

from judge.errors import Refused
from judge.records.statement import Statement
from judge.reports.build import build
from tests.reports.studies import plan, report_of, study

ANSWERED = study().statement.answers


def said(*conclusions: str) -> Statement:
    return Statement(answers=ANSWERED, conclusions=conclusions)


def test_conclusions_that_say_what_was_measured_are_printed() -> None:
    told = said("Mode K had more relevant hits among five than mode S on q1.")
    assert report_of(statement=told).conclusions == told.conclusions


def test_all_that_say_too_much_are_told_at_once() -> None:
    with pytest.raises(Refused) as error:
        report_of(statement=said("A reproducible result.", "K proves the point.", "All is said."))
    assert error.value.message.splitlines() == [
        "2 sentences say more than this study can carry; no report was written",
        "  statement.toml: conclusions[1]: 'reproducible' in 'A reproducible result.'; the live "
        "index was not frozen: a dated live-service evaluation (R42)",
        "  statement.toml: conclusions[2]: 'proves' in 'K proves the point.'; relevance was "
        "judged: a match is no support for a conclusion of science (R48)",
    ]


def test_labels_written_in_advance_pass_nothing() -> None:
    with pytest.raises(Refused, match=r"'passed'.*\(R02\)"):
        build(study(origin="scripted", statement=said("Mode K passed.")), version="0")


def test_a_plan_prints_no_conclusion_and_may_claim_none() -> None:
    made = plan()
    assert build(made, version="0").conclusions == ()


def test_a_title_that_no_report_could_carry_is_refused() -> None:
    with pytest.raises(Refused, match=r"protocol.toml: title: 'Benchmark'.*\(R79\)"):
        report_of(title="Benchmark of two modes")
