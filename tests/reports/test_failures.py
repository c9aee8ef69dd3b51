from __future__ import annotations

from typing import Any

import msgspec
import pytest

from judge.records.report import Failures
from judge.records.run import Document, Notice
from judge.reports.behaviour import behaviour_lines, claims_section
from judge.reports.failures import failures
from tests.reports.declared import QUERIES
from tests.reports.studies import hit, run, study


def with_changes(**changes: Any) -> Failures:
    """The failure section of the study, with fields of K's run of q1 changed."""
    return failures(
        study(
            runs=tuple(
                msgspec.structs.replace(one, **changes) if one.run_id == "r1-K-q1-1" else one
                for one in study().runs
            )
        )
    )


def test_requests_that_gave_no_list_are_counted_by_outcome_and_listed() -> None:
    part = failures(study())
    assert part.summary == (
        "Requests that gave no list: 4 of 14 (2 refused, 1 rejected, 1 timeout); 2 of them on "
        "controls, guards and queries that are invalid by design."
    )
    assert [(one.query_id, one.system, one.outcome) for one in part.no_list] == [
        ("q3", "K", "refused"),
        ("q4", "S", "timeout"),
        ("q6", "K", "refused"),
        ("q7", "K", "rejected"),
    ]
    counts = {(one.system, one.outcome): one.requests for one in part.by_outcome}
    assert counts["K", "answered"] == 3
    assert counts["S", "empty"] == 1
    assert sum(counts.values()) == 14


def test_time_is_evidence_of_a_timeout_and_no_latency_otherwise() -> None:
    part = failures(study())
    assert {one.outcome: one.elapsed_ms for one in part.no_list} == {
        "refused": None,
        "timeout": 30000,
        "rejected": None,
    }


def test_none_recorded_and_not_captured_are_two_things() -> None:
    part = with_changes(errors_and_notices=None)
    of_k = next(one for one in part.notices if one.system == "K")
    assert (of_k.recorded, of_k.none_recorded, of_k.not_captured) == (2, 4, 1)
    part = with_changes(errors_and_notices=(Notice(kind="warning", text="short"),))
    of_k = next(one for one in part.notices if one.system == "K")
    assert (of_k.recorded, of_k.not_captured) == (3, 0)
    assert ("q1", "warning: short") in [(one.name, one.text) for one in of_k.said]


def test_an_earlier_attempt_that_failed_is_still_a_failure() -> None:
    again = run(
        QUERIES[3], "S", run_id="again", attempt=2, outcome="answered", raw_results=(hit(1, "31"),)
    )
    part = failures(study(runs=(*study().runs, again)))
    assert ("q4", "timeout") in [(one.query_id, one.outcome) for one in part.no_list]


def test_data_problems_stand_apart_from_relevance() -> None:
    hits = (
        hit(1, "1"),
        hit(2, "1"),
        msgspec.structs.replace(hit(3, "3"), link=None),
        hit(4, "4", notice="Retracted"),
    )
    documents = {
        "pmid:3": Document(record_id="pmid:3", type="Preprint", provenance="test"),
        "pmid:4": Document(record_id="pmid:4", retracted=True, provenance="test"),
    }
    runs = tuple(
        msgspec.structs.replace(one, raw_results=hits) if one.run_id == "r1-K-q1-1" else one
        for one in study().runs
    )
    of_k, _ = failures(study(runs=runs, documents=documents)).data
    assert (of_k.hits, of_k.duplicates, of_k.missing_links) == (11, 1, 1)
    assert (of_k.preprints, of_k.notices_exposed, of_k.retracted_at_source) == (1, 1, 1)


def test_controls_guards_and_invalid_queries_have_expected_against_observed() -> None:
    lines = {(one.query_id, one.system): one for one in behaviour_lines(study())}
    assert {pair: line.as_expected for pair, line in lines.items()} == {
        ("q5", "K"): "yes",
        ("q5", "S"): "no",
        ("q6", "K"): "yes",
        ("q6", "S"): "not_applicable",
        ("q7", "K"): "yes",
        ("q7", "S"): "no",
    }
    assert lines["q5", "K"].expected == "no match (checked 2026-11-01 by D: all titles read)"
    assert lines["q5", "S"].observed == "answered: 2 hits"
    assert lines["q6", "K"].observed == "no list: refused (too broad)"
    assert lines["q7", "S"].observed == "answered: 1 hit"


def test_a_failed_request_proves_nothing_about_a_control_or_guard() -> None:
    runs = tuple(
        msgspec.structs.replace(one, outcome="unavailable", raw_results=None)
        if one.query_id in ("q5", "q6", "q7")
        else one
        for one in study().runs
    )
    lines = behaviour_lines(study(runs=runs))
    assert {line.as_expected for line in lines} == {"to_be_read", "not_applicable"}


def test_a_claim_is_documentation_until_a_request_was_recorded() -> None:
    tested, untested = claims_section(study()).rows
    assert tested.documented == "Documented (read 2026-11-01)."
    assert tested.observed == "Observed in r1-K-q6-1 (q6): no list: refused (too broad)"
    assert untested.documented == "Documented (read 2026-11-02), not verified here."
    assert untested.observed == "Not tested: no query tests it"
    before, _ = claims_section(study(runs=())).rows
    assert before.documented == "Documented (read 2026-11-01), not verified here."
    assert before.observed == "Not tested: its query has not been run"


@pytest.mark.parametrize("outcome", ["timeout", "unavailable", "quota", "bad_reply", "in_doubt"])
def test_a_request_without_an_answer_verifies_no_claim(outcome: Any) -> None:
    runs = tuple(
        msgspec.structs.replace(one, outcome=outcome, errors_and_notices=())
        if one.run_id == "r1-K-q6-1"
        else one
        for one in study().runs
    )
    part = claims_section(study(runs=runs))
    assert part.rows[0].documented == "Documented (read 2026-11-01), not verified here."
    assert part.rows[0].observed == f"Not tested: asked in r1-K-q6-1 (q6), but no list: {outcome}"
    assert [one.tested for one in part.rows] == [False, False]
    assert "Observed here: 0. Documented and not verified here: 2." in part.summary


def test_the_section_on_claims_counts_what_was_observed() -> None:
    part = claims_section(study())
    assert [one.tested for one in part.rows] == [True, False]
    assert "Documented claims: 2. Observed here: 1. Documented and not verified here: 1." in (
        part.summary
    )
