"""What every screen of one item does: its frame, notes, later, undo, and what is called saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.widget import Widget

from judge.errors import JudgeError
from judge.records.judgement import LabelEvent
from judge.tui import words
from judge.tui.links import is_web_address
from judge.tui.screens.note import NoteScreen
from judge.tui.screens.overview import After, OverviewScreen
from judge.tui.screens.packet import PacketScreen
from judge.tui.screens.reader import more
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Block, Divider, Text
from judge.tui.widgets.plain import Plain, Sheet

NoteTaker = Callable[[str | None], None]
"""Takes a note that was written; None where it was left as it was."""


class ItemScreen(PacketScreen[None]):
    """One item at a time; what is asked of it is the business of the screens made from this."""

    CSS_PATH = "label.tcss"
    WANTED: ClassVar[tuple[str, str]] = (
        "required",
        "The protocol asks for a note with every label.",
    )
    """What a note that must be there is for, in its title, and what is said where it is empty."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.saved = "nothing saved yet in this sitting"
        """The newest act that is on disk. Set in `tell` and nowhere else."""
        self.message = ""
        self.trouble: JudgeError | None = None
        """Why the item cannot be shown."""
        self.draft: str | None = None
        """A note that could not be saved: offered again."""
        self._top = Plain(id="top")
        self._need = Plain(id="need")
        self.sheet = Sheet(id="sheet")
        self._more = Plain(id="more")
        self._state = Plain(id="state")
        self._panel = Plain(id="panel")

    def body(self) -> Iterable[Widget]:
        """From top to bottom: progress, need, the item, its state, keys or what is asked."""
        yield self._top
        yield self._need
        yield self._sheet()
        yield self._more
        yield self._state
        yield self._panel

    async def open_item(self, *, overview: bool = False) -> None:
        """Reads the current item and draws it."""
        raise NotImplementedError

    def draw_state(self) -> None:
        """Draws what stands below the item."""
        raise NotImplementedError

    def summary(self) -> OverviewScreen:
        """The overview of the packet."""
        return OverviewScreen(self.seat)

    def on_sheet_scrolled(self) -> None:
        """Says whether the text goes on."""
        self._more.show(Divider(more(self._sheet(), self.seat.keys)))

    def unreadable(self) -> list[Block]:
        """What is shown in place of an item that cannot be; nothing before it was read."""
        said = self.trouble.lines() if self.trouble else []
        return [Text(line, "warn") for line in ["This item cannot be shown.", *said] if said]

    # --- what is said ---------------------------------------------------------------------------

    def take(self, key: str) -> bool:
        """Every key is the registry's; one that means nothing says so."""
        self.message = ""
        known = self.meant(key)
        if not known and len(key) == 1:
            self.message = f"{key} does nothing here"
        if self.is_current:
            self.draw_state()
        return known

    def meant(self, key: str) -> bool:
        """Acts on a key; whether it meant anything."""
        return super().take(key)

    def say(self, message: str) -> None:
        """Shows a sentence beside the last thing saved, until the next key."""
        self.message = message
        self.draw_state()

    def told(self, event: LabelEvent, position: int) -> None:
        """Calls an act saved, by its words and its item."""
        self.tell(f"{words.act(event, self.sitting.packet.reasons)} - item {position}")

    def tell(self, what: str) -> None:
        """Calls something saved; only ever after its commit has returned."""
        self.saved, self.message = f"saved: {what}", ""

    # --- acts -----------------------------------------------------------------------------------

    def do_later(self) -> None:
        """Puts the item off."""
        self.work(self._later())

    async def _later(self) -> None:
        position = self.sitting.position
        self.told(await self.commit(self.sitting.later), position)
        await self.open_item()

    def do_undo(self) -> None:
        """Takes back the newest act and opens its item."""
        act = self.sitting.undoable()
        if act is None:
            self.say("nothing to take back")
        else:
            self.work(self._undo(act))

    async def _undo(self, act: LabelEvent) -> None:
        await self.commit(self.sitting.undo)
        what = words.act(act, self.sitting.packet.reasons)
        self.tell(f"undo of {what} - item {act.position}")
        await self.open_item()

    # --- notes ----------------------------------------------------------------------------------

    def do_note(self) -> None:
        """Opens the note."""
        self.write_note(self.keep_note, required=False)

    def write_note(self, then: NoteTaker, *, required: bool) -> None:
        """Opens the note; ``then`` gets the text, or None where it was left."""
        title, (what, asked) = f"Note on item {self.sitting.position}", self.WANTED
        if required:
            screen = NoteScreen(self.seat, f"{title} ({what})", self.note_text, required=asked)
        else:
            screen = NoteScreen(self.seat, title, self.note_text)
        self.app.push_screen(screen, then)

    @property
    def note_text(self) -> str:
        """The note that stands, or the one that could not be saved."""
        return self.sitting.item().note if self.draft is None else self.draft

    def keep_note(self, text: str | None) -> None:
        """Saves a note that differs from the one that stands; None leaves it."""
        if text is not None and text != self.sitting.item().note:
            self.draft = text
            self.work(self._save_note(text))

    async def _save_note(self, text: str) -> None:
        self.told(await self.commit(lambda: self.sitting.note(text)), self.sitting.position)
        self.draft = None
        self.draw_state()
        self.seat.guard.drawn()

    # --- elsewhere ------------------------------------------------------------------------------

    def follow(self, link: str | None, without: str) -> None:
        """Opens ``link`` in the browser, or copies it; says ``without`` where there is none."""
        if not link:
            self.say(without)
        elif not is_web_address(link):
            self.say("the link is not a web address; it is only shown")
        elif self.seat.browse(link):
            self.say(f"opened in the browser: {link}")
        else:
            self.app.copy_to_clipboard(link)
            self.say("no browser here: link copied, if this terminal lets it")

    def do_overview(self) -> None:
        """How far the person is."""
        self.app.push_screen(self.summary(), self._after_overview)

    def _after_overview(self, after: After | None) -> None:
        self.redraw()
        if after == "undo":
            self.do_undo()
