from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.records.judgement import Label
from judge.reports.precision import Duplicates, precision
from judge.reports.score import AtK, RunScore, grade, partings, score

LABELS: dict[tuple[str, str], Label] = {
    ("t1", "a"): "relevant",
    ("t1", "b"): "not_relevant",
    ("t1", "c"): "relevant",
    ("t2", "a"): "not_relevant",
    ("t2", "d"): "relevant",
}


def of(
    lists: Mapping[str, Sequence[str]],
    *cutoffs: int,
    labels: Mapping[tuple[str, str], Label] = LABELS,
    duplicates: Duplicates = "first_counts",
) -> RunScore:
    (graded,) = grade({"run": lists}, labels, duplicates=duplicates)
    return score(graded, cutoffs)


def at(found: RunScore, k: int) -> AtK:
    return next(one for one in found.at if one.k == k)


def test_bounds_of_a_run_over_the_judged_queries() -> None:
    # t1: r ? n r -> [2/4, 3/4]; t2: r n -> 1/4. Mean [3/8, 4/8].
    found = of({"t1": ["a", "x", "b", "c"], "t2": ["d", "a"]}, 4)
    four = at(found, 4)
    assert (four.lower, four.upper) == (Fraction(3, 8), Fraction(4, 8))
    assert four.incomplete == ("t1",)
    assert (four.judged.sum(), four.filled.sum()) == (5, 6)
    assert found.absent == ()


def test_recall_and_average_precision_by_hand() -> None:
    # t1: relevant at ranks 1 and 4 of two: AP (1 + 2/4)/2, R@2 1/2; t2: at 2 of one: AP 1/2, R@2 1.
    found = of({"t1": ["a", "x", "b", "c"], "t2": ["a", "d"]}, 2)
    assert found.average_precision == pytest.approx((0.75 + 0.5) / 2, abs=1e-15)
    assert at(found, 2).recall == pytest.approx((0.5 + 1) / 2, abs=1e-15)
    assert found.recall == 1


def test_a_query_that_the_run_does_not_hold_is_named_and_counts_zero() -> None:
    found = of({"t1": ["a"]}, 2)
    assert found.absent == ("t2",)
    assert at(found, 2).lower == at(found, 2).upper == Fraction(1, 4)
    assert found.recall == pytest.approx(0.25)
    assert found.queries == ("t1", "t2")


def test_a_query_without_a_relevant_document_has_no_recall() -> None:
    labels: dict[tuple[str, str], Label] = {**LABELS, ("t3", "a"): "not_relevant"}
    found = of({"t1": ["a"], "t2": ["d"], "t3": ["a"]}, 2, labels=labels)
    assert (found.with_relevant, len(found.queries)) == (2, 3)
    assert found.recall == pytest.approx((0.5 + 1) / 2)
    assert at(found, 2).lower == Fraction(2, 6)


def test_a_mean_over_nothing_is_none_and_not_nan() -> None:
    found = of({"t1": ["a"]}, 5, labels={("t1", "a"): "not_relevant"})
    assert (found.average_precision, found.recall, at(found, 5).recall) == (None, None, None)
    assert at(found, 5).lower == 0


def test_a_query_that_nobody_judged_is_refused_with_every_case_named() -> None:
    runs = {"one": {"t1": ["a"], "T2": ["a"]}, "two": {"t3": ["a"]}}
    with pytest.raises(Invalid) as error:
        grade(runs, LABELS)
    assert [str(problem) for problem in error.value.problems] == [
        "run one: query 'T2' has no judgement; judged queries are t1, t2",
        "run two: query 't3' has no judgement; judged queries are t1, t2",
    ]


def test_no_judgement_at_all_is_refused() -> None:
    with pytest.raises(Invalid, match="no label"):
        grade({"run": {}}, {})


def test_a_cutoff_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        of({"t1": ["a"]}, 5, 0)


def test_runs_and_cutoffs_keep_their_order() -> None:
    found = [score(one, [10, 5]) for one in grade({"b": {}, "a": {}}, LABELS)]
    assert [(one.system, at.k) for one in found for at in one.at] == [
        ("b", 10),
        ("b", 5),
        ("a", 10),
        ("a", 5),
    ]


def test_a_duplicate_keeps_its_rank() -> None:
    lists = {"t1": ["a", "a", "c"]}
    first, every = of(lists, 3), of(lists, 3, duplicates="every_copy_counts")
    assert (at(first, 3).relevant[0], at(every, 3).relevant[0]) == (2, 3)
    assert (first.copies, every.copies) == (1, 0)


def test_a_cutoff_below_every_list_leaves_ranks_unfilled() -> None:
    found = at(of({"t1": ["a"], "t2": ["d"]}, 1000), 1000)
    assert found.lower == Fraction(2, 2000)
    assert found.filled.sum() == 2


# --- where it parts from trec_eval --------------------------------------------------------------


