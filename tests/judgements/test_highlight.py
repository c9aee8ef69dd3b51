"""Which words are pointed out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.highlight import STOP_WORDS, need_terms, own_terms, spans


def found(text: str, need: tuple[str, ...] = (), own: tuple[str, ...] = ()) -> list[str]:
    return [text[start:end] for start, end in spans(text, need, own)]


def test_the_terms_of_a_need_are_its_words_without_those_of_grammar_and_numbers() -> None:
    need = "Does benzo[a]pyrene form DNA adducts in human liver cells (2019, or p53)?"
    assert need_terms(need) == (
        "benzo",
        "pyrene",
        "dna",
        "adducts",
        "human",
        "liver",
        "cells",
        "p53",
    )


def test_no_stop_word_is_ever_a_term() -> None:
    assert need_terms(" ".join(STOP_WORDS)) == ()


@pytest.mark.parametrize(
    ("word", "text", "expected"),
    [
        ("adducts", "An adduct, ADDUCTS and adducted", ["adduct", "ADDUCTS"]),
        ("study", "studies of a study", ["studies", "study"]),
        ("liver", "delivery to the liver", ["liver"]),
        ("virus", "virus, viru", ["virus"]),
        ("α", "α and αβ", ["α"]),
    ],
)
def test_a_word_of_the_need_is_found_whole_in_singular_or_plural(
    word: str, text: str, expected: list[str]
) -> None:
    assert found(text, (word,)) == expected


@pytest.mark.parametrize(
    ("own", "text", "expected"),
    [
        ("hepato*", "Hepatocytes and a hepatoma", ["Hepatocytes", "hepatoma"]),
        ("DNA adduct", "a dna\nadduct, DNA adducts", ["dna\nadduct"]),
        ("benzo[a]pyrene", "benzo[a]pyrene, benzoapyrene", ["benzo[a]pyrene"]),
        ("(+)", "the (+) isomer", ["(+)"]),
        ("p<0.001", "(P<0.001)", ["P<0.001"]),
    ],
)
def test_an_own_term_is_found_as_it_is_written(own: str, text: str, expected: list[str]) -> None:
    assert found(text, (), (own,)) == expected


def test_terms_that_overlap_are_one_part() -> None:
    assert found("human liver cells", ("liver",), ("human liver", "liver cells")) == [
        "human liver cells"
    ]


def test_own_terms_are_parted_by_commas_and_lines_and_kept_once() -> None:
    assert own_terms(" liver,  DNA   adduct\nliver, , *, p53*") == ("liver", "DNA adduct", "p53*")


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=20))
def test_parts_are_in_order_inside_the_text_and_never_overlap(
    text: str, need: str, own: str
) -> None:
    at = 0
    for start, end in spans(text, need_terms(need), own_terms(own)):
        assert at <= start < end <= len(text)
        at = end
