"""The registry: one meaning per key and mode, and the help says all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.records.judgement import CANNOT_KINDS, LABELS, Packet
from judge.tui.actions import ACTIONS, GUARDED, SYSTEMS
from judge.tui.codes import PREFIX
from judge.tui.keymap import Keymap, clashes, key_name
from judge.tui.modes import GUESSES, ITEM, PENDING, REVIEWING, TYPING, Mode
from judge.tui.screens.base import DeskScreen
from judge.tui.screens.failures import FailureScreen
from judge.tui.screens.find import FindScreen
from judge.tui.screens.guess import GuessScreen
from judge.tui.screens.label import LabelScreen
from judge.tui.screens.note import NoteScreen
from judge.tui.screens.overview import OverviewScreen
from judge.tui.screens.problem import ProblemScreen
from judge.tui.screens.quote import QuoteScreen
from judge.tui.screens.reader import ReaderScreen
from judge.tui.words import help_blocks
from tests.tui.support import packet
from tests.tui.test_layout import plain

KEYS = Keymap()
BINDINGS = KEYS.bindings
SCREENS: dict[type[DeskScreen[object]], frozenset[Mode]] = {
    LabelScreen: ITEM | PENDING | {Mode.BROKEN},  # type: ignore[dict-item]
    FailureScreen: REVIEWING | {Mode.BROKEN},  # type: ignore[dict-item]
    GuessScreen: GUESSES | {Mode.BROKEN},  # type: ignore[dict-item]
    OverviewScreen: frozenset({Mode.UNFINISHED, Mode.FINISHED, Mode.LOCKED}),  # type: ignore[dict-item]
    NoteScreen: frozenset({Mode.NOTE}),  # type: ignore[dict-item]
    QuoteScreen: frozenset({Mode.QUOTE}),  # type: ignore[dict-item]
    FindScreen: frozenset({Mode.HISTORY, Mode.SEARCH}),  # type: ignore[dict-item]
    ReaderScreen: frozenset({Mode.READER}),  # type: ignore[dict-item]
    ProblemScreen: frozenset({Mode.PROBLEM}),  # type: ignore[dict-item]
}


def test_the_label_keys_are_those_of_the_protocol() -> None:
    open_item = BINDINGS[Mode.OPEN]
    assert {key: open_item[key].name for key in "105?l"} == {
        "1": "relevant",
        "0": "not_relevant",
        "5": "uncertain",
        "?": "cannot_judge",
        "l": "later",
    }
    assert {key: BINDINGS[Mode.KIND][key].name for key in "pnco"} == {
        "p": "paper_unavailable",
        "n": "no_abstract",
        "c": "conflicting_metadata",
        "o": "other",
    }


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.name)
def test_a_key_means_one_thing_in_a_mode(mode: Mode) -> None:
    keys = [key for action in ACTIONS.values() if mode in action.when for key in action.keys]
    assert len(keys) == len(set(keys))
    assert set(BINDINGS[mode]) == set(keys)


def test_two_actions_on_one_key_are_refused() -> None:
    clash = replace(ACTIONS["undo"], name="clash", keys=("0",))
    assert clashes({**ACTIONS, "clash": clash}) == [
        "'0' is both not_relevant and clash",
        "'0' is both nothing and clash",
    ]
    with pytest.raises(ValueError, match="'0' is both not_relevant and undo"):
        Keymap({"undo": ("0",)})


def test_the_helpers_have_the_keys_of_the_protocol() -> None:
    open_item = BINDINGS[Mode.OPEN]
    assert {key: open_item[key].name for key in "unhgofq/"} == {
        "u": "undo",
        "n": "note",
        "h": "history",
        "g": "criteria",
        "o": "open_link",
        "f": "full_text",
        "q": "quote",
        "/": "search",
    }


def test_every_mode_can_be_left_by_a_key() -> None:
    assert all("ctrl+q" in BINDINGS[mode] for mode in Mode)


def test_no_label_key_lives_where_text_is_typed() -> None:
    # Nothing printable, and no Backspace: both belong to the text.
    for mode in TYPING:
        assert not {"backspace", "delete", "space"} & set(BINDINGS[mode])
        assert all(len(key) > 1 for key in BINDINGS[mode])
        assert not GUARDED & {action.name for action in BINDINGS[mode].values()}
    assert set(BINDINGS[Mode.NOTE]) == {"enter", "ctrl+j", "escape", "ctrl+q"}


def test_a_problem_is_not_closed_by_a_key_of_the_work() -> None:
    assert set(BINDINGS[Mode.PROBLEM]) == {"enter", "escape", "ctrl+q"}


def test_every_action_is_a_method_of_the_screens_of_its_modes() -> None:
    covered: set[Mode] = set()
    answers = {*LABELS, *CANNOT_KINDS, *SYSTEMS, "dont_know"}
    for screen, modes in SCREENS.items():
        covered |= modes
        for action in ACTIONS.values():
            taken_up = action.name in answers or action.name.startswith(PREFIX)
            if action.when & modes and not taken_up:
                assert callable(getattr(screen, f"do_{action.name}"))
    assert covered == set(Mode)


def help_of(head: Packet) -> str:
    return " ".join(" ".join(plain(*help_blocks(head, KEYS), width=80)).split())


def test_the_help_holds_what_a_packet_of_its_kind_knows() -> None:
    labels, guesses = help_of(packet(1)), help_of(packet(1, kind="guess"))
    assert "Which system found it?" not in labels
    assert "Relevant to the need" not in guesses
    assert "Nothing tells you which system found it." in guesses
    assert "declaration, hand in" in guesses


def test_the_help_lists_every_action_with_every_key() -> None:
    kinds = ("label", "adjudication", "guess", "failures")
    text = "".join(help_of(packet(1, kind=kind)) for kind in kinds)
    for action in ACTIONS.values():
        assert action.description in text
        assert f"{' '.join(key_name(key) for key in action.keys)} {action.description}" in text


def test_the_help_of_a_packet_is_about_its_own_work() -> None:
    label, failures = (
        " ".join(plain(*help_blocks(packet(1, kind=kind), KEYS), width=80))
        for kind in ("label", "failures")
    )
    assert "[relevant]" in label
    assert "[code_timeout]" not in label
    assert "[relevant]" not in failures
    assert "[code_timeout]" in failures


def test_the_key_lines_show_what_works_and_nothing_else() -> None:
    for mode in Mode:
        names = {key_name(key) for key in BINDINGS[mode]}
        shown = [key for group in KEYS.lines(mode) for keys, _ in group for key in keys.split()]
        assert set(shown) <= names


def test_a_reason_key_takes_its_key_from_the_key_lines() -> None:
    plain_keys = dict(KEYS.lines(Mode.REASON)[-1])
    assert "g" in plain_keys
    assert "g" not in dict(KEYS.lines(Mode.REASON, without=frozenset("g"))[-1])
