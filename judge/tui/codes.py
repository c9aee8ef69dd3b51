"""The categories of failure review at the desk: their keys and words, once.

Data alone: `judge.tui.actions` makes actions of it, the screens and the help take words from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.records.judgement import FailureCategory


@dataclass(frozen=True)
class Code:
    """A category with its key, two or three words for it, and what it means."""

    category: FailureCategory
    key: str
    word: str
    meaning: str


CODES: tuple[Code, ...] = (
    Code(
        "operator_not_parsed",
        "1",
        "operator not parsed",
        "An operator went to a mode that does not parse it, and was taken for words.",
    ),
    Code(
        "quotes_narrow_wrongly",
        "2",
        "quotes too narrow",
        "A quoted requirement shut out what the need asks for.",
    ),
    Code(
        "broad_query_refusal",
        "3",
        "broad query refused",
        "The service refused the query as too broad, and says so.",
    ),
    Code(
        "service_unavailable",
        "4",
        "service unavailable",
        "The service or its answer could not be had.",
    ),
    Code("timeout", "5", "timeout", "No answer came in time."),
    Code(
        "wrong_literal_match",
        "6",
        "wrong literal match",
        "The words match; organism, mechanism or study type is another.",
    ),
    Code(
        "near_semantic_match",
        "7",
        "near but misses",
        "Close in meaning to the need, and misses it.",
    ),
    Code("duplicate_record", "8", "duplicate", "Another record of the same work is listed too."),
    Code(
        "stale_metadata",
        "9",
        "stale metadata",
        "What the service says of the record is out of date or wrong.",
    ),
    Code("missing_link", "m", "no source link", "The service gave no link to the source."),
    Code(
        "preprint_as_article",
        "p",
        "preprint as article",
        "A preprint that is listed as if it were an article.",
    ),
    Code("other", "w", "other (with a note)", "Something else went wrong; the note says what."),
)

WORD: dict[str, str] = {code.category: code.word for code in CODES} | {
    "refused": "refused",
    "retracted": "retracted",
}
"""Every code that a screen can show."""

PREFIX = "code_"
"""Before the category in the name of its action."""

CODING: tuple[tuple[str, str, str, str], ...] = (
    *((PREFIX + one.category, one.key, one.word, one.meaning) for one in CODES),
    ("save_codes", "enter", "save", "Save what is chosen, and go on to the next item."),
    ("nothing", "0", "nothing to name", "Nothing went wrong beside what the records say; saved."),
    ("drop_codes", "escape", "drop the choice", "Drop what is chosen and not saved yet."),
)
"""Name, key, words and sentence of every action of failure review."""
