"""Operators as services write them, and names that only look like operators."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.queries.operators import found_operators, has_unbalanced_quote, quoted_phrases
from judge.records.protocol import Operator


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asthma AND IL-6", {"AND"}),
        ("asthma OR copd NOT child", {"OR", "NOT"}),
        ('"IL-6" AND asthma', {"quotes", "AND"}),
        ("“IL-6” receptor", {"quotes"}),
        ('"x"AND"y"', {"quotes", "AND"}),
        ("(asthma OR copd) AND steroid", {"grouping", "OR", "AND"}),
        ("NOT(a OR b)", {"grouping", "OR", "NOT"}),
        ("asthma AND(child)", {"grouping", "AND"}),
        ("interleukin 6 (IL-6)?", {"grouping"}),
        ("aspirin[tiab]", {"field_tags"}),
        ('"TP53"[Gene Name]', {"quotes", "field_tags"}),
        ("asthma[MeSH Terms] AND 2020[dp]", {"field_tags", "AND"}),
        ("title:asthma", {"field_tags"}),
        ('AUTH:"Smith J"', {"field_tags", "quotes"}),
        ("asthma*", {"wildcard"}),
        ("wom?n", {"wildcard"}),
    ],
)
def test_operators_are_found(text: str, expected: set[Operator]) -> None:
    assert found_operators(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "benzo[a]pyrene and benzo(a)pyrene",
        "p53(R175H)",
        "(R)-warfarin and bleeding",
        "(E)-2-hexenal (+)-catechin",
        "poly(ADP-ribose) polymerase",
        "Ca(2+) influx, 1,25(OH)2D3, Na+/K+ (ATP)ase",
        "HLA-A*02:01 CYP2C19*2",
        "[18F]FDG PET",
        "NM_000546.6:c.524G>A",
        "does aspirin prevent stroke?",
        "asthma and copd or not",
        "RAND trial of an AND-gate, NOTCH1",
        "5' UTR (x",
        '""',
        "3:1 ratio; http://example.org/a?b",
    ],
)
def test_names_are_not_operators(text: str) -> None:
    assert found_operators(text) == set()


def test_an_operator_inside_quotes_is_a_word_of_the_phrase() -> None:
    assert found_operators('"salt AND pepper (mixed)"') == {"quotes"}


def test_quoted_phrases_come_in_order_without_their_quotes() -> None:
    assert quoted_phrases('"IL-6" and “TNF α” and "" x') == ["IL-6", "TNF α"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [('"IL-6', True), ('a "b" "c', True), ("“open", True), ('a "b"', False), ("5' UTR", False)],
)
def test_a_quote_without_its_partner_is_seen(text: str, expected: bool) -> None:
    assert has_unbalanced_quote(text) is expected


@given(st.text(st.sampled_from('aANDORT()"“”[]*?:- '), max_size=60))
def test_quotes_are_found_exactly_where_a_phrase_is(text: str) -> None:
    assert ("quotes" in found_operators(text)) == bool(quoted_phrases(text))


def test_a_long_text_of_parentheses_is_read_in_one_pass() -> None:
    assert found_operators("a" * 10_000 + "(" * 10_000) == set()
