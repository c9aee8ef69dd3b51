"""PubMed by NCBI's E-utilities: one search by relevance, then the records it names. Free.

The search says what ran (``querytranslation``) and what it dropped: a phrase or a field tag that
was not found means that another search ran than was asked, and is noted. An ``ERROR`` with status
200 is no empty list. Records come in another order than asked, and some not at all: they are joined
by PMID, and a rank whose record did not come keeps its place. Nothing beyond 9,999 can be reached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from judge.records.base import UNAVAILABLE
from judge.records.run import Hit, Notice
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from judge.runs.providers.efetch import Article, read_articles, read_xml
from judge.runs.providers.paging import Page, list_fault, together, year_filter
from judge.runs.providers.reading import (
    NoListError,
    as_list,
    error_words,
    looks_like_page,
    notices,
    read_object,
    refuse_errors,
    said,
    table,
    text,
    texts,
    whole,
)

BATCH = 100
"""Records a request: the ids of as many fit a GET."""
_LONGEST_GET = 1800
"""Characters of encoded parameters; NCBI asks for POST from about 2,000."""
_BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
_WHO = (
    Secret(at="param", name="email", env="JUDGE_CONTACT"),
    Secret(at="param", name="api_key", env="NCBI_API_KEY"),
)
"""Neither is needed; both stay out of what is stored."""


@dataclass(frozen=True)
class _Facts(Facts):
    def calls(self, requested: int) -> int:
        """One search, and a request for each hundred of its records."""
        return 1 + super().calls(requested)


FACTS = _Facts(
    name="pubmed",
    version="1",
    modes=("keyword",),
    endpoint=f"{_BASE}/esearch.fcgi",
    base_env="NCBI_BASE_URL",
    key_env="NCBI_API_KEY",
    key_needed=False,
    paid=False,
    max_depth=9999,
    page_size=BATCH,
    min_interval_s=0.34,
    concurrency=2,
    operators={"keyword": ("AND", "OR", "NOT", "quotes", "grouping", "field_tags", "wildcard")},
    filters_year=True,
    unverified=("3 requests a second without a key, 10 with one",),
)
_LISTS = {
    "phrase_not_found": ("errorlist", "phrasesnotfound", "ErrorList/PhraseNotFound"),
    "field_not_found": ("errorlist", "fieldsnotfound", "ErrorList/FieldNotFound"),
    "phrase_ignored": ("warninglist", "phrasesignored", "WarningList/PhraseIgnored"),
    "quoted_phrase_not_found": (
        "warninglist",
        "quotedphrasesnotfound",
        "WarningList/QuotedPhraseNotFound",
    ),
    "warning": ("warninglist", "outputmessages", "WarningList/OutputMessage"),
}


@dataclass(frozen=True)
class Search:
    """What a search found, and which search it was."""

    count: int
    ids: tuple[str, ...]
    notices: tuple[Notice, ...]
    version: str


@dataclass(frozen=True)
class PubMed:
    """The adapter: a search, then its records, a hundred at a time."""

    facts: Facts = FACTS

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        """The search, the next records, or the outcome. See `Adapter.step`."""
        depth = min(ask.requested, self.facts.max_depth)
        if not replies:
            return _search(ask, depth)
        try:
            search = read_search(replies[0].body)
            articles: dict[str, Article] = {}
            for reply in replies[1:]:
                articles.update(read_articles(reply.body))
        except NoListError as none:
            return none.parsed()
        except RecursionError:
            return NoListError("bad_reply", "nested too deeply").parsed()
        wanted = search.ids[:depth]
        done = BATCH * (len(replies) - 1)
        if done < len(wanted):
            return _records(wanted[done : done + BATCH], len(replies) + 1)
        page = Page(
            hits=tuple(
                _hit(place, pmid, articles.get(pmid)) for place, pmid in enumerate(wanted, 1)
            ),
            total=search.count,
            notices=(*search.notices, *_missing(ask, search, wanted, articles)),
            service_version=search.version,
        )
        return together(ask, self.facts, [page], _notes(ask), size=depth)

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        """Why a reply gives no list. See `Adapter.fault`."""
        read = _search_page if request.url.endswith("/esearch.fcgi") else _records_page
        return list_fault(request, reply, _signal, read)


def _search(ask: Ask, depth: int) -> Request:
    params = [
        ("db", "pubmed"),
        ("term", ask.text),
        ("retmode", "json"),
        ("sort", "relevance"),
        ("retstart", "0"),
        ("retmax", str(depth)),
        ("tool", "blindjudge"),
    ]
    if ask.max_year is not None:
        # Both ends: one alone is dropped without a word.
        params += [("datetype", "pdat"), ("mindate", "1000"), ("maxdate", str(ask.max_year))]
    headers = {"Accept": "application/json"}
    encoded = urlencode(params)
    if len(encoded) > _LONGEST_GET:
        return Request(
            method="POST",
            url=FACTS.endpoint,
            headers={**headers, "Content-Type": "application/x-www-form-urlencoded"},
            body=encoded,
            secrets=_WHO,
        )
    return Request(
        method="GET", url=FACTS.endpoint, params=tuple(params), headers=headers, secrets=_WHO
    )


def _records(ids: Sequence[str], number: int) -> Request:
    return Request(
        method="GET",
        url=f"{_BASE}/efetch.fcgi",
        params=(
            ("db", "pubmed"),
            ("id", ",".join(ids)),
            ("retmode", "xml"),
            ("tool", "blindjudge"),
        ),
        headers={"Accept": "application/xml"},
        secrets=_WHO,
        page=number,
    )


def _notes(ask: Ask) -> tuple[Notice, ...]:
    return year_filter(ask, f"datetype=pdat, mindate=1000, maxdate={ask.max_year}")


def read_search(body: bytes) -> Search:
    """An esearch reply; NCBI answers in XML at times, whatever was asked for.

    Raises `NoListError` for one without a list, for an ``ERROR`` among them (status 200).
    """
    if body.lstrip().startswith(b"<"):
        return _read_xml_search(body)
    top = read_object(body)
    refuse_errors(top)
    result = top.get("esearchresult")
    if not isinstance(result, dict):
        raise NoListError("bad_reply", "esearchresult is missing")
    if (error := text(result.get("ERROR"))) is not None:
        raise _refused(error)
    ids = result.get("idlist")
    if not isinstance(ids, list) or any(text(one) is None for one in ids):
        raise NoListError("bad_reply", "idlist is missing, or not a list of ids")
    said_so = [
        notice
        for kind, (group, name, _) in _LISTS.items()
        for notice in notices(kind, table(result.get(group)).get(name))
    ]
    translations = [
        f"{text(one.get('from')) or ''} → {text(one.get('to')) or ''}"
        for one in map(table, as_list(result.get("translationset")))
    ]
    version = text(table(top.get("header")).get("version"))
    return _searched(
        result.get("count"),
        texts(ids),
        text(result.get("querytranslation")),
        translations,
        said_so,
        f"esearch {version}" if version else UNAVAILABLE,
    )


def _read_xml_search(body: bytes) -> Search:
    try:
        root = read_xml(body, "eSearchResult")
    except NoListError as none:
        raise (_refused(none.text) if b"<ERROR>" in body else none) from None
    listed = root.find("IdList")
    if listed is None:
        raise NoListError("bad_reply", "IdList is missing")
    said_so = [
        Notice(kind=kind, text=found)
        for kind, (_, _, path) in _LISTS.items()
        for found in texts([one.text for one in root.findall(path)])
    ]
    translations = [
        f"{one.findtext('From') or ''} → {one.findtext('To') or ''}"
        for one in root.findall("TranslationSet/Translation")
    ]
    return _searched(
        root.findtext("Count"),
        texts([one.text for one in listed.findall("Id")]),
        text(root.findtext("QueryTranslation")),
        translations,
        said_so,
        UNAVAILABLE,
    )


def _searched(
    count: Any,
    ids: tuple[str, ...],
    ran: str | None,
    translations: Sequence[str],
    said_so: Sequence[Notice],
    version: str,
) -> Search:
    found = whole(count)
    if found is None:
        raise NoListError("bad_reply", "count is missing")
    interpreted = [Notice(kind="interpretation", text=f"ran {ran!r}")] if ran else []
    translated = [Notice(kind="translation", text=one) for one in translations]
    return Search(
        count=found, ids=ids, notices=(*interpreted, *translated, *said_so), version=version
    )


def _refused(error: str) -> NoListError:
    """What the search cannot run is the query's fault; what its backend says is not."""
    own = re.search(r"empty term|invalid|unsupported|unknown|syntax", error, re.I)
    return NoListError("rejected" if own else "bad_reply", error)


