"""What every screen does: find the action of a key, scroll, say when the terminal is too small."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from judge.tui.actions import GUARDED, Action
from judge.tui.guard import QUIET_SECONDS
from judge.tui.modes import Mode
from judge.tui.seat import Seat
from judge.tui.widgets.layout import Text
from judge.tui.widgets.plain import Plain, Sheet

LEAST = (60, 20)
"""Columns and rows that the desk needs."""

_ASK_SECONDS = 0.03

Result = TypeVar("Result")


def pressed(event: events.Key) -> str:
    """The key as the registry names it: the character it types, else Textual's name for it."""
    character = event.character
    if character and character.isprintable() and not character.isspace():
        return character
    return event.key


class DeskScreen(Screen[Result], inherit_bindings=False):
    """A screen of the desk. Keys come from the registry; Textual's own bindings are off."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    sheet: Sheet | None = None
    """What the reading keys scroll."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat
        self.sitting = seat.sitting
        self._small = Plain(id="small")

    @property
    def mode(self) -> Mode:
        """What the screen is waiting for now."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The screen's own widgets, and the note that stands in for them when it is too small."""
        yield from self.body()
        yield self._small

    def body(self) -> Iterable[Widget]:
        """The screen's own widgets."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Puts what is known now on the screen."""

    # --- size -----------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Draws for the new size, or says that it is too small."""
        width, height = event.size
        leave = self.seat.keys.key("quit")
        least = f"at least {LEAST[0]}x{LEAST[1]} needed"
        self._small.show(
            Text(f"terminal too small: {width}x{height}, {least}", "strong"),
            Text(f"Make the window larger to go on. Nothing is lost. {leave} leaves."),
        )
        self.set_class(self.too_small, "-small")
        self.redraw()

    @property
    def too_small(self) -> bool:
        """Whether the terminal cannot hold the desk."""
        return self.app.size.width < LEAST[0] or self.app.size.height < LEAST[1]

    # --- keys -----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """One key: dropped while saving and while too small, else the action it is bound to."""
        key = pressed(event)
        self.seat.guard.see(key)
        action = self.seat.keys.bindings[self.mode].get(key)
        leaving = action is not None and action.name == "quit"
        if self.seat.busy or (self.too_small and not leaving):
            self.dropped(action)
            event.stop()
            event.prevent_default()
            return
        self.sitting.touch()
        if self.take(key):
            event.stop()
            event.prevent_default()

    def take(self, key: str) -> bool:
        """Acts on a key of the current mode; whether it meant anything."""
        action = self.seat.keys.bindings[self.mode].get(key)
        if action is None:
            return False
        if action.name == "undo" and self.seat.guard.pressed_again:
            self._when_let_go(action)
            return True
        refusal = self.refusal(action, key)
        if refusal:
            self.say(refusal)
        else:
            self.perform(action)
        return True

    def _when_let_go(self, action: Action) -> None:
        """Acts on a key pressed twice in short order, once it is clear that it is not held down."""
        guard, keys = self.seat.guard, self.seat.guard.keys

        def ask() -> None:
            if guard.keys != keys or not self.is_current:
                return  # held down, or the person went on
            if self.seat.busy or not guard.quiet:
                self.set_timer(_ASK_SECONDS, ask)
            else:
                self.perform(action)

        self.set_timer(QUIET_SECONDS, ask)

    def perform(self, action: Action) -> None:
        """Does what the registry says the key does."""
        getattr(self, f"do_{action.name}")()

    def refusal(self, action: Action, key: str) -> str:
        """Why the key must not count: it is held down, or came before anyone could read."""
        if action.name not in GUARDED:
            return ""
        if self.seat.guard.held:
            return f"{key} ignored: twice within a second (held down?)"
        if self.seat.guard.too_soon:
            return f"{key} ignored: the screen had only just changed"
        return ""

    def dropped(self, action: Action | None) -> None:
        """Hears of a key that came while keys are off."""

    def say(self, message: str) -> None:
        """Shows a sentence until the next key."""

    def do_quit(self) -> None:
        """Leaves the desk."""
        self.app.exit(return_code=0)

    do_leave = do_quit

    # --- reading --------------------------------------------------------------------------------

    def do_page_down(self) -> None:
        """A page on."""
        self._sheet().page(1)

    def do_page_up(self) -> None:
        """A page back."""
        self._sheet().page(-1)

    def do_line_down(self) -> None:
        """A line on."""
        self._sheet().move(1)

    def do_line_up(self) -> None:
        """A line back."""
        self._sheet().move(-1)

    def do_top(self) -> None:
        """To the first line."""
        self._sheet().top()

    def do_bottom(self) -> None:
        """To the last line."""
        self._sheet().move(self._sheet().virtual_size.height)

    def _sheet(self) -> Sheet:
        if self.sheet is None:
            raise TypeError(f"{type(self).__name__} has no text that scrolls")
        return self.sheet


class DeskModal(DeskScreen[Result], ModalScreen[Result]):
    """A screen that opens over another one."""
