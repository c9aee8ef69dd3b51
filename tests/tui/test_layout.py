"""Blocks as lines: what reaches the terminal is what was given, made harmless."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from judge.tui.status import reason_rows
from judge.tui.widgets.layout import (
    Block,
    Divider,
    Either,
    Ends,
    Facts,
    Keys,
    Pair,
    Row,
    Text,
    compose,
    markdown,
)
from tests.tui.support import REASONS

_BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain(*blocks: Block, width: int = 40) -> list[str]:
    return ["".join(text for text, _ in line) for line in compose(blocks, width)]


@given(st.text(max_size=80), st.integers(20, 90))
def test_no_control_and_no_direction_override_leaves_any_block(text: str, width: int) -> None:
    blocks: list[Block] = [
        Text(text),
        Text(text, limit=2),
        Row(text, text, 6),
        Ends(text, text[:10]),
        Either(text, text),
        Facts((text, text)),
        Divider(text),
        Pair((Text(text),), (Text(text),)),
        *markdown(text),
    ]
    for line in plain(*blocks, width=width):
        assert not [c for c in line if unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI]
        assert cell_len(line) <= width


def test_a_lone_surrogate_is_shown_as_the_replacement_character() -> None:
    assert plain(Text("x\ud800y")) == ["x\ufffdy"]


def test_a_row_indents_what_follows_its_first_line() -> None:
    assert plain(Row("a", "one two three", 3), width=11) == ["a  one two", "   three"]


def test_two_columns_stand_side_by_side_where_there_is_room() -> None:
    pair = Pair((Text("left"),), (Text("right"), Text("more")))
    assert plain(pair, width=75) == [
        "left" + " " * 32 + " | right",
        " " * 36 + " | more",
    ]
    assert plain(pair, width=60) == ["left", "", "right", "more"]


def test_either_keeps_the_newer_text_where_both_do_not_fit() -> None:
    assert plain(Either("saved: a", "1 ignored"), width=30) == ["saved: a   1 ignored"]
    assert plain(Either("saved: a", "1 ignored"), width=12) == ["1 ignored"]
    assert plain(Either("saved: a", ""), width=12) == ["saved: a"]


def test_facts_break_between_each_other_and_the_last_is_cut() -> None:
    facts = Facts(("label: relevant", "read: abstract", "note: " + "long " * 20))
    assert plain(facts) == [
        "label: relevant | read: abstract",
        "note: long long long long long long l...",
    ]
    assert plain(Facts(("one", "two"))) == ["one | two"]


def test_each_group_of_keys_starts_a_line() -> None:
    keys = Keys(((("1", "relevant"), ("0", "not")), (("u", "undo"),)))
    assert plain(keys) == ["1 relevant   0 not", "u undo"]


def test_headings_lose_their_signs_and_keep_their_words() -> None:
    assert plain(*markdown("## 2 Organism\nMice do\nnot count.")) == [
        "2 Organism",
        "Mice do not count.",
    ]


@pytest.mark.parametrize("height", [1, 2, 3, 4, 8])
def test_every_reason_key_is_on_the_screen_however_small(height: int) -> None:
    shown = plain(*reason_rows(REASONS, 40, height, "g"))
    assert len(shown) <= height
    assert all(any(reason.key in line.split() for line in shown) for reason in REASONS)


def test_a_key_left_over_shares_the_next_line_where_that_saves_one() -> None:
    labels = (("1", "relevant"), ("0", "not relevant"), ("l", "later"))
    more = (("u", "undo"), ("n", "note"))
    assert plain(Keys((labels, more)), width=30) == [
        "1 relevant   0 not relevant",
        "l later   u undo   n note",
    ]
    # A group that fits its line keeps it, and nothing is shared that saves no line.
    assert plain(Keys(((("y", "hand in"),), more)), width=30) == ["y hand in", "u undo   n note"]
    assert plain(Keys((labels, (("n", "note of this item as it is"),))), width=30) == [
        "1 relevant   0 not relevant",
        "l later",
        "n note of this item as it is",
    ]
