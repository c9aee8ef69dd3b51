"""Which gold papers a ranked list finds, at which rank, by which tier.

A candidate is matched by the first tier that points at a gold paper: PMID, then DOI, then title.
A gold paper is credited once; a candidate whose gold paper is taken gets nothing and does not fall
through to a weaker tier. Where two gold papers share a DOI or a title, the first that is free is
credited, by string order of PMID.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from judge.records.recall import Candidate, Credit
from judge.reports.recall.keys import doi_key, pmid_key
from judge.reports.recall.traps import (
    Traps,
    has_marks,
    unread_doi,
    unread_pmid,
    without_marks,
)
from judge.text import title_key

MATCHING = "PMID, then DOI, then exact normalized title; one credit per gold paper"

# Most titles are told from every gold title by a few letters, before they are normalised: ASCII
# text keeps its letters and their order. Of the characters taken from the start the last may still
# change by one that follows it (a combining accent), so that it is never among those compared;
# where the start is not ASCII the end decides, which nothing can change.
_COMPARED = 12
_TAKEN = 2 * _COMPARED
_DROPPED = bytes(code for code in range(128) if title_key(chr(code)) is None)
# 128 stands for what says nothing about a title: parts of other letters, and the bounds of a tag,
# which would hide a title that is near.
_LETTERS = bytes(
    128 if code > 127 or chr(code) in "<>" else ord(title_key(chr(code)) or "-")
    for code in range(256)
)
# Unicode's dash punctuation.
_DASHES = re.compile(
    "[-\u058a\u05be\u1400\u1806\u2010-\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d"
    "\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010ead]"
)


class Paper(Protocol):
    """What identifies a gold paper."""

    @property
    def pmid(self) -> str | int | None: ...
    @property
    def doi(self) -> str | None: ...
    @property
    def title(self) -> str | None: ...


class GoldIndex:
    """The gold papers of one question by what points at them. Papers are named by position."""

    def __init__(self, gold: Sequence[Paper]) -> None:
        self.gold = tuple(gold)
        self.keys = tuple(pmid_key(paper.pmid) for paper in gold)
        self.pmids: dict[str, int] = {}
        self.dois: dict[str, list[int]] = {}
        self.titles: dict[str, list[int]] = {}
        self.near: set[str] = set()
        """Gold titles without blanks, and without what `traps.without_marks` takes out."""
        in_order = sorted(range(len(gold)), key=lambda at: (self.keys[at] is None, self.keys[at]))
        for position in in_order:
            paper = self.gold[position]
            if (key := self.keys[position]) is not None:
                self.pmids.setdefault(key, position)
            if (doi := doi_key(paper.doi)) is not None:
                self.dois.setdefault(doi, []).append(position)
            if paper.title and (name := title_key(paper.title)) is not None:
                self.titles.setdefault(name, []).append(position)
                self.near.update(_joined(paper.title, name))
        self.heads = {name[:_COMPARED].encode("utf-8", "replace") for name in self.near}
        self.tails = {name[-_COMPARED:].encode("utf-8", "replace") for name in self.near}

    def could_end(self, title: str) -> bool:
        """False only where ``title``, normalised, surely ends as no gold title, nor one near."""
        letters = title[-_TAKEN:].encode().translate(_LETTERS, _DROPPED)
        return (
            not letters.isascii() or len(letters) < _COMPARED or letters[-_COMPARED:] in self.tails
        )


def match(index: GoldIndex, candidates: Iterable[Candidate], traps: Traps) -> dict[int, Credit]:
    """The credit of each gold paper that ``candidates``, in rank order, find."""
    pmids, dois, titles, heads = index.pmids, index.dois, index.titles, index.heads
    credits: dict[int, Credit] = {}
    for one in candidates:
        pmid, doi, title = one.pmid, one.doi, one.title
        if pmid is not None:
            if isinstance(pmid, str) and pmid.isdigit():
                key = pmid.lstrip("0")
            else:
                key = _odd_pmid(pmid, one.rank, index, traps)
            if key in pmids:
                _claim((pmids[key],), credits, one.rank, "pmid")
                continue
        if doi:
            # The plain form needs nothing but lower case; anything else takes the long way.
            plain = doi[0] == "1" and doi[-1].isalnum()
            key = doi.lower() if plain else doi_key(doi) or ""
            if key in dois:
                _claim(dois[key], credits, one.rank, "doi")
                continue
            if not plain or "%" in key:
                _odd_doi(key, one.rank, index, traps)
        if not title:
            continue
        try:
            letters = title[:_TAKEN].encode().translate(_LETTERS, _DROPPED)
            if (
                letters[:_COMPARED] not in heads
                and len(letters) > _COMPARED
                and (letters.isascii() or not index.could_end(title))
            ):
                continue
        except UnicodeEncodeError:
            pass  # a lone surrogate: nothing can be told from the bytes
        if key := title_key(title) or "":
            if key in titles:
                position = _claim(titles[key], credits, one.rank, "title")
                if position is not None:
                    _tell_title(one, index, position, traps)
            elif not index.near.isdisjoint(_joined(title, key)):
                traps.add("title_near", f"rank {one.rank}: {title!r}")
    return credits


def tell_gold(index: GoldIndex, traps: Traps) -> None:
    """Notes gold papers whose identifiers only the same text can match."""
    for paper, key in zip(index.gold, index.keys, strict=True):
        if key is not None and not key.isdigit():
            traps.add("gold_pmid_not_read", repr(paper.pmid))
    for doi in index.dois:
        if unread_doi(doi) is not None:
            traps.add("gold_doi_not_read", repr(doi))


def found_at(credits: Mapping[int, Credit], k: int) -> int:
    """How many gold papers were found at ranks 1 to ``k``: recall@k is this over their number."""
    return sum(one.rank <= k for one in credits.values())


def points_at(index: GoldIndex, one: Candidate) -> tuple[int, ...]:
    """The gold papers that a single candidate could be credited with, whatever else is there."""
    if (key := pmid_key(one.pmid)) is not None and key in index.pmids:
        return (index.pmids[key],)
    for key, tier in ((doi_key(one.doi), index.dois), (title_key(one.title), index.titles)):
        if key is not None and key in tier:
            return tuple(tier[key])
    return ()


def _claim(
    positions: Iterable[int], credits: dict[int, Credit], rank: int, tier: str
) -> int | None:
    """Credits the first paper that is free, and returns it."""
    for position in positions:
        if position not in credits:
            credits[position] = Credit(rank=rank, tier=tier)
            return position
    return None


def _joined(title: str, name: str) -> tuple[str, ...]:
    """``title``, of which ``name`` is the key, as near titles are compared: without blanks, and
    without marks where it has any."""
    joined = name.replace(" ", "")
    if not has_marks(title):
        return (joined,)
    return joined, (title_key(without_marks(title)) or "").replace(" ", "")


def _odd_pmid(value: str | int, rank: int, index: GoldIndex, traps: Traps) -> str:
    """The key of a PMID that is no plain number; what is not read as one is noted."""
    key = pmid_key(value) or ""
    if not key or key in index.pmids or (key.isascii() and key.isdigit()):
        return key
    shown = f"rank {rank}: {value!r}"
    if key.isdecimal():
        traps.add("pmid_foreign_digits", shown)
    else:
        kind, number = unread_pmid(str(value))
        traps.add(kind, shown, gold=number in index.pmids)
    return key


def _odd_doi(key: str, rank: int, index: GoldIndex, traps: Traps) -> None:
    found = unread_doi(key)
    if found is not None:
        kind, meant = found
        traps.add(kind, f"rank {rank}: {key!r}", gold=meant in index.dois)


def _tell_title(one: Candidate, index: GoldIndex, position: int, traps: Traps) -> None:
    """Notes what is doubtful about a credit by title."""
    paper = index.gold[position]
    shown = f"rank {one.rank}: {one.title!r}"
    number = pmid_key(one.pmid) or ""
    other_pmid = number.isdigit() and index.keys[position] is not None
    other_doi = (doi_key(one.doi) or "").startswith("10.") and doi_key(paper.doi) is not None
    if other_pmid or other_doi:
        told = f"PMID {one.pmid}, DOI {one.doi}"
        traps.add("title_other_id", f"{shown} ({told}) for the gold PMID {paper.pmid}")
    if one.title != paper.title and _dashes_apart(one.title) != _dashes_apart(paper.title):
        traps.add("title_joined", f"{shown} for {paper.title!r}")


def _dashes_apart(title: str | None) -> str | None:
    """The key of a title in which dashes part words."""
    return title_key(_DASHES.sub(" ", title or ""))
