"""What is done to a judged item outside the desk: a label taken out, a paper found, an exclusion.

One record for each item it concerns. Nothing is taken away by it: labels stay in their packets, and
which of them stand follows from these steps (`judge.judgements.life`).
"""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record
from judge.records.run import Document

RetractCause = Literal["slip", "wrong_item", "conflict_of_interest", "removed_from_study"]
FOR_GOOD: frozenset[str] = frozenset({"conflict_of_interest", "removed_from_study"})
"""Causes after which the person is not dealt the item again."""

StepKind = Literal["retraction", "evidence", "unavailable", "exclusion", "need_changed"]
"""``evidence``: an abstract, or where the paper can be read, was found. ``unavailable``: it was
looked for and not found, so that the item goes to whoever settles."""


class UnitStep(Record, frozen=True, kw_only=True):
    """One step in the life of one (need, record)."""

    number: int
    """1, 2, … within the study."""
    at_utc: str
    kind: StepKind
    query_id: str
    record_id: str
    by: str
    """Who says so, by code."""
    reason: str
    cause: RetractCause | None = None
    """Of a retraction."""
    lapsed: dict[str, tuple[str, ...]] = {}
    """By assessor: the packets in which their label of this item stands no longer, whatever is
    written there later; ``imported`` for a label made elsewhere."""
    document: Document | None = None
    """Evidence: the text that is shown from now on; null where it stays as it was."""
    link: str = ""
    """Evidence: where the paper can be read, shown in place of the canonical link."""
