"""Semantic mode: latent semantic indexing over TF-IDF vectors.

Deerwester and others, "Indexing by latent semantic analysis", JASIS 41 (1990) 391–407. A note is
weighted by (1 + ln tf) · idf with idf = ln((1 + N) / (1 + df)) + 1 and scaled to length 1; notes
and query are compared by the cosine between their projections on the first singular directions.

The directions come from the eigenvectors of the small note-by-note matrix A·Aᵀ, all of them, by a
dense solver: an iterative one restarts from random vectors where singular values coincide. A cut
between equal singular values would keep an arbitrary one of many subspaces, so it is moved to the
next gap. Cosines then depend neither on signs nor on the solver, but for the last few digits.

This module imports numpy and scipy; import it only to search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import scipy.linalg
import scipy.sparse
from numpy.typing import NDArray

from judge.records.corpus import Note
from judge.runs.providers.embedded.grammar import SemanticQuery
from judge.runs.providers.embedded.words import STOP_WORDS, contains, words

DIRECTIONS = 20
"""Singular directions kept, or a few more where the next singular values are equal."""
_SAME = 1e-9
"""Eigenvalues closer than this, relative to the largest, count as equal (or as zero)."""
_NOTHING = 1e-6
"""A cosine, or the projection of a unit vector, below this is rounding."""

Floats = NDArray[np.float64]


class SemanticIndex:
    """Titles and abstracts of ``notes``, which a search names by their positions."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._texts = [(words(note.title), words(note.abstract or "")) for note in notes]
        counts = [_counts((*title, *abstract)) for title, abstract in self._texts]
        spread = Counter(word for count in counts for word in count)
        self._column = {word: column for column, word in enumerate(sorted(spread))}
        self._idf = np.array(
            [np.log((1 + len(notes)) / (1 + spread[word])) + 1 for word in self._column]
        )
        rows, columns, weights = [], [], []
        for row, count in enumerate(counts):
            at, weight = self._vector(count)
            rows += [row] * len(at)
            columns += at
            weights += weight
        shape = (len(notes), len(self._column))
        self._notes = scipy.sparse.csr_array((weights, (rows, columns)), shape=shape)
        self._directions, self._lengths = _directions((self._notes @ self._notes.T).toarray())
        self._places = _unit_rows(self._directions * self._lengths)

    def unknown(self, query: SemanticQuery) -> list[str]:
        """The words of the query that no note holds, stop words aside, in order."""
        found = dict.fromkeys(query.words)
        return [word for word in found if word not in STOP_WORDS and word not in self._column]

    def search(self, query: SemanticQuery) -> list[tuple[int, float]]:
        """Notes as (position, cosine), in no order: those that hold every required phrase.

        Without a required phrase, every note whose cosine is above 0.
        """
        at, weights = self._vector(_counts(query.words))
        alike = self._notes[:, at] @ np.array(weights)
        place = _unit_rows((alike @ self._directions / self._lengths)[None, :])[0]
        scores = self._places @ place
        return [
            (position, float(score))
            for position, (score, texts) in enumerate(zip(scores, self._texts, strict=True))
            if (query.required or score > _NOTHING)
            and all(any(contains(text, phrase) for text in texts) for phrase in query.required)
        ]

    def _vector(self, counts: Counter[str]) -> tuple[list[int], list[float]]:
        """Columns and TF-IDF weights of the known words, scaled to length 1."""
        known = sorted(word for word in counts if word in self._column)
        at = [self._column[word] for word in known]
        weights = (1 + np.log([counts[word] for word in known])) * self._idf[at]
        return at, (weights / np.linalg.norm(weights)).tolist() if known else []


def _counts(every: Sequence[str]) -> Counter[str]:
    return Counter(word for word in every if word not in STOP_WORDS)


def _directions(gram: Floats) -> tuple[Floats, Floats]:
    """The first left singular vectors (columns) and singular values of A, from A·Aᵀ."""
    values, vectors = scipy.linalg.eigh(gram)
    values, vectors = values[::-1], vectors[:, ::-1]
    same = _SAME * max(float(values[0]), _SAME)
    kept = min(DIRECTIONS, len(values))
    while kept < len(values) and values[kept - 1] - values[kept] < same:
        kept += 1
    kept = min(kept, int(np.count_nonzero(values > same)))
    return vectors[:, :kept], np.sqrt(values[:kept])


def _unit_rows(rows: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = np.zeros_like(rows)
    np.divide(rows, lengths, out=scaled, where=lengths > _NOTHING)
    return scaled
