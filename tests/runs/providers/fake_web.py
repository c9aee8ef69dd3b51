"""Fakes of the services that find pages of the web, and of PubMed's two. See `.fakes`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, quote
from xml.sax.saxutils import escape

from judge.runs.providers.base import Reply
from tests.runs.providers.fakes import (
    KEYS,
    TEXT,
    WHOLE,
    YEAR,
    Check,
    Fake,
    Wire,
    answer,
    doi,
    name,
    pmid,
)


def page(number: int) -> str:
    """An address: PubMed, PMC and a publisher in turn."""
    addresses = (
        f"https://pubmed.ncbi.nlm.nih.gov/{pmid(number)}/",
        f"https://pmc.ncbi.nlm.nih.gov/articles/PMC{number}/",
        f"https://journal.example/doi/full/{doi(number)}",
    )
    return addresses[(number - 1) % 3]


def google_scholar(found: int = 45) -> Fake:
    """SerpAPI: pages by start; nothing at all comes as an error with status 200."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://serpapi.com/search.json")
        check.headers(accept="application/json")
        check.params(
            {
                "engine": "google_scholar",
                "q": TEXT,
                "num": "[1-9]|1[0-9]|20",
                "start": WHOLE,
                "api_key": re.escape(KEYS["SERPAPI_API_KEY"]),
            },
            {"as_yhi": YEAR},
        )
        check.no_body()
        if (no := check.refused()) is not None:
            return no
        size, start = int(wire.value("num") or 0), int(wire.value("start") or 0)
        numbers = range(start + 1, min(found, start + size) + 1)
        body: dict[str, Any] = {
            "search_metadata": {"id": "f1", "status": "Success", "created_at": "2026-01-01"},
            "search_parameters": {"engine": "google_scholar", "q": wire.value("q")},
        }
        if not numbers:
            body["search_information"] = {"organic_results_state": "Fully empty"}
            body["error"] = "Google hasn't returned any results for this query."
            return answer(body)
        body["search_information"] = {"organic_results_state": "Results for exact spelling"}
        body["organic_results"] = [
            {
                # The base of position is not documented: here it starts again on every page.
                "position": place,
                "title": name(number),
                "result_id": f"r{number}",
                "link": page(number),
                "publication_info": {"summary": f"A Nobody - Invented Letters, 20{number:02} - x"},
            }
            for place, number in enumerate(numbers)
        ]
        if start + size < found:
            query = quote(wire.value("q") or "")
            following = f"https://serpapi.com/search.json?engine=google_scholar&q={query}"
            body["serpapi_pagination"] = {"next": f"{following}&start={start + size}"}
        return answer(body)

    return take


def exa(found: int = 300) -> Fake:
    """One list of 100 at most."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("POST", "https://api.exa.ai/search")
        check.headers(
            accept="application/json",
            content_type="application/json",
            x_api_key=KEYS["EXA_API_KEY"],
        )
        body = check.json(("query", "type", "numResults"), ("category", "endPublishedDate"))
        check.need(isinstance(body.get("query"), str), "query")
        check.need(body.get("type") in {"auto", "neural", "fast"}, "type")
        check.need(body.get("category", "publication") in {"publication", "research paper"}, "cat")
        most = body.get("numResults")
        check.need(type(most) is int and 1 <= most <= 100, "numResults")
        date = body.get("endPublishedDate", "2000-01-01T00:00:00.000Z")
        check.need(re.fullmatch(rf"{YEAR}-01-01T00:00:00\.000Z", date) is not None, "date")
        if (no := check.refused()) is not None:
            return no
        results = [
            {
                "id": page(number),
                "url": page(number),
                "title": name(number),
                "publishedDate": "2001-05-01T00:00:00.000Z" if number % 2 else None,
                "author": None,
                "score": 0.25,
            }
            for number in range(1, min(found, most or 0) + 1)
        ]
        return answer(
            {
                "requestId": "q1",
                "resolvedSearchType": "neural",
                "results": results,
                "costDollars": {"total": 0.005},
            }
        )

    return take


def brave(found: int = 70, overlap: bool = False) -> Fake:
    """Pages by number; ``overlap`` begins each page with the last result of the one before."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://api.search.brave.com/res/v1/web/search")
        if wire.headers.get("x-subscription-token") != KEYS["BRAVE_API_KEY"]:
            return brave_error("SUBSCRIPTION_TOKEN_INVALID")
        check.headers(accept="application/json", x_subscription_token=KEYS["BRAVE_API_KEY"])
        check.params(
            {
                "q": TEXT,
                "count": "[1-9]|1[0-9]|20",
                "offset": "[0-9]",
                "spellcheck": "false",
                "text_decorations": "false",
            }
        )
        check.no_body()
        query = wire.value("q") or ""
        check.need(len(query) <= 400 and len(query.split()) <= 50, "q is too long")
        if check.wrong:
            return brave_error("VALIDATION", "; ".join(check.wrong))
        size, offset = int(wire.value("count") or 0), int(wire.value("offset") or 0)
        start = offset * size - (1 if overlap and offset else 0)
        numbers = range(start + 1, min(found, start + size) + 1)
        body: dict[str, Any] = {
            "type": "search",
            "query": {"original": query, "more_results_available": start + size < found},
        }
        if numbers:
            body["mixed"] = {"main": [{"type": "web", "index": n} for n in range(len(numbers))]}
            body["web"] = {
                "type": "search",
                "results": [
                    {"title": name(number), "url": page(number), "page_age": "2020-01-31T00:00:00"}
                    for number in numbers
                ],
            }
        return answer(body)

    return take


