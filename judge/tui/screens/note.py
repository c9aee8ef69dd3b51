"""Writing a note. No label key lives here: every letter is text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import TextArea

from judge.text import display_text
from judge.tui.modes import Mode
from judge.tui.screens.base import DeskModal
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Keys, Text
from judge.tui.widgets.plain import Plain


class NoteField(TextArea):
    """A text field whose Enter key is left to the screen."""

    def on_key(self, event: events.Key) -> None:
        """Keeps Enter from becoming a new line."""
        if event.key == "enter":
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Takes pasted text without its control characters."""
        event.text = display_text(event.text)


class NoteScreen(DeskModal[str | None]):
    """Asks for a note, or for the own terms. Ends with the text; None where it stays as it was.

    ``required`` is what is said where a note that must be there is empty.
    """

    CSS_PATH = "note.tcss"
    AUTO_FOCUS: ClassVar[str | None] = "NoteField"

    def __init__(self, seat: Seat, title: str, text: str, *, required: str = "") -> None:
        super().__init__(seat)
        self._title = title
        self._before = display_text(text)
        self._required = required
        self._warned = False
        self._head = Plain(id="note-head")
        self._foot = Plain(id="note-foot")
        self.field = NoteField(
            self._before, id="note-field", soft_wrap=True, show_line_numbers=False
        )
        self.say("")

    @property
    def mode(self) -> Mode:
        """Writing."""
        return Mode.NOTE

    def body(self) -> Iterable[Widget]:
        """Title, field, and the keys."""
        with Vertical(id="note-box"):
            yield self._head
            yield self.field
            yield self._foot

    def on_mount(self) -> None:
        """Puts the cursor behind the text."""
        self.field.move_cursor(self.field.document.end)

    def redraw(self) -> None:
        """Gives the field its focus back after the window was too small."""
        self.field.disabled = self.too_small
        if not self.too_small:
            self.field.focus()

    def say(self, message: str) -> None:
        """Shows a sentence above the keys."""
        self._head.show(Text(self._title, "strong"))
        self._foot.show(
            *([Text(message, "warn")] if message else []), Keys(self.seat.keys.lines(Mode.NOTE))
        )

    def on_text_area_changed(self) -> None:
        """Typing is time at the desk."""
        self.sitting.touch()
        self._warned = False
        self.say("")

    def do_note_line(self) -> None:
        """A new line at the cursor."""
        self.field.insert("\n")

    def do_note_save(self) -> None:
        """Ends with the text. An empty note is one, unless the protocol asks for a note."""
        text = self.field.text.strip()
        if self._required and not text:
            self.say(self._required)
        else:
            self.dismiss(text)

    def do_note_leave(self) -> None:
        """Ends without a change; what was typed is not dropped without a word."""
        if self._lost():
            self.dismiss(None)

    def do_quit(self) -> None:
        """Leaves the desk; what was typed is not dropped without a word."""
        if self._lost():
            super().do_quit()

    def _lost(self) -> bool:
        if self.field.text == self._before or self._warned:
            return True
        self._warned = True
        save = self.seat.keys.key("note_save")
        self.say(f"What you typed is not saved. The same key again drops it; {save} saves it.")
        return False
