"""What the leak audit of a packet found: can anything that is seen tell the system?"""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.judgement import PacketKind

FeatureKind = Literal["form", "deal", "residual"]
"""``form``: how a text or link is written, which a service can leave its mark on; refuses.
``deal``: drawn by the deal itself (position, id); deals again. ``residual``: the record's own
content, which no blinding can take away (L13); printed and never refused."""

Told = Literal["system", "best_rank"]
"""What is guessed; ``best_rank``: whether the item stood in the upper half of its need."""


class FeatureLine(Record, frozen=True, kw_only=True):
    """How well one visible feature alone tells the system, or the rank."""

    name: str
    kind: FeatureKind
    tells: Told
    values: int
    """How many different values it has."""
    accuracy: str
    """Balanced accuracy of the guess, five-fold, to three places; 1/systems is chance.

    `not_applicable` where there is nothing to guess: fewer than two systems found items alone.
    """
    threshold: str
    """The 99.9th percentile by chance; `not_applicable` where nothing is refused by it."""
    flagged: bool


class LeakAudit(Record, frozen=True, kw_only=True):
    """The audit of one packet, made when it was dealt. Holds no item and no order."""

    packet_id: str
    assessor: str
    kind: PacketKind
    items: int
    single: int
    """Items that exactly one system found: what the guesses are fitted on."""
    exchangeable: int
    """Those of needs in which more than one system found such items."""
    permutations: int
    lines: tuple[FeatureLine, ...]
    said: str
    """What the audit can and cannot say, in a sentence."""
