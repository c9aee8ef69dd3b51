"""A label on its way: what the person has said of it, and what is still to ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.judgements.sitting import Sitting
from judge.records.judgement import CannotKind, Label
from judge.records.protocol import Reason

Question = Literal["kind", "reason", "note"]


@dataclass
class Pending:
    """A label that is chosen and not saved. Nothing of it is on disk."""

    label: Label
    kind: CannotKind | None = None
    reason: str | None = None
    note: str | None = None
    """The note written for this label; None while the note that stands is kept."""

    def question(self, sitting: Sitting) -> Question | None:
        """What to ask next; None when the label is complete."""
        if self.label == "cannot_judge" and self.kind is None:
            return "kind"
        if self.reason is None and sitting.reasons(self.label):
            return "reason"
        standing = sitting.item().note if self.note is None else self.note
        if sitting.packet.note == "required" and not standing.strip():
            return "note"
        return None


def reason_keys(reasons: tuple[Reason, ...]) -> dict[str, Reason]:
    """The key of each reason."""
    return {reason.key: reason for reason in reasons}
