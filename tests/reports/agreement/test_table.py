from __future__ import annotations

import numpy as np
import pytest

from judge.errors import Invalid
from judge.records.judgement import FrozenPair
from judge.reports.agreement.table import ROWS, count, labels_used, two_valued
from tests.reports.agreement.tables import cells, pairs

R, N, U, C, Y = range(5)


def test_cannot_judge_and_not_yet_judged_are_counted_apart() -> None:
    found = count(pairs("RR?-", "R?--"), "A", "B").table
    assert [found[R, R], found[R, C], found[C, Y], found[Y, Y]] == [1, 1, 1, 1]
    assert found.sum() == 4


def test_queries_keep_their_order_and_have_a_row_even_without_a_pair() -> None:
    found = count(pairs("R", "N", "q2"), "A", "B", ["q1", "q2", "q3"])
    assert found.queries == ("q1", "q2", "q3")
    assert found.cells.sum(axis=(1, 2)).tolist() == [0, 1, 0]
    assert found.cells[1, R, N] == 1


def test_who_is_first_is_fixed_by_code_not_by_order() -> None:
    found = pairs("RRN", "RNN")
    swapped = [
        FrozenPair(
            query_id=one.query_id,
            record_id=one.record_id,
            labels=dict(reversed(list(one.labels.items()))),
        )
        for one in found
    ]
    assert np.array_equal(count(found, "A", "B").cells, count(swapped, "A", "B").cells)
    assert np.array_equal(count(found, "A", "B").table, count(found, "B", "A").table.T)


def test_a_label_outside_the_list_is_named_with_its_item() -> None:
    wrong = [
        FrozenPair(query_id="q1", record_id="pmid:1", labels={"A": "relevant", "B": "yes"}),
        FrozenPair(query_id="q2", record_id="pmid:2", labels={"A": "", "B": "relevant"}),
    ]
    with pytest.raises(Invalid) as error:
        count(wrong, "A", "B")
    assert [str(one) for one in error.value.problems] == [
        f"q1 pmid:1: 'yes'; {', '.join(ROWS)}",
        f"q2 pmid:2: ''; {', '.join(ROWS)}",
    ]


def test_an_item_that_stands_twice_is_named() -> None:
    once = pairs("RN", "RN")
    with pytest.raises(Invalid) as error:
        count([*once, once[1]], "A", "B")
    assert [one.where for one in error.value.problems] == ["q1 1"]


def test_relevant_stands_against_the_rest() -> None:
    # a = 4, b = 1 + 2, c = 3 + 5, d = what is left of 9 judgements' cells.
    table = cells(((4, 1, 2), (3, 6, 7), (5, 8, 9)))[0, :3, :3]
    assert [int(part) for part in two_valued(table)] == [4, 3, 8, 30]


def test_two_labels_are_the_least_that_are_counted_as_used() -> None:
    assert labels_used(cells(((5,),))[0]) == 2
    assert labels_used(cells(((5, 0, 0), (0, 0, 0), (0, 1, 0)))[0]) == 3
