"""Which key does what: the registry's own keys, or those of a person's file.

The file is TOML, one line for each action that is to have other keys::

    relevant = "2"
    back = ["escape", "z"]

The names are those of `judge.tui.actions.ACTIONS`; the help (key ``k``) shows them. A key is the
character it types, or a name: ``escape``, ``space``, ``pageup``, ``f2``, ``ctrl+t``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from judge.decode import count_problems
from judge.errors import Invalid, Problem
from judge.files import decode_text, nearest
from judge.records.judgement import LABELS
from judge.records.protocol import Reason
from judge.tui.actions import (
    ACTIONS,
    CODE_GROUP,
    END_GROUP,
    KIND_GROUP,
    LABEL_GROUP,
    Action,
)
from judge.tui.modes import PENDING, TYPING, Mode

_SHOWN = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "tab": "Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
}
_NAMES = frozenset(_SHOWN) | {f"f{number}" for number in range(1, 13)}
_SAME = {"ctrl+h": "backspace", "ctrl+i": "tab", "ctrl+m": "enter"}
"""Keys that a terminal cannot tell from another one."""
_TEXT_KEYS = frozenset({"space", "backspace", "delete"})
_KEYS_ALLOWED = (
    'one character such as "2", or one of '
    + ", ".join(sorted(_SHOWN))
    + ", f1 to f12, ctrl+ and a letter"
)


def key_name(key: str) -> str:
    """A key as it is written on keyboards."""
    if key.startswith("ctrl+"):
        return f"Ctrl+{key[5:].upper()}"
    return _SHOWN.get(key, key.upper() if len(key) > 1 else key)


class Keymap:
    """The actions with their keys. ``given`` has other keys for some of them.

    Raises ``ValueError`` where two actions claim a key in one mode (`clashes` lists them).
    """

    def __init__(self, given: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.actions = _with(given or {})
        found = clashes(self.actions)
        if found:
            raise ValueError("; ".join(found))
        self.bindings: dict[Mode, dict[str, Action]] = {
            mode: {
                key: action
                for action in self.actions.values()
                if mode in action.when
                for key in action.keys
            }
            for mode in Mode
        }

    def key(self, name: str) -> str:
        """The key of an action as the sentences of the desk write it."""
        return key_name(self.actions[name].keys[0])

    def lines(
        self, mode: Mode, *, without: frozenset[str] = frozenset(), labels: bool = True
    ) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Key and words of what is listed in ``mode``; labels, kinds and the hand-in on lines of
        their own before the rest.

        Keys in ``without`` mean something else now; without ``labels`` those are left out. While a
        label waits for its reason the label keys are one entry: each of them gives another label.
        """
        order = (CODE_GROUP, LABEL_GROUP, KIND_GROUP, END_GROUP, "")
        groups: dict[str, list[tuple[str, str]]] = {group: [] for group in order}
        for action in self.actions.values():
            free = [key for key in action.keys if key not in without]
            shown = action.listed and (labels or action.name not in LABELS)
            if shown and mode in action.when and free:
                pair = (key_name(free[0]), action.label)
                groups[action.group if action.group in groups else ""].append(pair)
        if groups[CODE_GROUP]:
            groups[""][:0] = groups.pop(LABEL_GROUP)
        if mode in PENDING:
            others = " ".join(key for key, _ in groups.pop(LABEL_GROUP))
            groups[""].insert(1, (others, "another label"))
        return tuple(tuple(pairs) for pairs in groups.values() if pairs)


def _with(given: Mapping[str, tuple[str, ...]]) -> dict[str, Action]:
    return {
        name: replace(action, keys=given.get(name, action.keys)) for name, action in ACTIONS.items()
    }


def clashes(actions: Mapping[str, Action]) -> list[str]:
    """Every key that two actions claim in one mode, in words; each pair once."""
    found: dict[str, None] = {}
    for mode in Mode:
        bound: dict[str, str] = {}
        for action in actions.values():
            for key in action.keys if mode in action.when else ():
                other = bound.setdefault(key, action.name)
                if other != action.name:
                    found[f"{key!r} is both {other} and {action.name}"] = None
    return list(found)


