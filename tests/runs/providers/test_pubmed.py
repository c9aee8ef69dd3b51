"""PubMed: what ran, what was dropped, records by number and not by order; recorded replies."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Reply, Request
from judge.runs.providers.pubmed import read_search
from tests.runs.providers.fake_web import pubmed, record
from tests.runs.providers.fakes import pmid
from tests.runs.providers.support import ask, converse, fault, ids, kinds, reply, said

PUBMED = ADAPTERS["pubmed"]


def search(*found: str, count: int | None = None, **more: Any) -> dict[str, Any]:
    total = len(found) if count is None else count
    result = {"count": str(total), "idlist": list(found), **more}
    return {"header": {"version": "0.3"}, "esearchresult": result}


def records(*found: str) -> bytes:
    return f"<PubmedArticleSet>{''.join(found)}</PubmedArticleSet>".encode()


def read(*bodies: Any, requested: int = 10) -> Any:
    step = PUBMED.step(ask("pubmed", requested=requested), [reply(body) for body in bodies])
    assert not isinstance(step, Request)
    return step


def fetched(body: bytes, status: int = 200) -> Any:
    request = Request(
        method="GET", url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi", page=2
    )
    return PUBMED.fault(request, Reply(status=status, headers={}, body=body))


def test_the_search_is_by_relevance_and_both_ends_of_the_years_are_sent() -> None:
    given = ask("pubmed", "sleep[tiab] AND fish", 250, max_year=2014)
    parsed, requests = converse(PUBMED, pubmed(), given)
    first, *rest = requests
    assert dict(first.params) == {
        "db": "pubmed",
        "term": "sleep[tiab] AND fish",
        "retmode": "json",
        "sort": "relevance",
        "retstart": "0",
        "retmax": "250",
        "tool": "blindjudge",
        "datetype": "pdat",
        "mindate": "1000",
        "maxdate": "2014",
    }
    assert [len(dict(request.params)["id"].split(",")) for request in rest] == [100, 100, 50]
    assert said(parsed, "year_filter") == ["datetype=pdat, mindate=1000, maxdate=2014"]


def test_what_ran_is_noted() -> None:
    parsed, _ = converse(PUBMED, pubmed(), ask("pubmed"))
    assert said(parsed, "interpretation") == ["ran '\"sleep\"[MeSH Terms]'"]
    assert said(parsed, "translation") == ['sleep → "sleep"[MeSH Terms]']
    assert said(parsed, "total") == ["250"]
    assert parsed.service_version == "esearch 0.3"


def test_a_long_query_goes_by_post() -> None:
    text = " OR ".join(f'"invented term {n}"[tiab]' for n in range(100))
    parsed, (first, _) = converse(PUBMED, pubmed(), ask("pubmed", text, 5))
    assert (first.method, first.params) == ("POST", ())
    assert parse_qs(first.body or "")["term"] == [text]
    assert len(ids(parsed)) == 5


def test_bug_18_records_are_joined_by_number_and_a_vanished_one_keeps_its_rank() -> None:
    """Records come in another order; identifiers of their references are not theirs."""
    parsed, _ = converse(PUBMED, pubmed(found=5, gone=(3,)), ask("pubmed", requested=5))
    assert ids(parsed) == [pmid(n) for n in range(1, 6)]
    hits = parsed.hits or ()
    assert [hit.title is None for hit in hits] == [False, False, True, False, False]
    assert (hits[3].doi, hits[3].pmcid) == ("10.5555/invented.4", None)
    assert said(parsed, "vanished") == ["no record came for ranks 3 (90000003)"]
    assert hits[2].link == "https://pubmed.ncbi.nlm.nih.gov/90000003/"


def test_bug_01_a_search_that_is_cut_off_is_marked() -> None:
    numbers = [str(n) for n in range(10_000_001, 10_010_000)]
    warning = "Restrictions achieved: PubMed can only retrieve the first 9,999 records"
    body = search(*numbers, count=319477, warninglist={"outputmessages": [warning]})
    found = read_search(reply(body).body)
    assert (found.count, len(found.ids)) == (319477, 9999)
    step = PUBMED.step(ask("pubmed", requested=20_000), [reply(body)])
    assert isinstance(step, Request)
    pages = [reply(records()) for _ in range(100)]
    parsed = PUBMED.step(ask("pubmed", requested=20_000), [reply(body), *pages])
    assert not isinstance(parsed, Request)
    assert len(parsed.hits or ()) == 9999
    assert said(parsed, "truncated") == ["319477 found, 20000 asked for, 9999 sent"]
    assert said(parsed, "warning") == [warning]
    assert said(parsed, "depth_limit") == ["20000 asked for; the service gives 9999 at most"]


def test_the_first_of_many_is_not_cut_off() -> None:
    parsed = read(search("1", "2", count=319477), records(), requested=2)
    assert "truncated" not in kinds(parsed.notices)


def test_bug_15_what_was_dropped_is_noted() -> None:
    body = search(
        "1",
        errorlist={"phrasesnotfound": ["abcXYZ"], "fieldsnotfound": ["titleword"]},
        warninglist={
            "phrasesignored": ["the"],
            "quotedphrasesnotfound": ['"no such phrase"'],
            "outputmessages": [],
        },
    )
    parsed = read(body, records(record("1")))
    assert said(parsed, "phrase_not_found") == ["abcXYZ"]
    assert said(parsed, "field_not_found") == ["titleword"]
    assert said(parsed, "phrase_ignored") == ["the"]
    assert said(parsed, "quoted_phrase_not_found") == ['"no such phrase"']


@pytest.mark.parametrize(
    ("body", "outcome", "kind"),
    [
        (search(), "empty", None),
        ({"esearchresult": {"ERROR": "Search Backend failed: timeout"}}, "bad_reply", "bad_reply"),
        (
            {"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}},
            "rejected",
            "rejected",
        ),
        (
            {"esearchresult": {"ERROR": "x", "count": "0", "idlist": []}},
            "bad_reply",
            "bad_reply",
        ),
        ({**search(), "error": "partial"}, "bad_reply", "bad_reply"),
        ({"esearchresult": {"count": "0"}}, "bad_reply", "bad_reply"),
        ({"esearchresult": {"idlist": []}}, "bad_reply", "bad_reply"),
        (search(count=12), "bad_reply", "bad_reply"),
        ({}, "bad_reply", "bad_reply"),
        (b'<?xml version="1.0" encoding="UTF-8" ?>\n', "bad_reply", "bad_reply"),
        (b"<eSearchResult><ERROR>Invalid db name</ERROR></eSearchResult>", "rejected", "rejected"),
        (b"<html><title>Too busy</title></html>", "bad_reply", "bad_reply"),
        (b'{"esearchresult": {"count": "3", "idlist": ["1",', "bad_reply", "malformed"),
    ],
)
def test_bug_15_an_error_with_status_200_is_no_empty_list(
    body: Any, outcome: str, kind: str | None
) -> None:
    assert read(body).outcome == outcome
    found = fault("pubmed", body)
    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    "body",
    [
        {"error": "API rate limit exceeded", "api-key": "x", "count": "4", "limit": "3"},
        b"<html><body>You have exceeded the rate limit</body></html>",
    ],
)
def test_the_rate_with_status_200_is_passing(body: Any) -> None:
    found = fault("pubmed", body)
    assert found is not None
    assert found.kind == "transient"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (records(record("1")), None),
        (records(), None),
        (b'<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "x" "y">\n', "bad_reply"),
        (b'<?xml version="1.0" ?>', "bad_reply"),
        (b"", "bad_reply"),
        (b"<PubmedArticleSet><PubmedArticle>", "malformed"),
        (b"NCBI C++ Exception: TXCLIENT: read EOF", "bad_reply"),
        (b"<eFetchResult><ERROR>cannot get document</ERROR></eFetchResult>", "bad_reply"),
        (b"<Other/>", "bad_reply"),
        (b"<!DOCTYPE html><html><title>Error</title></html>", "bad_reply"),
        (
            b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><PubmedArticleSet>&b;'
            b"</PubmedArticleSet>",
            "bad_reply",
        ),
    ],
)
def test_what_comes_instead_of_records(body: bytes, kind: str | None) -> None:
    found = fetched(body)
    assert (found.kind if found else None) == kind


def test_a_repeated_id_keeps_both_ranks() -> None:
    parsed = read(search("1", "2", "1"), records(record("1")), requested=3)
    assert [hit.record_id for hit in parsed.hits] == ["1", "2", "1"]
    assert said(parsed, "repeated") == ["ranks 3 repeats 1"]


# --- recorded replies ---------------------------------------------------------------------------

TRANSLATED = '"stem cells"[MeSH Terms] OR ("stem"[All Fields] AND "cells"[All Fields])'
# File, count, ids, first and last id, what ran.
SEARCHES = [
    ("esearch1", 63, 20, "41282813", "37810457", '"biopython"[All Fields]'),
    ("esearch2", 42249, 100, "41297076", "41296368", None),
    (
        "esearch3", 2651, 6, "11121077", "11121072",
        '"proc natl acad sci u s a"[Journal] AND "97"[Volume]',
    ),
    (
        "esearch5", 5, 5, "6540636", "3443459",
        f'({TRANSLATED} OR "stem cells"[All Fields]) AND hasabstract[All Fields]',
    ),
    ("esearch6", 1018, 20, "3069587804", "2274792553", "biomol trna[prop]"),
    ("esearch7", 330, 20, "3108048616", "2174081062", "000200020[molecular weight]"),
]  # fmt: skip


@pytest.mark.parametrize("row", SEARCHES, ids=lambda row: str(row[0]))
def test_a_recorded_search_in_xml(row: tuple[Any, ...], real_data: Path) -> None:
    """NCBI answers in XML at times, whatever was asked for."""
    name, count, number, first, last, ran = row
    found = read_search((real_data / f"api/pubmed/esearch/{name}.xml").read_bytes())
    assert (found.count, len(found.ids), found.ids[0], found.ids[-1]) == (
        count,
        number,
        first,
        last,
    )
    texts = [notice.text for notice in found.notices if notice.kind == "interpretation"]
    assert len(texts) == 1
    assert ran is None or texts == [f"ran {ran!r}"]


def test_the_recorded_search_for_a_word_that_nobody_uses_is_empty(real_data: Path) -> None:
    body = (real_data / "api/pubmed/esearch/esearch8.xml").read_bytes()
    assert fault("pubmed", body) is None
    parsed = read(body)
    assert (parsed.outcome, parsed.hits) == ("empty", ())
    assert said(parsed, "phrase_not_found") == ["abcXYZ"]
    assert said(parsed, "warning") == ["No items found."]
    assert said(parsed, "interpretation") == ["ran '(abcXYZ[All Fields])'"]


@pytest.mark.parametrize(
    ("name", "count", "numbers"),
    [
        ("pubmed_esearch", 115258, ("41884867", "41884779", "41884685")),
        ("pubmed_search", 115258, ("41884867", "41884779", "41884685")),
        ("pmc_esearch", 1894053, ("13014283", "13016435", "13015887")),
    ],
)
def test_a_recorded_search_in_json(
    name: str, count: int, numbers: tuple[str, ...], real_data: Path
) -> None:
    body = (real_data / f"api/search_pages/{name}.json").read_bytes()
    assert fault("pubmed", body) is None
    found = read_search(body)
    assert (found.count, found.ids, found.version) == (count, numbers, "esearch 0.3")
    assert [notice.kind for notice in found.notices] == [
        "interpretation",
        "translation",
        "translation",
    ]
    assert found.notices[2].text == (
        'mechanism → "mechanism"[All Fields] OR "mechanisms"[All Fields]'
    )
    assert "attention s" in found.notices[0].text


def test_the_recorded_folder_is_read_whole(real_data: Path) -> None:
    names = {path.stem for path in (real_data / "api/pubmed/esearch").glob("*.xml")}
    assert names == {row[0] for row in SEARCHES} | {"esearch8"}
