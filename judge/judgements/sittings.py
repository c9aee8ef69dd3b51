"""Which sitting a packet asks for."""

from __future__ import annotations

from collections.abc import Callable

from judge.judgements.coding import CodingSitting
from judge.judgements.guesses import Guessing
from judge.judgements.sitting import Sitting
from judge.records.judgement import PacketKind
from judge.store.desk import Desk

_KINDS: dict[PacketKind, type[Sitting]] = {
    "label": Sitting,
    "adjudication": Sitting,
    "discussion": Sitting,
    "failures": CodingSitting,
    "guess": Guessing,
}


def sit_down(desk: Desk, *, monotonic: Callable[[], float], today: Callable[[], str]) -> Sitting:
    """The sitting that an open packet asks for by its kind."""
    return _KINDS[desk.packet.kind](desk, monotonic=monotonic, today=today)
