"""The label screen: one item, one key for its label, one for the reason, saved, next."""

from __future__ import annotations

import asyncio

from judge.errors import JudgeError
from judge.judgements.evidence import evidence_shown
from judge.records.judgement import CANNOT_KINDS, LABELS, CannotKind, Label, LabelEvent, Reveal
from judge.records.protocol import EvidenceLevel, Reason
from judge.tui import words
from judge.tui.actions import Action
from judge.tui.keymap import hidden
from judge.tui.modes import Mode
from judge.tui.pending import Pending, reason_keys
from judge.tui.screens.aids import AidScreen
from judge.tui.seat import Seat
from judge.tui.status import item_facts, question, warning
from judge.tui.widgets.layout import Block, Divider, Either, Ends, Keys, Row, Text

_LABELS: dict[str, Label] = {label: label for label in LABELS}
_KINDS: dict[str, CannotKind] = {kind: kind for kind in CANNOT_KINDS}


class LabelScreen(AidScreen):
    """Draws the current item and turns keys into acts of the sitting."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.pending: Pending | None = None
        self.full_text = False
        """Whether the person says that the full text was read."""
        self.rubric_gap = False
        self._ignored = False
        """Whether the last key was a label key that did not count: a reason key may follow it."""
        self._reveal: Reveal | None = None
        self._new_need = False
        """Whether the need differs from that of the item before: easily missed, so it is said."""

    def on_mount(self) -> None:
        """Opens the item where the person left off; the overview if all are done."""
        self.message = hidden(self.seat.keys, self.sitting.packet.reasons)
        self.work(self.open_item(overview=self.sitting.progress().left == 0))

    # --- what is known --------------------------------------------------------------------------

    @property
    def mode(self) -> Mode:
        """What the screen waits for: the next question of a label on its way, else the item."""
        if self.view is None:
            return Mode.BROKEN
        if self.pending is not None:
            return Mode.KIND if self.pending.question(self.sitting) == "kind" else Mode.REASON
        item = self.sitting.item()
        if not self.sitting.adjudicating:
            return Mode.LABELLED if item.label else Mode.OPEN
        if item.revealed:
            return Mode.DECIDED if item.decision else Mode.DECIDE
        return Mode.BLIND if item.label or self.sitting.discussing else Mode.OPEN

    @property
    def evidence(self) -> EvidenceLevel:
        """What a label given now rests on."""
        return "title" if self.view is None else evidence_shown(self.view, full_text=self.full_text)

    @property
    def _warning(self) -> str:
        """What to say of a label on too little evidence; nothing where it is enough."""
        if self.pending is None:
            return ""
        return warning(self.sitting, self.seat.keys, self.pending.label, self.evidence)

    @property
    def _reasons(self) -> dict[str, Reason]:
        """The reason keys that are live now."""
        if self.mode is not Mode.REASON or self.pending is None:
            return {}
        return reason_keys(self.sitting.reasons(self.pending.label))

    # --- drawing --------------------------------------------------------------------------------

    async def open_item(self, *, overview: bool = False) -> None:
        """Reads the current item and draws it."""
        self.pending, self.draft = None, None
        before = self.view
        try:
            self.view = await asyncio.to_thread(self.sitting.view)
            self._reveal = await asyncio.to_thread(self.sitting.reveal)
            self.trouble = None
        except JudgeError as error:
            self.view, self._reveal, self.trouble = None, None, error
        need = self.view.need if self.view else ""
        self._new_need = before is not None and need != before.need
        item = self.sitting.item()
        act = item.decision or item.label
        self.full_text = act is not None and act.evidence == "full_text"
        self.rubric_gap = item.decision is not None and item.decision.rubric_gap
        self.redraw()
        self._sheet().top()
        self.seat.guard.drawn()
        if overview:
            self.do_overview()

    def redraw(self) -> None:
        """Everything, for the current width."""
        packet, position = self.sitting.packet, self.sitting.position
        progress = words.progress(self.sitting.progress())
        self._top.show(Ends(words.whose(packet), progress, "strong"))
        need = self.view.need if self.view else ""
        where = f"item {position} of {packet.items}"
        self._need.show(
            Row(
                "Need",
                need,
                6,
                kind="strong" if self._new_need else "plain",
                head_kind="quiet",
                limit=3 if self.app.size.height < 30 else 6,
            ),
            Divider(f"another need, {where}" if self._new_need else where),
        )
        self._sheet().show(self._paper(), top=False)
        self.draw_state()

    def _paper(self) -> list[Block]:
        if self.view is None:
            return self.unreadable()
        shown = words.paper(self.view, self.marks)
        return (
            [*words.both(self._reveal, self.sitting.packet.reasons), *shown]
            if self._reveal
            else shown
        )

    def draw_state(self) -> None:
        """Draws what stands below the paper: the item's label, what was saved, keys or reasons."""
        resting = self.sitting.rest_due and self.pending is None
        self._state.show(
            item_facts(self.sitting, self.pending, self.evidence, self.rubric_gap),
            Either(self.saved, self.message),
            *([Text(words.REST, "strong", limit=1)] if resting else []),
        )
        if self.view is None and self.trouble is None:
            self._panel.show()  # not read yet
        elif self.pending is None:
            waits = self.sitting.discussing and self.mode is Mode.BLIND  # for the labels shown
            self._panel.show(Keys(self.seat.keys.lines(self.mode, labels=not waits)))
        else:
            size, live = self.app.size, tuple(self._reasons.values())
            panel = question(
                self.mode, self.seat.keys, self.pending.label, live, self._warning, size
            )
            self._panel.show(*panel)
        self.on_sheet_scrolled()

    # --- keys -----------------------------------------------------------------------------------

    def meant(self, key: str) -> bool:
        """A reason key completes the label; every other key is the registry's."""
        ignored, self._ignored = self._ignored, False
        reason = self._reasons.get(key)
        if ignored and any(key == known.key for known in self.sitting.packet.reasons):
            self.message = f"{key} ignored: the label key before it did not count"
        elif reason is None:
            return super().meant(key)
        else:
            self._choose_reason(key, reason)
        return True

    def refusal(self, action: Action, key: str) -> str:
        """As on every screen; a reason key after a refused label key must not act as another."""
        said = super().refusal(action, key)
        self._ignored = bool(said) and action.name in _LABELS
        return said

    def dropped(self, action: Action | None) -> None:
        """The same for a label key that came while keys are off."""
        self._ignored = action is not None and action.name in _LABELS

    def perform(self, action: Action) -> None:
        """A label or a kind is taken up; every other action is a method of its own."""
        if action.name in _LABELS and self.sitting.discussing and not self.sitting.item().revealed:
            shows = self.seat.keys.key("show_both")
            self.say(f"{shows} shows both labels first; then you decide together")
        elif action.name in _LABELS:
            self.pending = Pending(_LABELS[action.name], note=self.draft)
            self._ask()
        elif action.name in _KINDS and self.pending is not None:
            self.pending.kind = _KINDS[action.name]
            self._ask()
        else:
            super().perform(action)

    def _choose_reason(self, key: str, reason: Reason) -> None:
        if self.seat.guard.held:
            self.message = f"{key} ignored: twice within a second (held down?)"
        elif self.pending is not None:
            self.pending.reason = reason.code
            self._ask()

    def _ask(self) -> None:
        """Asks for what the label still lacks; saves it when it lacks nothing."""
        if self.pending is None:
            return
        question = self.pending.question(self.sitting)
        if question is None:
            self.work(self._save(self.pending))
        elif question == "note":
            self.write_note(self._take_required, required=True)

    def _take_required(self, text: str | None) -> None:
        if self.pending is None:
            return
        if text is None:
            self.do_cancel()
            return
        self.pending.note = self.draft = text
        self._ask()
        self.draw_state()

    async def _save(self, label: Pending) -> None:
        sitting, position = self.sitting, self.sitting.position
        was_open = not sitting.done(position)
        warned = bool(warning(sitting, self.seat.keys, label.label, self.evidence))
        try:
            event = await self.commit(lambda: self._act(label))
        except JudgeError:
            label.reason = None  # the question stands again, where there was one
            self.pending = label if sitting.reasons(label.label) else None
            self.draw_state()
            raise
        self.told(event, position)
        await self.open_item(overview=was_open and sitting.next_open(after=position) is None)
        if warned:
            self.say(f"on the {words.EVIDENCE[event.evidence or 'title']}: cannot become final")

    def _act(self, label: Pending) -> LabelEvent:
        """The act itself; runs in a thread and returns after the commit."""
        sitting, item = self.sitting, self.sitting.item()
        note = item.note if label.note is None else label.note
        if item.revealed:
            return sitting.decide(
                label.label,
                label.reason or "",
                cannot_kind=label.kind,
                note=note,
                rubric_gap=self.rubric_gap,
                evidence=self.evidence,
                highlight=sitting.highlight,
            )
        return sitting.label(
            label.label,
            label.reason or "",
            evidence=self.evidence,
            cannot_kind=label.kind,
            note=note,
            highlight=sitting.highlight,
        )

    def do_cancel(self) -> None:
        """Drops the label on its way."""
        self.pending = None
        self.say("label dropped, nothing saved")

    def do_full_text(self) -> None:
        """Says that the full text was read, or that it was not."""
        self.full_text = not self.full_text
        if self.pending is None and self.mode in (Mode.LABELLED, Mode.BLIND, Mode.DECIDED):
            self.message = "give the label again to record what you read"

    def do_show_both(self) -> None:
        """Adjudication: both first labels, after the blind label is fixed."""
        self.work(self._show_both())

    async def _show_both(self) -> None:
        await self.commit(self.sitting.show_both)
        self.tell(f"both first labels shown - item {self.sitting.position}")
        await self.open_item()

    def do_rubric_gap(self) -> None:
        """Says that the rubric does not settle this case, or that it does."""
        self.rubric_gap = not self.rubric_gap
        if self.mode is Mode.DECIDED:
            self.message = "give the decision again to record it"