def key_file() -> tuple[Path, bool]:
    """Where the keys are read from, and whether the file must be there.

    It must where ``JUDGE_KEYS`` names it; else it is ``blindjudge/keys.toml`` in
    ``XDG_CONFIG_HOME``, by default ``~/.config``.
    """
    named = os.environ.get("JUDGE_KEYS")
    if named:
        return Path(named).expanduser(), True
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(home).expanduser() / "blindjudge" / "keys.toml", False


def read_keys(path: Path, *, required: bool) -> Keymap:
    """The keys of a person's file; the registry's own where there is none.

    Raises `Invalid` with every problem: an unknown action or key, a key that would type text
    where text is typed, two actions on one key.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        if not required:
            return Keymap()
        raise Invalid(f"{path}: there is no such file", hint="set JUDGE_KEYS to a file") from None
    except OSError as error:
        raise Invalid(f"{path}: cannot be read ({error.strerror})") from None
    try:
        found = tomllib.loads(decode_text(data, str(path), empty=True))
    except ValueError as error:
        raise Invalid(f"{path}: not TOML: {error}") from None
    problems: list[Problem] = []
    given = {
        name: keys
        for name, value in found.items()
        if (keys := _keys(f"{path}: {name}", name, value, problems))
    }
    problems += [
        Problem(str(path), clash, "give one of them another key") for clash in clashes(_with(given))
    ]
    if problems:
        raise Invalid(
            f"{path} has {count_problems(problems)}; the desk was not opened",
            problems,
            hint="correct the file, or move it away to have the usual keys",
        )
    return Keymap(given)


def check_reasons(keys: Keymap, reasons: tuple[Reason, ...]) -> None:
    """Raises `Invalid` where a label has the key of a reason that may complete it.

    While a reason is asked for its key comes first, so that the label key would choose a reason.
    """
    problems = [
        Problem(key_name(key), f"is both {label} and the reason {reason.code}")
        for label in LABELS
        for key in keys.actions[label].keys
        for reason in reasons
        if reason.key == key
    ]
    if problems:
        raise Invalid(
            f"your keys and those of the rubric have {count_problems(problems)}; "
            "the desk was not opened",
            problems,
            hint=f"give the label another key in {key_file()[0]}",
        )


def hidden(keys: Keymap, reasons: tuple[Reason, ...]) -> str:
    """What the keys of reasons hide while a reason is asked for, and what to change; else nothing.

    The reason comes first: its key was frozen with the rubric, and the other one is the person's
    own to change.
    """
    bound = keys.bindings[Mode.REASON]
    found = {
        reason.key: bound[reason.key]
        for reason in reasons
        # A key that is one of several of its action leaves the others.
        if reason.key in bound and all(k == reason.key for k in bound[reason.key].keys)
    }
    if not found:
        return ""
    said = ", ".join(f"{key} hides {action.label}" for key, action in found.items())
    return f"at a reason {said}; other keys: keys.toml ({keys.key('keys')})"


def _keys(where: str, name: str, value: object, problems: list[Problem]) -> tuple[str, ...]:
    action = ACTIONS.get(name)
    if action is None:
        found = f"there is no such action{nearest(name, ACTIONS)}"
        problems.append(Problem(where, found, "one of " + ", ".join(ACTIONS)))
        return ()
    listed = value if isinstance(value, list) else [value]
    if not listed:
        problems.append(Problem(where, "no key", _KEYS_ALLOWED))
    keys = []
    for one in listed:
        key = one if isinstance(one, str) and len(one) == 1 else str(one).lower()
        if not isinstance(one, str) or not _is_key(key):
            problems.append(Problem(where, f"{one!r} is no key", _KEYS_ALLOWED))
        elif key in _SAME:
            problems.append(Problem(where, f"a terminal sends {_SAME[key]} for {key}"))
        elif action.when & TYPING and action.name != "quit" and _types(key):
            problems.append(Problem(where, f"{key!r} is text there", "a key that types nothing"))
        elif action.name == "quit" and _types(key):
            problems.append(Problem(where, f"{key!r} is text in a note", "such as ctrl+q"))
        else:
            keys.append(key)
    return tuple(dict.fromkeys(keys))


def _is_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable() and not key.isspace()
    if key.startswith("ctrl+"):
        return len(key) == 6 and key[5].isascii() and key[5].isalpha()
    return key in _NAMES


def _types(key: str) -> bool:
    return len(key) == 1 or key in _TEXT_KEYS
