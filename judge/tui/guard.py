"""Telling a key that was meant from one that was held down or typed ahead.

Unguarded, a key held for a second and a bit gave 41 labels. The rules slow nobody who reads the
item: a label key and its reason key differ, so that two labels in a row never repeat a key.
"""

from __future__ import annotations

from collections.abc import Callable

DWELL_SECONDS = 0.3
"""An item that has been on the screen for less than this cannot have been read."""
PRESS_SECONDS = 0.25
"""A key that comes again after less than this was not pressed again to act again."""
QUIET_SECONDS = 0.15
"""A key held down comes again within this, once it has begun to repeat."""
REPEAT_SECONDS = 1.0
"""The same key again within this time is a key held down."""


class KeyGuard:
    """Remembers the last key and when the item was drawn. ``monotonic`` gives seconds."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._drawn: float | None = None
        self._key = ""
        self._seen = 0.0
        self._gap = 0.0
        self._repeated = False
        self.keys = 0
        """How many keys came."""

    def drawn(self) -> None:
        """An item, or what became of it, has just been drawn."""
        self._drawn = self._monotonic()

    def see(self, key: str) -> None:
        """A key arrived, whatever becomes of it."""
        now = self._monotonic()
        self._gap = now - self._seen
        self._repeated = key == self._key and self._gap < REPEAT_SECONDS
        self._key, self._seen = key, now
        self.keys += 1

    @property
    def held(self) -> bool:
        """Whether the key just seen looks like one held down."""
        return self._repeated

    @property
    def pressed_again(self) -> bool:
        """Whether the key just seen may be a second press, and not yet a key held down.

        The first repeat of a held key comes as late as that; what follows tells (`quiet`).
        """
        return self._repeated and self._gap >= PRESS_SECONDS

    @property
    def quiet(self) -> bool:
        """Whether no key came for so long that none is held down."""
        return self._monotonic() - self._seen >= QUIET_SECONDS

    @property
    def too_soon(self) -> bool:
        """Whether nobody can have read what is on the screen yet."""
        return self._drawn is not None and self._monotonic() - self._drawn < DWELL_SECONDS
