"""Every key of the desk, once: the bindings, the key lines and the help are made from this table.

A screen is always in exactly one mode, and in a mode a key means one thing. The reason keys of
the rubric come on top while a reason is asked for, before these.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from judge.records.judgement import LABELS, CannotKind, Label


class Mode(Enum):
    """What the screen is waiting for."""

    OPEN = auto()
    """An item without a label."""
    LABELLED = auto()
    """An item that has one: a label key changes it."""
    BLIND = auto()
    """Adjudication: the blind label is given, both first labels are not shown yet."""
    DECIDE = auto()
    """Adjudication: both first labels are shown, the decision is open."""
    DECIDED = auto()
    """Adjudication: a decision is there; a label key changes it."""
    BROKEN = auto()
    """The item could not be read from the packet."""
    KIND = auto()
    """Cannot judge: which kind?"""
    REASON = auto()
    """A label waits for its reason."""
    NOTE = auto()
    READER = auto()
    """Criteria or help."""
    PROBLEM = auto()
    """A sentence that has to be read: something was not saved."""
    UNFINISHED = auto()
    """The overview while items are open."""
    FINISHED = auto()
    """The overview when all are done: time to hand in."""
    LOCKED = auto()
    """The overview of a packet that was handed in."""


ITEM = frozenset({Mode.OPEN, Mode.LABELLED, Mode.BLIND, Mode.DECIDE, Mode.DECIDED})
PENDING = frozenset({Mode.KIND, Mode.REASON})
OVERVIEW = frozenset({Mode.UNFINISHED, Mode.FINISHED, Mode.LOCKED})
_DECIDING = frozenset({Mode.DECIDE, Mode.DECIDED})
LABEL_GROUP = "Labels"
KIND_GROUP = "After ?"
END_GROUP = "At the end"
_TEXT = ITEM | PENDING | OVERVIEW | {Mode.BROKEN, Mode.READER}


@dataclass(frozen=True)
class Action:
    """Something a key does. ``name`` is the method ``do_<name>`` of the screen."""

    name: str
    keys: tuple[str, ...]
    """As `judge.tui.screens.base.pressed` names them; the first one is shown."""
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
        frozenset({Mode.OPEN, Mode.BLIND, Mode.DECIDE}),
    ),
    Action(
        "show_both",
        ("s",),
        "show both first labels",
        "Adjudication: show both first labels. Your blind label is fixed from then on.",
        LABEL_GROUP,
        frozenset({Mode.BLIND}),
    ),
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
        ITEM | {Mode.BROKEN, Mode.UNFINISHED, Mode.FINISHED},
    ),
    Action("note", ("n",), "note", "Write or change the note of this item.", "This item", ITEM),
    Action(
        "full_text",
        ("f",),
        "full text read",
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
    Action("note_save", ("enter",), "save", "Save the note.", "In a note", frozenset({Mode.NOTE})),
    Action(
        "note_line",
        ("ctrl+j",),
        "new line",
        "Start a new line in the note.",
        "In a note",
        frozenset({Mode.NOTE}),
    ),
    Action(
        "note_leave",
        ("escape",),
        "leave as it was",
        "Leave the note as it was; twice if you have typed something.",
        "In a note",
        frozenset({Mode.NOTE}),
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
        ITEM | {Mode.BROKEN},
    ),
    Action(
        "next",
        ("]",),
        "next",
        "The item after, labelled or not. A label moves on by itself.",
        "Moving",
        ITEM | {Mode.BROKEN},
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
        ITEM | {Mode.BROKEN},
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
        ITEM | PENDING | OVERVIEW,
    ),
    Action(
        "keys",
        ("k", "f1"),
        "keys",
        "This list of keys.",
        "Desk",
        ITEM | PENDING | OVERVIEW | {Mode.BROKEN},
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
        ITEM | OVERVIEW | {Mode.BROKEN},
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
)

ACTIONS: dict[str, Action] = {action.name: action for action in _ALL}
"""All actions by name, in the order of the help."""

GUARDED = frozenset({*LABELS, "later", "undo", "show_both", "hand_in"})
"""Actions that a held key or a key typed ahead must not cause."""


def bindings(mode: Mode) -> dict[str, Action]:
    """Key to action in ``mode``. Raises ``ValueError`` where two actions claim a key."""
    bound: dict[str, Action] = {}
    for action in ACTIONS.values():
        if mode in action.when:
            for key in action.keys:
                if key in bound:
                    raise ValueError(f"{key!r} is both {bound[key].name} and {action.name}")
                bound[key] = action
    return bound


BINDINGS: dict[Mode, dict[str, Action]] = {mode: bindings(mode) for mode in Mode}
"""Made at import: a collision stops the program, not a person."""

_SHOWN = {"escape": "Esc", "enter": "Enter", "space": "Space"} | {
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "Up",
    "down": "Down",
}


def key_name(key: str) -> str:
    """A key as it is written on keyboards."""
    if key.startswith("ctrl+"):
        return f"Ctrl+{key[5:].upper()}"
    return _SHOWN.get(key, key.upper() if len(key) > 1 else key)


def key_lines(
    mode: Mode, *, without: frozenset[str] = frozenset()
) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Key and words of what is listed in ``mode``; labels, kinds and the hand-in on lines of
    their own before the rest.

    Keys in ``without`` mean something else now. While a label waits for its reason the label keys
    are one entry: each of them gives another label.
    """
    lines = (LABEL_GROUP, KIND_GROUP, END_GROUP, "")
    groups: dict[str, list[tuple[str, str]]] = {group: [] for group in lines}
    for action in ACTIONS.values():
        free = [key for key in action.keys if key not in without]
        if action.listed and mode in action.when and free:
            pair = (key_name(free[0]), action.label)
            groups[action.group if action.group in groups else ""].append(pair)
    if mode in PENDING:
        others = " ".join(key for key, _ in groups.pop(LABEL_GROUP))
        groups[""].insert(1, (others, "another label"))
    return tuple(tuple(pairs) for pairs in groups.values() if pairs)
