"""What a query asks for in each mode, and which queries get no list."""

from __future__ import annotations

import pytest

from judge.runs.providers.embedded.grammar import (
    LONGEST_QUERY,
    NoList,
    Side,
    read_keyword,
    read_semantic,
)
from judge.runs.providers.embedded.keyword import expression
from judge.runs.providers.embedded.words import STOP_WORDS, contains, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IL-6", "il 6"),
        ("TNF-α", "tnf α"),
        ("benzo[a]pyrene", "benzo a pyrene"),
        ("[18F]FDG", "18f fdg"),
        ("P<0.001", "p 0 001"),
        ("Müller", "muller"),
        ("Mu\u0308ller", "muller"),
        ("STRASSE Straße", "strasse strasse"),
        ("H₂O Ca²⁺", "h2o ca2"),
        ("5 µg 5 μg", "5 μg 5 μg"),
        ("高血压 and ACE2", "高 血 压 and ace2"),
        ("snake_case", "snake case"),
        ("a\x00b\ud800c\u2028d", "a b c d"),
        ("🧬 * : ^ {} [/", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert words(text) == tuple(expected.split())


def test_a_phrase_is_contained_only_side_by_side_and_in_order() -> None:
    assert contains(words("the PD-1 axis"), words("pd 1"))
    assert not contains(words("1 PD"), words("pd 1"))
    assert not contains(words("PD of 1"), words("pd 1"))
    assert not contains((), ("pd",))


def test_who_is_no_stop_word() -> None:
    assert "who" not in STOP_WORDS


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("aspirin", [Side((("aspirin",),))]),
        ("aspirin fever", [Side((("aspirin",), ("fever",)))]),
        ("aspirin AND fever", [Side((("aspirin",), ("fever",)))]),
        ('"heart failure" IL-6', [Side((("heart", "failure"), ("il", "6")))]),
        ("aspirin OR statin", [Side((("aspirin",),)), Side((("statin",),))]),
        # AND binds tighter than OR.
        ("x AND y OR z", [Side((("x",), ("y",))), Side((("z",),))]),
        ("stroke NOT aspirin", [Side((("stroke",),), (("aspirin",),))]),
        ("stroke AND NOT aspirin", [Side((("stroke",),), (("aspirin",),))]),
        ("NOT aspirin stroke", [Side((("stroke",),), (("aspirin",),))]),
        # NOT takes one term: z is wanted.
        ("x NOT y z", [Side((("x",), ("z",)), (("y",),))]),
        ('x NOT "y z"', [Side((("x",),), (("y", "z"),))]),
        # Operators in upper case only, and never inside quotation marks.
        ("aspirin and fever", [Side((("aspirin",), ("fever",)))]),
        ('"x OR y"', [Side((("x", "or", "y"),))]),
        ('"OR" x', [Side((("or",), ("x",)))]),
        # Punctuation alone is no term.
        ("aspirin : * fever", [Side((("aspirin",), ("fever",)))]),
        # A parenthesis inside a word, or inside quotation marks, is punctuation.
        ("NAD(P)H", [Side((("nad", "p", "h"),))]),
        ("3-[4-(1H)]pyridine", [Side((("3", "4", "1h", "pyridine"),))]),
        ('"p53 (mutant)"', [Side((("p53", "mutant"),))]),
        ("fever)", [Side((("fever",),))]),
        ('x"y"z', [Side((("x",), ("y",), ("z",)))]),
        ("x\u00a0y", [Side((("x",), ("y",)))]),
        ("“heart failure”", [Side((("heart",), ("failure",)))]),
    ],
)
def test_keyword_queries(text: str, sides: list[Side]) -> None:
    assert read_keyword(text).sides == tuple(sides)


def test_an_expression_for_fts5_quotes_every_phrase() -> None:
    query = read_keyword('IL-6 "OR" NOT x NOT "NEAR(y" OR col:z*')
    assert expression(query) == ('(("il 6" AND "or") NOT ("x" OR "near y")) OR ("col z")')


