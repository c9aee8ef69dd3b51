"""The quick way from a TREC run and qrels to graded ranks, for files that are regular throughout.

It says nothing of what is wrong: whatever is not plain (`judge.reports.columns`), not in rank order
from 1, doubled, or of an unknown query makes it give up, and the general readers take the file and
name every problem. For what it does read, lists, figures and notices are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge.records.run import Notice
from judge.reports.columns import Columns, Ints, Words, blocks, columns, mixed
from judge.reports.score import NOT_RELEVANT, RELEVANT, UNJUDGED, GradedRun
from judge.runs.importing.common import Faults, Row, id_notices
from judge.runs.importing.fields import name_of
from judge.runs.importing.ordering import Order, ranked_list

_DIGITS = 9
_QUERY, _DOCUMENT, _GRADE = 0, 2, 3
_RANK, _SCORE, _NAME = 3, 4, 5


@dataclass(frozen=True)
class QuickQrels:
    """The judgements of a regular qrels file."""

    queries: tuple[str, ...]
    """Queries with a judgement, in the order of their first."""
    query: Ints
    """Per judgement, the place of its query in `queries`."""
    words: list[Words]
    """Per judgement, its document."""
    relevant: NDArray[np.bool_]


@dataclass(frozen=True)
class QuickRun:
    """A regular run, graded."""

    graded: GradedRun
    of_file: dict[str, int]
    of_lists: dict[str, int]
    """Kind of notice to how many files, or lists, have it."""
    notices: tuple[Notice, ...]
    """Of the file, then the first of every kind of the lists."""


def quick_qrels(data: bytes, relevant_from: int) -> QuickQrels | None:
    """The judgements of a regular file; None for any other, and where a pair stands twice."""
    found = columns(data, 4)
    if found is None:
        return None
    grades = found.integers(_GRADE, _DIGITS, signed=True)
    if grades is None:
        return None
    edges = blocks(found.words(_QUERY))
    heads = [found.text(_QUERY, line) for line in edges[:-1].tolist()]
    code_of = {query: code for code, query in enumerate(dict.fromkeys(heads))}
    codes = np.repeat(np.array([code_of[head] for head in heads]), np.diff(edges))
    documents = found.words(_DOCUMENT)
    if _doubled(np.sort(mixed(codes, documents))):
        return None
    # A negative grade is pooled and not judged: no judgement, and no query for it alone.
    judged = grades >= 0
    if not judged.any():
        return None
    present, first = np.unique(codes[judged], return_index=True)
    order = present[np.argsort(first)]
    place = np.empty(len(code_of), dtype=np.int64)
    place[order] = np.arange(len(order))
    names = list(code_of)
    return QuickQrels(
        queries=tuple(names[code] for code in order.tolist()),
        query=place[codes[judged]],
        words=[word[judged] for word in documents],
        relevant=grades[judged] >= relevant_from,
    )


def quick_run(
    data: bytes, qrels: QuickQrels, *, system: str | None, order: Order
) -> QuickRun | None:
    """A regular run file of one run, graded; None for any other."""
    found = columns(data, 6)
    if found is None or not _is_trec(found):
        return None
    names = found.words(_NAME)
    if any((word != word[0]).any() for word in names) or np.ptp(found.lengths[_NAME]):
        return None
    run_name = found.text(_NAME, 0)
    if system is not None and system != run_name:
        return None
    edges = blocks(found.words(_QUERY))
    heads = [found.text(_QUERY, line) for line in edges[:-1].tolist()]
    place_of = {query: place for place, query in enumerate(qrels.queries)}
    if len(set(heads)) < len(heads) or any(head not in place_of for head in heads):
        return None
    sizes = np.diff(edges)
    ranks = found.integers(_RANK, _DIGITS, signed=False)
    in_list = np.arange(found.lines) - np.repeat(edges[:-1], sizes)
    if ranks is None or (ranks != in_list + 1).any():
        return None
    scores = found.floats(_SCORE)
    if scores is None:
        return None
    documents = found.words(_DOCUMENT)
    places = np.array([place_of[head] for head in heads])
    state = _graded(np.repeat(places, sizes), documents, qrels)
    if state is None:
        return None
    ordering = _Ordering(found, edges, scores, documents)
    if order == "trec":
        state = state[ordering.by_score]
    counts, notices = ordering.notices(run_name, order)
    of_file = _id_notices(found, documents)
    return QuickRun(
        graded=_run(run_name, qrels, state, places, edges),
        of_file={notice.kind: 1 for notice in of_file},
        of_lists=counts,
        notices=(*of_file, *notices),
    )


def _is_trec(found: Columns) -> bool:
    """Whether the general reader would take the file for a TREC run by its first line."""
    first = [found.text(column, 0) for column in range(6)]
    named = {name_of(cell.strip('"')) for cell in first}
    return not first[0].startswith("{") and not named & {"query_id", "record_id"}


def _doubled(in_order: Words) -> bool:
    return bool((in_order[1:] == in_order[:-1]).any())


def _graded(query: Ints, documents: list[Words], qrels: QuickQrels) -> NDArray[np.int8] | None:
    """The state of every line; None where a document stands twice in a list."""
    width = max(len(documents), len(qrels.words))
    run_words, judged_words = _widened(documents, width), _widened(qrels.words, width)
    keys = mixed(query, run_words)
    order = np.argsort(keys)
    in_order = keys[order]
    if _doubled(in_order):
        return None
    judged_keys = mixed(qrels.query, judged_words)
    judged_order = np.argsort(judged_keys)
    at = np.minimum(np.searchsorted(in_order, judged_keys[judged_order]), len(keys) - 1)
    # The mixed number finds the line; that it is the same pair is then checked in full.
    line = order[at]
    same = query[line] == qrels.query[judged_order]
    for run_word, judged_word in zip(run_words, judged_words, strict=True):
        same &= run_word[line] == judged_word[judged_order]
    state = np.full(len(keys), UNJUDGED, dtype=np.int8)
    state[line[same]] = np.where(qrels.relevant[judged_order][same], RELEVANT, NOT_RELEVANT)
    return state


def _widened(words: list[Words], width: int) -> list[Words]:
    return [*words, *[np.zeros_like(words[0])] * (width - len(words))]


def _run(
    name: str, qrels: QuickQrels, state: NDArray[np.int8], places: Ints, edges: Ints
) -> GradedRun:
    """The lists in the order of the judgements; a query that is not there has an empty one."""
    sizes = np.zeros(len(qrels.queries), dtype=np.int64)
    sizes[places] = np.diff(edges)
    if (np.diff(places) < 0).any():
        in_order = np.argsort(np.repeat(places, np.diff(edges)), kind="stable")
        state = state[in_order]
    present = set(places.tolist())
    return GradedRun(
        system=name,
        queries=qrels.queries,
        absent=tuple(query for place, query in enumerate(qrels.queries) if place not in present),
        edges=np.append(0, np.cumsum(sizes)),
        state=state,
        relevant=np.bincount(qrels.query[qrels.relevant], minlength=len(qrels.queries)),
    )


class _Ordering:
    """The order that scores give each list, and what the general reader would notice of it."""

    def __init__(
        self, found: Columns, edges: Ints, scores: NDArray[np.float64], documents: list[Words]
    ) -> None:
        self.found = found
        self.edges = edges
        self.documents = documents
        self.list_of = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        self.inside = self.list_of[1:] == self.list_of[:-1]
        self.scores = scores
        self.by_score = self._order(scores)

    def _order(self, scores: NDArray[np.floating]) -> Ints:
        """Lines by list, then score, then document, the last two descending."""
        if (scores[:-1] > scores[1:])[self.inside].all():
            return np.arange(len(scores))
        return np.lexsort((*(~word for word in reversed(self.documents)), -scores, self.list_of))

    def _lists(self, marks: NDArray[np.bool_]) -> Ints:
        """The lists of which a line is marked."""
        return np.unique(self.list_of[marks])

    def notices(self, system: str, order: Order) -> tuple[dict[str, int], tuple[Notice, ...]]:
        """How many lists have each kind of notice, and the first of each kind in full."""
        lines = np.arange(len(self.scores))
        in_order = self.scores[self.by_score]
        tied = np.append((in_order[1:] == in_order[:-1]) & self.inside, False)
        with np.errstate(over="ignore"):
            single = self._order(self.scores.astype(np.float32))
        kinds = {
            "order": np.arange(len(self.edges) - 1) if order == "trec" else np.empty(0, np.int64),
            "ties": self._lists(tied),
            "rank_against_score": self._lists(self.by_score != lines),
            "score_precision": self._lists(self.by_score != single),
        }
        counts = {kind: len(lists) for kind, lists in kinds.items() if len(lists)}
        shown: dict[str, Notice] = {}
        for one in sorted({int(lists[0]) for lists in kinds.values() if len(lists)}):
            for notice in self._of_list(one, system, order):
                shown.setdefault(notice.kind, notice)
        return counts, tuple(shown.values())

    def _of_list(self, one: int, system: str, order: Order) -> list[Notice]:
        """The notices of one list, by the general reader."""
        found = self.found
        rows = [
            Row(
                line + 1,
                found.text(_QUERY, line),
                found.text(_DOCUMENT, line),
                line - int(self.edges[one]) + 1,
                found.text(_SCORE, line),
                system,
            )
            for line in range(int(self.edges[one]), int(self.edges[one + 1]))
        ]
        _, notices = ranked_list(
            rows,
            "",
            order=order,
            base=1,
            duplicates="keep",
            missing_ranks="refuse",
            faults=Faults(""),
        )
        return notices


def _id_notices(found: Columns, documents: list[Words]) -> list[Notice]:
    """What the ids of the file should make a user look twice at."""
    first = documents[0] >> np.uint64(56)
    digit = (first >= ord("0")) & (first <= ord("9"))
    odd = (first == ord("0")) | (first == ord("N")) | (first == ord("n")) | (first == ord("#"))
    if digit.any() and not odd.any():
        letters = np.frombuffer(found.padded, dtype=np.uint8)
        lengths = found.lengths[_DOCUMENT]
        for place in range(int(lengths.max())):
            letter = letters[found.starts[_DOCUMENT] + place]
            odd |= digit & (lengths > place) & np.isin(letter, list(b".eE"))
    if not odd.any():
        return []
    return id_notices(found.text(_DOCUMENT, line) for line in range(found.lines))
