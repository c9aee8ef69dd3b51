from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.records.judgement import GivenLabel, ItemState, JudgedItem, Label
from judge.reports.labellings import FINAL, LENIENT, STRICT, Labels, joined, labellings
from judge.reports.precision import Duplicates, Precision, UncertainAs, precision

R: Label = "relevant"
N: Label = "not_relevant"
U: Label = "uncertain"
C: Label = "cannot_judge"


@pytest.mark.parametrize(
    ("given_labels", "strict", "lenient"),
    [
        ((R, R), R, R),
        ((R, N), N, R),
        ((N, N), N, N),
        ((R, U), N, R),
        ((N, U), N, R),
        ((U, U), N, R),
        # Somebody's judgement is missing: only what the other one settles is settled.
        ((R, None), None, R),
        ((N, None), N, None),
        ((U, None), N, R),
        ((R, C), None, R),
        ((C, None), None, None),
        ((), None, None),
        ((R, R, R), R, R),
        ((R, R, N), N, R),
        ((R, R, None), None, R),
    ],
)
def test_strict_is_all_and_lenient_is_any(
    given_labels: Sequence[Label | None], strict: Label | None, lenient: Label | None
) -> None:
    assert joined(given_labels, strict=True) == strict
    assert joined(given_labels, strict=False) == lenient


# --- order, whatever was said -------------------------------------------------------------------

DOCUMENTS = "abcdef"
LABEL = st.sampled_from([R, N, U, C, None])
LISTS = st.lists(st.sampled_from(DOCUMENTS), max_size=8)


def item(document: str, a: Label | None, b: Label | None, final: Label | None) -> JudgedItem:
    labels = {
        code: GivenLabel(assessor=code, label=label, origin="blind")
        for code, label in (("A", a), ("B", b))
        if label is not None
    }
    state: ItemState = "agree" if final is not None else "unjudged"
    return JudgedItem(query_id="q", record_id=document, labels=labels, state=state, final=final)


def values(
    items: Sequence[JudgedItem],
    documents: Sequence[str],
    duplicates: Duplicates,
    uncertain: UncertainAs,
) -> dict[str, Precision]:
    found: dict[str, Labels] = labellings(items, ("A", "B"))
    ranked = list(enumerate(documents, 1))
    return {
        name: precision(ranked, labels.get("q", {}), 5, duplicates=duplicates, uncertain=uncertain)
        for name, labels in found.items()
    }


def bounds(value: Precision) -> tuple[Fraction, Fraction]:
    return value.lower, value.upper


@given(
    LISTS,
    st.fixed_dictionaries(dict.fromkeys(DOCUMENTS, st.tuples(LABEL, LABEL))),
    st.sampled_from(get_args(Duplicates)),
    st.sampled_from(get_args(UncertainAs)),
)
def test_strict_is_never_above_an_assessor_and_lenient_never_below(
    documents: list[str],
    said: dict[str, tuple[Label | None, Label | None]],
    duplicates: Duplicates,
    uncertain: UncertainAs,
) -> None:
    items = [item(document, a, b, None) for document, (a, b) in said.items()]
    found = values(items, documents, duplicates, uncertain)
    for of in (0, 1):
        strict, lenient = bounds(found[STRICT])[of], bounds(found[LENIENT])[of]
        of_both = [bounds(found[code])[of] for code in "AB"]
        assert strict <= min(of_both) <= max(of_both) <= lenient


@given(
    LISTS,
    st.fixed_dictionaries(
        dict.fromkeys(
            DOCUMENTS, st.tuples(*[st.sampled_from([R, N, U])] * 2, st.sampled_from([R, N, U]))
        )
    ),
    st.sampled_from(get_args(Duplicates)),
    st.sampled_from(get_args(UncertainAs)),
)
def test_where_every_disagreement_is_decided_the_final_value_lies_between(
    documents: list[str],
    said: dict[str, tuple[Label, Label, Label]],
    duplicates: Duplicates,
    uncertain: UncertainAs,
) -> None:
    items = [
        item(document, a, b, a if a == b else decided) for document, (a, b, decided) in said.items()
    ]
    found = values(items, documents, duplicates, uncertain)
    assert bounds(found[STRICT])[0] <= bounds(found[FINAL])[0]
    assert bounds(found[FINAL])[1] <= bounds(found[LENIENT])[1]
