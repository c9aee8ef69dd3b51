"""Labels as each assessor gave them, and put together strictly and leniently.

Strict counts what all assessors called relevant, lenient what any called relevant or uncertain
(Lesk & Salton 1968). With bounds where somebody's judgement is missing, P@k under strict is never
above that under any assessor, and that never above lenient; the final labels lie between the two
where every disagreement is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge.records.judgement import JUDGEMENTS, JudgedItem, Label

STRICT = "strict (all say relevant)"
LENIENT = "lenient (any says relevant or uncertain)"
FINAL = "final"

Labels = dict[str, dict[str, Label]]
"""By query id and record key; what is not there is open."""


def labellings(items: Sequence[JudgedItem], assessors: Sequence[str]) -> dict[str, Labels]:
    """Every set of labels by name: each assessor's, strict, lenient, final."""
    return {
        **{code: labels_of(items, code) for code in assessors},
        STRICT: _joined(items, assessors, strict=True),
        LENIENT: _joined(items, assessors, strict=False),
        FINAL: final_labels(items),
    }


def labels_of(items: Iterable[JudgedItem], code: str) -> Labels:
    """The labels of one assessor."""
    return _by_query((item, item.labels[code].label) for item in items if code in item.labels)


def final_labels(items: Iterable[JudgedItem]) -> Labels:
    """The labels that scores use."""
    return _by_query((item, item.final) for item in items if item.final is not None)


def _joined(items: Iterable[JudgedItem], assessors: Sequence[str], *, strict: bool) -> Labels:
    return _by_query(
        (item, label)
        for item in items
        if (label := joined([_given(item, code) for code in assessors], strict=strict)) is not None
    )


def joined(given: Sequence[Label | None], *, strict: bool) -> Label | None:
    """The strict or lenient label of what all assessors said; None where it is open.

    One judgement decides the strict label if it is not relevant, the lenient one if it is
    relevant or uncertain; a missing judgement leaves it open otherwise.
    """
    judged = [label for label in given if label in JUDGEMENTS]
    missing = len(judged) < len(given)
    if strict:
        if any(label != "relevant" for label in judged):
            return "not_relevant"
        return None if missing or not judged else "relevant"
    if any(label != "not_relevant" for label in judged):
        return "relevant"
    return None if missing or not judged else "not_relevant"


def _given(item: JudgedItem, code: str) -> Label | None:
    return item.labels[code].label if code in item.labels else None


def _by_query(pairs: Iterable[tuple[JudgedItem, Label]]) -> Labels:
    labels: Labels = {}
    for item, label in pairs:
        labels.setdefault(item.query_id, {})[item.record_id] = label
    return labels
