from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.records.judgement import Label
from judge.reports.precision import Duplicates, Precision, UncertainAs, precision

WORDS: dict[str, Label] = {
    "r": "relevant",
    "n": "not_relevant",
    "?": "uncertain",
    "c": "cannot_judge",
}


def at(
    k: int,
    ranks: str,
    *,
    duplicates: Duplicates = "first_counts",
    uncertain: UncertainAs = "bounds",
) -> Precision:
    """P@k of a list written as words: a label, ``u`` unjudged; a digit names a document."""
    words = ranks.split()
    labels = {str(i): WORDS[word[0]] for i, word in enumerate(words) if word[0] in WORDS}
    return precision(
        [(i + 1, str(i)) for i in range(len(words))],
        labels,
        k,
        duplicates=duplicates,
        uncertain=uncertain,
    )


def bounds(value: Precision) -> tuple[Fraction, Fraction]:
    return value.lower, value.upper


# --- published and hand-worked values -----------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "lower", "upper"),
    [
        ("r u n u r", Fraction(2, 5), Fraction(4, 5)),
        ("r u n n u", Fraction(1, 5), Fraction(3, 5)),
        ("r u n", Fraction(1, 5), Fraction(2, 5)),
    ],
)
def test_worked_bounds_at_five(ranks: str, lower: Fraction, upper: Fraction) -> None:
    value = at(5, ranks)
    assert bounds(value) == (lower, upper)
    assert value.value is None


def test_six_hits_at_ten_keep_the_denominator() -> None:
    # 3 relevant, 1 not, 1 cannot judge, 1 unjudged: 0.30, bounds 0.30 to 0.50; never 3/6 or 3/5.
    value = at(10, "r r r n c u")
    assert bounds(value) == (Fraction(3, 10), Fraction(5, 10))
    assert (value.returned, value.filled, value.judged) == (6, 6, 4)
    assert (value.unjudged, value.cannot_judge, value.uncertain) == (1, 1, 0)


def test_unfilled_ranks_are_non_relevant_and_counted() -> None:
    value = at(10, "r r n r")
    assert value.value == Fraction(3, 10)
    assert (value.returned, value.filled, value.judged) == (4, 4, 4)


def test_three_relevant_of_three_is_not_one() -> None:
    # trec_eval: P_5 0.6, P_10 0.3.
    assert at(5, "r r r").value == Fraction(3, 5)
    assert at(10, "r r r").value == Fraction(3, 10)


def test_a_valid_empty_list_is_zero_over_k() -> None:
    assert at(5, "").value == Fraction(0, 5)


def test_ranks_below_k_change_nothing() -> None:
    assert at(2, "r n u c ?").value == Fraction(1, 2)
    assert at(2, "r n u c ?").returned == 5


@pytest.mark.parametrize(
    ("uncertain", "expected"),
    [
        ("bounds", (Fraction(1, 4), Fraction(2, 4))),
        ("relevant", (Fraction(2, 4), Fraction(2, 4))),
        ("not_relevant", (Fraction(1, 4), Fraction(1, 4))),
    ],
)
def test_what_an_uncertain_label_counts_as(
    uncertain: UncertainAs, expected: tuple[Fraction, Fraction]
) -> None:
    value = at(4, "r ? n n", uncertain=uncertain)
    assert bounds(value) == expected
    assert (value.judged, value.uncertain) == (4, 1)


@pytest.mark.parametrize("uncertain", get_args(UncertainAs))
def test_cannot_judge_leaves_the_rank_open_whatever_uncertain_counts_as(
    uncertain: UncertainAs,
) -> None:
    assert bounds(at(2, "r c", uncertain=uncertain)) == (Fraction(1, 2), Fraction(2, 2))


# --- duplicates ---------------------------------------------------------------------------------


def with_copies(duplicates: Duplicates, k: int, labels: dict[str, Label]) -> Precision:
    ranked = [(1, "a"), (2, "b"), (3, "a"), (4, "c")]
    return precision(ranked, labels, k, duplicates=duplicates, uncertain="bounds")


def test_a_copy_keeps_its_rank_and_is_non_relevant_where_the_first_counts() -> None:
    labels: dict[str, Label] = {"a": "relevant", "b": "not_relevant", "c": "relevant"}
    assert with_copies("first_counts", 3, labels).value == Fraction(1, 3)
    # Rank 4 is not pulled up into the top three.
    assert with_copies("first_counts", 4, labels).value == Fraction(2, 4)
    assert with_copies("first_counts", 4, labels).duplicates == 1


