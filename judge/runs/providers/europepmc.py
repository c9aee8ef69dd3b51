"""Europe PMC: search by words. Free, without a key.

What it will not run it answers with status 200 and a version alone, or an error code: neither is
an empty list. Synonyms are off, by request, so that the query that runs is the one that was asked;
what ran is noted. The list ends where no further cursor comes, or the one that was sent comes back.
"""

from __future__ import annotations

from judge.records.base import UNAVAILABLE
from judge.records.run import Hit, Notice
from judge.runs.providers.base import Ask, Facts, Reply, Request
from judge.runs.providers.paging import Page, Paged, Turn
from judge.runs.providers.reading import (
    NoListError,
    as_list,
    identifier,
    joined,
    own_id,
    read_object,
    refuse_errors,
    rows,
    table,
    text,
    texts,
    title,
    whole,
    words,
    year,
)

FACTS = Facts(
    name="europepmc",
    version="1",
    modes=("keyword",),
    endpoint="https://www.ebi.ac.uk/europepmc/webservices/rest/search",
    base_env="EUROPEPMC_BASE_URL",
    key_env=None,
    key_needed=False,
    paid=False,
    max_depth=10_000,
    page_size=100,
    min_interval_s=0.2,
    concurrency=2,
    operators={"keyword": ("AND", "OR", "NOT", "quotes", "grouping", "field_tags", "wildcard")},
    filters_year=True,
    unverified=(
        "the largest page: 1,000 in the documents, 100 in one maintained client",
        "10 requests a second",
    ),
)
FIRST = "*"
"""The cursor of the first page."""
_NOTICES = ("retraction", "retracted", "erratum", "correction", "concern", "update", "republish")


def sent_text(ask: Ask) -> str:
    """The query, with the year in it where one is asked: the service has no other place for it."""
    if ask.max_year is None:
        return ask.text
    return f"({ask.text}) AND PUB_YEAR:[1000 TO {ask.max_year}]"


def request(ask: Ask, turn: Turn) -> Request:
    """The request for one page."""
    return Request(
        method="GET",
        url=FACTS.endpoint,
        params=(
            ("query", sent_text(ask)),
            ("format", "json"),
            ("resultType", "core"),
            ("pageSize", str(turn.size)),
            ("cursorMark", turn.cursor or FIRST),
            ("synonym", "false"),
        ),
        headers={"Accept": "application/json"},
        page=turn.number,
    )


def notes(ask: Ask) -> tuple[Notice, ...]:
    """The query where another one was sent than asked."""
    if (sent := sent_text(ask)) == ask.text:
        return ()
    return (
        Notice(kind="sent_query", text=f"asked {ask.text!r}, sent {sent!r}"),
        Notice(kind="year_filter", text=f"PUB_YEAR:[1000 TO {ask.max_year}]"),
    )


def read(reply: Reply) -> Page:
    """The results of a reply."""
    top = read_object(reply.body)
    if top.get("errCode") or top.get("errMsg"):
        raise NoListError("rejected", f"{text(top.get('errCode')) or ''} {words(top)}".strip())
    refuse_errors(top)
    total = whole(top.get("hitCount"))
    if total is None:
        raise NoListError("bad_reply", "hitCount is missing: the query was not run")
    listed = table(top.get("resultList"))
    if isinstance(listed.get("result"), dict):  # one result may come without its list
        listed = {"result": [listed["result"]]}
    found = rows({"resultList": listed}, "resultList", "result")
    cursor = text(top.get("nextCursorMark"))
    ran = table(top.get("request"))
    said = [Notice(kind="interpretation", text=f"ran {query!r}") for query in _ran(ran)]
    return Page(
        hits=tuple(_hit(place, row) for place, row in enumerate(found, 1)),
        more=cursor is not None and cursor != FIRST,
        cursor=cursor,
        size=whole(ran.get("pageSize")),
        total=total,
        notices=tuple(said),
        service_version=text(top.get("version")) or UNAVAILABLE,
    )


def _ran(ran: dict[str, object]) -> tuple[str, ...]:
    return texts(ran.get("queryString"))


def _hit(place: int, row: object) -> Hit:
    paper = table(row)
    source, own = text(paper.get("source")), text(paper.get("id"))
    name = f"{source}/{own}" if source and own else own
    doi, pmid = identifier(paper.get("doi")), identifier(paper.get("pmid"))
    types = joined(table(paper.get("pubTypeList")).get("pubType")) or text(paper.get("pubType"))
    return Hit(
        rank=place,
        record_id=own_id(row, name, pmid, doi),
        link=f"https://europepmc.org/article/{name}" if source and own else None,
        title=title(paper.get("title")),
        pmid=pmid,
        doi=doi,
        pmcid=identifier(paper.get("pmcid")),
        year=year(paper.get("pubYear")) or year(paper.get("firstPublicationDate")),
        source_type=types or ("Preprint" if source == "PPR" else None),
        updated=text(paper.get("dateOfRevision")),
        notice=_notice(paper, types or ""),
    )


def _notice(paper: dict[str, object], types: str) -> str | None:
    """Correction, concern or retraction, by publication type or by the list of notices."""
    said = ["Retracted Publication"] if "retracted publication" in types.lower() else []
    listed = table(paper.get("commentCorrectionList")).get("commentCorrection")
    for one in as_list(listed) or [listed]:
        kind = text(table(one).get("type"))
        if kind is not None and any(word in kind.lower() for word in _NOTICES):
            said.append(f"{kind}: {text(table(one).get('id')) or 'no id'}")
    return "; ".join(said) or None


ADAPTER = Paged(facts=FACTS, request=request, read=read, notes=notes)
