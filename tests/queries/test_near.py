"""Near copies: what counts as saying almost the same (R11)."""

from __future__ import annotations

import pytest

from judge.queries.near import near_copies
from judge.records.query import Query


def query(identifier: str, text: str) -> Query:
    return Query(id=identifier, family="f", need=f"need {text}", text=text, expected="ordinary")


WORDS = "in case, punctuation or operators only"


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("aspirin in asthma", "aspirin in copd", "by one word"),
        ("aspirin for asthma", "aspirin for severe asthma", "by one word"),
        ("GSE135222 dataset", "GSE135222", "by one word"),
        ("GSE135222 dataset", "GSE135222 series", "by one word"),
        ('"IL-6" AND asthma', "il-6 asthma", WORDS),
        ("IL-6, asthma", "IL-6 asthma", WORDS),
    ],
)
def test_near_copies_are_found_in_both_directions(one: str, other: str, how: str) -> None:
    a, b = query("a", one), query("b", other)
    assert near_copies([a], [b]) == [(a, b, how)]
    assert near_copies([b], [a]) == [(b, a, how)]
    assert near_copies([a, b]) == [(b, a, how)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BRCA1", "TP53"),
        ("aspirin", "metformin"),
        ("aspirin asthma", "metformin asthma"),
        ("aspirin in asthma", "asthma in aspirin"),
        ("aspirin in asthma", "statins in copd"),
        ("aspirin in asthma", "aspirin in severe childhood asthma"),
        ("aspirin  in asthma", "Aspirin in asthma"),
    ],
)
def test_other_texts_are_not_near_copies(one: str, other: str) -> None:
    assert near_copies([query("a", one)], [query("b", other)]) == []
    assert near_copies([query("a", one), query("b", other)]) == []


def test_of_many_alike_each_is_paired_once_with_the_first() -> None:
    a, b, c = (query(name, f"aspirin in {name}") for name in ("asthma", "copd", "gout"))
    assert near_copies([a, b, c]) == [(b, a, "by one word"), (c, a, "by one word")]
