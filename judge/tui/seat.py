"""What all screens of one sitting share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from judge.judgements.sitting import Sitting
from judge.tui.guard import KeyGuard
from judge.tui.keymap import Keymap
from judge.tui.links import open_in_browser
from judge.tui.terms import Terms


@dataclass
class Seat:
    """A sitting, the guard over its keys, and whether something is being saved."""

    sitting: Sitting
    guard: KeyGuard
    terms: Terms
    keys: Keymap = field(default_factory=Keymap)
    browse: Callable[[str], bool] = open_in_browser
    """Opens an address in a browser; whether there is one."""
    busy: bool = False
    """While true every key is dropped: a key that waits would act on an item nobody has seen."""
