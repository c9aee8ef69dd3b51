"""Europe PMC for one record: its text where PubMed has none, and what it says of notices."""

from __future__ import annotations

from typing import Any

from judge.runs.identity import doi_key, pmcid_key
from judge.runs.providers.base import Request
from judge.runs.providers.europepmc import FACTS
from judge.runs.providers.reading import (
    NoListError,
    as_list,
    read_object,
    refuse_errors,
    strip_markup,
    table,
    text,
    texts,
    title,
    whole,
    words,
    year,
)
from judge.runs.sources.base import Found, Known, Source, seen


def query(known: Known) -> str | None:
    """The search for one record; None without a PMID, PMCID or DOI.

    A PMID is not quoted, and a PMCID goes without ``SRC:``, or nothing is found.
    """
    if known.pmid is not None:
        return f"EXT_ID:{known.pmid} AND SRC:MED"
    if (central := pmcid_key(known.pmcid)) is not None:
        return f"PMCID:{central}"
    if known.doi is not None and '"' not in known.doi:
        return f'DOI:"{known.doi}"'
    return None


def request(search: str) -> Request:
    """The request for one record."""
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=(
            ("query", search),
            ("format", "json"),
            ("resultType", "core"),
            ("pageSize", "25"),
            ("cursorMark", "*"),
            ("synonym", "false"),
        ),
        headers={"Accept": "application/json"},
    )


def read(body: bytes) -> list[Found]:
    """Every paper of a reply. Raises `NoListError` for one that holds no list, which is how a
    search that was not run is answered."""
    top = read_object(body)
    if top.get("errCode") or top.get("errMsg"):
        raise NoListError("rejected", words(top))
    refuse_errors(top)
    if whole(top.get("hitCount")) is None or not isinstance(top.get("resultList"), dict):
        raise NoListError("bad_reply", "hitCount or resultList is missing: nothing was run")
    listed = table(top.get("resultList")).get("result")
    return [_found(table(one)) for one in (as_list(listed) or [listed]) if isinstance(one, dict)]


def the_one(papers: list[Found], known: Known) -> Found | None:
    """The paper that has the identifier which was searched for; None where none has."""
    for paper in papers:
        if known.pmid is not None:
            if paper.pmid == known.pmid:
                return paper
        elif (central := pmcid_key(known.pmcid)) is not None:
            if pmcid_key(paper.pmcid) == central:
                return paper
        elif doi_key(paper.doi) is not None and doi_key(paper.doi) == doi_key(known.doi):
            return paper
    return None


def _found(paper: dict[str, Any]) -> Found:
    types = texts(table(paper.get("pubTypeList")).get("pubType"))
    listed = table(paper.get("commentCorrectionList")).get("commentCorrection")
    comments = [table(one) for one in as_list(listed) or [listed]]
    kinds = [kind for one in comments if (kind := text(one.get("type"))) is not None]
    lowered = [kind.lower() for kind in kinds]
    low_types = [one.lower() for one in types]
    abstract = text(paper.get("abstractText"))
    return Found(
        retraction=seen(
            "retracted publication" in low_types
            or any(one in ("retraction in", "retracted in") for one in lowered)
        ),
        correction=seen(
            any(one.startswith(("erratum in", "update in", "correct")) for one in lowered)
        ),
        concern=seen(any(one.startswith("expression of concern in") for one in lowered)),
        preprint=seen("preprint" in low_types or text(paper.get("source")) == "PPR"),
        signals=(*(one for one in types if one.lower() == "retracted publication"), *kinds),
        types=types,
        updated=text(paper.get("dateOfRevision")),
        title=title(paper.get("title")),
        journal=title(table(table(paper.get("journalInfo")).get("journal")).get("title")),
        year=year(paper.get("pubYear")) or year(paper.get("firstPublicationDate")),
        abstract=(" ".join(strip_markup(abstract).split()) or None) if abstract else None,
        pmid=text(paper.get("pmid")),
        doi=text(paper.get("doi")),
        pmcid=text(paper.get("pmcid")),
    )


SOURCE = Source(FACTS, read)
