"""The quick way for regular files gives what the general one gives, or gives up."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.reports.columns import columns
from judge.runs.importing.ordering import Order
from judge.steps.scoring import Scored, general_score, quick_score
from tests.reports.trec_files import Lists, qrels_text, run_text

LISTS: Lists = {
    "q1": [("d10", "3.5"), ("d2", "2"), ("d3", "1")],
    "q2": [("d3", "9"), ("d4", "8.25")],
}
GRADES = {("q1", "d10"): 1, ("q1", "d3"): 0, ("q2", "d4"): 2, ("q2", "d9"): 1}


def both(
    qrels: bytes, run: bytes, order: Order = "rank", **options: Any
) -> tuple[Scored | None, Scored]:
    cutoffs = [1, 2, 5]
    quick = quick_score(qrels, run, relevant_from=1, cutoffs=cutoffs, order=order, **options)
    general = general_score(
        qrels,
        run,
        names=("qrels", "run"),
        relevant_from=1,
        cutoffs=cutoffs,
        order=order,
        **options,
    )
    return quick, general


def same(quick: Scored | None, general: Scored) -> None:
    assert quick is not None
    assert (quick.notices, quick.by_run) == (general.notices, general.by_run)
    assert quick.examples == general.examples
    (mine,), (theirs,) = quick.scores, general.scores
    assert (mine.system, mine.queries, mine.absent) == (
        theirs.system,
        theirs.queries,
        theirs.absent,
    )
    assert (mine.average_precision, mine.recall, mine.with_relevant) == (
        theirs.average_precision,
        theirs.recall,
        theirs.with_relevant,
    )
    for one, other in zip(mine.at, theirs.at, strict=True):
        assert (one.k, one.recall) == (other.k, other.recall)
        for name in ("relevant", "open", "judged", "filled"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


# --- the same -----------------------------------------------------------------------------------

IDS = st.sampled_from(
    [
        "d1",
        "d2",
        "d10",
        "d123456",
        "12345678",
        "123456789",
        "ab",
        "ab0",
        "A-long-id-of-a-web-page.17",
    ]
)
ODD_IDS = st.sampled_from(["007", "7", "8906788.0", "1e5", "NA", "nan", "#N/A", "0x", "d1"])
SCORES = st.sampled_from(
    ["1", "2", "2.0", "-1.5", "1e3", ".5", "+3", "0.1", "0.10000000001", "1e39", "0", "-0"]
)
QUERIES = st.sampled_from(["q1", "q2", "q10", "t/1", "20"])


@given(
    st.dictionaries(
        QUERIES,
        st.lists(
            st.tuples(st.one_of(IDS, ODD_IDS), SCORES),
            min_size=1,
            max_size=6,
            unique_by=lambda x: x[0],
        ),
        min_size=1,
    ),
    st.dictionaries(st.tuples(QUERIES, st.one_of(IDS, ODD_IDS)), st.integers(-1, 2), max_size=12),
    st.sampled_from(["rank", "trec"]),
)
@example(LISTS, GRADES, "rank")
@example(LISTS, GRADES, "trec")
def test_regular_files_give_the_same_figures_and_notices(
    lists: Lists, grades: dict[tuple[str, str], int], order: Order
) -> None:
    # Every query of the run is judged, as the general reader wants it.
    grades = grades | {(query, "d-judged"): 1 for query in lists}
    same(*both(qrels_text(grades), run_text(lists), order))


def test_gzip_and_tabs_are_regular() -> None:
    tabs = run_text(LISTS, blank="\t")
    same(*both(qrels_text(GRADES), tabs))
    same(*both(gzip.compress(qrels_text(GRADES)), gzip.compress(tabs)))


def test_a_query_that_is_not_in_the_run_is_absent() -> None:
    quick, general = both(qrels_text(GRADES), run_text({"q2": LISTS["q2"]}))
    same(quick, general)
    assert general.scores[0].absent == ("q1",)


def test_queries_in_another_order_than_the_judgements() -> None:
    same(*both(qrels_text(GRADES), run_text({"q2": LISTS["q2"], "q1": LISTS["q1"]})))


def test_judgements_of_a_query_in_two_places() -> None:
    grades = {("q1", "d10"): 1, ("q2", "d4"): 1, ("q1", "d2"): 1}
    same(*both(qrels_text(grades), run_text(LISTS)))


def test_a_query_with_nothing_but_negative_grades_is_not_judged() -> None:
    grades = {("q0", "d1"): -1, **GRADES}
    quick, general = both(qrels_text(grades), run_text(LISTS))
    same(quick, general)
    assert general.scores[0].queries == ("q1", "q2")


def test_the_name_given_may_be_the_files_own() -> None:
    same(*both(qrels_text(GRADES), run_text(LISTS), system="A"))


# --- giving up ----------------------------------------------------------------------------------

REGULAR = run_text(LISTS)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(b"", id="empty"),
        pytest.param(REGULAR[:-1], id="no line end at the end"),
        pytest.param(REGULAR.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + REGULAR, id="byte order mark"),
        pytest.param(REGULAR + b"\n", id="blank line"),
        pytest.param(REGULAR.replace(b" Q0 ", b"  Q0 ", 1), id="two blanks"),
        pytest.param(b" " + REGULAR, id="blank at the start"),
        pytest.param(REGULAR.replace(b" A\n", b" A \n", 1), id="blank at the end"),
        pytest.param(REGULAR.replace(b" Q0", b"", 1), id="five columns"),
        pytest.param(REGULAR.replace(b" Q0", b" Q0 x", 1), id="seven columns"),
        pytest.param(REGULAR.replace(b" 1 3.5", b" 0 3.5", 1), id="ranks from 0 and 2"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 1 2 ", 1), id="a rank twice"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 4 2 ", 1), id="a gap"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 1.9 2 ", 1), id="a rank 1.9"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" -2 2 ", 1), id="a negative rank"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 2 high ", 1), id="a score in words"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 2 nan ", 1), id="a score nan"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 2 1e999 ", 1), id="an endless score"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 2 1_0 ", 1), id="an underscore"),
        pytest.param(REGULAR.replace(b" 2 2 ", b" 2 1-2 ", 1), id="a sum"),
        pytest.param(REGULAR.replace(b"d2", b"d10"), id="a document twice"),
        pytest.param(REGULAR.replace(b"q2", b"q9"), id="an unknown query"),
        pytest.param(REGULAR.replace(b"q2", "qé".encode()), id="not ASCII"),
        pytest.param(REGULAR.replace(b"d2", b"d\x002"), id="NUL"),
        pytest.param(REGULAR.replace(b" A\n", b" B\n", 1), id="two runs"),
        pytest.param(REGULAR + run_text({"q1": [("d7", "0")]}), id="a query in two places"),
        pytest.param(b'{"a" Q0 d 1 1 A\n', id="an object"),
        pytest.param(b"qid Q0 docid 1 1 A\n", id="a header"),
        pytest.param(b"\x1f\x8b broken", id="broken gzip"),
    ],
)
def test_what_is_not_regular_is_left_to_the_general_reader(run: bytes) -> None:
    options: dict[str, Any] = {"relevant_from": 1, "cutoffs": [2], "order": "rank"}
    assert quick_score(qrels_text(GRADES), REGULAR, **options) is not None
    assert quick_score(qrels_text(GRADES), run, **options) is None


@pytest.mark.parametrize(
    "qrels",
    [
        pytest.param(b"q1 0 d1\n", id="three columns"),
        pytest.param(b"q1 0 d1 yes\n", id="a grade in words"),
        pytest.param(b"q1 0 d1 1.0\n", id="a grade with a point"),
        pytest.param(b"q1 0 d1 -\n", id="a sign alone"),
        pytest.param(b"q1 0 d1 1234567890\n", id="ten digits"),
        pytest.param(b"q1 0 d1 1\nq1 0 d1 0\n", id="two grades for one pair"),
        pytest.param(b"q1 0 d1 1\nq1 0 d1 1\n", id="the same twice"),
        pytest.param(b"q1 0 d1 -1\n", id="nothing judged"),
    ],
)
def test_judgements_that_are_not_regular_are_left_to_the_general_reader(qrels: bytes) -> None:
    run = run_text({"q1": [("d1", "1")]})
    assert quick_score(qrels, run, relevant_from=1, cutoffs=[2], order="rank") is None


def test_a_name_that_is_not_the_files_own_is_left_to_the_general_reader() -> None:
    options: dict[str, Any] = {"relevant_from": 1, "cutoffs": [2], "order": "rank", "system": "X"}
    assert quick_score(qrels_text(GRADES), REGULAR, **options) is None
    found = general_score(qrels_text(GRADES), REGULAR, names=("qrels", "run"), **options)
    assert found.notices == {"run_name": 1}


def test_a_threshold_of_zero_is_refused_by_the_general_reader() -> None:
    options: dict[str, Any] = {"relevant_from": 0, "cutoffs": [2], "order": "rank"}
    assert quick_score(qrels_text(GRADES), REGULAR, **options) is None
    with pytest.raises(Invalid, match="a grade of 0"):
        general_score(qrels_text(GRADES), REGULAR, names=("qrels", "run"), **options)


def test_two_labels_for_one_pair_are_both_named() -> None:
    with pytest.raises(Invalid) as error:
        general_score(
            b"q1 0 d1 1\nq1 0 d1 0\n",
            run_text({"q1": [("d1", "1")]}),
            names=("qrels", "run"),
            relevant_from=1,
            cutoffs=[2],
            order="rank",
        )
    assert "grade 0 here and grade 1 on line 1" in str(error.value.problems[0])


# --- columns ------------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(
            *[st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=20)] * 3
        ),
        min_size=1,
    )
)
def test_words_of_a_column_compare_and_sort_as_its_text(rows: list[tuple[str, ...]]) -> None:
    rows = [tuple(cell.replace("\x7f", "~") for cell in row) for row in rows]
    found = columns("".join(f"{' '.join(row)}\n" for row in rows).encode(), 3)
    assert found is not None
    for column in range(3):
        words = found.words(column)
        order = np.lexsort(tuple(reversed(words)))
        texts = [found.text(column, int(line)) for line in order]
        assert texts == sorted(row[column] for row in rows)
