"""How far the person is; and at the end the declaration and the hand-in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from textual.widget import Widget

from judge.judgements.guesses import DECLARATION, Guessing
from judge.tui import guessing, words
from judge.tui.modes import Mode
from judge.tui.screens.packet import PacketScreen
from judge.tui.screens.reader import more
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Block, Divider, Ends, Keys, Text
from judge.tui.widgets.plain import Plain, Sheet

After = Literal["back", "undo"]
"""What the label screen does when the overview closes."""


class OverviewScreen(PacketScreen[After]):
    """Counts, time, declaration. A packet that is handed in shows this and nothing else."""

    CSS_PATH = "overview.tcss"
    DECLARATION = words.DECLARATION

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self._head = Plain(id="top")
        self._foot = Plain(id="overview-foot")
        self._message = ""
        self._read = False
        """Whether the person scrolled to the end of the declaration."""
        self.sheet = Sheet(id="overview-sheet")

    @property
    def mode(self) -> Mode:
        """By what is left to do."""
        if self.sitting.handed_in:
            return Mode.LOCKED
        return Mode.UNFINISHED if self.sitting.progress().left else Mode.FINISHED

    def body(self) -> Iterable[Widget]:
        """Whose packet, the figures, the keys."""
        yield self._head
        yield self._sheet()
        yield self._foot

    def on_mount(self) -> None:
        """Starts the guard: the key that finished the last label must not hand in."""
        self.seat.guard.drawn()

    def redraw(self) -> None:
        """All figures anew."""
        sitting = self.sitting
        now = sitting.progress()
        self._head.show(Ends(words.whose(sitting.packet), words.progress(now), "strong"))
        self._sheet().show(self.figures(), top=False)
        self._draw_foot()

    def figures(self) -> list[Block]:
        """Counts, time, and what comes next."""
        sitting, keys = self.sitting, self.seat.keys
        now = sitting.progress()
        if isinstance(sitting, Guessing):
            return guessing.overview(self.mode, keys, sitting.packet, now, sitting.tally())
        return words.overview(
            self.mode, keys, sitting.packet, now, sitting.counts(), sitting.cannot_judge()
        )

    def on_sheet_scrolled(self) -> None:
        """Says whether there is more."""
        sheet = self._sheet()
        if self.mode is Mode.FINISHED and sheet.above and not sheet.below:
            self._read, self._message = True, ""
        self._draw_foot()

    def _draw_foot(self) -> None:
        self._foot.show(
            Divider(more(self._sheet(), self.seat.keys)),
            Text(self._message, limit=1),
            Keys(self.seat.keys.lines(self.mode)),
        )

    def say(self, message: str) -> None:
        """Shows a sentence above the keys."""
        self._message = message
        self._draw_foot()

    def do_back(self) -> None:
        """To the item that was open."""
        self.dismiss("back")

    def do_undo(self) -> None:
        """To the item whose label is taken back."""
        self.dismiss("undo")

    def do_hand_in(self) -> None:
        """Hands in, with the declaration that was on the screen to its end."""
        if self._sheet().below and not self._read:
            down = self.seat.keys.key("page_down")
            self.say(f"read the declaration to its end first: {down} pages down")
            return
        self.work(self._hand_in())

    async def _hand_in(self) -> None:
        guesses = isinstance(self.sitting, Guessing)
        declared = DECLARATION if guesses else self.DECLARATION
        await self.commit(lambda: self.sitting.hand_in(declared))
        self._message = "saved: handed in"
        self.redraw()
