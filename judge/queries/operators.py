"""Which search operators a submitted text holds, as the services that parse them write them.

A mode that does not parse an operator takes it for ordinary words, without a word about it. What
is found here is set against what the protocol says a mode reads; nothing is ever sent or scored by
it. The rules are those of the common boolean syntaxes: operators in capitals, straight or curly
double quotes, parentheses that stand free, PubMed's tags in brackets, ``field:`` prefixes.
Names are not operators: ``benzo[a]pyrene``, ``p53(R175H)``, ``(R)-warfarin``, ``HLA-A*02:01``.
"""

from __future__ import annotations

import re

from judge.records.protocol import Operator

_PHRASE = re.compile(r'"([^"]*)"|“([^“”]*)”')
_BOOLEAN = re.compile(r"(?<![^\s()\"“”])(AND|OR|NOT)(?![^\s()\"“”])")
_TAGS = (
    "tiab|tw|ti|ab|au|1au|auid|mesh|mesh terms|mh|majr|sh|nm|pt|dp|pdat|la|ta|ad|pmid|uid|all"
    "|all fields|title|title/abstract|author|journal|publication type|gene|gene name|organism"
)
_TAG = re.compile(rf"\[\s*(?:{_TAGS})(?::[a-z0-9~]+)?\s*\]", re.IGNORECASE)
_PREFIX = re.compile(
    r"(?<![\w:/.])(?:title|ti|abstract|author|auth|journal|year|pub_year|pub_type|doi|pmid|ext_id"
    r"|mesh|gene|organism|disease):(?=[^\s:/])",
    re.IGNORECASE,
)
# A star allele (CYP2C19*2, HLA-A*02:01) has a digit after it; a question ends in its mark.
_WILDCARD = re.compile(r"(?<=\w\w)\*(?![\w*])|(?<=[^\W\d_])\?(?=[^\W\d_])")
_ADDRESS = re.compile(r"\w+://\S+")
_BOOLEAN_BEFORE = re.compile(r"(?<!\w)(?:AND|OR|NOT)$")


def found_operators(text: str) -> set[Operator]:
    """The operators that ``text`` holds."""
    found: set[Operator] = set()
    if quoted_phrases(text):
        found.add("quotes")
    bare = _PHRASE.sub('""', text)
    boolean: tuple[Operator, ...] = ("AND", "OR", "NOT")
    words = {match[1] for match in _BOOLEAN.finditer(bare)}
    found.update(operator for operator in boolean if operator in words)
    if _groups(bare):
        found.add("grouping")
    if _TAG.search(text) or _PREFIX.search(bare):
        found.add("field_tags")
    if _WILDCARD.search(_ADDRESS.sub("", text)):
        found.add("wildcard")
    return found


def quoted_phrases(text: str) -> list[str]:
    """What stands between double quotes, in order; quotes around nothing are left out."""
    phrases = (match[1] or match[2] or "" for match in _PHRASE.finditer(text))
    return [phrase for phrase in phrases if phrase.strip()]


def has_unbalanced_quote(text: str) -> bool:
    """Whether a double quote is left over that opens or closes nothing."""
    return any(mark in _PHRASE.sub("", text) for mark in '"“”')


def _groups(text: str) -> bool:
    """Whether a pair of parentheses stands free, that is, is not part of a name."""
    opened: list[bool] = []
    for position, char in enumerate(text):
        if char == "(":
            opened.append(_stands_free_before(text[max(0, position - 4) : position]))
        elif char == ")" and opened:
            after = text[position + 1 : position + 2]
            if opened.pop() and (not after or not (after.isalnum() or after in "-_[")):
                return True
    return False


def _stands_free_before(text: str) -> bool:
    """Whether a parenthesis after ``text`` (the four characters before it) starts a group."""
    if not text or _BOOLEAN_BEFORE.search(text):
        return True
    return not (text[-1].isalnum() or text[-1] in "_-])'’")
