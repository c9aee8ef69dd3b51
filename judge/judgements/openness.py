"""Whether labels may be shown: the one place where that is decided (R51).

While any packet is out nobody is shown another's labels, a count of conflicts, or any agreement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from judge.judgements.collect import waiting_for
from judge.records.judgement import Deal, ImportedLabel, LabelEvent
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord


@dataclass(frozen=True)
class Openness:
    """Who is still out, and whether the labels of those who are in may be shown."""

    waiting: tuple[str, ...]
    """Declared assessors whose labels are not all in."""
    closed: bool
    """Whether labels exist, or may exist by now, that nobody may be shown yet. False before the
    first packet too: there is nothing to show then."""

    @property
    def all_in(self) -> bool:
        """Whether every declared assessor is in, and their labels are open."""
        return not self.waiting and not self.closed


def openness(
    pool: Iterable[PooledRecord],
    deals: Sequence[Deal],
    events: Iterable[LabelEvent],
    imported: Sequence[ImportedLabel],
    protocol: Protocol,
    *,
    frozen: bool,
    owing: Collection[str] = (),
) -> Openness:
    """Labels are closed from the first packet, or the first import of one person's labels, until
    every declared assessor is in and the first labels are ``frozen``.

    ``owing`` are assessors whose labels ended together with another's who gave theirs anew already
    (`judge.judgements.life.owing`): they are out until they have done the same. ``deals`` are
    those that stand. Practice packets and packets that settle close nothing.
    """
    out = {*waiting_for(pool, deals, events, imported, protocol), *owing}
    waiting = tuple(code for code in protocol.people.assessors if code in out)
    assessors = set(protocol.people.assessors)
    here = any(one.kind == "label" and one.assessor in assessors for one in deals)
    elsewhere = any(one.assessor in assessors for one in imported)
    closed = (bool(waiting) and (here or elsewhere)) or (here and not frozen)
    return Openness(waiting, closed)