def said(found: RunScore, *, by_rank: bool = True, tied: int = 0, moved: int = 0) -> str:
    return "\n".join(partings(found, by_rank=by_rank, tied_lists=tied, moved_lists=moved))


def test_nothing_is_said_where_both_are_the_same() -> None:
    assert said(of({"t1": ["a", "b"], "t2": ["d", "a"]}, 2)) == ""


def test_unjudged_ranks_are_said_with_their_number() -> None:
    words = said(of({"t1": ["a", "x", "y"], "t2": ["d"]}, 2, 5))
    assert "1 in 1 queries at k = 2, 2 in 1 queries at k = 5" in words
    assert "lower bound" in words


def test_absent_queries_are_said_with_the_mean_without_them() -> None:
    words = said(of({"t1": ["a", "b"]}, 2))
    assert "Queries not in the run: 1 of 2" in words
    assert "P@2 0.50 over 1" in words
    assert "Without" not in said(of({}, 2))


def test_queries_without_a_relevant_document_are_said() -> None:
    labels: dict[tuple[str, str], Label] = {**LABELS, ("t3", "a"): "not_relevant"}
    assert "Queries without a relevant document: 1" in said(of({"t1": ["a"]}, 2, labels=labels))


def test_ties_are_said_where_ranks_gave_the_order() -> None:
    found = of({"t1": ["a", "b"], "t2": ["d"]}, 2)
    assert "In 2 lists the scores say otherwise (1 lists have equal scores)" in said(
        found, tied=1, moved=2
    )
    assert said(found, by_rank=False, tied=1, moved=2) == ""


def test_copies_are_said() -> None:
    assert "1 later copies" in said(of({"t1": ["a", "a"], "t2": ["d"]}, 2))


# --- against others -----------------------------------------------------------------------------

DOCUMENTS = st.permutations("abcdefgh").flatmap(
    lambda order: st.integers(1, 8).map(lambda n: list(order[:n]))
)
GRADES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0, 1]), min_size=1)
TOPICS = st.dictionaries(
    st.sampled_from(["t1", "t2", "t3"]), st.tuples(DOCUMENTS, GRADES), min_size=1
)


def labels_of(qrels: Mapping[str, Mapping[str, int]]) -> dict[tuple[str, str], Label]:
    return {
        (query, document): "relevant" if grade else "not_relevant"
        for query, grades in qrels.items()
        for document, grade in grades.items()
    }


@given(TOPICS)
def test_figures_are_what_trec_eval_prints(
    topics: dict[str, tuple[list[str], dict[str, int]]],
) -> None:
    ranked = {query: documents for query, (documents, _) in topics.items()}
    qrels = {query: grades for query, (_, grades) in topics.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"P_5", "recall_5", "map"})
    theirs = evaluator.evaluate(
        {
            query: {document: float(-rank) for rank, document in enumerate(documents)}
            for query, documents in ranked.items()
        }
    )
    found = of(ranked, 5, labels=labels_of(qrels))
    five = at(found, 5)
    for place, query in enumerate(found.queries):
        assert int(five.relevant[place]) / 5 == pytest.approx(theirs[query]["P_5"], abs=1e-12)
    having = [query for query, grades in qrels.items() if any(grades.values())]
    for ours, name in ((five.recall, "recall_5"), (found.average_precision, "map")):
        if having:
            mean = math.fsum(theirs[query][name] for query in having) / len(having)
            assert ours == pytest.approx(mean, abs=1e-12)
        else:
            assert ours is None


@given(
    st.dictionaries(st.sampled_from(["t1", "t2"]), st.lists(st.sampled_from("abcdef"), max_size=8)),
    st.dictionaries(
        st.tuples(st.sampled_from(["t1", "t2"]), st.sampled_from("abcdef")),
        st.sampled_from(["relevant", "not_relevant"]),
        min_size=1,
    ),
    st.integers(1, 10),
    st.sampled_from(get_args(Duplicates)),
)
def test_whole_files_are_counted_as_single_lists_are(
    lists: dict[str, list[str]],
    labels: dict[tuple[str, str], Label],
    k: int,
    duplicates: Duplicates,
) -> None:
    judged = {query for query, _ in labels}
    known = {query: documents for query, documents in lists.items() if query in judged}
    found = at(of(known, k, labels=labels, duplicates=duplicates), k)
    for place, query in enumerate(found.queries):
        one = precision(
            list(enumerate(known.get(query, ()), 1)),
            {
                document: label
                for (of_query, document), label in labels.items()
                if of_query == query
            },
            k,
            duplicates=duplicates,
            uncertain="bounds",
        )
        counts = [found.relevant, found.open, found.judged, found.filled]
        assert [int(np.asarray(count)[place]) for count in counts] == [
            one.relevant,
            one.undecided,
            one.judged,
            one.filled,
        ]
