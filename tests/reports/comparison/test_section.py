"""Comparisons of the small study (two systems), worked by hand, and of awkward shapes of it.

At k = 5 both systems gave a list for q1 and q2 alone: q1 3 against 1; q2 2 and two open ranks
(records 12 and 14) against 0 of an empty list.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.records.judgement import Label
from judge.records.measured import ComparisonRow, ComparisonSection, Share
from judge.records.protocol import Amendment
from judge.records.report import Report
from judge.reports.build import build
from judge.reports.comparison.pairs import sign_words
from judge.reports.material import Material
from tests.reports.declared import QUERIES, protocol
from tests.reports.many import many
from tests.reports.studies import report_of, studies, study


def row(part: ComparisonSection, k: int) -> ComparisonRow:
    return next(one for one in part.rows if one.cutoff == k)


# --- the small study ----------------------------------------------------------------------------


def test_queries_that_both_have_and_who_is_left_out_and_why(report: Report) -> None:
    found = row(report.comparison, 5)
    assert (found.first, found.second, found.queries) == ("K", "S", 1)
    assert [(one.id, one.reason) for one in found.left_out] == [
        ("q2", "open, between 0.40 and 0.80"),
        ("q3", "K: no list (refused)"),
        ("q4", "S: no list (timeout)"),
    ]
    assert (found.difference.cell, found.difference.lower) == ("0.40", found.difference.upper)
    assert found.difference.lower is not None
    assert found.difference.lower.fraction == "2/5"
    assert (found.wins, found.ties, found.losses) == (1, 0, 0)


def test_what_is_open_is_in_the_bounds_and_never_a_point(report: Report) -> None:
    # q1: +2; q2: +2 to +4. Over two queries: [4/10, 6/10].
    found = row(report.comparison, 5)
    assert found.bounded_queries == 2
    assert found.bounds.cell == "– (between 0.40 and 0.60)"
    cells = {
        (one.over, one.name): one.figure.cell
        for one in (*report.comparison.per_query, *report.comparison.per_family)
        if one.cutoff == 5
    }
    assert cells == {
        ("query", "q1"): "0.40",
        ("query", "q2"): "– (between 0.40 and 0.80)",
        ("family", "fa"): "– (between 0.40 and 0.60)",
    }


def test_one_query_has_documented_values_and_no_nan(report: Report) -> None:
    found = row(report.comparison, 5)
    assert found.interval.cell == "no interval: 1 query, fewer than 5"
    assert found.effect.cell == "– (d_z needs two queries.)"
    assert (found.p.cell, found.adjusted.cell) == ("1.00", "1.00")
    assert found.detectable.cell == "– (1 query, fewer than 5)"
    assert b"nan" not in msgspec.json.encode(report.comparison)


def test_the_sign_is_looked_for_under_each_assessors_labels(report: Report) -> None:
    # Of q1 alone. A calls record 2 relevant: 4 - 1; B as the final labels: 3 - 1.
    found = row(report.comparison, 5)
    assert [(one.labels, one.figure.cell, one.sign) for one in found.signs] == [
        ("A", "0.60", "the same sign"),
        ("B", "0.40", "the same sign"),
    ]


@pytest.mark.parametrize(
    ("final", "low", "high", "words"),
    [
        (3, 1, 2, "the same sign"),
        (3, -2, -1, "the opposite sign"),
        (-3, -2, -2, "the same sign"),
        (3, 0, 0, "no difference"),
        (0, 0, 0, "no difference, as under the final labels"),
        (0, 2, 2, "a difference"),
        (3, -1, 2, "open: judgements are missing"),
        (3, 0, 2, "open: judgements are missing"),
    ],
)
def test_words_for_a_sign(final: int, low: int, high: int, words: str) -> None:
    assert sign_words(final, low, high) == words


def test_order_of_the_systems_on_common_complete_queries(report: Report) -> None:
    # At k = 5 q1 alone is complete at both systems under A, B and the final labels.
    part = report.comparison
    assert part.order_names == ("A", "B", "final")
    means = {
        one.system: [figure.cell for figure in one.figures]
        for one in part.order_means
        if one.cutoff == 5
    }
    assert means == {"K": ["0.80", "0.60", "0.60"], "S": ["0.20", "0.20", "0.20"]}
    order = [one for one in part.order if one.cutoff == 5]
    assert [(one.first, one.second, one.queries) for one in order] == [
        ("A", "B", 1),
        ("A", "final", 1),
        ("B", "final", 1),
    ]
    assert {one.tau_b.cell for one in order} == {"1.00"}
    assert {one.swapped for one in order} == {()}


# --- what is not declared, or not there ---------------------------------------------------------


def test_a_comparison_that_is_not_declared_is_not_printed() -> None:
    part = report_of(measures=("precision_at_k",)).comparison
    assert part.absent_reason == "'comparison' is not a declared measure of this protocol."
    assert part.rows == ()
    assert part.order == ()


def test_no_declared_pair_still_has_an_order() -> None:
    part = report_of(comparisons=()).comparison
    assert part.method == ("No comparison is declared in this protocol.",)
    assert part.rows == ()
    assert len(part.order) == 6


def test_one_system_has_nothing_to_compare_with() -> None:
    systems = protocol().systems[:1]
    runs = tuple(run for run in study().runs if run.system == systems[0].code)
    part = report_of(systems=systems, comparisons=(), runs=runs).comparison
    assert part.absent_reason == (
        "One system is declared: nothing to compare. With one system there is no order."
    )


def test_no_query_that_both_answered() -> None:
    runs = tuple(run for run in study().runs if run.system == "K")
    part = report_of(runs=runs).comparison
    found = row(part, 5)
    assert (found.queries, found.bounded_queries) == (0, 0)
    assert found.difference.cell == found.p.cell == "– (no query is decided for both)"
    assert found.bounds.cell == "– (no query has a list from both)"
    assert found.signs == ()
    assert [one.reason for one in found.left_out] == [
        "S: not run",
        "S: not run",
        "K: no list (refused); S: not run",
        "S: not run",
    ]


def test_a_query_left_out_for_all_systems_is_left_out_here_too() -> None:
    part = report_of(failed_request="all_systems").comparison
    reasons = {one.id: one.reason for one in row(part, 5).left_out}
    assert reasons["q4"] == (
        "K: no list (timeout) at S; left out for all systems; S: no list (timeout)"
    )


def test_comparisons_declared_after_runs_are_post_hoc() -> None:
    late = Amendment(
        number=1,
        at_utc="2026-12-01T00:00:00Z",
        author="R",
        reason="Asked for later",
        seen="results_seen",
        target="protocol.comparisons",
        before="[]",
        after='[["S","K"]]',
    )
    part = report_of(amendments=(late,)).comparison
    assert part.method[-1].endswith("post hoc.")
    assert row(part, 5).difference.cell == "-0.40"


# --- studies of many queries --------------------------------------------------------------------


def test_ten_published_queries() -> None:
    # A = 4 3 2 5 1 3 4 2 3 5, B = 3 3 1 4 2 2 4 1 3 4 hits in the top five.
    found = row(build(many(10), version="0.0").comparison, 5)
    assert (found.queries, found.wins, found.ties, found.losses) == (10, 6, 3, 1)
    assert found.difference.cell == "0.10"
    assert found.effect.cell == "0.7071"
    assert found.p.lower is not None
    assert (found.p.cell, found.p.lower.fraction) == ("0.125", "128/1024")
    # 0.9960014 × 0.1414214, by the noncentral t.
    assert found.detectable.cell == "0.1409"
    # Mean 0.1, sd 0.1414, n 10, t(9) = 2.262157: 0.1 ± 0.10117.
    assert found.interval.cell == "-0.0012 to 0.2012 (jackknife-t, 10 queries)"


def test_from_twenty_queries_on_the_resamples_are_those_of_agreement() -> None:
    report = build(many(20), version="0.0")
    found = row(report.comparison, 5)
    assert found.interval.method == "20 queries resampled 2000 times"
    (agreement,) = report.judging.agreement
    assert agreement.coefficients[0].interval.method == "20 queries resampled 2000 times"
    assert report.computation.seed == 1
    assert {one.name for one in report.computation.libraries} == {
        *("numpy", "scipy", "krippendorff", "matplotlib"),
    }


def test_all_ties_are_a_documented_value() -> None:
    found = row(build(many(10, second="as the first"), version="0.0").comparison, 5)
    assert (found.wins, found.ties, found.losses) == (0, 10, 0)
    assert found.p.cell == "1.00"
    assert found.effect.cell == "– (d_z is not defined: every query has the same difference.)"
    assert found.interval.cell.startswith("no interval: every resample gives the same value")
    order = [one for one in build(many(10, second="as the first"), version="0.0").comparison.order]
    assert order[0].tau_b.cell == "Tau-b is not defined: all systems tie under A."


def test_the_same_study_gives_the_same_section() -> None:
    assert build(many(22), version="0.0") == build(many(22), version="0.0")


@given(studies())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_the_parts_of_a_comparison_add_up(material: Material) -> None:
    part = build(material, version="0.0").comparison
    ordinary = [query.id for query in QUERIES if query.expected == "ordinary"]
    for found in part.rows:
        assert found.queries + len(found.left_out) == len(ordinary)
        assert found.wins + found.ties + found.losses == found.queries
        assert found.queries <= found.bounded_queries
    assert b"nan" not in msgspec.json.encode(part)


LABEL: st.SearchStrategy[Label | None] = st.sampled_from(
    [None, "relevant", "not_relevant", "uncertain", "cannot_judge"]
)


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_labels_a_comparison_is_the_mirror_of_its_reverse(data: st.DataObject) -> None:
    made = many(data.draw(st.integers(1, 12)))
    finals = data.draw(st.lists(LABEL, min_size=len(made.items), max_size=len(made.items)))
    items = tuple(
        msgspec.structs.replace(item, final=label, state="agree" if label else "unjudged")
        for item, label in zip(made.items, finals, strict=True)
    )
    both = []
    for pair in (("K", "S"), ("S", "K")):
        declared = msgspec.structs.replace(made.frozen.protocol, comparisons=(pair,))
        frozen = msgspec.structs.replace(made.frozen, protocol=declared)
        found = build(dataclasses.replace(made, frozen=frozen, items=items), version="0.0")
        assert b"nan" not in msgspec.json.encode(found.comparison)
        both.append(found.comparison.rows)
    for one, other in zip(*both, strict=True):
        assert (one.queries, one.bounded_queries) == (other.queries, other.bounded_queries)
        assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
        assert (one.p, one.adjusted, one.detectable) == (other.p, other.adjusted, other.detectable)
        for name in ("difference", "bounds"):
            ahead, behind = getattr(one, name), getattr(other, name)
            assert _number(ahead.lower) == -_number(behind.upper)
            assert _number(ahead.upper) == -_number(behind.lower)
        low, high = _number(one.bounds.lower), _number(one.bounds.upper)
        assert -1 <= low <= high <= 1
        if one.queries == one.bounded_queries:
            assert one.difference == one.bounds


def _number(found: Share | None) -> Fraction:
    return Fraction(found.fraction) if found is not None else Fraction(0)
