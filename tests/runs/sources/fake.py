"""PubMed, Europe PMC, Crossref, OpenAlex and the ID converter in one server, strict about what is
asked; every paper in it is invented."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.fakes.server import Answer, Seen

CONTACT = "team@example.org"
EFETCH = "/entrez/eutils/efetch.fcgi"
EPMC = "/europepmc/webservices/rest/search"
IDCONV = "/tools/idconv/api/v1/articles/"


def environment(url: str) -> dict[str, str]:
    """Every address, and the contact that services may write to."""
    names = ("NCBI", "EUROPEPMC", "CROSSREF", "OPENALEX", "IDCONVERTER")
    return {**{f"{name}_BASE_URL": url for name in names}, "JUDGE_CONTACT": CONTACT}


def article(
    pmid: str,
    title: str | None = "A title",
    *,
    abstract: str | None = "An abstract.",
    types: tuple[str, ...] = ("Journal Article",),
    comments: tuple[tuple[str, str], ...] = (),
    doi: str | None = None,
    year: str = "2019",
) -> str:
    """A PubMed record."""
    text = f"<Abstract><AbstractText>{abstract}</AbstractText></Abstract>" if abstract else ""
    listed = "".join(
        f'<CommentsCorrections RefType="{kind}"><PMID>{where}</PMID></CommentsCorrections>'
        for kind, where in comments
    )
    own = f'<ArticleId IdType="doi">{doi}</ArticleId>' if doi else ""
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID><DateRevised><Year>2024'
        "</Year><Month>2</Month><Day>3</Day></DateRevised><Article><Journal><JournalIssue>"
        f"<PubDate><Year>{year}</Year></PubDate></JournalIssue><Title>A journal</Title></Journal>"
        f"<ArticleTitle>{title or ''}</ArticleTitle>{text}<PublicationTypeList>"
        + "".join(f"<PublicationType>{one}</PublicationType>" for one in types)
        + f"</PublicationTypeList></Article><CommentsCorrectionsList>{listed}"
        "</CommentsCorrectionsList></MedlineCitation><PubmedData><ArticleIdList>"
        f"{own}</ArticleIdList></PubmedData></PubmedArticle>"
    )


def articles(*records: str) -> bytes:
    """An efetch reply."""
    head = '<?xml version="1.0" ?><!DOCTYPE PubmedArticleSet>'
    return f"{head}<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>".encode()


@dataclass
class Library:
    """What the sources have. Texts are by PMID, DOI, or search."""

    pubmed: dict[str, str] = field(default_factory=dict)
    crossref: dict[str, dict[str, Any]] = field(default_factory=dict)
    openalex: dict[str, dict[str, Any]] = field(default_factory=dict)
    europepmc: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    converter: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    """PMCIDs that make the converter refuse a whole batch."""

    def __call__(self, seen: Seen) -> Answer:
        params = seen.params
        if seen.method != "GET" or f"mailto:{CONTACT}" not in seen.headers["user-agent"]:
            return Answer(b'{"error": "asked wrongly"}', status=400)
        if seen.path == EFETCH:
            return self._efetch(params)
        if seen.path == EPMC:
            return self._europepmc(params)
        if seen.path == IDCONV:
            return self._convert(params)
        kind, _, name = seen.path.removeprefix("/works/").partition(":")
        if kind in ("doi", "pmid") and params.get("select"):
            return _work(self.openalex.get(f"{kind}:{unquote(name)}"))
        if seen.path.startswith("/works/") and params == {"mailto": CONTACT}:
            if "/" in seen.path.removeprefix("/works/"):
                return Answer(b"Resource not found.", status=404)
            found = self.crossref.get(unquote(seen.path.removeprefix("/works/")))
            return _work(found and {"status": "ok", "message": found})
        return Answer(b'{"error": "asked wrongly"}', status=400)

    def _efetch(self, params: dict[str, str]) -> Answer:
        pmids = params.pop("id").split(",")
        expected = {"db": "pubmed", "retmode": "xml", "tool": "blindjudge", "email": CONTACT}
        if params != expected or not all(one.isdecimal() for one in pmids):
            return Answer(b'{"error": "asked wrongly"}', status=400)
        # Not in the order asked for, and without those that do not exist.
        found = [self.pubmed[one] for one in reversed(pmids) if one in self.pubmed]
        return Answer(articles(*found))

    def _europepmc(self, params: dict[str, str]) -> Answer:
        search = params.pop("query")
        expected = {
            "format": "json",
            "resultType": "core",
            "pageSize": "25",
            "cursorMark": "*",
            "synonym": "false",
        }
        if params != expected:
            return Answer(b'{"version": "6.9"}')
        found = self.europepmc.get(search, [])
        return Answer(
            json.dumps(
                {"version": "6.9", "hitCount": len(found), "resultList": {"result": found}}
            ).encode()
        )

    def _convert(self, params: dict[str, str]) -> Answer:
        ids = params.pop("ids").split(",")
        expected = {
            "idtype": "pmcid",
            "format": "json",
            "versions": "yes",
            "tool": "blindjudge",
            "email": CONTACT,
        }
        good = params == expected and len(ids) <= 200 and all(one.startswith("PMC") for one in ids)
        if not good or self.refused & set(ids):
            return Answer(b'{"status": "error", "message": "ID type mismatch"}', status=400)
        missing = {"status": "error", "errmsg": "Identifier not found in PMC"}
        records = [{"requested-id": one, **self.converter.get(one, missing)} for one in ids]
        return Answer(json.dumps({"status": "ok", "records": records}).encode())


def _work(found: Any) -> Answer:
    if not found:
        return Answer(b"Resource not found.", status=404)
    return Answer(json.dumps(found).encode())
