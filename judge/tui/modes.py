"""What a screen of the desk can be waiting for, and which of these go together."""

from __future__ import annotations

from enum import Enum, auto


class Mode(Enum):
    """What the screen is waiting for."""

    OPEN = auto()
    """An item without a label."""
    LABELLED = auto()
    """An item that has one: a label key changes it."""
    BLIND = auto()
    """Adjudication: the blind label is given, both first labels are not shown yet."""
    DECIDE = auto()
    """Adjudication: both first labels are shown, the decision is open."""
    DECIDED = auto()
    """Adjudication: a decision is there; a label key changes it."""
    REVIEW = auto()
    """Failure review: a request or a hit without its codes."""
    REVIEWED = auto()
    """Failure review: one that has them, or has nothing to name."""
    BROKEN = auto()
    """The item could not be read from the packet."""
    GUESS = auto()
    """Blinding questions: which system found the item is not answered yet."""
    GUESSED = auto()
    """Blinding questions: answered; a key of a system changes it."""
    KIND = auto()
    """Cannot judge: which kind?"""
    REASON = auto()
    """A label waits for its reason."""
    NOTE = auto()
    """A text is written: a note, or the own terms."""
    QUOTE = auto()
    """Words of the abstract are being chosen."""
    HISTORY = auto()
    """The acts of this sitting."""
    SEARCH = auto()
    """A search: what is typed, and what was found."""
    READER = auto()
    """Criteria or help."""
    PROBLEM = auto()
    """A sentence that has to be read: something was not saved."""
    UNFINISHED = auto()
    """The overview while items are open."""
    FINISHED = auto()
    """The overview when all are done: time to hand in."""
    LOCKED = auto()
    """The overview of a packet that was handed in."""


ITEM = frozenset({Mode.OPEN, Mode.LABELLED, Mode.BLIND, Mode.DECIDE, Mode.DECIDED})
PENDING = frozenset({Mode.KIND, Mode.REASON})
REVIEWING = frozenset({Mode.REVIEW, Mode.REVIEWED})
GUESSES = frozenset({Mode.GUESS, Mode.GUESSED})
TYPING = frozenset({Mode.NOTE, Mode.SEARCH})
"""Where keys are text: an action there has keys that type nothing."""
OVERVIEW = frozenset({Mode.UNFINISHED, Mode.FINISHED, Mode.LOCKED})
