"""Both packets of the worked study, labelled key by key at a real terminal.

``keylog/A.keys`` and ``B.keys`` hold what was typed: for each visit of an item its need, its
record, and the keys, with notes, slips taken back, items put off, quotes, searches and an
evening off. A key is typed once the screen shows what the one before it did. The labels must be
those of ``judgements/script``, which the worked study replays without a screen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from judge.decode import read_jsonl
from judge.files import read_bytes
from judge.judgements.lifecycle import fold
from judge.judgements.packet import fixed_entropy
from judge.records.judgement import Deal, LabelEvent, Script
from judge.steps.context import Context
from judge.steps.demo import SOURCE
from judge.steps.judging import collect_packet, make_packet, pool_study
from judge.steps.planning import copy_inputs, freeze_study
from judge.steps.running import capture_study
from judge.store.packet_file import read_packet
from judge.tui import words
from tests.steps.studies import context_of
from tests.tui.terminal import Terminal, terminal

LOGS = Path(__file__).parent / "keylog"
BYTES = {
    "Enter": "\r",
    "Esc": "\x1b",
    "Space": " ",
    "Right": "\x1b[C",
    "Down": "\x1b[B",
    "PgDn": "\x1b[6~",
}
# The player reads faster than a person: an item need not have been there for 0.3 s.
AT_ONCE = "import judge.tui.guard; judge.tui.guard.DWELL_SECONDS = 0.0"

ASKED = re.compile(r"which kind\?|The key of a reason saves it")
PLACE = re.compile(r"item (\d+) of \d+ -")
SAID = {
    "l": "saved: later - item {at}",
    "n": "Note on item {at}",
    "q": "Enter take",
    "f": "read: full text",
    "t": "terms (not )?underlined",
    "v": "colours: ",
    "g": "Criteria",
    "k": "Keys",
    "h": "This sitting, newest first",
    "/": "Search notes and titles",
    "e": "items have a label|Time at the desk",
    "y": "saved: handed in",
}
"""What the screen shows after a key of an item."""


@dataclass(frozen=True)
class Visit:
    """One line of a log."""

    item: str
    keys: tuple[str, ...]


def log(code: str) -> list[Visit]:
    text = (LOGS / f"{code}.keys").read_text("utf-8")
    visits = []
    for line in text.splitlines():
        if not line.startswith("#"):
            item, _, keys = line.partition(" | ")
            visits.append(Visit(item, tuple(re.findall(r'"[^"]*"|\S+', keys))))
    return visits


def pooled(root: Path) -> Context:
    """The worked study when its hits are pooled and nothing is dealt."""
    context = context_of(root)
    copy_inputs(SOURCE, root)
    capture_study(context, development=True)
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    return context


class Player:
    """Types a log at a packet: for the item on the screen the next visit that the log has."""

    def __init__(self, path: Path, deal: Deal, visits: list[Visit]) -> None:
        self.path = path
        self.items = {item.position: f"{item.query_id} {item.record_id}" for item in deal.items}
        self.visits: dict[str, list[Visit]] = defaultdict(list)
        for visit in visits:
            self.visits[visit.item].append(visit)

    def play(self) -> None:
        """Until the packet is handed in and the desk was left."""
        while any(self.visits.values()):
            with terminal(self.path, before=AT_ONCE) as t:
                t.sees(lambda text: "x leave" in text, "the first screen")
                while self._visit(t):
                    pass
                assert t.end() == 0

    def _visit(self, t: Terminal) -> bool:
        """Types the keys of one visit; whether the desk is still open after it."""
        at = place(t.shown.text)
        left = self.visits[self.items[int(at)] if at else "end"]
        assert left, f"the log has no more keys for what is on the screen:\n{t.shown.text}"
        visit = left.pop(0)
        for number, key in enumerate(visit.keys, 1):
            if key == "x" and not ASKED.search(t.shown.text):
                t.type("x")
                if rest := visit.keys[number:]:
                    self.visits[visit.item].insert(0, replace(visit, keys=rest))
                return False
            self._press(t, key)
        return True

    def _press(self, t: Terminal, key: str) -> None:
        before = t.shown.text
        done = self._outcome(key, before)
        t.type(key[1:-1] if key.startswith('"') else BYTES.get(key, key))
        t.sees(lambda text: text != before and done(text), f"what {key} does")

    def _outcome(self, key: str, before: str) -> Callable[[str], bool]:
        """What the screen must show after ``key``, by what it shows before."""
        if key.startswith('"'):
            last = key[1:-1].split()[-1]
            return lambda text: text.count(last) > before.count(last)
        if "Note on item" in before and key == "Enter":
            return lambda text: "saved: note - item" in text and at_an_item(text)
        if "Enter take" in before:
            return lambda text: ("saved: note" in text) if key == "Enter" else True
        if key == "Enter" and (chosen := re.search(r"> item (\d+):", before)):
            return lambda text: place(text) == chosen[1] and at_an_item(text)
        if key in ("Esc", "Enter"):
            return lambda text: place(text) != "" and at_an_item(text)
        if key in BYTES:
            return lambda text: True
        if "The key of a reason saves it" in before and key in "abcdefghijklmnopqrstvwxyz":
            said = f"({key}) - item {place(before)}"
            return lambda text: (
                (said in text or "Declaration" in text)
                and place(text) != place(before)
                and at_an_item(text)
            )
        if ("which kind?" in before and key != "u") or key in ("1", "0", "5", "?"):
            return lambda text: ASKED.search(text) is not None
        if key == "u":
            return taken_back
        if key in "[]":
            return lambda text: place(text) not in ("", place(before))
        said = SAID[key].format(at=place(before))
        return lambda text: re.search(said, text) is not None and not ASKED.search(text)


def place(text: str) -> str:
    """The number of the item on the screen."""
    found = PLACE.search(text)
    return found[1] if found else ""


def at_an_item(text: str) -> bool:
    """Whether the keys of an item or of the overview are all there: they are drawn last."""
    return "x leave" in text and not ASKED.search(text)


def taken_back(text: str) -> bool:
    """Whether an undo is done, and its item is on the screen; or a label was dropped."""
    undone = re.search(r"saved: undo of .* - item (\d+)", text)
    done = undone[1] == place(text) if undone else "label dropped" in text
    return done and at_an_item(text)


@pytest.mark.parametrize("code", ["A", "B"])
def test_the_keys_of_the_log_give_the_labels_of_the_script(code: str, tmp_path: Path) -> None:
    context = pooled(tmp_path / "study")
    dealing = replace(context, entropy=fixed_entropy("worked study"))
    paths = {one: make_packet(dealing, one, scripted=True) for one in ("A", "B")}
    path = paths[code]
    packet_id = read_packet(path).packet.packet_id
    with context.frozen() as work:
        deal = next(deal for deal in work.deals if deal.packet_id == packet_id)
    visits = log(code)

    Player(path, deal, visits).play()

    returned = read_packet(path)
    name = SOURCE / "judgements" / "script" / f"{code}.jsonl"
    scripts = {
        f"{line.query_id} {line.record_id}": line
        for _, line in read_jsonl(read_bytes(name), name.name, Script)
    }
    state = fold(returned.events, returned.packet.items)
    assert state.handed_in
    given = {
        f"{item.query_id} {item.record_id}": said(state.items[item.position].label)
        for item in deal.items
    }
    assert given == {item: said(script) for item, script in scripts.items()}
    assert [event.note for event in returned.events if event.kind == "hand_in"] == [
        words.DECLARATION
    ]
    kinds = {event.kind for event in returned.events}
    assert {"label", "note", "later", "undo", "hand_in"} <= kinds
    taken = collect_packet(context, path, code)
    assert taken.events == len(returned.events)


def said(label: LabelEvent | Script | None) -> tuple[object, ...]:
    """What a label says, whoever gave it."""
    assert label is not None
    return (label.label, label.cannot_kind, label.reason, label.evidence, label.note)
