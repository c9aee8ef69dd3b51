"""Which words of a text are pointed out: those of the information need, and a person's own.

Never those of a submitted query: a packet holds none, and its words would tell the system. Pure
functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"\w+")

# Words of questions and of English grammar; a need is a sentence, not a list of terms.
STOP_WORDS = frozenset(
    _WORD.findall(
        """
    a about above after again against all also am among an and any are as at be because been
    before being below between both but by can could did do does doing down during each either
    few for from further had has have having he her here hers him his how i if in into is it its
    itself just may me might more most must my neither no nor not of off on once one only or other
    our out over own per same shall she should so some such than that the their them then there
    these they this those through to too under until up upon us versus very via vs was we were
    what when where whether which while who whom whose why will with within without would you your
    affect affects cause causes compared effect effects evidence find form forms include includes
    including known paper papers record records related relevant report reports role show shows
    studies study use used uses using
    """
    )
)
LEAST_LETTERS = 3
"""Shorter words of a need say too little to be pointed out; an own term may be of any length."""


def need_terms(need: str) -> tuple[str, ...]:
    """The words of a need worth pointing out, in its order: no stop words, no bare numbers."""
    words = (word.casefold() for word in _WORD.findall(need))
    return tuple(
        dict.fromkeys(
            word
            for word in words
            if len(word) >= LEAST_LETTERS and word not in STOP_WORDS and not word.isdecimal()
        )
    )


def own_terms(text: str) -> tuple[str, ...]:
    """Terms as a person writes them: parted by commas or line ends, each once."""
    terms = (" ".join(term.split()) for term in re.split(r"[,\n]", text))
    return tuple(dict.fromkeys(term for term in terms if term.strip("* ")))


def spans(text: str, need: Iterable[str], own: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where ``text`` has a term, as (start, end) in code points, in order and never overlapping.

    A word of ``need`` matches as a whole word in singular or plural, whatever the case. An own
    term matches as it is written, whatever the case, between the ends of words; it may hold
    several words, and a ``*`` at its end stands for any ending.
    """
    stems = {_stem(word) for word in need}
    # Each distinct word is looked at once: a text of 200 kB has few of them.
    meant = [word for word in set(_WORD.findall(text)) if _stem(word.casefold()) in stems]
    found = []
    if meant:
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, meant))})\b")
        found = [match.span() for match in words.finditer(text)]
    for term in own:
        written = re.finditer(_pattern(term), text, re.IGNORECASE)
        found += [match.span() for match in written]
    return tuple(_joined(sorted(found)))


def _stem(word: str) -> str:
    """``word`` without the ending of a plural: adducts, studies and biases are the usual ones."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _pattern(term: str) -> str:
    bare = term.rstrip("*").rstrip()
    body = r"\s+".join(re.escape(part) for part in bare.split())
    start = r"(?<!\w)" if bare[0].isalnum() else ""
    if term.endswith("*"):
        return rf"{start}{body}\w*"
    return start + body + (r"(?!\w)" if bare[-1].isalnum() else "")


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
