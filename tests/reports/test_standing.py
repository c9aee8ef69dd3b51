from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Integrity, Refused
from judge.records.run import OUTCOMES, Document
from judge.reports.labellings import final_labels
from judge.reports.material import Material
from judge.reports.standing import (
    Standing,
    account,
    handling,
    ranked_lists,
    scored_runs,
    standings,
)
from tests.reports.declared import QUERIES, protocol
from tests.reports.studies import hit, planned, run, studies, study

FROZEN = [query.id for query in QUERIES]


def standings_of(material: Material, k: int) -> tuple[Standing, ...]:
    return standings(
        material,
        k,
        final_labels(material.items),
        ranked_lists(material),
        material.frozen.protocol.choices,
    )


def placed(material: Material, k: int = 5) -> dict[tuple[str, str], Standing]:
    found = standings_of(material, k)
    return {(one.query.id, one.system): one for one in found}


def in_mean(material: Material, system: str) -> list[str]:
    return [
        query for (query, code), one in placed(material).items() if code == system and one.in_mean
    ]


def with_run(material: Material, query: str, system: str, **changes: Any) -> tuple[Any, ...]:
    return tuple(
        msgspec.structs.replace(one, **changes)
        if (one.query_id, one.system) == (query, system)
        else one
        for one in material.runs
    )


# --- each kind ----------------------------------------------------------------------------------


def test_every_query_of_the_small_study_has_its_worked_value(material: Material) -> None:
    found = placed(material)
    expected = {
        ("q1", "K"): ("scored", "3/5", "3/5"),
        ("q1", "S"): ("scored", "1/5", "1/5"),
        ("q2", "K"): ("incomplete", "2/5", "4/5"),
        ("q2", "S"): ("scored", "0/5", "0/5"),
        ("q3", "K"): ("excluded", None, None),
        ("q3", "S"): ("incomplete", "1/5", "2/5"),
        ("q4", "K"): ("scored", "2/5", "2/5"),
        ("q4", "S"): ("excluded", None, None),
        ("q5", "K"): ("control", None, None),
        ("q5", "S"): ("control", None, None),
        ("q6", "K"): ("guard", None, None),
        ("q6", "S"): ("guard", None, None),
        ("q7", "K"): ("invalid", None, None),
        ("q7", "S"): ("invalid", None, None),
    }
    assert {pair: one.kind for pair, one in found.items()} == {
        pair: kind for pair, (kind, _, _) in expected.items()
    }
    for pair, (_, lower, upper) in expected.items():
        value = found[pair].precision
        assert (value is None) == (lower is None)
        if value is not None and lower is not None and upper is not None:
            assert (value.lower, value.upper) == (Fraction(lower), Fraction(upper))


def test_a_failed_request_has_no_precision_and_an_empty_list_is_zero(material: Material) -> None:
    found = placed(material)
    assert found["q4", "S"].precision is None
    assert found["q4", "S"].reason == "no list (timeout)"
    empty = found["q2", "S"].precision
    assert empty is not None
    assert empty.value == 0


@pytest.mark.parametrize("outcome", sorted(set(OUTCOMES) - {"answered", "empty"}))
def test_no_outcome_without_a_list_gives_a_precision(material: Material, outcome: str) -> None:
    runs = with_run(material, "q1", "K", outcome=outcome, raw_results=None)
    one = placed(study(runs=runs))["q1", "K"]
    assert (one.kind, one.precision) == ("excluded", None)


def test_a_list_that_is_missing_is_never_an_empty_answer(material: Material) -> None:
    runs = with_run(material, "q1", "K", raw_results=None)
    with pytest.raises(Integrity, match="r1-K-q1-1"):
        placed(study(runs=runs))


def test_a_query_without_a_run_has_no_outcome(material: Material) -> None:
    runs = tuple(
        planned(QUERIES[0], "K") if one.run_id == "r1-K-q1-1" else one for one in material.runs
    )
    one = placed(study(runs=runs))["q1", "K"]
    assert (one.kind, one.reason, one.precision) == ("excluded", "not run", None)


def test_duplicates_follow_the_declared_policy() -> None:
    every = placed(study(duplicates="every_copy_counts"))["q1", "S"].precision
    assert every is not None
    assert every.value == Fraction(2, 5)


def test_a_preprint_and_its_article_are_duplicates_where_the_protocol_says_so() -> None:
    documents = {
        "pmid:3": Document(
            record_id="pmid:3", type="preprint", preprint_of="pmid:1", provenance="test"
        )
    }
    apart = placed(study(documents=documents))["q1", "K"].precision
    joined = placed(study(documents=documents, same_record=("same_id", "preprint_of_article")))
    one = joined["q1", "K"].precision
    assert apart is not None
    assert one is not None
    assert (apart.value, one.value, one.duplicates) == (Fraction(3, 5), Fraction(2, 5), 1)


