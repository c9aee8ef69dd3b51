"""Text that came from outside, made safe to show. Stored bytes are never changed by this.

Terminals obey escape sequences, bidirectional overrides reorder what a person reads, and a lone
surrogate cannot be encoded at all. `display_text` makes each of these visible as U+FFFD instead.
"""

from __future__ import annotations

import re
import unicodedata

_JOINERS_AND_MARKS = {"\u200c", "\u200d", "\u200e", "\u200f"}
"""ZWNJ, ZWJ, LRM, RLM: needed to write Persian, Indic scripts and emoji; harmless alone."""
_DROPPED = {"\u00ad", "\ufeff"}
"""Soft hyphen and BOM: invisible by intent, meaningless in the middle of a record."""
_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NEEDS_WORK = re.compile(r"[^\x20-\x7e]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")


def display_text(raw: str, *, one_line: bool = False) -> str:
    """``raw`` as it may be put on a screen or a page, NFC-normalised.

    CR LF and CR become a newline (a blank with ``one_line``), a tab four blanks, every other
    control, format, surrogate, unassigned or private character, line separator and bidirectional
    control U+FFFD. Markup is not escaped here: callers pass the result as plain text
    (`textual.content.Content`, `rich.text.Text`) or let the template engine escape it.
    """
    if not _NEEDS_WORK.search(raw):
        return raw
    newline = " " if one_line else "\n"
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    shown = _NEEDS_WORK.sub(lambda char: _shown(char[0], newline), text)
    return unicodedata.normalize("NFC", shown)


def _shown(char: str, newline: str) -> str:
    if char == "\n":
        return newline
    if char == "\t":
        return "    "
    if char in _DROPPED:
        return ""
    if char in _JOINERS_AND_MARKS or unicodedata.category(char) not in _UNSAFE_CATEGORIES:
        return char
    return "\ufffd"


def fold(text: str) -> str:
    """``text`` for comparing what people mean by "the same": NFC, case-folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def repair(text: str) -> tuple[str, int]:
    """``text`` with lone surrogates and NUL replaced by U+FFFD, and how many were replaced.

    These are the two kinds of character that UTF-8 files and PostgreSQL cannot hold; everything
    else is kept exactly as it came.
    """
    bad = sum(1 for char in text if char == "\x00" or "\ud800" <= char <= "\udfff")
    if not bad:
        return text, 0
    return "".join(
        "\ufffd" if char == "\x00" or "\ud800" <= char <= "\udfff" else char for char in text
    ), bad


def shorten(text: str, width: int) -> str:
    """``text`` on one line, cut to at most ``width`` code points with a closing ellipsis."""
    line = display_text(text, one_line=True)
    return line if len(line) <= width else line[: width - 1] + "…"


def id_fault(text: str) -> str:
    """Why ``text`` cannot be an identifier, or nothing. Ids are text: ``007`` is not ``7``.

    Blanks and invisible characters are refused because two ids that look alike would differ, and
    a second spelling of the same letters (not NFC) because equal ids would not match.
    """
    if not text:
        return "an empty id"
    for position, char in enumerate(text, 1):
        if char.isspace():
            return f"the id {text!r} has a blank at character {position}"
        if unicodedata.category(char) in _UNSAFE_CATEGORIES:
            return f"the id {text!r} has an invisible character (U+{ord(char):04X}) at {position}"
    if not unicodedata.is_normalized("NFC", text):
        return f"the id {text!r} is not NFC-normalised"
    return ""


def unstorable(text: str) -> str:
    """Where ``text`` holds a character that no UTF-8 file or database can keep, or nothing."""
    found = _UNSTORABLE.search(text)
    if not found:
        return ""
    name = "NUL (U+0000)" if found[0] == "\x00" else f"a lone surrogate (U+{ord(found[0]):04X})"
    return f"character {found.start() + 1} is {name}"


_NO_ABSTRACT = frozenset(
    (
        *("", "-", "n/a", "#n/a", "na", "nan", "nil", "none", "null", "not available"),
        *("no abstract", "no abstract available", "abstract not available"),
    )
)


def told_abstract(raw: str | None) -> str | None:
    """An abstract, or None where what stands in its place only says that there is none."""
    return None if raw is None or raw.strip(" .[]()").casefold() in _NO_ABSTRACT else raw


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith("P")


_ASCII_PUNCTUATION = bytes(code for code in range(128) if _is_punctuation(chr(code)))


def title_key(value: str | None) -> str | None:
    """A title as NFKC in lower case, without punctuation, its blanks collapsed.

    A dash is punctuation and joins what stands beside it; signs such as ``<``, ``+`` and ``°``
    stay, and so do soft hyphens and zero-width characters.
    """
    if value is None:
        return None
    text = unicodedata.normalize("NFKC", value).lower()
    # Bytes lose their ASCII punctuation in one go; the few other characters are looked at singly.
    kept = text.encode("utf-8", "surrogatepass").translate(None, _ASCII_PUNCTUATION)
    text = kept.decode("utf-8", "surrogatepass")
    if not text.isascii():
        for char in _BEYOND_ASCII.findall(text):
            if _is_punctuation(char):
                text = text.replace(char, "")
    return " ".join(text.split()) or None