def brave_error(code: str, detail: str = "") -> Reply:
    """An error as Brave words it: a bad key and a bad parameter have one status."""
    error = {"id": "b1", "status": 422, "code": code, "detail": detail or code.lower()}
    return answer({"type": "ErrorResponse", "error": error}, 422)


def parallel(found: int = 20) -> Fake:
    """One list; the question goes in twice, and no session is named."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("POST", "https://api.parallel.ai/v1/search")
        check.headers(
            accept="application/json",
            content_type="application/json",
            x_api_key=KEYS["PARALLEL_API_KEY"],
        )
        body = check.json(("search_queries", "objective", "mode", "advanced_settings"))
        objective = body.get("objective")
        check.need(isinstance(objective, str) and bool(objective), "objective")
        check.need(body.get("search_queries") == [objective], "search_queries")
        check.need(body.get("mode") in {"turbo", "fast", "basic", "advanced"}, "mode")
        settings = body.get("advanced_settings", {})
        check.need(set(settings) <= {"max_results", "source_policy"}, "advanced_settings")
        most = settings.get("max_results")
        check.need(type(most) is int and 1 <= most <= 20, "max_results")
        policy = settings.get("source_policy", {"include_domains": ["x"]})
        check.need(set(policy) == {"include_domains"} and all(policy.values()), "source_policy")
        if (no := check.refused(422)) is not None:
            return no
        results = [
            {
                "url": page(number),
                "title": name(number),
                "publish_date": "2001-05-01",
                "excerpts": ["Invented."],
            }
            for number in range(1, min(found, most or 0) + 1)
        ]
        said = [{"type": "warning", "message": "location is unknown"}]
        return answer({"search_id": "s1", "session_id": "t1", "results": results, "warnings": said})

    return take


def perplexity(found: int = 20) -> Fake:
    """One list for one text."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("POST", "https://api.perplexity.ai/search")
        check.headers(
            accept="application/json",
            content_type="application/json",
            authorization=f"Bearer {KEYS['PERPLEXITY_API_KEY']}",
        )
        body = check.json(
            ("query", "max_results", "search_mode", "display_server_time"),
            ("search_domain_filter",),
        )
        check.need(isinstance(body.get("query"), str), "query is one text")
        most = body.get("max_results")
        check.need(type(most) is int and 1 <= most <= 20, "max_results")
        check.need(body.get("search_mode") in {"web", "academic", "sec"}, "search_mode")
        check.need(body.get("display_server_time") is True, "display_server_time")
        sites = body.get("search_domain_filter", ["x"])
        check.need(isinstance(sites, list) and 1 <= len(sites) <= 20, "search_domain_filter")
        if (no := check.refused()) is not None:
            return no
        results = [
            {
                "title": name(number),
                "url": page(number),
                "snippet": "",
                "date": "2001-05-01",
                "last_updated": None,
            }
            for number in range(1, min(found, most or 0) + 1)
        ]
        return answer({"id": "p1", "server_time": "2026-01-01T00:00:00Z", "results": results})

    return take


EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"