def test_a_hit_below_the_pool_is_open(material: Material) -> None:
    hits = tuple(hit(rank, str(pmid)) for rank, pmid in enumerate((1, 2, 3, 4, 99), 1))
    runs = with_run(material, "q1", "K", raw_results=hits)
    one = placed(study(runs=runs))["q1", "K"].precision
    assert one is not None
    assert (one.lower, one.upper, one.unjudged) == (Fraction(3, 5), Fraction(4, 5), 1)


# --- which run counts ---------------------------------------------------------------------------


def test_development_queries_and_other_rounds_are_never_scored(material: Material) -> None:
    extra = (
        run(material.development[0], "K", run_id="dev", raw_results=(hit(1, "1"),)),
        run(QUERIES[0], "K", run_id="r0", round="r0"),
    )
    chosen = scored_runs(study(runs=(*material.runs, *extra)))
    assert {one.run_id for one in chosen.values()} == {one.run_id for one in material.runs}


# --- the team's choices -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failed_request", "gaps", "of_k", "of_s"),
    [
        ("that_system", "bounds", ["q1", "q2", "q4"], ["q1", "q2", "q3"]),
        ("all_systems", "bounds", ["q1", "q2"], ["q1", "q2"]),
        ("that_system", "exclude_query", ["q1", "q4"], ["q1", "q2"]),
        ("all_systems", "exclude_query", ["q1"], ["q1"]),
    ],
)
def test_what_a_mean_leaves_out(
    failed_request: str, gaps: str, of_k: list[str], of_s: list[str]
) -> None:
    material = study(failed_request=failed_request, gaps=gaps)
    assert in_mean(material, "K") == of_k
    assert in_mean(material, "S") == of_s
    assert all(one.in_mean == (not one.reason) for one in placed(material).values())


def test_a_query_left_out_for_all_systems_says_where_it_failed() -> None:
    one = placed(study(failed_request="all_systems"))["q4", "K"]
    assert one.kind == "excluded"
    assert one.reason == "no list (timeout) at S; left out for all systems"
    # Its own value is still there to be read.
    assert one.precision is not None


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"failed_request": "all_systems"}, "left out for all systems"),
        ({"failed_request": "that_system"}, "left out for that system only"),
        ({"gaps": "bounds"}, "makes the mean a pair of bounds"),
        ({"gaps": "exclude_query"}, "an incomplete query is left out"),
        ({"uncertain": "relevant"}, "counts as relevant"),
        ({"uncertain": "not_relevant"}, "counts as not relevant"),
    ],
)
def test_a_mean_says_how_gaps_were_handled(choice: dict[str, str], said: str) -> None:
    assert said in handling(protocol(**choice).choices)
    assert "weigh equally" in handling(protocol(**choice).choices)


# --- the account --------------------------------------------------------------------------------


def test_the_small_study_adds_up(material: Material) -> None:
    mine = [one for one in placed(material).values() if one.system == "K"]
    counts = account(FROZEN, mine)
    assert counts == {
        "scored": 2,
        "incomplete": 1,
        "excluded": 1,
        "control": 1,
        "guard": 1,
        "invalid": 1,
    }


def test_an_unaccounted_query_is_named_and_refused(material: Material) -> None:
    mine = [one for one in placed(material).values() if one.system == "K"]
    with pytest.raises(Refused, match=r"7 frozen = .*q2 unaccounted"):
        account(FROZEN, [one for one in mine if one.query.id != "q2"])


def test_a_query_counted_twice_or_not_frozen_is_refused(material: Material) -> None:
    mine = [one for one in placed(material).values() if one.system == "K"]
    with pytest.raises(Refused, match="q1 counted twice"):
        account(FROZEN, [*mine, mine[0]])
    with pytest.raises(Refused, match="q7 not frozen"):
        account(FROZEN[:-1], mine)


# --- generated studies --------------------------------------------------------------------------


@given(studies(), st.integers(1, 6))
def test_the_parts_always_add_up_to_the_frozen_set(material: Material, k: int) -> None:
    found = standings_of(material, k)
    for system in ("K", "S"):
        mine = [one for one in found if one.system == system]
        assert sum(account(FROZEN, mine).values()) == len(FROZEN)


@given(studies(), st.integers(1, 6))
def test_only_what_gave_a_list_and_is_ordinary_enters_a_mean(material: Material, k: int) -> None:
    runs = scored_runs(material)
    choices = material.frozen.protocol.choices
    for one in standings_of(material, k):
        if not one.in_mean:
            continue
        assert one.query.expected == "ordinary"
        assert runs[one.query.id, one.system].gave_list()
        assert one.precision is not None
        if choices.gaps == "exclude_query":
            assert one.precision.complete
