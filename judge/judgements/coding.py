"""A sitting of failure review: what a coder may name of a request or a hit, and naming it.

Nothing here touches a label (R77), and what the records say by themselves (`FailureView.automatic`)
is shown and never written again.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.errors import Refused
from judge.judgements.sitting import Sitting
from judge.records.failure import FailureView
from judge.records.judgement import FAILURE_CATEGORIES, FailureCategory, LabelEvent

_OF_A_HIT: frozenset[FailureCategory] = frozenset(
    {
        "operator_not_parsed",
        "wrong_literal_match",
        "near_semantic_match",
        "duplicate_record",
        "stale_metadata",
        "preprint_as_article",
        "other",
    }
)
_OF_A_REQUEST: frozenset[FailureCategory] = frozenset(
    {"operator_not_parsed", "quotes_narrow_wrongly", "other"}
)
_OF_AN_OUTCOME: dict[FailureCategory, frozenset[str]] = {
    "broad_query_refusal": frozenset({"refused", "rejected"}),
    "service_unavailable": frozenset(
        {"unavailable", "quota", "auth", "bad_reply", "empty_reported", "in_doubt"}
    ),
    "timeout": frozenset({"timeout", "in_doubt"}),
}
"""Three categories with different evidence (R75): each needs an outcome that can be it."""


def allowed(*, hit: bool, outcome: str) -> frozenset[FailureCategory]:
    """The categories that a coder may name of a hit, or of a request that ended in ``outcome``.

    A missing source link is nobody's to name: the records have it or they do not (R78).
    """
    if hit:
        return _OF_A_HIT
    by_outcome = {code for code, outcomes in _OF_AN_OUTCOME.items() if outcome in outcomes}
    return _OF_A_REQUEST | by_outcome


def allowed_of(view: FailureView) -> frozenset[FailureCategory]:
    """What is left to name of an item beside what the records say already."""
    automatic = {fact.code for fact in view.automatic}
    return allowed(hit=view.hit is not None, outcome=view.outcome) - automatic


def code_fault(
    categories: Sequence[str], note: str, may: frozenset[FailureCategory]
) -> tuple[str, str] | None:
    """What is wrong with a code, and what is allowed; None for one that holds (R73, R74)."""
    ordered = [code for code in FAILURE_CATEGORIES if code in may]
    for code in categories:
        if code not in may:
            return f"{code} cannot be named here", "one of " + ", ".join(ordered)
    if list(categories) != [code for code in ordered if code in categories]:
        return "categories out of order or twice", "each once, in the order of the list"
    if "other" in categories and not note.strip():
        return "'other' without a note", "say what went wrong (R73)"
    return None


class CodingSitting(Sitting):
    """One coder at one packet of failure review. Undo, later, notes and hand-in are a sitting's."""

    def shown(self) -> FailureView:
        """What is shown of the current item."""
        view = self.desk.failure_view(self.position)
        self._titles[self.position] = title_of(view)
        self._seen.add(self.position)
        return view

    def titles(self) -> dict[int, str | None]:
        """Which request or hit each item of `seen` is."""
        for position in self.seen():
            if position not in self._titles:
                self._titles[position] = title_of(self.desk.failure_view(position))
        return {position: self._titles[position] for position in self.seen()}

    def code(self, categories: Sequence[FailureCategory], note: str | None = None) -> LabelEvent:
        """Says what went wrong at the current item beside what the records say; none for nothing.

        ``note`` replaces the note of the item; None keeps it. Raises `Refused` for a category that
        the item's evidence does not bear (R75) and for ``other`` without a note.
        """
        ordered = tuple(code for code in FAILURE_CATEGORIES if code in categories)
        text = self.item().note if note is None else note
        view = self.desk.failure_view(self.position)
        fault = code_fault(ordered, text, allowed_of(view))
        if fault:
            raise Refused(f"{fault[0]}; {fault[1]}")
        event = self._append("code", categories=ordered, note=text)
        self._advance()
        return event

    def named(self) -> dict[FailureCategory, int]:
        """How many items have each category, in the order of the list."""
        acts = self._standing()
        counts = {code: sum(code in act.categories for act in acts) for code in FAILURE_CATEGORIES}
        return {code: count for code, count in counts.items() if count}

    def nothing(self) -> int:
        """At how many items nothing was named."""
        return sum(not act.categories for act in self._standing())


def title_of(view: FailureView) -> str:
    """An item in a few words: system, and rank and title or the submitted text."""
    if view.hit is None:
        return f"{view.system}, request: {view.submitted}"
    return f"{view.system}, rank {view.hit.rank}: {view.hit.title or 'no title supplied'}"
