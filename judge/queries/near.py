"""Queries that say almost the same: one word apart, or the same words otherwise written (R11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from judge.records.query import Query
from judge.text import fold

_WORD = re.compile(r"[^\W_]+(?:[-.'’/:+][^\W_]+)*")
_LONGEST = 60
"""Words beyond which only texts of the same words are found: the work grows with the square."""

Words = tuple[str, ...]
Pair = tuple[Query, Query, str]


def near_copies(queries: Iterable[Query], others: Iterable[Query] | None = None) -> list[Pair]:
    """(query, the other, how they differ) for every query that is a near copy of another.

    The other is one of ``others``, or without them an earlier one of ``queries``; of many, the
    first. Two texts are near copies when the same words stand in the same order but for case,
    punctuation and the words AND, OR, NOT, or when one word is changed or added. What they share
    must be two words, or one with a digit in it: any two short queries would be near otherwise.
    Equal texts (`judge.text.fold`) are not near copies, they are the same.
    """
    index = _Index()
    for other in others or ():
        index.add(other)
    pairs: list[Pair] = []
    for query in queries:
        for twin, how in index.near(query):
            if fold(twin.text) != fold(query.text):
                pairs.append((query, twin, how))
                break
        if others is None:
            index.add(query)
    return pairs


@dataclass
class _Index:
    """The first query with given words; with them when one is left out; with one place open."""

    whole: dict[Words, Query] = field(default_factory=dict)
    lessened: dict[Words, Query] = field(default_factory=dict)
    opened: dict[tuple[int, Words], Query] = field(default_factory=dict)

    def add(self, query: Query) -> None:
        words = _words(query.text)
        self.whole.setdefault(words, query)
        for place, rest in _rests(words):
            self.lessened.setdefault(rest, query)
            self.opened.setdefault((place, rest), query)

    def near(self, query: Query) -> Iterator[tuple[Query, str]]:
        words = _words(query.text)
        if words and words in self.whole:
            yield self.whole[words], "in case, punctuation or operators only"
        if words in self.lessened:
            yield self.lessened[words], "by one word"
        for place, rest in _rests(words):
            if rest in self.whole:
                yield self.whole[rest], "by one word"
            if (place, rest) in self.opened:
                yield self.opened[place, rest], "by one word"


def _words(text: str) -> Words:
    found = (word for word in _WORD.findall(text) if word not in ("AND", "OR", "NOT"))
    return tuple(fold(word) for word in found)


def _rests(words: Words) -> Iterator[tuple[int, Words]]:
    """What is left when one word is taken away, where that still tells one query from another."""
    if len(words) > _LONGEST:
        return
    for place in range(len(words)):
        rest = words[:place] + words[place + 1 :]
        if len(rest) > 1 or any(char.isdigit() for word in rest for char in word):
            yield place, rest
