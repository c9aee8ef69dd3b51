"""Words that say more than was measured (R02, R42, R48, R60, R79).

For titles, headings and conclusions alone. What assessors write and what records hold is never
read by this. A sentence that denies ("does not prove") says nothing too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.errors import Problem

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DENIED = re.compile(
    r"\b(?:no|not|none|never|nothing|nobody|neither|nor|cannot|without|whether)\b|n't\b|n’t\b",
    re.IGNORECASE,
)
_REACH = 16
"""Characters behind a word in which a denial still speaks of it: "recall was not measured"."""


@dataclass(frozen=True)
class Grounds:
    """What a study has to stand on; each field allows what would be too much without it."""

    evaluated: bool
    """Runs were made and people judged them; a plan and scripted labels are not that."""
    frozen_index: bool
    """The index was frozen, and the services showed so."""
    gold: bool
    """A gold set, so that there is a recall to speak of."""
    released: bool = False
    """Every check of the release gate holds."""


@dataclass(frozen=True)
class _Word:
    rule: str
    pattern: re.Pattern[str]
    why: str
    lacks: str
    """The field of `Grounds` that would allow it; empty where nothing does."""


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


_WORDS = (
    _Word(
        "R02",
        _words("pass(?:ed|es)?", "verified", "validated", "certified", "proven", "approved"),
        "nothing was evaluated: a plan, or labels written in advance, cannot be passed",
        "evaluated",
    ),
    _Word(
        "R42",
        _words(r"reproducib\w+", r"replicab\w+", "reproduced", r"frozen[- ]index"),
        "the live index was not frozen: a dated live-service evaluation",
        "frozen_index",
    ),
    _Word(
        "R48",
        _words(
            r"supports?",
            "supported",
            r"prov(?:es?|ed|en|ing)",
            r"evidence (?:for|that|of)",
            r"confirm(?:s|ed)?",
            r"demonstrat(?:es?|ed)",
            r"clinically \w+",
        ),
        "relevance was judged: a match is no support for a conclusion of science",
        "",
    ),
    _Word("R60", _words("recall"), "recall needs a gold set; this study has none", "gold"),
    _Word(
        "R60",
        _words(
            r"(?:all|every|most|any) (?:the )?relevant (?:\w+ )?(?:documents?|papers?|records?)",
            r"complete(?:ness)? of (?:the )?(?:index|literature|results)",
            r"misse[sd] (?:no|nothing)",
        ),
        "nobody counted all relevant documents",
        "",
    ),
    _Word(
        "R79",
        _words(r"benchmark\w*"),
        "the word is kept for a study that passes every check of `judge release`",
        "released",
    ),
)


def too_much(texts: Mapping[str, str], grounds: Grounds) -> Iterator[Problem]:
    """Every sentence of ``texts`` (by where it stands) with a word too much, and the rule."""
    for where, text in texts.items():
        for sentence in _SENTENCE.split(text):
            for word in _WORDS:
                if word.lacks and getattr(grounds, word.lacks):
                    continue
                for found in word.pattern.finditer(sentence):
                    if not _DENIED.search(sentence[: found.end() + _REACH]):
                        told = f"{found[0]!r} in {sentence.strip()!r}"
                        yield Problem(where, told, f"{word.why} ({word.rule})")
