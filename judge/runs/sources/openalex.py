"""OpenAlex by DOI or PMID: whether it marks a work as retracted. One work a request is free."""

from __future__ import annotations

from urllib.parse import quote

from judge.runs.providers.base import Request, Secret
from judge.runs.providers.reading import NoListError, read_object, table, text
from judge.runs.sources.base import Found, Source, facts, seen

ENDPOINT = "https://api.openalex.org/works/"
FIELDS = "id,doi,ids,type,is_retracted,updated_date"


def request(*, doi: str | None, pmid: str | None) -> Request:
    """The request for one work, by its DOI where there is one, else by its PMID."""
    name = f"doi:{doi}" if doi is not None else f"pmid:{pmid}"
    return Request(
        method="GET",
        url=ENDPOINT + quote(name, safe=":"),
        params=(("select", FIELDS),),
        secrets=(
            Secret(at="header", name="Authorization", env="OPENALEX_API_KEY", prefix="Bearer "),
        ),
    )


def read(body: bytes) -> Found:
    """A work. Raises `NoListError` for a reply that does not say whether it is retracted."""
    work = read_object(body)
    retracted = work.get("is_retracted")
    if not isinstance(retracted, bool):
        raise NoListError("bad_reply", "is_retracted is missing")
    kind = text(work.get("type"))
    return Found(
        retraction=seen(retracted),
        preprint="not_checked" if kind is None else seen(kind == "preprint"),
        signals=("is_retracted",) if retracted else (),
        types=(kind,) if kind else (),
        updated=text(work.get("updated_date")),
        pmid=text(table(work.get("ids")).get("pmid")),
        doi=text(work.get("doi")),
    )


SOURCE = Source(
    facts(
        "openalex",
        ENDPOINT,
        "OPENALEX_BASE_URL",
        0.11,
        key_env="OPENALEX_API_KEY",
        concurrency=2,
        unverified=("that select is taken for a single work",),
    ),
    read,
)