def pubmed(found: int = 250, gone: Iterable[int] = (), key: bool = True) -> Fake:
    """A search, then records: in another order than asked, and without those that are gone."""
    missing = {pmid(number) for number in gone}
    who = {"tool": "blindjudge", "email": re.escape(KEYS["JUDGE_CONTACT"])}
    if key:
        who["api_key"] = re.escape(KEYS["NCBI_API_KEY"])

    def take(wire: Wire) -> Reply:
        if wire.url == f"{EUTILS}/efetch.fcgi":
            return fetch(wire)
        check = Check(wire)
        method = "POST" if wire.method == "POST" else "GET"
        check.address(method, f"{EUTILS}/esearch.fcgi")
        if wire.method == "POST":
            check.headers(
                accept="application/json", content_type="application/x-www-form-urlencoded"
            )
            check.need(len(wire.body or "") > 1800, "POST is for long queries")
            form = tuple(parse_qsl(wire.body or "", keep_blank_values=True))
            check.wire = Wire("POST", wire.url, (*form, *wire.params), wire.headers, None)
        else:
            check.headers(accept="application/json")
            check.no_body()
        dated = any(key == "maxdate" for key, _ in check.wire.params)
        dates = {"datetype": "pdat", "mindate": YEAR, "maxdate": YEAR} if dated else {}
        check.params(
            {
                "db": "pubmed",
                "term": TEXT,
                "retmode": "json",
                "sort": "relevance",
                "retstart": "0",
                "retmax": "[1-9][0-9]{0,3}",
                **who,
                **dates,
            }
        )
        if (no := check.refused()) is not None:
            return no
        numbers = range(1, min(found, int(check.wire.value("retmax") or 0)) + 1)
        result = {
            "count": str(found),
            "retmax": str(len(numbers)),
            "retstart": "0",
            "idlist": [pmid(number) for number in numbers],
            "translationset": [{"from": "sleep", "to": '"sleep"[MeSH Terms]'}],
            "querytranslation": '"sleep"[MeSH Terms]',
        }
        header = {"type": "esearch", "version": "0.3"}
        return answer({"header": header, "esearchresult": result})

    def fetch(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", f"{EUTILS}/efetch.fcgi")
        check.headers(accept="application/xml")
        # Characters that NCBI takes in an address, ids and all.
        check.params({"db": "pubmed", "id": r"[0-9]+(?:,[0-9]+){0,199}", "retmode": "xml", **who})
        check.no_body()
        asked = (wire.value("id") or "").split(",")
        check.need(len(quote(",".join(asked))) < 1800, "more ids than a GET takes")
        if (no := check.refused()) is not None:
            return no
        there = [number for number in asked if number not in missing]
        records = "".join(record(number) for number in reversed(there))
        xml = f"<?xml version='1.0'?><PubmedArticleSet>{records}</PubmedArticleSet>"
        return Reply(status=200, headers={"content-type": "text/xml"}, body=xml.encode("utf-8"))

    return take


def record(number: str, title: str = "", types: str = "", comments: str = "") -> str:
    """An invented PubMed record in XML; ``title``, ``types`` and ``comments`` are XML."""
    text = title or escape(name(int(number) - 90_000_000))
    kind = types or '<PublicationType UI="D016428">Journal Article</PublicationType>'
    own = escape(doi(int(number) - 90_000_000))
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{number}</PMID>'
        "<DateRevised><Year>2020</Year><Month>01</Month><Day>31</Day></DateRevised>"
        "<Article><Journal><JournalIssue><PubDate><Year>2001</Year><Month>Feb</Month></PubDate>"
        "</JournalIssue><Title>Journal of Invented Results</Title></Journal>"
        f"<ArticleTitle>{text}</ArticleTitle>"
        "<Abstract><AbstractText Label='AIM'>To sleep.</AbstractText></Abstract>"
        f"<PublicationTypeList>{kind}</PublicationTypeList></Article>"
        f"<CommentsCorrectionsList>{comments}</CommentsCorrectionsList></MedlineCitation>"
        f'<PubmedData><ArticleIdList><ArticleId IdType="pubmed">{number}</ArticleId>'
        f'<ArticleId IdType="doi">{own}</ArticleId></ArticleIdList>'
        "<ReferenceList><Reference><ArticleIdList>"
        '<ArticleId IdType="doi">10.5555/another</ArticleId>'
        '<ArticleId IdType="pmc">PMC999</ArticleId>'
        "</ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>"
    )
