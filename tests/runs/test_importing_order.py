"""Ranks and scores of an imported list: kept, ordered as trec_eval does, or refused."""

from __future__ import annotations

from itertools import pairwise

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.records.run import Hit
from tests.runs.importing import kinds, only, order, problems, read


def run(*lines: tuple[str, object, object], query: str = "q1", tag: str = "S") -> str:
    return "".join(f"{query} Q0 {doc} {rank} {score} {tag}\n" for doc, rank, score in lines)


def test_explicit_ranks_are_the_order_whatever_the_lines_and_scores_say() -> None:
    found = only(run(("c", 3, "9.5"), ("a", 1, "1.50"), ("b", 2, "1.5")))
    assert found.hits == (
        Hit(rank=1, record_id="a", score="1.50"),
        Hit(rank=2, record_id="b", score="1.5"),
        Hit(rank=3, record_id="c", score="9.5"),
    )


def test_a_rank_column_that_disagrees_with_the_scores_and_ties_are_reported() -> None:
    # By score: c, then b before a (equal scores, ids descending).
    found = only(run(("a", 1, "1.50"), ("b", 2, "1.5"), ("c", 3, "9.5"), ("d", 4, "0")))
    assert kinds(found) == {
        "ties": "hits that share their score with another: 2, by score at 2-3",
        "rank_against_score": (
            "the rank column and the scores give another document at 2 of 4 ranks: 1, 3"
        ),
    }


def test_trec_order_is_by_score_then_by_id_both_descending() -> None:
    data = run(("a", 1, "1.50"), ("b", 2, "1.5"), ("c", 3, "9.5"), ("B", 4, "1.5"), ("d", 5, "-1"))
    found = only(data, order="trec")
    assert order(found) == [(1, "c"), (2, "b"), (3, "a"), (4, "B"), (5, "d")]
    assert kinds(found)["order"] == (
        "ordered by score, then by id, both descending, as trec_eval does; ranks of the file, if "
        "any, are not used"
    )
    assert [hit.score for hit in found.hits] == ["9.5", "1.5", "1.50", "1.5", "-1"]


def test_scores_are_compared_as_numbers_of_every_decimal_form() -> None:
    data = run(("a", 1, "9"), ("b", 2, "1e1"), ("c", 3, "+10.5"), ("d", 4, ".5E2"), ("e", 5, "-3."))
    assert [name for _, name in order(only(data, order="trec"))] == ["d", "c", "b", "a", "e"]


def test_ids_beyond_ascii_tie_by_their_utf8_bytes() -> None:
    # Bytes: ￦ EF BF A6 < 𝄞 F0 9D 84 9E, though the first UTF-16 unit of 𝄞 (D834) is the lower.
    data = run(("e\u00e9", 1, 1), ("\uffe6", 2, 1), ("\U0001d11e", 3, 1))
    assert [name for _, name in order(only(data, order="trec"))] == ["\U0001d11e", "\uffe6", "eé"]


documents = st.dictionaries(
    st.text(st.sampled_from("abAB019-é"), min_size=1, max_size=3),
    st.integers(-3, 3).map(lambda n: n / 2),
    min_size=1,
    max_size=12,
)


@given(documents)
def test_trec_order_is_where_trec_eval_puts_each_document(scores: dict[str, float]) -> None:
    found = only(run(*((doc, 0, score) for doc, score in scores.items())), order="trec")
    for rank, document in order(found):
        evaluator = pytrec_eval.RelevanceEvaluator({"q1": {document: 1}}, {"recip_rank"})
        assert evaluator.evaluate({"q1": scores})["q1"]["recip_rank"] == pytest.approx(1 / rank)


def test_scores_equal_in_32_bits_alone_are_told_apart_and_reported() -> None:
    # 2**24 + 1 has no 32-bit float: it becomes 2**24, a tie, and then the id decides.
    data = run(("a", 1, "16777217"), ("b", 2, "16777216"))
    found = only(data, order="trec")
    assert order(found) == [(1, "a"), (2, "b")]
    assert "put another document at 1-2 by score" in kinds(found)["score_precision"]
    evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"a": 1}}, {"recip_rank"})
    assert evaluator.evaluate({"q1": {"a": 16777217.0, "b": 16777216.0}})["q1"] == {
        "recip_rank": 0.5
    }


@pytest.mark.parametrize(
    "score", ["high", "nan", "inf", "-Infinity", "1,5", "0x10", "1_0", "1e999"]
)
def test_a_score_that_is_no_number_cannot_order(score: str) -> None:
    data = run(("a", 1, score), ("b", 2, "1"))
    (found,) = problems(data, order="trec")
    assert found == (
        f"x.run: line 1: the score {score!r} is not a number; a finite decimal number, to order "
        "by score"
    )
    # With explicit ranks it is text like any other, and kept.
    assert only(data).hits[0].score == score


def test_a_repeated_rank_is_refused_with_both_lines() -> None:
    assert problems(run(("a", 1, 3), ("b", 2, 2), ("c", 2, 1))) == [
        "x.run: line 3: rank 2 of query 'q1' in run 'S' stands on line 2 already; one document at "
        "each rank"
    ]


