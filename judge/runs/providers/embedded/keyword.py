"""Keyword mode: an FTS5 index in memory, ranked by BM25.

FTS5 sees only words that `words` has made: letters and digits, each phrase in quotation marks. No
character of a query reaches its grammar. Its ASCII tokenizer then gives back exactly those words.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Sequence

from judge.errors import JudgeError
from judge.records.corpus import Note
from judge.runs.providers.embedded.grammar import KeywordQuery, Phrase, Side
from judge.runs.providers.embedded.words import words


class KeywordIndex:
    """Titles and abstracts of ``notes``, which a search names by their positions."""

    def __init__(self, notes: Sequence[Note]) -> None:
        # Any thread may end up closing it; SQLite itself is built to be shared.
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._db.close)
        try:
            self._db.execute(
                "CREATE VIRTUAL TABLE notes USING fts5(title, abstract, tokenize = 'ascii')"
            )
        except sqlite3.OperationalError as error:
            raise JudgeError(
                f"keyword search needs SQLite with FTS5 ({error})",
                hint="use a Python whose SQLite has FTS5",
            ) from None
        self._db.executemany(
            "INSERT INTO notes (rowid, title, abstract) VALUES (?, ?, ?)",
            (
                (position, " ".join(words(note.title)), " ".join(words(note.abstract or "")))
                for position, note in enumerate(notes)
            ),
        )

    def search(self, query: KeywordQuery) -> list[tuple[int, float]]:
        """Every matching note as (position, BM25 score), in no order. Higher is better.

        The score is that of SQLite's ``bm25()`` (k1 = 1.2, b = 0.75, both columns alike), which
        is smaller for a better match, with its sign changed.
        """
        rows = self._db.execute(
            "SELECT rowid, -bm25(notes) FROM notes WHERE notes MATCH ?", (expression(query),)
        )
        return [(int(position), float(score)) for position, score in rows]


def expression(query: KeywordQuery) -> str:
    """The query in FTS5's grammar."""
    return " OR ".join(f"({_side(side)})" for side in query.sides)


def _side(side: Side) -> str:
    wanted = " AND ".join(map(_phrase, side.wanted))
    if not side.unwanted:
        return wanted
    return f"({wanted}) NOT ({' OR '.join(map(_phrase, side.unwanted))})"


def _phrase(phrase: Phrase) -> str:
    return f'"{" ".join(phrase)}"'
