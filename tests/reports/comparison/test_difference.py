from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.records.judgement import Label
from judge.reports.comparison.difference import difference_bounds, wins_ties_losses
from judge.reports.precision import Duplicates, Precision, precision


def at(
    k: int, documents: str, labels: dict[str, Label], duplicates: Duplicates = "first_counts"
) -> Precision:
    """P@k of a list of documents, one word each."""
    ranked = list(enumerate(documents.split(), 1))
    return precision(ranked, labels, k, duplicates=duplicates, uncertain="bounds")


LABELS: dict[str, Label] = {"r": "relevant", "s": "relevant", "n": "not_relevant"}


def test_a_document_open_in_both_lists_is_one_document() -> None:
    # Each alone: [2/5, 4/5] and [1/5, 3/5]; the difference is [0, 2/5], not [-1/5, 3/5].
    first, second = (
        at(5, "r u1 n u2 s", LABELS),
        at(5, "r u1 n m u3", {**LABELS, "m": "not_relevant"}),
    )
    assert (first.relevant, first.undecided, second.relevant, second.undecided) == (2, 2, 1, 2)
    assert difference_bounds(first, second) == (0, 2)
    assert difference_bounds(second, first) == (-2, 0)


def test_where_only_shared_documents_are_open_the_difference_is_decided() -> None:
    assert difference_bounds(at(3, "r u n", LABELS), at(3, "u n", LABELS)) == (1, 1)


def test_every_copy_of_an_open_document_counts_where_the_policy_says_so() -> None:
    twice, once = "u u n", "u n"
    every = [at(3, text, LABELS, "every_copy_counts") for text in (twice, once)]
    assert difference_bounds(*every) == (0, 1)
    first = [at(3, text, LABELS, "first_counts") for text in (twice, once)]
    assert difference_bounds(*first) == (0, 0)


def test_an_uncertain_label_is_shared_like_any_open_one() -> None:
    labels: dict[str, Label] = {**LABELS, "x": "uncertain"}
    assert difference_bounds(at(2, "x r", labels), at(2, "x n", labels)) == (1, 1)


def test_two_cutoffs_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="P@2 against P@3"):
        difference_bounds(at(2, "r", LABELS), at(3, "r", LABELS))


def test_wins_ties_and_losses() -> None:
    # The ten queries of the published example: 6, 3, 1.
    first, second = [4, 3, 2, 5, 1, 3, 4, 2, 3, 5], [3, 3, 1, 4, 2, 2, 4, 1, 3, 4]
    differences = [a - b for a, b in zip(first, second, strict=True)]
    assert wins_ties_losses(differences) == (6, 3, 1)
    assert wins_ties_losses([]) == (0, 0, 0)


LISTS = st.lists(st.sampled_from("abcdef"), max_size=7)
SOME: st.SearchStrategy[dict[str, Label]] = st.dictionaries(
    st.sampled_from("abcdef"), st.sampled_from(["relevant", "not_relevant", "uncertain"])
)
DECIDED: st.SearchStrategy[dict[str, Label]] = st.fixed_dictionaries(
    dict.fromkeys("abcdef", st.sampled_from(["relevant", "not_relevant"]))
)


@given(LISTS, LISTS, SOME, DECIDED, st.sampled_from(["first_counts", "every_copy_counts"]))
def test_the_difference_lies_within_its_bounds_however_gaps_turn_out(
    one: list[str],
    other: list[str],
    labels: dict[str, Label],
    later: dict[str, Label],
    duplicates: Duplicates,
) -> None:
    first, second = (at(5, " ".join(documents), labels, duplicates) for documents in (one, other))
    low, high = difference_bounds(first, second)
    decided = later | {d: label for d, label in labels.items() if label != "uncertain"}
    after = [at(5, " ".join(documents), decided, duplicates) for documents in (one, other)]
    assert low <= after[0].relevant - after[1].relevant <= high
    # Never wider than the difference of the bounds.
    assert first.relevant - second.relevant - second.undecided <= low
    assert high <= first.relevant + first.undecided - second.relevant


@given(LISTS, LISTS, SOME)
def test_both_bounds_are_reached(
    one: list[str], other: list[str], labels: dict[str, Label]
) -> None:
    first, second = (at(5, " ".join(documents), labels) for documents in (one, other))
    reached = []
    for wanted in (False, True):
        # A document helps the first list where it is open there and not in the second.
        helps = {d for d in first.open if d not in second.open}
        hurts = {d for d in second.open if d not in first.open}
        good = helps if wanted else hurts
        decided: dict[str, Label] = {
            d: labels[d]
            if labels.get(d) in ("relevant", "not_relevant")
            else "relevant"
            if d in good
            else "not_relevant"
            for d in "abcdef"
        }
        after = [at(5, " ".join(documents), decided) for documents in (one, other)]
        reached.append(after[0].relevant - after[1].relevant)
    assert tuple(reached) == difference_bounds(first, second)
