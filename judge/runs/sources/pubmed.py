"""PubMed by efetch: both signals of a retraction, corrections, types, dates, and the text."""

from __future__ import annotations

from collections.abc import Sequence

from judge.records.base import UNAVAILABLE
from judge.runs.providers.base import Request, Secret
from judge.runs.providers.efetch import Article, read_articles
from judge.runs.sources.base import Found, Source, facts, seen

ENDPOINT = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi"
SOURCE = Source(
    facts("pubmed", ENDPOINT, "NCBI_BASE_URL", 0.34, key_env="NCBI_API_KEY"), read_articles
)
BATCH = 100
"""Records a request: the ids of as many fit a GET."""
WHO = (
    Secret(at="param", name="email", env="JUDGE_CONTACT"),
    Secret(at="param", name="api_key", env="NCBI_API_KEY"),
)
_CORRECTIONS = (
    "ErratumIn:",
    "UpdateIn:",
    "RepublishedIn:",
    "CorrectedandRepublishedIn:",
    "PartialRetractionIn:",
)


def request(pmids: Sequence[str]) -> Request:
    """The request for up to `BATCH` records."""
    return Request(
        method="GET",
        url=ENDPOINT,
        params=(
            ("db", "pubmed"),
            ("id", ",".join(pmids)),
            ("retmode", "xml"),
            ("tool", "blindjudge"),
        ),
        headers={"Accept": "application/xml"},
        secrets=WHO,
    )


def read(body: bytes) -> dict[str, Found]:
    """The records of a reply by PMID; one that was asked for and is not there was not found."""
    return {pmid: _found(article) for pmid, article in read_articles(body).items()}


def names_nothing(said: str) -> bool:
    """Whether a refusal says that none of the ids is a record's."""
    return "ID list is empty" in said


def _found(article: Article) -> Found:
    signals = ("Retracted Publication",) if article.retracted_by_type else ()
    year = article.published.year
    return Found(
        retraction=seen(article.retracted),
        correction=seen(any(one.startswith(_CORRECTIONS) for one in article.changes)),
        concern=seen(any(one.startswith("ExpressionOfConcernIn:") for one in article.changes)),
        preprint=seen("Preprint" in article.types),
        signals=(*signals, *article.changes),
        types=article.types,
        updated=article.revised or UNAVAILABLE,
        title=article.title,
        journal=article.journal,
        year=None if year is None else str(year),
        abstract=article.abstract,
        pmid=article.pmid,
        doi=article.doi,
        pmcid=article.pmcid,
    )
