"""Acceptance criteria and their verdicts on the small study (R80).

Means at k = 5 as worked in `studies.py`: K over q1, q2, q4 is between 7/15 and 9/15; S over q1, q2,
q3 between 2/15 and 3/15; family fb at K is 2/5 alone.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from judge.errors import Invalid, Refused
from judge.records.closing import CriteriaSection, CriterionRow
from judge.records.measured import Figure, Share
from judge.records.protocol import Amendment, Criterion, Threshold
from judge.records.statement import CriterionAnswer, FailureAnswer, Statement
from judge.reports.build import build
from judge.reports.criteria import verdict
from judge.reports.render.markdown import render_markdown
from tests.reports.studies import plan, report_of, study

WORDS = Criterion(code="w", text="Usable for the desk", reason="The desk reads five")


def least(at_least: str, **changes: Any) -> Criterion:
    threshold = Threshold(measure="precision_at_k", system="K", cutoff=5, at_least=at_least)
    return Criterion(
        code="t",
        text="Enough of the first five",
        reason="Five are read",
        threshold=msgspec.structs.replace(threshold, **changes),
    )


def said(*criteria: CriterionAnswer) -> Statement:
    answers = (FailureAnswer(code="wrong-gene", answer="not_seen"),)
    return Statement(answers=answers, criteria=criteria)


def section(*criteria: Criterion, statement: Statement | None = None) -> CriteriaSection:
    return report_of(criteria=criteria, statement=statement or said()).criteria


def row(criterion: Criterion, statement: Statement | None = None) -> CriterionRow:
    (found,) = section(criterion, statement=statement).rows
    return found


@pytest.mark.parametrize(
    ("at_least", "meant"),
    [
        ("7/15", "met"),  # the lower bound itself
        ("2/5", "met"),
        ("8/15", "cannot_be_told"),
        ("9/15", "cannot_be_told"),  # the upper bound itself: it may yet be reached
        ("61/100", "not_met"),
        ("1", "not_met"),
        ("0", "met"),
    ],
)
def test_a_threshold_is_met_only_by_the_lower_and_missed_only_by_the_upper_bound(
    at_least: str, meant: str
) -> None:
    found = row(least(at_least))
    assert (found.verdict, found.told_by) == (meant, "mean")
    assert found.figure is not None
    assert found.figure.cell == "– (between 0.4667 and 0.60)"
    assert found.at_least is not None
    assert Fraction(found.at_least.fraction) == Fraction(at_least)


def test_a_threshold_speaks_of_one_system_cutoff_and_family() -> None:
    of_s = row(least("1/4", system="S"))
    assert (of_s.verdict, of_s.measured) == ("not_met", "mean P@5 of S, all ordinary queries")
    of_family = row(least("2/5", family="fb"))
    assert (of_family.verdict, of_family.measured) == ("met", "mean P@5 of K, family fb")
    assert row(least("41/100", family="fb")).verdict == "not_met"


@pytest.mark.parametrize("family", ["", "fb"])
def test_without_a_mean_nothing_can_be_told(family: str) -> None:
    runs = tuple(
        msgspec.structs.replace(run, outcome="timeout", raw_results=None)
        if run.system == "K"
        else run
        for run in study().runs
    )
    report = report_of(criteria=(least("0", family=family),), statement=said(), runs=runs)
    assert report.criteria.rows[0].verdict == "cannot_be_told"


def test_a_threshold_at_a_single_number() -> None:
    half = Share(fraction="1/2", decimal="0.50")
    figure = Figure(cell="0.50", lower=half, upper=half)
    assert verdict(figure, Fraction(1, 2)) == "met"
    assert verdict(figure, Fraction(51, 100)) == "not_met"
    assert verdict(None, Fraction(0)) == "cannot_be_told"


def test_the_team_answers_what_no_mean_decides() -> None:
    found = row(WORDS, said(CriterionAnswer(code="w", met="not_met", text="q2 was of no use")))
    assert (found.verdict, found.told_by, found.remark) == ("not_met", "team", "q2 was of no use")
    assert (found.at_least, found.figure, found.measured) == (None, None, "")


def test_what_nobody_answered_is_printed_as_unanswered() -> None:
    report = report_of(criteria=(WORDS,), statement=said())
    assert report.criteria.rows[0].verdict == "unanswered"
    assert "| w | Usable for the desk | The desk reads five | – | unanswered | – |" in (
        render_markdown(report)
    )


def test_without_a_criterion_the_report_says_that_the_tool_ships_none() -> None:
    assert section().rows == ()
    assert "No acceptance criterion is declared; the tool ships none." in render_markdown(
        report_of(statement=said())
    )


def test_every_wrong_answer_is_named_at_once() -> None:
    answers = (
        CriterionAnswer(code="nobody", met="met"),
        CriterionAnswer(code="w", met="met"),
        CriterionAnswer(code="w", met="not_met"),
        CriterionAnswer(code="t", met="met"),
    )
    with pytest.raises(Invalid) as error:
        section(WORDS, least("1"), statement=said(*answers))
    told = "\n".join(error.value.lines())
    assert "'nobody'; not declared in the protocol" in told
    assert "'w' is answered twice" in told
    assert "criteria 't': met = 'met'; 'not_met', which the mean says" in told


def test_a_plan_gives_no_verdict_whatever_the_statement_says() -> None:
    material = plan()
    protocol = msgspec.structs.replace(
        material.frozen.protocol, criteria=(WORDS, least("1/2", cutoff=5))
    )
    material = study(
        **{name: getattr(material, name) for name in ("runs", "documents", "pool", "items")},
        **{name: getattr(material, name) for name in ("deals", "agreement", "coded")},
        criteria=protocol.criteria,
        statement=said(CriterionAnswer(code="w", met="met", text="It will do")),
    )
    found = build(material, version="0.0").criteria
    assert found.absent_reason.startswith("PLAN ONLY")
    assert {(one.verdict, one.told_by, one.remark) for one in found.rows} == {
        ("unanswered", "nobody", "")
    }
    assert all(one.figure is None for one in found.rows)


def test_a_criterion_that_came_after_runs_is_post_hoc() -> None:
    later = Amendment(
        number=1,
        at_utc="2026-12-01T00:00:00Z",
        author="R",
        reason="Forgotten",
        seen="results_seen",
        target="protocol.criteria",
        before="[]",
        after='[{"code":"w","text":"Usable for the desk","reason":"The desk reads five"},'
        '{"code":"v","text":"More","reason":"More"}]',
    )
    found = report_of(criteria=(WORDS,), statement=said(), amendments=(later,)).criteria.rows
    assert [(one.code, one.post_hoc) for one in found] == [("w", False), ("v", True)]
    early = msgspec.structs.replace(later, seen="nothing_run")
    found = report_of(criteria=(WORDS,), statement=said(), amendments=(early,)).criteria.rows
    assert [one.post_hoc for one in found] == [False, False]


def test_an_answer_may_not_say_more_than_was_measured() -> None:
    answer = CriterionAnswer(code="w", met="met", text="This proves that K is right.")
    with pytest.raises(Refused, match="criteria 'w'"):
        section(WORDS, statement=said(answer))


def test_a_criterion_in_words_keeps_the_bytes_it_was_frozen_with() -> None:
    assert msgspec.json.encode(WORDS) == (
        b'{"code":"w","text":"Usable for the desk","reason":"The desk reads five"}'
    )
