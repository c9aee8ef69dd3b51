"""A quote says where it stands in the stored text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.quote import passage, quoted, with_quote
from judge.text import display_text


def test_a_quote_holds_its_offsets_in_code_points() -> None:
    text = "Dose 10 µM: 14-fold."
    assert quoted(text, 5, 10) == 'abstract[5:10] "10 µM"'


def test_a_quote_goes_on_a_line_of_its_own_below_the_note() -> None:
    assert with_quote("", "q") == "q"
    assert with_quote("mine \n", "q") == "mine\nq"


def test_words_are_places_in_the_stored_text_whatever_the_screen_makes_of_it() -> None:
    # A carriage return, a tab shown as four blanks, a soft hyphen that is dropped, an accent that
    # is composed.
    stored = "one\r\ntwo\tthr\u00adee e\u0301te"
    found = passage(stored)
    assert found.shown == "one\ntwo    three \u00e9te"
    assert [stored[word.start : word.end] for word in found.words] == [
        "one",
        "two",
        "thr\u00adee",
        "e\u0301te",
    ]
    assert [found.shown[word.shown_start : word.shown_end] for word in found.words] == [
        "one",
        "two",
        "three",
        "\u00e9te",
    ]


def test_a_script_without_blanks_is_chosen_letter_by_letter() -> None:
    assert [word.end - word.start for word in passage("抄録 DNA").words] == [1, 1, 3]


def test_an_empty_text_has_no_words() -> None:
    assert passage(" \n ").words == ()


@given(st.text(max_size=80))
def test_words_are_in_order_and_shown_as_the_desk_shows_them(stored: str) -> None:
    found = passage(stored)
    for word in found.words:
        shown = found.shown[word.shown_start : word.shown_end]
        assert shown == display_text(stored[word.start : word.end])
    starts = [word.start for word in found.words]
    assert starts == sorted(starts)
    assert all(found.word_at(word.shown_start) <= n for n, word in enumerate(found.words))
