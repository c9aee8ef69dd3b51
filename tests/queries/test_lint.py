"""Query lint: each rule with the smallest set that breaks it, and a set that breaks none."""

from __future__ import annotations

from typing import Any

import pytest

from judge.queries.lint import Finding, lint_queries
from judge.records.protocol import (
    Choices,
    Claim,
    Depth,
    Family,
    People,
    Protocol,
    Rubric,
    Stratum,
    System,
)
from judge.records.query import ControlCheck, Query, Translation

KEYWORD = System(
    code="keyword",
    service="embedded",
    mode="keyword",
    endpoint="embedded",
    operators=("AND", "OR", "NOT", "quotes"),
    quotes_joined_by_and=False,
)
SEMANTIC = System(
    code="semantic",
    service="embedded",
    mode="semantic",
    endpoint="embedded",
    operators=("quotes",),
    quotes_joined_by_and=True,
)


def protocol(**changes: Any) -> Protocol:
    given: dict[str, Any] = {
        "title": "t",
        "decision": "d",
        "intended_users": "u",
        "source_scope": "s",
        "index_frozen": False,
        "families": (Family(code="f", task_type="known_item", need="n"),),
        "unacceptable_failures": (),
        "systems": (KEYWORD, SEMANTIC),
        "depth": Depth(requested=10, pool=10, cutoffs=(5,)),
        "rubric": Rubric(
            version="1",
            target_entity="e",
            organism="o",
            mechanism="m",
            evidence_type="t",
            evidence_level="abstract",
            note="optional",
        ),
        "reasons": (),
        "choices": Choices(
            uncertain="bounds",
            failed_request="that_system",
            duplicates="first_counts",
            same_record=("same_id",),
            gaps="bounds",
        ),
        "measures": ("precision_at_k",),
        "people": People(
            assessors=("A", "B"),
            adjudicator="D",
            adjudication="third_person",
            run_by="A",
            judged_by="A, B",
            ties="none",
        ),
        "strata": (),
        "largest_entity_share": "1",
        "resampling_seed": 1,
    }
    return Protocol(**{**given, **changes})


def query(identifier: str, text: str, **changes: Any) -> Query:
    given: dict[str, Any] = {
        "id": identifier,
        "family": "f",
        "need": f"need of {identifier}",
        "text": text,
        "expected": "ordinary",
    }
    return Query(**{**given, **changes})


def lint(*evaluation: Query, dev: tuple[Query, ...] = (), **changes: Any) -> list[Finding]:
    return lint_queries(evaluation, dev, protocol(**changes))


def test_a_clean_set_has_nothing_to_say() -> None:
    sets = (query("q1", "GSE135222"), query("q2", "aspirin asthma children"))
    assert lint(*sets, dev=(query("d1", "imatinib resistance"),)) == []


@pytest.mark.parametrize(
    ("dev", "what"),
    [
        (query("q1", "other words here", need="another"), "id"),
        (query("d1", "gse135222"), "text"),
        (query("d1", "other words here", need="Need  of Q1"), "need"),
        (query("q1", "GSE135222"), "id and text and need"),
    ],
)
def test_a_query_in_both_sets_is_a_problem(dev: Query, what: str) -> None:
    # R11
    (found,) = lint(query("q1", "GSE135222"), dev=(dev,))
    assert found == Finding(
        "problem",
        "query q1",
        f"'GSE135222' is in both sets: development query {dev.id} has the same {what}",
        "a query belongs to one set",
    )


def test_a_near_copy_across_the_sets_or_inside_one_is_a_warning() -> None:
    # R11
    one = query("q12", "aspirin in asthma")
    (across,) = lint(one, dev=(query("dev-03", "aspirin in copd"),))
    assert str(across) == "query q12: differs from dev-03 by one word"
    assert across.severity == "warning"
    (inside,) = lint(one, query("q13", "aspirin in copd"))
    assert str(inside) == "query q13: differs from q12 by one word"
    (same,) = lint(one, query("q13", "Aspirin in asthma"))
    assert str(same) == "query q13: has the same text as q12"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"family": "g"}, "unknown family 'g'; one of f"),
        ({"strata": {"organsm": "mouse"}}, "unknown stratum 'organsm' (did you mean 'organism'?)"),
        ({"strata": {"organism": "rat"}}, "unknown value of stratum organism 'rat'; one of mouse"),
        ({"tests": ("c9",)}, "unknown claim 'c9'"),
        (
            {"translations": {"keywrd": Translation(text="x", note="n")}},
            "unknown system 'keywrd' (did you mean 'keyword'?); one of keyword, semantic",
        ),
        ({"translations": {"keyword": Translation(text="x", note=" ")}}, "has no note"),
        ({"expected": "no_match_control"}, "a no-match control whose absence is unverified"),
    ],
)
def test_names_nobody_declared_and_missing_records_are_problems(
    changes: dict[str, Any], words: str
) -> None:
    strata = (Stratum(name="organism", values=("mouse",)),)
    for sets in ({}, {"dev": (query("d1", "imatinib", **changes),)}):
        evaluation = query("q1", "GSE135222", strata={"organism": "mouse"})
        if not sets:
            evaluation = query("q1", "GSE135222", **changes)
        findings = lint(evaluation, strata=strata, **sets)
        assert [f for f in findings if f.severity == "problem" and words in str(f)], findings


