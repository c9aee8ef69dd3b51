from __future__ import annotations

from typing import Any

import msgspec
import pytest

from judge.errors import Invalid, Refused
from judge.records.protocol import Amendment, People
from judge.records.report import Report
from judge.records.statement import FailureAnswer, Statement
from judge.reports.render.markdown import render_markdown
from tests.reports.declared import protocol
from tests.reports.studies import report_of, study


def amendment(target: str, after: str, seen: Any = "results_seen") -> Amendment:
    return Amendment(
        number=1,
        at_utc="2026-12-01T00:00:00Z",
        author="R",
        reason="A slip",
        seen=seen,
        target=target,
        before="null",
        after=after,
    )


def test_a_live_service_is_a_dated_evaluation(report: Report) -> None:
    assert report.head.title == "Dated live-service evaluation, 30 November 2026"
    assert report.head.kind == "dated_live_service"


def test_the_title_has_the_day_of_the_last_retrieval() -> None:
    runs = list(study().runs)
    runs[0] = msgspec.structs.replace(runs[0], retrieved_at_utc="2026-12-01T00:00:00Z")
    runs[1] = msgspec.structs.replace(runs[1], retrieved_at_utc="unavailable")
    assert report_of(runs=tuple(runs)).head.title.endswith(", 1 December 2026")


def test_a_frozen_index_is_believed_only_with_equal_digests() -> None:
    runs = study().runs
    same = tuple(msgspec.structs.replace(one, index_digest="d1") for one in runs)
    moved = (*same[:-1], msgspec.structs.replace(same[-1], index_digest="d2"))
    half = tuple(
        msgspec.structs.replace(one, index_digest="d1") if one.system == "K" else one
        for one in runs
    )
    believed = report_of(index_frozen=True, runs=same).head
    assert (believed.kind, believed.title) == (
        "frozen_index",
        "Reproducible comparison, 30 November 2026",
    )
    for declared, these, why in (
        (True, half, "S exposed no digest"),
        (True, moved, "S exposed changed"),
        (False, same, "does not declare"),
    ):
        head = report_of(index_frozen=declared, runs=these).head
        assert head.kind == "dated_live_service"
        assert "eproducible" not in head.title
        assert why in head.kind_reason


@pytest.mark.parametrize("field", ["run_by", "judged_by", "ties"])
def test_a_report_says_who_ran_who_judged_and_which_ties(field: str) -> None:
    people = msgspec.structs.replace(protocol().people, **{field: " "})
    with pytest.raises(Refused, match=f"people.{field} is empty"):
        report_of(people=people)


def test_the_same_people_running_and_judging_is_said() -> None:
    people: People = msgspec.structs.replace(protocol().people, run_by="Team R", judged_by="team r")
    assert report_of(people=people).head.same_people == "The same people ran and judged."


def test_a_closed_study_needs_every_failure_answered() -> None:
    with pytest.raises(Refused, match="wrong-gene") as error:
        report_of(statement=Statement())
    assert "statement.toml" in error.value.hint
    seen = Statement(answers=(FailureAnswer(code="wrong-gene", answer="seen"),))
    with pytest.raises(Refused, match="wrong-gene"):
        report_of(statement=seen)


def test_before_the_end_an_open_failure_is_shown_as_unanswered() -> None:
    items = (msgspec.structs.replace(study().items[0], state="one_label", final=None),)
    report = report_of(items=(*items, *study().items[1:]), statement=Statement())
    assert [one.answer for one in report.purpose.unacceptable] == ["unanswered"]


def test_an_answer_to_a_failure_nobody_declared_is_invalid() -> None:
    statement = Statement(answers=(FailureAnswer(code="wrong-gen", answer="not_seen"),))
    with pytest.raises(Invalid) as error:
        report_of(statement=statement)
    assert "wrong-gen" in str(error.value.problems[0])


def test_a_query_changed_after_its_run_is_no_held_out_outcome() -> None:
    report = report_of(amendments=(amendment("queries.q1.need", '"Other"'),))
    (line,) = report.rules.amendments
    assert "not a held-out outcome" in line.consequence
    assert line.seen == "results had been seen"


def test_an_amendment_before_any_run_has_no_such_consequence() -> None:
    report = report_of(amendments=(amendment("queries.q1.need", '"Other"', "nothing_run"),))
    assert report.rules.amendments[0].consequence == ""


def test_the_report_follows_the_amended_protocol_and_marks_late_cutoffs() -> None:
    report = report_of(amendments=(amendment("protocol.depth.cutoffs", "[2,3,5]"),))
    assert report.precision.cutoffs == (2, 3, 5)
    assert report.precision.post_hoc == (3,)
    early = report_of(amendments=(amendment("protocol.depth.cutoffs", "[2,3,5]", "nothing_run"),))
    assert early.precision.post_hoc == ()


def test_choices_are_shown_as_declared_and_as_in_force() -> None:
    first = amendment("protocol.depth.cutoffs", "[1]")
    second = msgspec.structs.replace(
        amendment("protocol.choices.gaps", '"exclude_query"'), number=2
    )
    report = report_of(amendments=(first, second))
    declared = {one.name: (one.text, one.in_force, one.amendments) for one in report.rules.choices}
    frozen = protocol()
    assert frozen.choices.gaps == "bounds"
    assert declared["cutoffs"] == (", ".join(map(str, frozen.depth.cutoffs)), "1", (1,))
    assert declared["gaps in a mean"] == ("bounds", "exclude_query", (2,))
    assert declared["pool depth"] == (str(frozen.depth.pool), "", ())
    text = render_markdown(report)
    assert "| gaps in a mean | bounds | exclude_query (amendment 2) |" in text
    assert "as declared" in text


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ("protocol.choices.gaps", '"exclude_query"'),
        ("protocol.depth.cutoffs", "[1]"),
        ("protocol.rubric.organism", '"Mice"'),
        ("protocol.decision", '"Another"'),
        ("queries.q1.strata", "{}"),
    ],
)
def test_every_rule_that_changed_after_results_were_seen_is_post_hoc(
    target: str, after: str
) -> None:
    (late,) = report_of(amendments=(amendment(target, after),)).rules.amendments
    assert "post hoc" in late.consequence
    early = report_of(amendments=(amendment(target, after, "nothing_run"),)).rules.amendments
    assert early[0].consequence == ""


def test_an_amended_query_stands_as_amended() -> None:
    report = report_of(
        amendments=(amendment("queries.q7.expected", '"ordinary"', "run_results_not_seen"),)
    )
    assert {(row.invalid, row.frozen) for row in report.precision.accounting} == {(0, 7)}
