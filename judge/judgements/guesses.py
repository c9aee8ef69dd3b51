"""Which system found it? A sitting at the questions after the lock (L20), without a screen."""

from __future__ import annotations

from judge.errors import Refused
from judge.judgements.sitting import Sitting
from judge.records.judgement import DONT_KNOW, LabelEvent

DECLARATION = (
    "I answered from what the items show and from what I know of the systems, and I did not run "
    "these queries, or any like them, before I answered."
)


class Guessing(Sitting):
    """A sitting at a packet of guesses."""

    def guess(self, system: str) -> LabelEvent:
        """Names the system of the current item, or `DONT_KNOW`, and moves to the next open one.

        Raises `Refused` for a system that the packet does not name.
        """
        known = [one.code for one in self.packet.systems]
        if system not in (*known, DONT_KNOW):
            raise Refused(f"{system!r} is none of the systems {', '.join(known)}")
        event = self._append("guess", guess=system)
        self._advance()
        return event

    def guessed(self, position: int | None = None) -> str | None:
        """The answer that stands for an item; the current one without ``position``."""
        act = self.item(position).newest("guess")
        return None if act is None else act.guess

    def tally(self) -> dict[str, int]:
        """How many items were given to each system, and to `DONT_KNOW`."""
        counts = dict.fromkeys((*(one.code for one in self.packet.systems), DONT_KNOW), 0)
        for act in self._standing():
            counts[act.guess or DONT_KNOW] += 1
        return counts