@pytest.mark.parametrize(
    ("text", "outcome", "code", "said"),
    [
        ("", "rejected", "empty_query", "no word"),
        (" \t\n", "rejected", "empty_query", "no word"),
        ('"', "rejected", "empty_query", "no word"),
        ('""', "rejected", "empty_query", "no word"),
        ("* : ^ \x00", "rejected", "empty_query", "no word"),
        ("AND", "rejected", "syntax", "AND needs a term before it"),
        ("OR x", "rejected", "syntax", "OR needs a term before it"),
        ("x AND", "rejected", "syntax", "AND needs a term after it"),
        ("x OR OR y", "rejected", "syntax", "OR needs a term before it"),
        ("x OR *", "rejected", "syntax", "OR needs a term after it"),
        ("NOT", "rejected", "syntax", "NOT needs a term after it"),
        ("x NOT", "rejected", "syntax", "NOT needs a term after it"),
        ("x NOT AND y", "rejected", "syntax", "AND needs a term before it"),
        ("x NOT NOT y", "rejected", "syntax", "twice"),
        ("NOT x", "rejected", "syntax", "another term to exclude from"),
        ("x OR NOT y", "rejected", "syntax", "another term to exclude from"),
        ("(x OR y) AND z", "refused", "grouping", "grouping is not supported"),
        ("x AND ((y))", "refused", "grouping", "grouping is not supported"),
        ("x NOT(y)", "refused", "grouping", "grouping is not supported"),
        ('"x" (y', "refused", "grouping", "grouping is not supported"),
        ('"open (x OR y)', "refused", "grouping", "grouping is not supported"),
        ("the of and", "refused", "too_broad", "common words"),
        ('"to be or not to be"', "refused", "too_broad", "common words"),
        ("the OR aspirin", "refused", "too_broad", "common words"),
        ("the NOT aspirin", "refused", "too_broad", "common words"),
        ("x" * (LONGEST_QUERY + 1), "rejected", "too_long", "2001 characters; at most 2000"),
        ("x " * 50_000, "rejected", "too_long", "100000 characters"),
    ],
)
def test_keyword_queries_without_a_list(text: str, outcome: str, code: str, said: str) -> None:
    with pytest.raises(NoList, match=said) as caught:
        read_keyword(text)
    assert (caught.value.outcome, caught.value.code) == (outcome, code)


def test_common_words_are_dropped_from_bare_words_with_a_notice() -> None:
    query = read_keyword('role of the "state of the art" IL-6 NOT in')
    assert query.sides == (Side((("role",), ("state", "of", "the", "art"), ("il", "6"))),)
    assert [(n.kind, n.text) for n in query.notices] == [
        ("interpretation", "ignored as too common: of, the, in")
    ]


def test_a_quotation_mark_that_nothing_closes_is_said_and_ignored() -> None:
    query = read_keyword('"heart failure" "open word')
    assert query.sides == (Side((("heart", "failure"), ("open",), ("word",))),)
    assert [n.text for n in query.notices] == [
        "the quotation mark at character 17 is not closed; ignored"
    ]


def test_operators_are_ordinary_words_in_semantic_mode() -> None:
    query = read_semantic("aspirin AND fever NOT stroke")
    assert query.words == ("aspirin", "and", "fever", "not", "stroke")
    assert query.required == ()
    assert [n.text for n in query.notices] == ["AND, OR and NOT are ordinary words in this mode"]
    assert read_semantic("aspirin and fever").notices == ()


def test_quoted_requirements_are_joined_by_and_in_semantic_mode() -> None:
    query = read_semantic('cause of "heart failure" in "type 2"')
    assert query.required == (("heart", "failure"), ("type", "2"))
    assert query.words == ("cause", "of", "heart", "failure", "in", "type", "2")
    assert [n.text for n in query.notices] == ["2 quoted requirements joined by AND"]
    assert read_semantic('"heart failure"').required == (("heart", "failure"),)


@pytest.mark.parametrize(
    ("text", "outcome", "code"),
    [
        ("", "rejected", "empty_query"),
        ('"*"', "rejected", "empty_query"),
        ("x" * 2001, "rejected", "too_long"),
        ("(x OR y) z", "refused", "grouping"),
        ("x NOT(y)", "refused", "grouping"),
        ("NOT", "refused", "too_broad"),
        ('the "of"', "refused", "too_broad"),
    ],
)
def test_semantic_queries_without_a_list(text: str, outcome: str, code: str) -> None:
    with pytest.raises(NoList) as caught:
        read_semantic(text)
    assert (caught.value.outcome, caught.value.code) == (outcome, code)
