"""Every key of the desk, once: the bindings, the key lines and the help are made from this table.

`judge.tui.keymap` makes them, with the keys of a person's own file where there is one.

A screen is always in exactly one mode, and in a mode a key means one thing. The reason keys of
the rubric come on top while a reason is asked for, before these.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.records.judgement import LABELS, CannotKind, Label
from judge.tui.codes import CODING
from judge.tui.modes import GUESSES, ITEM, OVERVIEW, PENDING, REVIEWING, Mode

_ANY = ITEM | GUESSES | REVIEWING
_DECIDING = frozenset({Mode.DECIDE, Mode.DECIDED})
LABEL_GROUP = "Labels"
KIND_GROUP = "After ?"
CODE_GROUP = "Failure review"
GUESS_GROUP = "Which system found it?"
END_GROUP = "At the end"
_LISTS = frozenset({Mode.HISTORY, Mode.SEARCH})
_TEXT = _ANY | PENDING | OVERVIEW | {Mode.BROKEN, Mode.READER}


@dataclass(frozen=True)
class Action:
    """Something a key does. ``name`` is the method ``do_<name>`` of the screen."""

    name: str
    keys: tuple[str, ...]
    """As `judge.tui.screens.base.pressed` names them; the first one is shown. A file can give
    others (`judge.tui.keymap`)."""
    label: str
    """Two or three words for the key lines."""
    description: str
    """A sentence for the help."""
    group: str
    when: frozenset[Mode]
    listed: bool = True
    """Whether the key lines show it; the help shows all."""


def _label(label: Label, key: str, word: str, description: str) -> Action:
    return Action(label, (key,), word, description, LABEL_GROUP, ITEM | PENDING)


def _kind(kind: CannotKind, key: str, word: str) -> Action:
    sentence = f"Cannot judge: {word}."
    return Action(kind, (key,), word, sentence, KIND_GROUP, frozenset({Mode.KIND}))


def _scroll(name: str, keys: tuple[str, ...], description: str) -> Action:
    return Action(name, keys, "", description, "Reading", _TEXT, listed=False)


def _quoting(name: str, key: str, label: str, description: str) -> Action:
    when = frozenset({Mode.QUOTE})
    return Action(name, (key,), label, description, "In a quote", when, listed=bool(label))


def _listing(name: str, keys: tuple[str, ...], label: str, description: str) -> Action:
    return Action(name, keys, label, description, "In a list", _LISTS, listed=bool(label))


def _guess(name: str, key: str, sentence: str) -> Action:
    return Action(name, (key,), "", sentence, GUESS_GROUP, GUESSES, listed=False)


_ALL = (
    _label("relevant", "1", "relevant", "Relevant to the need; then the key of its reason."),
    _label("not_relevant", "0", "not relevant", "Not relevant; then the key of its reason."),
    _label("uncertain", "5", "uncertain", "What was read leaves it open; then its reason."),
    _label("cannot_judge", "?", "cannot judge", "It cannot be judged at all; then the kind."),
    Action(
        "later",
        ("l",),
        "later",
        "Put it off: it stays open and comes back at the end.",
        LABEL_GROUP,
        frozenset({Mode.OPEN, Mode.BLIND, Mode.DECIDE, Mode.REVIEW}),
    ),
    Action(
        "show_both",
        ("s",),
        "show both first labels",
        "Adjudication: show both first labels. Your blind label is fixed from then on.",
        LABEL_GROUP,
        frozenset({Mode.BLIND}),
    ),
    *(_guess(f"system_{n}", str(n), f"System {n} of the list found it.") for n in range(1, 10)),
    _guess("dont_know", "?", "Nothing tells you which system found it."),
    _kind("paper_unavailable", "p", "paper unavailable"),
    _kind("no_abstract", "n", "no abstract"),
    _kind("conflicting_metadata", "c", "conflicting metadata"),
    _kind("other", "o", "other"),
    Action(
        "cancel",
        ("escape", "u"),
        "drop this label",
        "Before its reason: drop the label; nothing was saved.",
        "This item",
        PENDING,
    ),
    Action(
        "undo",
        ("u",),
        "undo",
        "Take back the newest label, note or later, and open its item. As often as you like.",
        "This item",
        _ANY | {Mode.BROKEN, Mode.UNFINISHED, Mode.FINISHED},
    ),
    Action("note", ("n",), "note", "Write or change the note of this item.", "This item", _ANY),
    Action(
        "full_text",
        ("f",),
        "full text",
        "You read the full text: recorded with the label (on or off).",
        "This item",
        ITEM | {Mode.REASON},
    ),
    Action(
        "rubric_gap",
        ("b",),
        "rubric gap",
        "Adjudication: the rubric does not settle this case (on or off), with the decision.",
        "This item",
        _DECIDING,
    ),
    Action(
        "quote",
        ("q",),
        "quote",
        "Choose words of the abstract; they go into the note with their place in it.",
        "This item",
        ITEM,
    ),
    Action(
        "open_link",
        ("o",),
        "link",
        "Open the link in the browser; copied to the clipboard where there is no browser.",
        "This item",
        _ANY,
    ),
    Action(
        "note_save",
        ("enter",),
        "save",
        "Save what is written.",
        "While you write",
        frozenset({Mode.NOTE}),
    ),
    Action(
        "note_line",
        ("ctrl+j",),
        "new line",
        "Start a new line.",
        "While you write",
        frozenset({Mode.NOTE}),
    ),
    Action(
        "note_leave",
        ("escape",),
        "leave as it was",
        "Leave it as it was; twice if you have typed something.",
        "While you write",
        frozenset({Mode.NOTE}),
    ),
    _quoting("word_on", "right", "word on", "A word on."),
    _quoting("word_back", "left", "word back", "A word back."),
    _quoting("quote_down", "down", "line down", "A line down."),
    _quoting("quote_up", "up", "line up", "A line up."),
    _quoting("quote_page_down", "pagedown", "", "A page down."),
    _quoting("quote_page_up", "pageup", "", "A page up."),
    _quoting("quote_mark", "space", "start or drop the choice", "Start at this word, or drop it."),
    _quoting("quote_take", "enter", "take", "Take the words from the start to the cursor."),
    _quoting("quote_leave", "escape", "leave", "Leave without a quote."),
    _listing("row_down", ("down",), "", "A row down."),
    _listing("row_up", ("up",), "", "A row up."),
    _listing("rows_down", ("pagedown",), "", "A page of rows down."),
    _listing("rows_up", ("pageup",), "", "A page of rows up."),
    _listing("row_open", ("enter",), "open the item", "Open the item, to read or to change it."),
    _listing("list_leave", ("escape",), "back", "Back to the item that was open."),
    Action(
        "history_leave",
        ("h",),
        "",
        "The key that opened the history closes it.",
        "In a list",
        frozenset({Mode.HISTORY}),
        listed=False,
    ),
    _scroll("page_down", ("space", "pagedown"), "A page down."),
    _scroll("page_up", ("pageup",), "A page up."),
    _scroll("line_down", ("down",), "A line down."),
    _scroll("line_up", ("up",), "A line up."),
    _scroll("top", ("home",), "To the top."),
    _scroll("bottom", ("end",), "To the end."),
    Action(
        "previous",
        ("[",),
        "previous",
        "The item before, labelled or not.",
        "Moving",
        _ANY | {Mode.BROKEN},
    ),
    Action(
        "next",
        ("]",),
        "next",
        "The item after, labelled or not. A label moves on by itself.",
        "Moving",
        _ANY | {Mode.BROKEN},
    ),
    Action(
        "next_open",
        ("j",),
        "next open",
        "The next item without a label, from an item that has one.",
        "Moving",
        frozenset({Mode.LABELLED, Mode.DECIDED, Mode.REVIEWED, Mode.GUESSED}),
    ),
    Action(
        "retry",
        ("r",),
        "read again",
        "Try to read the item again.",
        "Moving",
        frozenset({Mode.BROKEN}),
    ),
    Action(
        "overview",
        ("e",),
        "overview",
        "How far you are, and handing in when all items are done.",
        "Moving",
        _ANY | {Mode.BROKEN},
    ),
    Action(
        "history",
        ("h",),
        "history",
        "What you did in this sitting, newest first; any item opens from there.",
        "Moving",
        _ANY | {Mode.BROKEN},
    ),
    Action(
        "search",
        ("/",),
        "search",
        "Search notes and titles of the items you have had before you.",
        "Moving",
        _ANY | {Mode.BROKEN},
    ),
    Action(
        "back",
        ("escape", "e"),
        "back to the items",
        "Back to the items.",
        "Moving",
        frozenset({Mode.UNFINISHED, Mode.FINISHED}),
    ),
    Action(
        "hand_in",
        ("y",),
        "declare and hand in",
        "On the overview, when all are done: make the declaration, hand in, lock the packet.",
        END_GROUP,
        frozenset({Mode.FINISHED}),
    ),
    Action(
        "criteria",
        ("g",),
        "criteria",
        "The whole need, the criteria, and all reasons.",
        "Desk",
        _ANY | PENDING | OVERVIEW,
    ),
    Action(
        "highlight",
        ("t",),
        "terms",
        "Underline the terms of the need and your own, or not; recorded with each label.",
        "Desk",
        ITEM | PENDING,
    ),
    Action(
        "own_terms",
        ("+",),
        "own terms",
        "Write or change your own terms. They stay on this machine, beside the packet.",
        "Desk",
        ITEM,
        listed=False,
    ),
    Action(
        "look",
        ("v",),
        "colours",
        "Dark, light, or high contrast. JUDGE_THEME sets what to begin with.",
        "Desk",
        _ANY | PENDING | OVERVIEW | {Mode.BROKEN},
        listed=False,
    ),
    Action(
        "keys",
        ("k", "f1"),
        "keys",
        "This list of keys.",
        "Desk",
        _ANY | PENDING | OVERVIEW | {Mode.BROKEN},
    ),
    Action(
        "close",
        ("escape", "enter", "g", "k"),
        "close",
        "Close the criteria or this list.",
        "Desk",
        frozenset({Mode.READER}),
    ),
    Action(
        "dismiss",
        ("escape", "enter"),
        "understood",
        "Close a message.",
        "Desk",
        frozenset({Mode.PROBLEM}),
    ),
    Action(
        "leave",
        ("x", "ctrl+c"),
        "leave",
        "Leave the desk. All that was saved stays, and you come back to this item.",
        "Desk",
        _ANY | OVERVIEW | {Mode.BROKEN},
    ),
    Action(
        "quit",
        ("ctrl+q",),
        "leave",
        "Leave the desk from anywhere.",
        "Desk",
        frozenset(Mode),
        listed=False,
    ),
    *(Action(row[0], (row[1],), row[2], row[3], CODE_GROUP, REVIEWING) for row in CODING),
)

ACTIONS: dict[str, Action] = {action.name: action for action in _ALL}
"""All actions by name, in the order of the help."""

SYSTEMS: dict[str, int] = {f"system_{number}": number for number in range(1, 10)}
"""The actions that name a system, and its place in the packet's list."""

GUARDED = frozenset(
    {
        *LABELS,
        *SYSTEMS,
        *(row[0] for row in CODING),
        *("dont_know", "later", "undo", "show_both", "hand_in"),
    }
)
"""Actions that a held key or a key typed ahead must not cause."""
