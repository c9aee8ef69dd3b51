"""How far a person is with a packet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far the person is: counts of items, and the seconds they spent on them."""

    total: int
    done: int
    later: int
    seconds: int

    @property
    def left(self) -> int:
        """Items without a label."""
        return self.total - self.done

    @property
    def seconds_left(self) -> int | None:
        """At the person's own pace so far; None before five items are done."""
        return None if self.done < 5 else round(self.seconds / self.done * self.left)