def test_every_copy_counts_where_the_protocol_says_so() -> None:
    labels: dict[str, Label] = {"a": "relevant", "b": "not_relevant", "c": "relevant"}
    assert with_copies("every_copy_counts", 4, labels).value == Fraction(3, 4)


def test_an_open_record_opens_one_rank_or_every_copy() -> None:
    labels: dict[str, Label] = {"b": "not_relevant", "c": "relevant"}
    assert bounds(with_copies("first_counts", 4, labels)) == (Fraction(1, 4), Fraction(2, 4))
    assert bounds(with_copies("every_copy_counts", 4, labels)) == (Fraction(1, 4), Fraction(3, 4))


def test_a_preprint_and_its_article_are_one_work() -> None:
    labels: dict[str, Label] = {"preprint": "not_relevant", "article": "relevant"}
    ranked = [(1, "preprint"), (2, "article")]
    works = {"preprint": "preprint", "article": "preprint"}
    first = precision(ranked, labels, 2, duplicates="first_counts", uncertain="bounds", works=works)
    every = precision(
        ranked, labels, 2, duplicates="every_copy_counts", uncertain="bounds", works=works
    )
    assert (first.value, every.value) == (Fraction(0, 2), Fraction(1, 2))


# --- input that is wrong ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranked", "message"),
    [([(0, "a"), (1, "b")], "rank 0"), ([(1, "a"), (1, "b")], "rank 1 stands twice")],
)
def test_ranks_are_explicit_and_unique(ranked: list[tuple[int, str]], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        precision(ranked, {}, 5, duplicates="first_counts", uncertain="bounds")


def test_a_gap_in_the_ranks_is_an_unfilled_rank() -> None:
    labels: dict[str, Label] = {"a": "relevant", "b": "relevant"}
    value = precision(
        [(3, "b"), (1, "a")], labels, 2, duplicates="first_counts", uncertain="bounds"
    )
    assert (value.value, value.filled, value.returned) == (Fraction(1, 2), 1, 2)


def test_a_cutoff_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        precision([], {}, 0, duplicates="first_counts", uncertain="bounds")


# --- invariants ---------------------------------------------------------------------------------

LISTS = st.lists(st.sampled_from("abcdef"), max_size=8)
SOME_LABELS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(list(WORDS.values())))
JUDGED = st.sampled_from(["relevant", "not_relevant"])


@given(
    LISTS,
    SOME_LABELS,
    st.fixed_dictionaries(dict.fromkeys("abcdef", JUDGED)),
    st.integers(1, 10),
    st.sampled_from(get_args(Duplicates)),
)
def test_bounds_hold_whatever_the_gaps_turn_out_to_be(
    documents: list[str],
    labels: dict[str, Label],
    later: dict[str, Label],
    k: int,
    duplicates: Duplicates,
) -> None:
    ranked = list(enumerate(documents, 1))
    before = precision(ranked, labels, k, duplicates=duplicates, uncertain="bounds")
    decided = {
        document: labels[document]
        if labels.get(document) in ("relevant", "not_relevant")
        else later[document]
        for document in "abcdef"
    }
    after = precision(ranked, decided, k, duplicates=duplicates, uncertain="bounds")
    assert after.value is not None
    assert 0 <= before.lower <= after.value <= before.upper <= 1
    assert before.upper <= Fraction(before.filled, k)


@given(LISTS, SOME_LABELS, st.integers(1, 10), st.sampled_from(get_args(Duplicates)))
def test_both_bounds_are_reached(
    documents: list[str], labels: dict[str, Label], k: int, duplicates: Duplicates
) -> None:
    ranked = list(enumerate(documents, 1))
    before = precision(ranked, labels, k, duplicates=duplicates, uncertain="bounds")
    reached = []
    for fill in ("not_relevant", "relevant"):
        decided: dict[str, Label] = {
            d: labels[d] if labels.get(d) in ("relevant", "not_relevant") else fill
            for d in "abcdef"
        }
        reached.append(
            precision(ranked, decided, k, duplicates=duplicates, uncertain="bounds").value
        )
    assert reached == [before.lower, before.upper]