def test_missing_ranks_are_refused_or_kept_as_unfilled_ranks() -> None:
    data = run(("a", 1, 9), ("b", 4, 8), ("c", 5, 7), ("d", 7, 6))
    assert problems(data) == [
        "x.run: line 2: ranks missing in query 'q1' in run 'S': 2-3, 6; ranks without a gap"
    ]
    found = only(data, missing_ranks="keep")
    assert order(found) == [(1, "a"), (4, "b"), (5, "c"), (7, "d")]
    assert kinds(found) == {
        "missing_ranks": "ranks missing in the file: 2-3, 6; they stay unfilled"
    }


def test_a_list_that_starts_after_rank_1_has_missing_ranks() -> None:
    (found,) = problems(run(("a", 2, 9), ("b", 3, 8)))
    assert "ranks missing in query 'q1' in run 'S': 1;" in found


def test_a_rank_far_away_costs_nothing() -> None:
    (found,) = problems(run(("a", 1, 9), ("b", 999_999_999, 8)))
    assert "2-999999998" in found


def test_ranks_from_0_are_taken_one_higher_and_noted() -> None:
    found = only(run(("a", 0, 9), ("b", 1, 8)))
    assert order(found) == [(1, "a"), (2, "b")]
    assert kinds(found) == {"rank_base": "ranks start at 0 in the file; taken one higher"}


def test_the_first_rank_is_that_of_the_whole_run() -> None:
    # q2 begins at 1 in a run that counts from 0: its first document is missing.
    data = run(("a", 0, 9), ("b", 1, 8)) + run(("c", 1, 9), ("d", 2, 8), query="q2")
    assert problems(data) == [
        "x.run: line 3: ranks missing in query 'q2' in run 'S': 0; ranks without a gap"
    ]
    kept = read(data, missing_ranks="keep").lists[1]
    assert order(kept) == [(2, "c"), (3, "d")]
    # Another run of the same file counts for itself.
    other = run(("a", 0, 9)) + run(("c", 1, 9), ("d", 2, 8), query="q2", tag="T")
    assert order(read(other).lists[1]) == [(1, "c"), (2, "d")]


def test_under_trec_order_an_odd_rank_column_is_reported_and_not_used() -> None:
    found = only(run(("a", 0, 9), ("b", 4, 8), ("c", 4, 7)), order="trec")
    assert order(found) == [(1, "a"), (2, "b"), (3, "c")]
    assert {kind: text for kind, text in kinds(found).items() if kind != "order"} == {
        "rank_base": "ranks start at 0 in the file",
        "repeated_ranks": "ranks that stand more than once in the file: 4",
        "missing_ranks": "ranks missing in the file: 1-3",
    }


def test_a_document_that_stands_twice_keeps_both_ranks_or_refuses_the_file() -> None:
    data = run(*((f"D{1 if n == 5 else n - 1}", n, 10 - n) for n in (2, 3, 4, 5)))
    data = run(("D0", 1, 9)) + data
    found = only(data)
    assert order(found) == [(1, "D0"), (2, "D1"), (3, "D2"), (4, "D3"), (5, "D1")]
    assert kinds(found) == {
        "duplicate_documents": "documents that stand more than once, all kept: 'D1' at ranks 2, 5"
    }
    assert problems(data, duplicates="refuse") == [
        "x.run: line 5: 'D1' stands in query 'q1' in run 'S' on line 2 already"
    ]


def test_ids_that_differ_in_case_or_zeros_are_different_documents() -> None:
    found = read(run(("met", 1, 4), ("MET", 2, 3), ("7", 3, 2), ("007", 4, 1)), duplicates="refuse")
    assert [name for _, name in order(found.lists[0])] == ["met", "MET", "7", "007"]
    assert kinds(found) == {
        "leading_zeros": (
            "ids that start with 0, kept so: '007'; without the zeros there is another document "
            "for '007'"
        )
    }


def test_all_problems_of_all_lists_come_at_once() -> None:
    data = (
        run(("a", 1, 1), ("b", 1, 1)) + run(("c", 3, 1), query="q2") + run(("d", 1, 1), query="q")
    )
    found = problems(data)
    assert len(found) == 3
    assert [line.split(": ")[1] for line in found] == ["line 2", "line 3", "line 4"]


@given(
    st.permutations(range(1, 9)),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
    st.sampled_from(["rank", "trec"]),
)
def test_no_document_is_lost_and_ranks_are_1_to_n(
    ranks: list[int], scores: list[int], how: str
) -> None:
    rows = [(f"d{n}", rank, scores[n]) for n, rank in enumerate(ranks)]
    found = only(run(*rows), order=how)
    assert [hit.rank for hit in found.hits] == list(range(1, 9))
    assert sorted(hit.record_id for hit in found.hits) == sorted(name for name, _, _ in rows)
    if how == "rank":
        assert {(hit.record_id, hit.rank) for hit in found.hits} == {(d, r) for d, r, _ in rows}
    else:
        assert all(
            float(above.score or 0) >= float(below.score or 0)
            for above, below in pairwise(found.hits)
        )


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (run(("a", 1, 2), ("b", 1, 1)), True),
        (run(("a", 1, 2), ("b", 3, 1)), True),
        (run(("a", 1, 2), query="q9"), False),
        (run(("a", "1.9", 2)), False),
    ],
)
def test_the_order_by_score_is_named_only_where_the_ranks_are_no_list(
    data: str, named: bool
) -> None:
    with pytest.raises(Invalid) as caught:
        read(data)
    assert ("--order trec" in caught.value.hint) is named
