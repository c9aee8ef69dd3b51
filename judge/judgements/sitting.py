"""A sitting at the desk, without a screen: what each key does, and which item comes next.

The terminal app draws it, the replay of scripted labels drives it: both go through the same
methods. Every method that changes something returns after the commit; until then nothing here
says it happened.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from judge.errors import Refused
from judge.judgements.lifecycle import CLOSING, UNDOABLE, ItemState, PacketState, fold
from judge.judgements.progress import Progress
from judge.records.judgement import (
    SETTLING,
    CannotKind,
    EventKind,
    FailureCategory,
    Label,
    LabelEvent,
    Reveal,
    View,
)
from judge.records.protocol import EvidenceLevel, Reason
from judge.store.desk import Desk
from judge.text import unstorable

AWAY_SECONDS = 90
"""A pause longer than this between two keys is time away and does not count."""

REMIND_EVERY = 50
"""Items labelled in one sitting after which a rest is suggested, and again after as many."""

_LEVELS: tuple[EvidenceLevel, ...] = ("title", "abstract", "full_text")


class Sitting:
    """One person at one packet. ``monotonic`` gives seconds, ``today`` the day as YYYY-MM-DD."""

    def __init__(
        self, desk: Desk, *, monotonic: Callable[[], float], today: Callable[[], str]
    ) -> None:
        self.desk = desk
        self.packet = desk.packet
        self.closing = CLOSING[desk.packet.kind]
        self._monotonic = monotonic
        self._today = today
        events = desk.events()
        self._state: PacketState = fold(events, self.packet.items)
        self._done = sum(map(self.done, self._state.items))  # those with an act, and no others
        self._later = sum(map(self._put_off, self._state.items))
        self._here: list[LabelEvent] = []
        self._labelled_here: set[int] = set()
        self.rest_due = False
        """Whether the act just made completed another `REMIND_EVERY` items of this sitting."""
        self._titles: dict[int, str | None] = {}
        self._seen = set(self._state.items)
        self.highlight = next((e.highlight for e in reversed(events) if e.label), True)
        """Whether terms are pointed out; recorded with each label. As it was at the last one."""
        self._active = 0.0
        self._last_key = monotonic()
        self.position = 1
        self._resume(events)

    # --- what there is --------------------------------------------------------------------------

    @property
    def adjudicating(self) -> bool:
        """Whether the packet settles: labels are shown, and each item ends in a decision."""
        return self.packet.kind in SETTLING

    @property
    def discussing(self) -> bool:
        """Whether the assessors sit here together: they see their labels without a blind one."""
        return self.packet.kind == "discussion"

    @property
    def handed_in(self) -> bool:
        """Whether the packet is locked."""
        return self._state.handed_in

    def item(self, position: int | None = None) -> ItemState:
        """The state of an item; the current one without ``position``."""
        return self._state.items[self.position if position is None else position]

    def view(self) -> View:
        """What is shown of the current item."""
        view = self.desk.view(self.position)
        self._titles[self.position] = view.title or ""
        self._seen.add(self.position)
        return view

    def titles(self) -> dict[int, str | None]:
        """The titles of the items of `seen`, in order; None for one that cannot be read.

        No others: a look ahead would break the drawn order. All are read at once, for a packet
        may hold 20,000.
        """
        seen = self.seen()
        missing = [position for position in seen if position not in self._titles]
        if missing:
            self._titles.update(self.desk.titles(missing[0], missing[-1]))
        return {position: self._titles.get(position) for position in seen}

    def seen(self) -> list[int]:
        """The items opened in this sitting or acted on in any, in order."""
        return sorted(self._seen)

    def history(self) -> list[LabelEvent]:
        """The acts of this sitting, newest first; those taken back and their undos too."""
        return self._here[::-1]

    def stands(self, act: LabelEvent) -> bool:
        """Whether an act was not taken back."""
        if act.position is None or act.kind not in UNDOABLE:
            return True
        return any(live.seq == act.seq for live in self._state.items[act.position].acts)

    def reveal(self) -> Reveal | None:
        """Both first labels of the current item; None until `show_both` was recorded for it."""
        return self.desk.reveal(self.position) if self.item().revealed else None

    def reasons(self, label: Label) -> tuple[Reason, ...]:
        """The reason codes that may complete ``label``, in the rubric's order."""
        return tuple(reason for reason in self.packet.reasons if label in reason.labels)

    def done(self, position: int) -> bool:
        """Whether an item needs nothing more."""
        item = self._state.items.get(position)
        return item is not None and item.newest(self.closing) is not None

    def progress(self) -> Progress:
        """Counts over the packet, kept up with each act: a screen asks at every key."""
        return Progress(self.packet.items, self._done, self._later, self._state.seconds)

    def _put_off(self, position: int) -> bool:
        return not self.done(position) and self._state.items[position].later

    def counts(self) -> dict[Label, int]:
        """How many items have each label; at adjudication, each decision."""
        counts: dict[Label, int] = {}
        for act in self._standing():
            if act.label is not None:
                counts[act.label] = counts.get(act.label, 0) + 1
        return counts

    def cannot_judge(self) -> dict[CannotKind, int]:
        """How many items cannot be judged, by kind."""
        counts: dict[CannotKind, int] = {}
        for act in self._standing():
            if act.cannot_kind is not None:
                counts[act.cannot_kind] = counts.get(act.cannot_kind, 0) + 1
        return counts

    def _standing(self) -> list[LabelEvent]:
        acts = (item.newest(self.closing) for item in self._state.items.values())
        return [act for act in acts if act is not None]

    def below_level(self, evidence: EvidenceLevel) -> bool:
        """Whether a label that rests on ``evidence`` cannot become final (R47)."""
        return _LEVELS.index(evidence) < _LEVELS.index(self.packet.evidence_level)

    # --- moving ---------------------------------------------------------------------------------

    def next_open(self, after: int) -> int | None:
        """The next item without a label: first those never put off, then those put off."""
        put_off: int | None = None
        for position in chain(range(after + 1, self.packet.items + 1), range(1, after + 1)):
            if not self.done(position):
                item = self._state.items.get(position)
                if item is None or not item.later:
                    return position
                put_off = put_off or position
        return put_off

    def go(self, position: int) -> None:
        """Opens an item, labelled or not. Raises ``ValueError`` outside 1..n."""
        if not 1 <= position <= self.packet.items:
            raise ValueError(f"items are 1 to {self.packet.items}")
        self.position = position
        self._active = 0.0

    def touch(self) -> None:
        """A key was pressed: counts the time since the last one, unless the person was away."""
        now = self._monotonic()
        pause = max(0.0, now - self._last_key)
        if pause <= AWAY_SECONDS:
            self._active += pause
        self._last_key = now

    # --- acting: each returns once the act is on disk -----------------------------------------

    def label(
        self,
        label: Label,
        reason: str,
        *,
        evidence: EvidenceLevel,
        cannot_kind: CannotKind | None = None,
        note: str | None = None,
        highlight: bool = False,
    ) -> LabelEvent:
        """Gives the current item a label and moves to the next open one.

        ``note`` is kept as it stands where None. Raises `Refused` for a reason the rubric does
        not allow for the label, for cannot-judge without its kind, for a missing note the
        protocol asks for, and for a blind label after the reveal.
        """
        item = self.item()
        if self.discussing:
            raise Refused("in a discussion nobody labels blind: show both labels, then decide")
        if item.revealed:
            raise Refused("both first labels were shown for this item; its blind label stands")
        self._check(label, reason, cannot_kind, item.note if note is None else note)
        event = self._append(
            "label",
            label=label,
            reason=reason,
            cannot_kind=cannot_kind,
            evidence=evidence,
            highlight=highlight,
            note=item.note if note is None else note,
        )
        if not self.adjudicating:
            self._advance()
        return event

    def show_both(self) -> Reveal:
        """Settling: records that both first labels are shown, then returns them.

        An adjudicator gives a blind label before; in a discussion each has given theirs.
        """
        if not self.adjudicating or (self.item().label is None and not self.discussing):
            raise Refused("give your own label first; both first labels are shown after it")
        if not self.item().revealed:
            self._append("reveal")
        revealed = self.reveal()
        if revealed is None:
            raise Refused("this item carries no first labels")
        return revealed

    def decide(
        self,
        label: Label,
        reason: str,
        *,
        cannot_kind: CannotKind | None = None,
        note: str = "",
        rubric_gap: bool = False,
        evidence: EvidenceLevel | None = None,
        highlight: bool = False,
    ) -> LabelEvent:
        """Adjudication: the decision on the current item, after both labels were seen.

        It rests on what the blind label rested on, unless ``evidence`` says otherwise.
        """
        item = self.item()
        if not item.revealed:
            raise Refused("give your own label and look at both first labels before you decide")
        self._check(label, reason, cannot_kind, note)
        event = self._append(
            "decision",
            label=label,
            reason=reason,
            cannot_kind=cannot_kind,
            note=note,
            rubric_gap=rubric_gap,
            highlight=highlight,
            evidence=evidence or (item.label.evidence if item.label else None),
        )
        self._advance()
        return event

    def note(self, text: str) -> LabelEvent:
        """Sets the note of the current item."""
        return self._append("note", note=text)

    def later(self) -> LabelEvent:
        """Puts the current item off: it stays open and comes back at the end."""
        event = self._append("later")
        self._advance()
        return event

    def undoable(self) -> LabelEvent | None:
        """The act that `undo` would take back."""
        return self._state.undoable()

    def undo(self) -> LabelEvent | None:
        """Takes back the newest act and opens its item; None where there is none."""
        act = self.undoable()
        if act is None or act.position is None:
            return None
        event = self._append("undo", position=act.position, undoes=act.seq)
        self.go(act.position)
        return event

    def hand_in(self, declaration: str) -> LabelEvent:
        """Locks the packet. Raises `Refused` while an item has no label."""
        left = self.progress().left
        if left:
            raise Refused(f"{left} of {self.packet.items} items have no label yet")
        return self._append("hand_in", position=None, note=declaration)

    def unlock(self, reason: str) -> LabelEvent:
        """Opens a packet that was handed in, for a stated reason, which is recorded."""
        if not self.handed_in:
            raise Refused("the packet is not handed in; there is nothing to unlock")
        if not reason.strip():
            raise Refused("an unlock needs a reason")
        return self._append("unlock", position=None, note=reason)

    # --------------------------------------------------------------------------------------------

    def _check(self, label: Label, reason: str, kind: CannotKind | None, note: str) -> None:
        allowed = [known.code for known in self.reasons(label)]
        if (label == "cannot_judge") != (kind is not None):
            raise Refused("cannot judge needs its kind, and no other label has one")
        if (allowed or reason) and reason not in allowed:
            raise Refused(
                f"reason {reason!r} does not belong to {label}; one of {', '.join(allowed) or '-'}"
            )
        if self.packet.note == "required" and not note.strip():
            raise Refused("the protocol asks for a note with every label")

    def _append(
        self,
        kind: EventKind,
        *,
        position: int | None = -1,
        label: Label | None = None,
        guess: str | None = None,
        cannot_kind: CannotKind | None = None,
        reason: str = "",
        note: str = "",
        evidence: EvidenceLevel | None = None,
        rubric_gap: bool = False,
        categories: tuple[FailureCategory, ...] = (),
        highlight: bool = False,
        undoes: int | None = None,
    ) -> LabelEvent:
        if fault := unstorable(note):
            raise Refused(f"the note cannot be stored: {fault}; nothing was written")
        self.touch()
        event = self.desk.append(
            LabelEvent(
                packet_id=self.packet.packet_id,
                seq=0,
                kind=kind,
                position=self.position if position == -1 else position,
                label=label,
                guess=guess,
                cannot_kind=cannot_kind,
                reason=reason,
                note=note,
                evidence=evidence,
                rubric_gap=rubric_gap,
                categories=categories,
                highlight=highlight,
                undoes=undoes,
                seconds=round(self._active),
                on=self._today(),
                prev_hash="",
                hash="",
            )
        )
        self._active = 0.0
        self._take(event)
        return event

    def _take(self, event: LabelEvent) -> None:
        """Brings what is derived from the events up to date."""
        position, self.rest_due = event.position, False
        if position is None:
            self._state.apply(event)
            return
        done, later = self.done(position), self._put_off(position)
        self._state.apply(event)
        self._done += self.done(position) - done
        self._later += self._put_off(position) - later
        self._here.append(event)
        self._seen.add(position)
        if event.kind in CLOSING.values() and position not in self._labelled_here:
            self._labelled_here.add(position)
            self.rest_due = len(self._labelled_here) % REMIND_EVERY == 0

    def _resume(self, events: tuple[LabelEvent, ...]) -> None:
        """Opens the item that stood open after the last act."""
        for last in (event for event in reversed(events) if event.position is not None):
            self.position = last.position or 1
            if last.kind in ("later", self.closing):
                self._advance()
            return

    def _advance(self) -> None:
        following = self.next_open(after=self.position)
        if following is not None:
            self.position = following
