"""PubMed records as efetch sends them (XML): what a record is, and what became of it.

Text is taken with everything inside it, so that a title does not end at its first italic word.
Identifiers are the article's own, never those of its references. A retraction counts by either of
two signals, the publication type or a ``RetractionIn`` comment; both are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from judge.runs.providers.base import FaultClass
from judge.runs.providers.reading import Dated, NoListError, looks_like_page, read_date, said
from judge.text import repair

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PROLOG = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?", re.I)
_RETRACTED = ("Retracted Publication", "D016441")
_CHANGES = (
    "RetractionIn",
    "PartialRetractionIn",
    "ExpressionOfConcernIn",
    "ErratumIn",
    "UpdateIn",
    "RepublishedIn",
    "CorrectedandRepublishedIn",
    "RetractionOf",
    "ErratumFor",
)


@dataclass(frozen=True)
class Article:
    """One PubMed record."""

    pmid: str
    version: str | None
    title: str | None
    journal: str | None
    abstract: str | None
    published: Dated
    revised: str | None
    """When the record was last changed, as YYYY-MM-DD."""
    doi: str | None
    pmcid: str | None
    types: tuple[str, ...]
    changes: tuple[str, ...]
    """Comments that correct, retract or republish: ``RetractionIn: 31234567``."""
    retracted_by_type: bool

    @property
    def retracted(self) -> bool:
        """Whether either signal says so."""
        return self.retracted_by_type or any(
            change.startswith("RetractionIn:") for change in self.changes
        )

    @property
    def notice(self) -> str | None:
        """Every signal in one line; None without any."""
        signals = ["Retracted Publication"] if self.retracted_by_type else []
        return "; ".join([*signals, *self.changes]) or None


def read_xml(body: bytes, root: str) -> Element:
    """The root element of an E-utilities reply. Raises `NoListError` for any other body."""
    if not _PROLOG.sub(b"", body, count=1).strip():
        raise NoListError("bad_reply", "a prolog without a document")
    if looks_like_page(body):
        raise NoListError("bad_reply", f"a web page instead of XML: {said(body)}")
    try:
        found: Element = fromstring(body)
    except ParseError as error:
        kind: FaultClass = "malformed" if body.lstrip().startswith(b"<") else "bad_reply"
        raise NoListError(kind, f"no whole XML ({error}): {said(body)}") from None
    except (DefusedXmlException, ValueError, LookupError) as error:
        raise NoListError("bad_reply", f"XML that is not read ({error})") from None
    if (fault := found.find(".//ERROR")) is not None:
        raise NoListError("bad_reply", _text(fault) or "an ERROR without a text")
    if found.tag != root:
        raise NoListError("bad_reply", f"<{found.tag}> where <{root}> is expected")
    return found


def read_articles(body: bytes) -> dict[str, Article]:
    """The records of an efetch reply by PMID, in no order that means anything."""
    found = map(_article, _records(read_xml(body, "PubmedArticleSet")))
    return {article.pmid: article for article in found if article is not None}


def _records(root: Element) -> Iterator[tuple[Element, Element, Element | None]]:
    """Citation, article and PubMed's own data of each record; a book stands for its article."""
    for child in root:
        citation = child.find("MedlineCitation")
        if citation is not None:
            article = citation.find("Article")
            yield citation, citation if article is None else article, child.find("PubmedData")
        elif (book := child.find("BookDocument")) is not None:
            yield book, book, child.find("PubmedBookData")


def _article(parts: tuple[Element, Element, Element | None]) -> Article | None:
    citation, article, data = parts
    pmid = citation.find("PMID")
    number = _text(pmid)
    if pmid is None or number is None:
        return None
    types = article.findall(".//PublicationType")
    names = tuple(filter(None, map(_text, types)))
    return Article(
        pmid=number,
        version=pmid.get("Version"),
        title=_text(article.find("ArticleTitle")) or _text(article.find("Book/BookTitle")),
        journal=_text(article.find("Journal/Title")),
        abstract=_abstract(article),
        published=_published(article),
        revised=_day(citation.find("DateRevised")),
        doi=_identifier(data, "doi") or _location(article),
        pmcid=_identifier(data, "pmc"),
        types=names,
        changes=tuple(_changes(citation)),
        retracted_by_type=any(
            _text(one) == _RETRACTED[0] or one.get("UI") == _RETRACTED[1] for one in types
        ),
    )


def _text(element: Element | None) -> str | None:
    """All text inside an element, on one line; None where there is none."""
    if element is None:
        return None
    return " ".join(repair("".join(element.itertext()))[0].split()) or None


def _abstract(article: Element) -> str | None:
    """The sections of an abstract, each with its label, one a line."""
    lines = []
    for part in article.findall("Abstract/AbstractText"):
        if (text := _text(part)) is not None:
            label = part.get("Label")
            lines.append(f"{label}: {text}" if label else text)
    return "\n".join(lines) or None


def _published(article: Element) -> Dated:
    for path in ("Journal/JournalIssue/PubDate", "Book/PubDate", "ArticleDate"):
        date = article.find(path)
        if date is None:
            continue
        parts = [_text(date.find(name)) for name in ("Year", "Month", "Day")]
        season = _text(date.find("Season"))
        if parts[1] is not None and parts[1].isdecimal():
            said_so = "-".join(part for part in parts if part)
        else:
            said_so = " ".join(part for part in [*parts, season] if part)
        found = read_date(_text(date.find("MedlineDate")) or said_so)
        if found.year is not None:
            return found
    return Dated()


def _day(date: Element | None) -> str | None:
    if date is None:
        return None
    parts = [_text(date.find(name)) for name in ("Year", "Month", "Day")]
    return "-".join(part.zfill(2) for part in parts if part) or None


def _identifier(data: Element | None, kind: str) -> str | None:
    """An identifier of the article itself: those of its references lie deeper."""
    if data is None:
        return None
    return _text(data.find(f"ArticleIdList/ArticleId[@IdType='{kind}']"))


def _location(article: Element) -> str | None:
    for place in article.findall("ELocationID[@EIdType='doi']"):
        if place.get("ValidYN", "Y") == "Y":
            return _text(place)
    return None


def _changes(citation: Element) -> Iterator[str]:
    for comment in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        kind = comment.get("RefType", "")
        if kind in _CHANGES:
            where = (
                _text(comment.find("PMID")) or _text(comment.find("RefSource")) or "no reference"
            )
            yield f"{kind}: {where}"