def _hit(place: int, pmid: str, article: Article | None) -> Hit:
    link = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    if article is None:
        return Hit(rank=place, record_id=pmid, link=link, pmid=pmid)
    return Hit(
        rank=place,
        record_id=pmid,
        link=link,
        title=article.title,
        pmid=pmid,
        doi=article.doi,
        pmcid=article.pmcid,
        year=None if article.published.year is None else str(article.published.year),
        source_type="; ".join(article.types) or None,
        updated=article.revised,
        notice=article.notice,
    )


def _missing(
    ask: Ask, search: Search, wanted: Sequence[str], articles: dict[str, Article]
) -> tuple[Notice, ...]:
    found: list[Notice] = []
    if len(search.ids) < min(search.count, ask.requested):
        short = f"{search.count} found, {ask.requested} asked for, {len(search.ids)} sent"
        found.append(Notice(kind="truncated", text=short))
    gone = [f"{place} ({pmid})" for place, pmid in enumerate(wanted, 1) if pmid not in articles]
    if gone:
        found.append(Notice(kind="vanished", text="no record came for ranks " + ", ".join(gone)))
    return tuple(found)


def _signal(request: Request, reply: Reply) -> Fault | None:
    """The rate is passing, also where it comes as a page or an object with status 200."""
    if reply.status != 200:
        return None
    page = looks_like_page(reply.body)
    spoken = said(reply.body) if page else error_words(reply.body)
    if "rate limit" in spoken.lower() or (page and b"rate limit" in reply.body.lower()):
        return Fault(kind="transient", text=spoken)
    return None


def _search_page(reply: Reply) -> Page:
    search = read_search(reply.body)
    return Page(hits=tuple(_hit(1, pmid, None) for pmid in search.ids), total=search.count)


def _records_page(reply: Reply) -> Page:
    read_articles(reply.body)
    return Page(hits=())


ADAPTER = PubMed()
