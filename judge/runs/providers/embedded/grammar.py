"""What a query asks for, in each mode; or why it gets no list.

Both modes read the same pieces: bare words, split at blanks, and quoted phrases. A straight
quotation mark that nothing closes is read as a blank, with a notice. A parenthesis that starts a
word (or follows an operator directly, ``NOT(``) is grouping, which neither mode supports;
elsewhere it is punctuation, as in ``NAD(P)H``.

Keyword mode::

    query   = side, { "OR", side }
    side    = { [ "AND" ], [ "NOT" ], term }
    term    = word | '"', words, '"'

Operators are read in upper case only. ``NOT`` excludes the one term after it from the side that
it stands in, and each side needs at least one term that is not excluded. A bare word made of
several words (``IL-6``) is read as a phrase.

Semantic mode has no operators: ``AND``, ``OR`` and ``NOT`` are ordinary words. Each quoted phrase
must occur in a note; several are joined by AND.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from judge.records.run import Notice
from judge.runs.providers.embedded.words import STOP_WORDS, words

LONGEST_QUERY = 2_000
"""Characters (code points) of the longest query that the service takes."""

_PIECE = re.compile(r'"([^"]*)"|([^\s"]+)')
_GROUPING = re.compile(r"(?:AND|OR|NOT)?\(")
_OPERATORS = frozenset({"AND", "OR", "NOT"})

Phrase = tuple[str, ...]
"""Words that must stand side by side, in order."""


class NoList(Exception):
    """The service gives no list. ``refused`` is its documented guard, ``rejected`` a bad query."""

    def __init__(self, outcome: Literal["refused", "rejected"], code: str, text: str) -> None:
        super().__init__(text)
        self.outcome = outcome
        self.code = code
        self.text = text


@dataclass(frozen=True)
class Side:
    """One side of OR: notes with every wanted phrase and no unwanted one."""

    wanted: tuple[Phrase, ...]
    unwanted: tuple[Phrase, ...] = ()


@dataclass(frozen=True)
class KeywordQuery:
    """A query as keyword mode reads it: notes that fit any of ``sides``."""

    sides: tuple[Side, ...]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class SemanticQuery:
    """A query as semantic mode reads it: text to rank by, and phrases that a note must contain."""

    words: tuple[str, ...]
    required: tuple[Phrase, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class _Piece:
    raw: str
    quoted: bool
    words: Phrase

    def too_common(self) -> bool:
        return all(word in STOP_WORDS for word in self.words)

    def operator(self) -> bool:
        return not self.quoted and self.raw in _OPERATORS


@dataclass
class _Draft:
    wanted: list[_Piece] = field(default_factory=list)
    unwanted: list[_Piece] = field(default_factory=list)


def read_keyword(text: str) -> KeywordQuery:
    """``text`` as keyword mode reads it. Raises `NoList`."""
    pieces, notices = _pieces(text)
    drafts = _sides(pieces)
    if any(all(piece.too_common() for piece in draft.wanted) for draft in drafts):
        raise _too_broad()
    ignored: list[str] = []
    sides = tuple(
        Side(_telling(draft.wanted, ignored), _telling(draft.unwanted, ignored)) for draft in drafts
    )
    if ignored:
        shown = ", ".join(dict.fromkeys(ignored))
        notices.append(_interpretation(f"ignored as too common: {shown}"))
    return KeywordQuery(sides, tuple(notices))


def read_semantic(text: str) -> SemanticQuery:
    """``text`` as semantic mode reads it. Raises `NoList`."""
    pieces, notices = _pieces(text)
    if all(piece.too_common() for piece in pieces):
        raise _too_broad()
    if any(piece.operator() for piece in pieces):
        notices.append(_interpretation("AND, OR and NOT are ordinary words in this mode"))
    required = tuple(piece.words for piece in pieces if piece.quoted)
    if len(required) > 1:
        notices.append(_interpretation(f"{len(required)} quoted requirements joined by AND"))
    every = tuple(word for piece in pieces for word in piece.words)
    return SemanticQuery(every, required, tuple(notices))


def _pieces(text: str) -> tuple[list[_Piece], list[Notice]]:
    """The pieces that hold a word, in order. What is punctuation alone is dropped."""
    if len(text) > LONGEST_QUERY:
        raise NoList(
            "rejected", "too_long", f"{len(text)} characters; at most {LONGEST_QUERY} are taken"
        )
    notices: list[Notice] = []
    if text.count('"') % 2:
        last = text.rindex('"')
        text = f"{text[:last]} {text[last + 1 :]}"
        notices.append(
            _interpretation(f"the quotation mark at character {last + 1} is not closed; ignored")
        )
    pieces: list[_Piece] = []
    for found in _PIECE.finditer(text):
        quoted = found[1] is not None
        raw = found[1] if quoted else found[2]
        if not quoted and _GROUPING.match(raw):
            raise NoList("refused", "grouping", "grouping is not supported")
        if inside := words(raw):
            pieces.append(_Piece(raw, quoted, inside))
    if not pieces:
        raise NoList("rejected", "empty_query", "the query holds no word")
    return pieces, notices


def _sides(pieces: list[_Piece]) -> list[_Draft]:
    drafts = [_Draft()]
    last = ""  # the operator just read, if the piece before this one was one
    term_before = False
    for piece in pieces:
        if not piece.operator():
            side = drafts[-1]
            (side.unwanted if last == "NOT" else side.wanted).append(piece)
            last, term_before = "", True
            continue
        if piece.raw == "NOT" and last == "NOT":
            raise _syntax("NOT stands twice in a row")
        if piece.raw != "NOT" and not term_before:
            raise _syntax(f"{piece.raw} needs a term before it")
        if piece.raw == "OR":
            drafts.append(_Draft())
        last, term_before = piece.raw, False
    if last:
        raise _syntax(f"{last} needs a term after it")
    if any(not draft.wanted for draft in drafts):
        raise _syntax("NOT needs another term to exclude from")
    return drafts


def _telling(pieces: list[_Piece], ignored: list[str]) -> tuple[Phrase, ...]:
    """Quoted phrases as they are, bare words less the too common ones, which are noted."""
    kept: list[Phrase] = []
    for piece in pieces:
        if piece.too_common() and not piece.quoted:
            ignored.extend(piece.words)
        else:
            kept.append(piece.words)
    return tuple(kept)


def _interpretation(text: str) -> Notice:
    return Notice(kind="interpretation", text=text)


def _syntax(text: str) -> NoList:
    return NoList("rejected", "syntax", text)


def _too_broad() -> NoList:
    return NoList("refused", "too_broad", "only common words; too broad to search")
