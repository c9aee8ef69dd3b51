"""What a packet's events amount to: the state of every item, derived, never stored.

Pure functions over `LabelEvent`. An undo takes back one act; a label given again supersedes the
one before; what an adjudicator's reveal rests on is fixed from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from judge.records.judgement import EventKind, LabelEvent, PacketKind

UNDOABLE: frozenset[EventKind] = frozenset({"label", "note", "later", "decision", "code", "guess"})
CLOSING: dict[PacketKind, EventKind] = {
    "label": "label",
    "adjudication": "decision",
    "discussion": "decision",
    "failures": "code",
    "guess": "guess",
}
"""The act that completes an item of each kind of packet."""


@dataclass(slots=True)
class ItemState:
    """One item of a packet: its live acts in order, and whether both labels were revealed."""

    acts: list[LabelEvent] = field(default_factory=list)
    revealed: bool = False

    def newest(self, *kinds: EventKind) -> LabelEvent | None:
        """The newest live act of one of ``kinds``."""
        for act in reversed(self.acts):
            if act.kind in kinds:
                return act
        return None

    @property
    def label(self) -> LabelEvent | None:
        """The label that stands; for an adjudicator the blind one."""
        return self.newest("label")

    @property
    def decision(self) -> LabelEvent | None:
        """The adjudicator's decision that stands."""
        return self.newest("decision")

    @property
    def note(self) -> str:
        """The note that stands."""
        act = self.newest("label", "note", "decision", "code")
        return "" if act is None else act.note

    @property
    def later(self) -> bool:
        """Whether the item was put off and has no label since."""
        act = self.newest("label", "later", "decision", "code")
        return act is not None and act.kind == "later"


class Items(dict[int, ItemState]):
    """Positions 1..n and their items. One is made when it is first asked for: a packet may hold
    20,000 of which nobody has touched any.

    Iterating gives those that were asked for. Raises ``KeyError`` outside 1..n.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def __missing__(self, position: int) -> ItemState:
        if not 1 <= position <= self.count:
            raise KeyError(position)
        item = self[position] = ItemState()
        return item


@dataclass
class PacketState:
    """The items of a packet that anything was done to, and whether it is handed in."""

    items: Items
    handed_in: bool = False
    acts: list[LabelEvent] = field(default_factory=list)
    """Live undoable acts of the whole packet, in order."""
    seconds: int = 0

    def apply(self, event: LabelEvent) -> None:
        """Takes one more event into account."""
        self.seconds += event.seconds
        if event.kind == "hand_in":
            self.handed_in = True
        elif event.kind == "unlock":
            self.handed_in = False
        if event.position is None:
            return
        item = self.items[event.position]
        if event.kind == "undo":
            item.acts = [act for act in item.acts if act.seq != event.undoes]
            self.acts = [act for act in self.acts if act.seq != event.undoes]
        elif event.kind == "reveal":
            item.revealed = True
        else:
            item.acts.append(event)
            self.acts.append(event)

    def undoable(self) -> LabelEvent | None:
        """The newest act that may still be taken back.

        A blind label is fixed once both first labels were seen: taking it back would turn what
        was seen into what was first thought.
        """
        for act in reversed(self.acts):
            fixed = act.position is not None and self.items[act.position].revealed
            if not (fixed and act.kind != "decision"):
                return act
        return None


def fold(events: Iterable[LabelEvent], items: int) -> PacketState:
    """The state after ``events`` of a packet with ``items`` items."""
    state = PacketState(Items(items))
    for event in events:
        state.apply(event)
    return state
