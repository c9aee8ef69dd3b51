"""What a word is. One rule for notes and queries, so that both modes agree on every match.

The rule is ours and not a tokenizer's of SQLite, whose tables of letters differ between builds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_CJK = r"\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
"""One kana or Han character, so that text without blanks is found by its parts; or a run of
other letters and digits."""


def words(text: str) -> tuple[str, ...]:
    """The words of ``text``, case-folded, in order.

    Compatibility forms are resolved and accents dropped (``Müller`` is ``muller``, ``H₂O`` is
    ``h2o``, the micro sign is Greek mu); every other character that is no letter or digit ends a
    word, so ``IL-6`` is the two words ``il 6`` and ``benzo[a]pyrene`` the three ``benzo a pyrene``.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return tuple(_WORD.findall("".join(char for char in plain if not unicodedata.combining(char))))


STOP_WORDS = frozenset(
    words(
        "a an and are as at be by can do does for from has have how in into is it its not of on or "
        "that the their there these this those to was were what when where which with"
    )
)
"""Words that by themselves ask for nothing. ``who`` is not one (World Health Organization)."""


def contains(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether the words of ``phrase`` stand in ``text``, side by side and in order."""
    length = len(phrase)
    return any(
        tuple(text[start : start + length]) == tuple(phrase)
        for start in range(len(text) - length + 1)
    )
