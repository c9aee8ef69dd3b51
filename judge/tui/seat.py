"""What all screens of one sitting share."""

from __future__ import annotations

from dataclasses import dataclass

from judge.judgements.sitting import Sitting
from judge.tui.guard import KeyGuard


@dataclass
class Seat:
    """A sitting, the guard over its keys, and whether something is being saved."""

    sitting: Sitting
    guard: KeyGuard
    busy: bool = False
    """While true every key is dropped: a key that waits would act on an item nobody has seen."""
