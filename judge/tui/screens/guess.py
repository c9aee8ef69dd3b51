"""The blinding questions: one item as it was labelled, one key for the system that found it."""

from __future__ import annotations

from judge.judgements.guesses import Guessing
from judge.records.judgement import DONT_KNOW
from judge.tui import guessing
from judge.tui.actions import SYSTEMS, Action
from judge.tui.modes import Mode
from judge.tui.screens.label import LabelScreen
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Either, Facts, Keys


class GuessScreen(LabelScreen):
    """The label screen with another question. No label can be given here."""

    sitting: Guessing

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.saved = "your labels are locked; these answers do not touch them"

    @property
    def mode(self) -> Mode:
        """Whether the item is answered."""
        if self.view is None:
            return Mode.BROKEN
        return Mode.GUESS if self.sitting.guessed() is None else Mode.GUESSED

    def draw_state(self) -> None:
        """The answer that stands, what was saved, and the systems with their keys."""
        packet, keys = self.sitting.packet, self.seat.keys
        self._state.show(
            Facts((guessing.standing(packet, self.sitting.guessed()),)),
            Either(self.saved, self.message),
        )
        if self.view is None:
            self._panel.show(Keys(keys.lines(self.mode)))
        else:
            self._panel.show(*guessing.answers(packet, keys), Keys(keys.lines(self.mode)))
        self.on_sheet_scrolled()

    def perform(self, action: Action) -> None:
        """A key of a system or of don't know answers; every other action is the label screen's."""
        if action.name == "dont_know":
            self.work(self._answer(DONT_KNOW))
        elif action.name in SYSTEMS:
            place = SYSTEMS[action.name]
            if place > len(self.sitting.packet.systems):
                self.say(f"there are {len(self.sitting.packet.systems)} systems")
            else:
                self.work(self._answer(self.sitting.packet.systems[place - 1].code))
        else:
            super().perform(action)

    async def _answer(self, system: str) -> None:
        position, was_open = self.sitting.position, not self.sitting.done(self.sitting.position)
        event = await self.commit(lambda: self.sitting.guess(system))
        self.told(event, position)
        await self.open_item(overview=was_open and self.sitting.next_open(after=position) is None)
