"""Fakes of the services that find papers. See `tests.runs.providers.fakes`."""

from __future__ import annotations

import re
from typing import Any

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


def elicit(found: int = 300, plan: int = 10_000) -> Fake:
    """One list; a plan may give less than was asked for."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("POST", "https://elicit.com/api/v2/search/papers")
        if wire.headers.get("authorization") != f"Bearer {KEYS['ELICIT_API_KEY']}":
            return answer({"error": {"code": "unauthorized", "message": "Invalid key"}}, 401)
        check.headers(
            accept="application/json",
            content_type="application/json",
            authorization=f"Bearer {KEYS['ELICIT_API_KEY']}",
        )
        body = check.json(("query", "searchMode", "maxResults"), ("corpus", "filters"))
        check.need(isinstance(body.get("query"), str) and bool(body.get("query")), "query")
        check.need(body.get("searchMode") in {"semantic", "keyword"}, "searchMode")
        check.need(body.get("corpus", "elicit") in {"elicit", "pubmed"}, "corpus")
        most = body.get("maxResults")
        check.need(type(most) is int and 1 <= most <= 10_000, "maxResults")
        filters = body.get("filters", {"maxYear": 2000})
        check.need(isinstance(filters, dict) and bool(filters), "filters")
        check.need(set(filters) <= {"maxYear", "retracted"}, f"filters: {sorted(filters)}")
        check.need(type(filters.get("maxYear", 0)) is int, "filters.maxYear is no number")
        check.need(
            not (body.get("searchMode") == "keyword" and "filters" in body),
            "keyword mode cannot be combined with filters",
        )
        if (no := check.refused()) is not None:
            return no
        papers = [
            {
                "elicitId": f"e{number}",
                "title": name(number),
                "authors": ["A. Nobody"],
                "year": 2000 + number % 20,
                "abstract": None,
                "doi": doi(number),
                "pmid": pmid(number),
                "venue": "Journal of Invented Results",
                "citedByCount": 1,
                "urls": [f"https://doi.org/{doi(number)}"],
            }
            for number in range(1, min(found, plan, most or 0) + 1)
        ]
        return answer({"papers": papers})

    return take


def consensus(found: int = 95, plan: int = 20) -> Fake:
    """Pages from 0; a page is cut to the plan's size without a word."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://api.consensus.app/v1/search")
        check.headers(accept="application/json", x_api_key=KEYS["CONSENSUS_API_KEY"])
        check.params(
            {"query": TEXT, "page": "[0-9]|[1-4][0-9]", "page_size": "[1-9][0-9]{0,2}"},
            {"year_max": YEAR},
        )
        check.no_body()
        if (no := check.refused(422)) is not None:
            return no
        size = min(plan, int(wire.value("page_size") or 0))
        page = int(wire.value("page") or 0)
        numbers = range(page * size + 1, min(found, (page + 1) * size) + 1)
        end = (page + 1) * size >= found
        results = [
            {
                "abstract": "",
                "authors": ["A. Nobody"],
                "doi": doi(number),
                "journal_name": "Journal of Invented Results",
                "pages": None,
                "publish_year": 2001,
                "title": name(number),
                "url": f"https://consensus.app/papers/invented-{number}/",
                "volume": None,
                "citation_count": 0,
                "is_preprint": number == 2,
                "study_type": "rct" if number == 1 else None,
            }
            for number in numbers
        ]
        body: dict[str, Any] = {"results": results, "page": page, "page_size": size}
        return answer({**body, "is_end": end, "next_page": None if end else page + 1})

    return take


S2_FIELDS = {
    "paperId",
    "corpusId",
    "externalIds",
    "title",
    "abstract",
    "year",
    "publicationDate",
    "publicationTypes",
    "venue",
    "url",
}


