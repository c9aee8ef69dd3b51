from __future__ import annotations

from fractions import Fraction

from judge.records.judgement import Label
from judge.reports.means import mean, mean_of_means
from judge.reports.precision import Precision, precision

LABELS: dict[str, Label] = {"r": "relevant", "n": "not_relevant"}


def at_five(ranks: str) -> Precision:
    """P@5 of a list written with one letter a rank; a letter other than r and n is unjudged."""
    ranked = [(rank, letter) for rank, letter in enumerate(ranks, 1)]
    return precision(ranked, LABELS, 5, duplicates="every_copy_counts", uncertain="bounds")


def test_a_mean_of_complete_queries_is_one_number() -> None:
    value = mean({"q1": at_five("rrrnn"), "q2": at_five("nnnnn")}, 5)
    assert (value.lower, value.upper) == (Fraction(3, 10), Fraction(3, 10))
    assert (value.relevant, value.denominator, value.queries) == (3, 10, ("q1", "q2"))


def test_bounds_go_into_a_mean_as_bounds() -> None:
    # 3/5 and [2/5, 4/5]: mean [5/10, 7/10].
    value = mean({"q1": at_five("rrrnn"), "q2": at_five("runvr")}, 5)
    assert (value.lower, value.upper) == (Fraction(5, 10), Fraction(7, 10))


def test_a_mean_over_nothing_is_none() -> None:
    value = mean({}, 5)
    assert (value.lower, value.upper, value.queries) == (None, None, ())
    assert mean_of_means([value]) is None
    assert mean_of_means([]) is None


def test_families_weigh_equally_in_the_mean_of_family_means() -> None:
    # Family means 3/5 (one query) and 1/5 (two queries): 2/5; the mean over queries is 1/3.
    one = {"q1": at_five("rrrnn")}
    two = {"q2": at_five("rrnnn"), "q3": at_five("nnnnn")}
    assert mean_of_means([mean(one, 5), mean(two, 5)]) == (Fraction(2, 5), Fraction(2, 5))
    assert mean(one | two, 5).lower == Fraction(1, 3)


def test_a_family_without_a_mean_does_not_count_as_zero() -> None:
    assert mean_of_means([mean({"q1": at_five("rrrnn")}, 5), mean({}, 5)]) == (
        Fraction(3, 5),
        Fraction(3, 5),
    )
