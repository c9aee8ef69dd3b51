"""Lines of text by terminal cells."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from judge.tui.widgets.wrapping import clamp, fit, flow, spread, unfolded, wrap

# Letters of one and two cells, a combining mark, joiners and the variation selector of emoji.
_TEXT = st.text(st.sampled_from("ab ,-\n\u00a0β中文\u0301\u200d\ufe0f🧬#1"), max_size=200)


def lines(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width)]


def test_breaks_at_blanks_and_drops_the_blank_at_the_break() -> None:
    assert lines("one two three", 7) == ["one two", "three"]


def test_keeps_empty_lines_and_indentation() -> None:
    assert lines("a\n\n  b", 10) == ["a", "", "  b"]


def test_never_breaks_at_a_no_break_blank() -> None:
    assert lines("at 10\u00a0mg now", 7) == ["at", "10\u00a0mg", "now"]


def test_a_word_wider_than_the_line_is_broken_where_the_line_is_full() -> None:
    assert lines("ab cdefghij", 4) == ["ab c", "defg", "hij"]


def test_wide_letters_count_two_cells() -> None:
    assert lines("中文字词", 5) == ["中文", "字词"]


def test_a_grapheme_is_never_split() -> None:
    # e with an acute accent as two code points, three times: one cell each.
    assert lines("e\u0301" * 3, 2) == ["e\u0301e\u0301", "e\u0301"]


def test_one_line_of_fifty_thousand_characters() -> None:
    broken = lines("x" * 50_000, 80)
    assert len(broken) == 625
    assert set(broken) == {"x" * 80}


@given(_TEXT, st.integers(2, 30))
def test_no_line_is_too_wide_and_nothing_but_blanks_is_lost(text: str, width: int) -> None:
    spans = wrap(text, width)
    assert all(cell_len(text[start:end]) <= width for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    shown = "".join(text[start:end] for start, end in spans)
    assert "".join(shown.split()) == "".join(text.split())


@given(_TEXT, st.integers(3, 30))
def test_fit_is_never_too_wide(text: str, width: int) -> None:
    line = text.replace("\n", " ")
    assert cell_len(fit(line, width)) <= width
    assert fit(line, width) == line or fit(line, width).endswith("...")


def test_clamp_says_that_there_is_more() -> None:
    assert clamp("one two three four", 9, 1) == ["one tw..."]
    assert clamp("one two three four", 13, 2) == ["one two three", "four"]
    assert clamp("one two three four", 8, 2) == ["one two", "three..."]


def test_spread_puts_both_at_the_ends_and_cuts_the_left_one() -> None:
    assert spread("study", "3 of 4", 15) == "study    3 of 4"
    assert spread("a long study", "3 of 4", 15) == "a lo...  3 of 4"


def test_flow_breaks_between_items_alone() -> None:
    assert flow(["1 aa", "2 bb", "3 cc"], 11, gap=3) == [["1 aa", "2 bb"], ["3 cc"]]
    assert flow(["a very long item"], 5) == [["a very long item"]]


@pytest.mark.parametrize(
    ("folded", "expected"),
    [
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("# Head\nbody\ngoes on", "# Head\nbody goes on"),
        ("- a\n  goes on\n- b", "- a goes on\n- b"),
        ("the label is\n*uncertain* then", "the label is *uncertain* then"),
        ("1. a\n2. b", "1. a\n2. b"),
        ("1.1 clause\nof the rubric", "1.1 clause of the rubric"),
    ],
)
def test_paragraphs_are_joined_and_blocks_are_not(folded: str, expected: str) -> None:
    assert unfolded(folded) == expected


@given(
    st.text(st.sampled_from("ab "), min_size=1, max_size=80).filter(lambda text: text.strip(" ")),
    st.integers(4, 12),
)
def test_a_simple_text_breaks_where_any_other_would(text: str, width: int) -> None:
    # The same words in letters of another script, one cell each, take the general way.
    assert wrap(text, width) == wrap(text.replace("a", "\u03b1").replace("b", "\u03b2"), width)