def semantic_scholar(found: int = 5000, short: int = 0, key: bool = True) -> Fake:
    """Pages by offset; ``short`` results are missing on every page that is not the last."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://api.semanticscholar.org/graph/v1/paper/search")
        with_key = {"x_api_key": KEYS["SEMANTIC_SCHOLAR_API_KEY"]} if key else {}
        check.headers(accept="application/json", **with_key)
        check.params(
            {"query": TEXT, "fields": "[A-Za-z,]+", "limit": "[1-9][0-9]?|100", "offset": WHOLE},
            {"year": rf"-{YEAR}"},
        )
        check.no_body()
        asked = set((wire.value("fields") or "").split(","))
        check.need(asked <= S2_FIELDS, f"Unrecognized or unsupported fields: {asked - S2_FIELDS}")
        limit, offset = int(wire.value("limit") or 0), int(wire.value("offset") or 0)
        check.need(offset + limit < 1000, "Relevance search offset + limit must be < 1000")
        if (no := check.refused()) is not None:
            return no
        # "Hyphenated query terms yield no matches."
        total = 0 if re.search(r"\w[-‐‑–]\w", wire.value("query") or "") else found
        if total == 0:
            return answer({"total": 0, "offset": offset})
        end = min(total, offset + limit)
        rows = [
            {
                "paperId": f"{number:040x}",
                "corpusId": number,
                "externalIds": {
                    "DOI": doi(number),
                    "PubMed": pmid(number),
                    "PubMedCentral": str(number),
                    "CorpusId": number,
                },
                "title": name(number),
                "year": 2001,
                "publicationDate": None,
                "publicationTypes": ["JournalArticle", "Review"] if number == 1 else None,
                "venue": "",
                "url": f"https://www.semanticscholar.org/paper/{number:040x}",
            }
            for number in range(offset + 1, end + 1)
        ]
        more = {"next": end} if end < total else {}
        return answer({"total": total, "offset": offset, **more, "data": rows[: len(rows) - short]})

    return take


OPENALEX_FIELDS = {
    "id",
    "doi",
    "ids",
    "display_name",
    "publication_year",
    "publication_date",
    "type",
    "is_retracted",
    "is_paratext",
    "primary_location",
    "updated_date",
    "relevance_score",
}


def work(number: int) -> dict[str, Any]:
    """An invented work of OpenAlex."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/{doi(number)}",
        "ids": {
            "openalex": f"https://openalex.org/W{number}",
            "doi": f"https://doi.org/{doi(number)}",
            "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{pmid(number)}",
            "pmcid": f"https://www.ncbi.nlm.nih.gov/pmc/articles/{number}",
        },
        "display_name": name(number),
        "publication_year": 2001,
        "publication_date": "2001-01-01",
        "type": "article",
        "is_retracted": number == 3,
        "is_paratext": False,
        "primary_location": {"landing_page_url": f"https://doi.org/{doi(number)}"},
        "updated_date": "2026-01-01T00:00:00",
        "relevance_score": 1000.5 - number,
    }


def openalex(mode: str, found: int = 450) -> Fake:
    """Keyword search by cursor, or semantic search in one page of 50 at most."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        check.address("GET", "https://api.openalex.org/works")
        bearer = f"Bearer {KEYS['OPENALEX_API_KEY']}"
        check.headers(accept="application/json", authorization=bearer)
        common = {"per_page": "[1-9][0-9]?|100", "select": "[a-z_,]+"}
        optional = {"filter": rf"publication_year:<{YEAR}"}
        if mode == "keyword":
            own = {"search": r"[^*?]+", "cursor": TEXT, "sort": "relevance_score:desc"}
        else:
            own = {"search.semantic": TEXT}
        check.params({**own, **common}, optional)
        check.no_body()
        asked = set((wire.value("select") or "").split(","))
        check.need(asked <= OPENALEX_FIELDS, f"select: {asked - OPENALEX_FIELDS}")
        size = int(wire.value("per_page") or 0)
        check.need(mode == "keyword" or size <= 50, "per_page cannot exceed 50")
        cursor = wire.value("cursor") or "*"
        check.need(re.fullmatch(r"\*|c[0-9]+", cursor) is not None, "cursor is not one of ours")
        if (no := check.refused()) is not None:
            return no
        start = 0 if cursor == "*" else int(cursor[1:])
        numbers = range(start + 1, min(found if mode == "keyword" else 50, start + size) + 1)
        meta: dict[str, Any] = {"count": found, "db_response_time_ms": 12, "per_page": size}
        if mode == "keyword":
            # As soon as a page holds less than was asked for, there is no cursor.
            meta["next_cursor"] = f"c{start + size}" if len(numbers) == size else None
        else:
            meta["page"] = 1
        return answer({"meta": meta, "results": [work(n) for n in numbers], "group_by": []})

    return take


def europepmc(found: int = 250, echo: bool = False) -> Fake:
    """Pages by cursor; ``echo`` ends the list with the cursor that was sent."""

    def take(wire: Wire) -> Reply:
        check = Check(wire)
        url = "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
        check.address("GET", url)
        check.headers(accept="application/json")
        check.params(
            {
                "query": TEXT,
                "format": "json",
                "resultType": "core",
                "pageSize": "[1-9][0-9]?|100",
                "cursorMark": r"\*|A[0-9]+==",
                "synonym": "false",
            }
        )
        check.no_body()
        if (no := check.refused()) is not None:
            return no
        size, cursor = int(wire.value("pageSize") or 0), wire.value("cursorMark") or "*"
        start = 0 if cursor == "*" else int(cursor[1:-2])
        numbers = range(start + 1, min(found, start + size) + 1)
        body: dict[str, Any] = {"version": "6.9", "hitCount": found}
        if start + size < found:
            body["nextCursorMark"] = f"A{start + size}=="
        elif echo:
            body["nextCursorMark"] = cursor
        body["request"] = {
            "queryString": wire.value("query"),
            "cursorMark": cursor.replace("*", "%2A"),
            "pageSize": size,
            "synonym": False,
        }
        body["resultList"] = {"result": [_epmc(number) for number in numbers]}
        return answer(body)

    return take


def _epmc(number: int) -> dict[str, Any]:
    return {
        "id": pmid(number),
        "source": "MED",
        "pmid": pmid(number),
        "doi": doi(number).upper(),
        "title": f"Invented study {number}: <i>sleep</i> of zebrafish",
        "pubYear": "2001",
        "pubTypeList": {"pubType": ["Journal Article"]},
        "dateOfRevision": "2020-01-31",
    }
