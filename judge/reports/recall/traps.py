"""What the scoring rules pass over in silence, counted, with the first case of each.

The figures stay those of the reference; a reader learns here what stands behind them.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from judge.queries.questions import gold_paper
from judge.records.recall import RecallWarning
from judge.runs.identity import doi_key as read_doi
from judge.text import repair, shorten

_SENTENCES = {
    "missing_questions": "questions without a result row leave the mean",
    "row_without_candidates": "result rows without `candidates` count as empty answers, recall 0; "
    "an error row belongs into the failures file",
    "empty_gold": "scored questions with no gold paper count 0 in the macro mean",
    "gold_not_scorable": "questions without an answer have a gold set that could not be scored",
    "gold_pmid_not_read": "gold PMIDs are no plain number: only the same text matches them",
    "gold_doi_not_read": "gold DOIs do not read as a DOI: only the same text matches them",
    "rank_form": "ranks are no whole numbers; read as the reference reads them (1.9 is 1, "
    '"2" is 2)',
    "rank_gaps": "lists whose ranks are not 1 to n: recall@k goes by the rank, not by the place",
    "beyond_last_cutoff": "gold papers found beyond the last cutoff: in the counts by tier and in "
    "no recall",
    "pmid_old_address": "PMIDs given as an address of ncbi.nlm.nih.gov/pubmed are not read",
    "pmid_prefixed": "PMIDs given as PMID:N are not read",
    "pmid_decimal": "PMIDs given as N.0 are not read (a spreadsheet made them numbers)",
    "pmid_other": "other texts in the place of a PMID are not read",
    "pmid_foreign_digits": "addresses of PubMed hold digits that are not 0 to 9; read as they are",
    "doi_prefix": "DOIs with another prefix (www.doi.org, two prefixes …) are not read",
    "doi_escaped": "DOIs with %2F, %3C … for a character are compared as they are",
    "doi_end": "DOIs that end in a full stop or a slash are taken with it",
    "title_other_id": "gold papers are credited by title to a candidate with another PMID or DOI",
    "title_joined": "gold papers are credited by titles that are equal only because a hyphen or "
    "dash joins words (T-cell = Tcell)",
    "title_near": "titles differ from a gold title only in blanks, hyphens, tags, invisible "
    "characters, ß or İ, and earn nothing",
    "many_providers": "result rows are of another provider than the first row",
    "failures_absent": "no failures file there: every missing question counts as not attempted",
    "failures_unknown": "failure records are of questions that the questions file does not have",
}
"""Kind of trap to its sentence, in the order in which they are told."""

# Tags, and characters without a width.
_CUT = re.compile("</?[A-Za-z][^<>]*>|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_UNEQUAL = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u0130ßẞ]")
_ESCAPED = re.compile("%[0-9a-f]{2}")
_DECIMAL = re.compile(r"([0-9]+)\.0+", re.ASCII)


class Traps:
    """Collects traps. ``at`` is put before every example: the question that is being scored."""

    def __init__(self) -> None:
        self.at = ""
        self._counts: dict[str, int] = {}
        self._gold: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def add(self, kind: str, example: str, *, gold: bool = False, count: int = 1) -> None:
        """Notes a case; ``gold`` where it is about a gold paper that is missed by it."""
        if (gold and kind not in self._gold) or kind not in self._examples:
            self._examples[kind] = f"{self.at}: {example}" if self.at else example
        self._counts[kind] = self._counts.get(kind, 0) + count
        if gold:
            self._gold[kind] = self._gold.get(kind, 0) + 1

    def count(self, kind: str) -> int:
        """How often a trap was met."""
        return self._counts.get(kind, 0)

    def warnings(self) -> tuple[RecallWarning, ...]:
        """All traps that were met, in a fixed order."""
        return tuple(
            RecallWarning(
                kind=kind,
                count=self._counts[kind],
                text=f"{sentence} ({self._cases(kind)})",
                example=shorten(repair(self._examples[kind])[0], 200),
            )
            for kind, sentence in _SENTENCES.items()
            if kind in self._counts
        )

    def _cases(self, kind: str) -> str:
        gold = self._gold.get(kind, 0)
        missed = f"; gold papers of their question among them: {gold:,}" if gold else ""
        return f"cases: {self._counts[kind]:,}{missed}"


def unread_pmid(text: str) -> tuple[str, str | None]:
    """The trap that a PMID which is no plain number falls into, and the number it means."""
    bare = text.strip()
    if (decimal := _DECIMAL.fullmatch(bare)) is not None:
        return "pmid_decimal", decimal[1].lstrip("0")
    paper = gold_paper(bare)
    number = paper.pmid.lstrip("0") if paper is not None and paper.pmid else None
    if number is not None and bare.lower().startswith("pmid"):
        return "pmid_prefixed", number
    if number is not None and "/" in bare:
        return "pmid_old_address", number
    return "pmid_other", number


def unread_doi(key: str) -> tuple[str, str | None] | None:
    """The trap that a DOI (as it is compared) falls into, and the DOI it means; None for none."""
    escaped = _ESCAPED.search(key) is not None
    other, ended = not key.startswith("10."), key.endswith((".", "/"))
    if not (escaped or other or ended):
        return None
    meant = read_doi(unquote(key))
    if escaped:
        return "doi_escaped", meant
    if other:
        return "doi_prefix", meant
    return "doi_end", meant.rstrip("./") if meant else None


def without_marks(title: str) -> str:
    """A title without tags and invisible characters, ß as ss and İ as i."""
    return _CUT.sub("", title).replace("İ", "i").replace("ß", "ss").replace("ẞ", "ss")


def has_marks(title: str) -> bool:
    """Whether `without_marks` could change ``title``."""
    return "<" in title or (not title.isascii() and _UNEQUAL.search(title) is not None)
