from __future__ import annotations

from fractions import Fraction

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.records.judgement import Label
from judge.reports.score import score

LABELS: dict[tuple[str, str], Label] = {
    ("t1", "a"): "relevant",
    ("t1", "b"): "not_relevant",
    ("t1", "c"): "relevant",
    ("t2", "a"): "not_relevant",
    ("t2", "d"): "relevant",
}


def test_bounds_of_a_run_over_the_judged_queries() -> None:
    # t1: r ? n r -> [2/4, 3/4]; t2: r n -> 1/4. Mean [3/8, 4/8].
    runs = {"run": {"t1": ["a", "x", "b", "c"], "t2": ["d", "a"]}}
    (found,) = score(runs, LABELS, [4])
    assert (found.lower, found.upper) == (Fraction(3, 8), Fraction(4, 8))
    assert found.queries["t2"].value == Fraction(1, 4)
    assert found.incomplete == ("t1",)
    assert (found.judged, found.filled) == (5, 6)
    assert found.absent == ()


def test_a_query_that_the_run_does_not_hold_is_named_and_counts_zero() -> None:
    (found,) = score({"run": {"t1": ["a"]}}, LABELS, [2])
    assert found.absent == ("t2",)
    assert found.lower == found.upper == Fraction(1, 4)
    assert tuple(found.queries) == ("t1", "t2")


def test_a_query_that_nobody_judged_is_refused_with_every_case_named() -> None:
    runs = {"one": {"t1": ["a"], "T2": ["a"]}, "two": {"t3": ["a"]}}
    with pytest.raises(Invalid) as error:
        score(runs, LABELS, [5])
    assert [str(problem) for problem in error.value.problems] == [
        "run one: query 'T2' has no judgement; judged queries are t1, t2",
        "run two: query 't3' has no judgement; judged queries are t1, t2",
    ]


def test_no_judgement_at_all_is_refused() -> None:
    with pytest.raises(Invalid, match="no label"):
        score({"run": {}}, {}, [5])


def test_runs_and_cutoffs_keep_their_order() -> None:
    found = score({"b": {}, "a": {}}, LABELS, [10, 5])
    assert [(one.system, one.k) for one in found] == [("b", 10), ("b", 5), ("a", 10), ("a", 5)]


def test_a_duplicate_keeps_its_rank() -> None:
    runs = {"run": {"t1": ["a", "a", "c"]}}
    (first,) = score(runs, LABELS, [3])
    (every,) = score(runs, LABELS, [3], duplicates="every_copy_counts")
    assert first.queries["t1"].value == Fraction(2, 3)
    assert every.queries["t1"].value == Fraction(3, 3)


DOCUMENTS = st.permutations("abcdefgh").flatmap(
    lambda order: st.integers(1, 8).map(lambda n: list(order[:n]))
)
GRADES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0, 1]), min_size=1)


@given(
    st.dictionaries(st.sampled_from(["t1", "t2", "t3"]), st.tuples(DOCUMENTS, GRADES), min_size=1)
)
def test_the_lower_bound_is_what_trec_eval_prints(
    topics: dict[str, tuple[list[str], dict[str, int]]],
) -> None:
    ranked = {query: documents for query, (documents, _) in topics.items()}
    qrels = {query: grades for query, (_, grades) in topics.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"P_5"})
    theirs = evaluator.evaluate(
        {
            query: {document: float(-rank) for rank, document in enumerate(documents)}
            for query, documents in ranked.items()
        }
    )
    labels: dict[tuple[str, str], Label] = {
        (query, document): "relevant" if grade else "not_relevant"
        for query, grades in qrels.items()
        for document, grade in grades.items()
    }
    (ours,) = score({"run": ranked}, labels, [5])
    for query, value in ours.queries.items():
        assert float(value.lower) == pytest.approx(theirs[query]["P_5"], abs=1e-12)