def test_a_checked_control_passes() -> None:
    # R17
    check = ControlCheck(how="all notes read", on="2026-11-30", by="C")
    control = query("q1", "zzqx", expected="no_match_control", control_check=check)
    assert lint(control) == []


def test_a_guard_without_a_claim_and_a_needless_translation_are_warnings() -> None:
    guard = query("q1", "the of", expected="documented_guard")
    (found,) = lint(guard)
    assert found.severity == "warning"
    assert "no claim is named" in found.text
    same = query("q1", "asthma", translations={"keyword": Translation(text="asthma", note="n")})
    (found,) = lint(same)
    assert str(found) == (
        "query q1: the translation for keyword is the query's own text; leave it out"
    )


def test_strata_without_queries_and_queries_without_strata_are_warnings() -> None:
    # R18; development queries do not fill a stratum
    strata = (Stratum(name="organism", values=("human", "mouse")),)
    found = lint(
        query("q1", "GSE135222", strata={"organism": "human"}),
        query("q2", "asthma"),
        dev=(query("d1", "imatinib", strata={"organism": "mouse"}),),
        strata=strata,
    )
    assert [str(finding) for finding in found] == [
        "stratum organism: no query has stratum organism=mouse",
        "stratum organism: no value in 1 of 2 queries: q2",
    ]


def test_an_entity_may_hold_its_share_and_no_more() -> None:
    # R19: 30 queries, a tenth of them is 3
    others = [query(f"o{n}", f"word{n}") for n in range(26)]
    four = [
        query(f"t{n}", f"thing{n}", entity=name)
        for n, name in enumerate(("TP53", "tp53", "TP53", "TP53"))
    ]
    (found,) = lint(*others, *four, largest_entity_share="1/10")
    assert found == Finding(
        "problem", "entity TP53", "TP53 is in 4 of 30 queries; the protocol allows 3 (1/10)"
    )
    assert lint(*others, query("x", "word"), *four[:3], largest_entity_share="1/10") == []
    assert lint(*four, largest_entity_share="some") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asthma AND copd", ["semantic reads AND as plain words"]),
        ('"IL-6" asthma', []),
        ('"IL-6" "asthma"', ["semantic joins its 2 quoted requirements by AND"]),
        (
            '"IL-6" OR "asthma"',
            [
                "semantic reads OR as plain words",
                "semantic joins its 2 quoted requirements by AND",
            ],
        ),
        (
            "IL-6 (asthma)",
            [
                "keyword does not group by parentheses",
                "semantic does not group by parentheses",
            ],
        ),
        ("p53(R175H) benzo[a]pyrene", []),
        (
            "asthma[tiab]",
            [
                "keyword reads field tags as plain words",
                "semantic reads field tags as plain words",
            ],
        ),
        (
            "neuro*",
            [
                "keyword reads a wildcard as a plain character",
                "semantic reads a wildcard as a plain character",
            ],
        ),
        ('"IL-6', ["a double quote without its partner"]),
    ],
)
def test_each_mode_is_told_what_it_will_not_read(text: str, expected: list[str]) -> None:
    found = lint(query("q1", text))
    assert [finding.text for finding in found] == expected
    assert {finding.severity for finding in found} <= {"warning"}
    assert [f.text for f in lint(query("q1", "x"), dev=(query("d1", text),))] == expected


def test_a_mode_that_reads_or_is_not_said_to_join_its_phrases_by_and() -> None:
    joining = System(
        code="both",
        service="s",
        mode="m",
        endpoint="e",
        operators=("quotes", "OR"),
        quotes_joined_by_and=True,
    )
    assert lint(query("q1", '"IL-6" OR "asthma"'), systems=(joining,)) == []
    assert len(lint(query("q1", '"IL-6" "asthma"'), systems=(joining,))) == 1


def test_a_translation_is_what_its_system_is_judged_by() -> None:
    translated = query(
        "q1",
        "asthma AND copd",
        translations={"semantic": Translation(text="asthma with copd", note="plain words")},
    )
    assert lint(translated) == []


def test_an_invalid_query_may_have_an_odd_quote() -> None:
    # R21
    assert lint(query("q1", '"IL-6', expected="invalid_by_design")) == []


def test_a_documented_behaviour_is_tested_or_has_a_reason() -> None:
    # R20
    claim = Claim(
        id="c1",
        system="semantic",
        behaviour="grouping_unsupported",
        text="Parentheses are not read.",
        address="https://example.org",
        read_on="2026-11-30",
    )
    (found,) = lint(query("q1", "x"), dev=(query("d1", "y", tests=("c1",)),), claims=(claim,))
    assert str(found) == (
        "claim c1: no query tests 'grouping_unsupported' of semantic; name the claim in the "
        "tests of a query, or give untested_reason"
    )
    assert lint(query("q1", "x", tests=("c1",)), claims=(claim,)) == []
    reasoned = Claim(
        id="c1",
        system="semantic",
        behaviour="grouping_unsupported",
        text="t",
        address="a",
        read_on="2026-11-30",
        untested_reason="the service is withdrawn",
    )
    assert lint(query("q1", "x"), claims=(reasoned,)) == []
