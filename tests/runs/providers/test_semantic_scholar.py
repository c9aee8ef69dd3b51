"""Semantic Scholar: hyphens, short pages, the last rank that can be reached; recorded replies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_academic import semantic_scholar
from tests.runs.providers.fakes import wire
from tests.runs.providers.support import ask, converse, fault, ids, read, reply, said

S2 = ADAPTERS["semantic_scholar"]


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ("T-cell response", "T cell response"),
        ("IL‐6 and TNF‑α", "IL 6 and TNF α"),
        ("dose–response", "dose response"),
        ("up - down, -5 °C, x-", "up - down, -5 °C, x-"),
        ("COVID-19-related", "COVID 19 related"),
    ],
)
def test_a_hyphen_between_word_characters_becomes_a_blank(asked: str, sent: str) -> None:
    parsed, (request,) = converse(S2, semantic_scholar(), ask("semantic_scholar", asked, 5))
    assert dict(request.params)["query"] == sent
    noted = f"asked {asked!r}, sent {sent!r}: hyphens between word characters as blanks"
    assert said(parsed, "sent_query") == ([] if asked == sent else [noted])
    assert len(ids(parsed)) == 5


def test_the_request_is_the_documented_one() -> None:
    given = ask("semantic_scholar", requested=200, max_year=2014)
    parsed, requests = converse(S2, semantic_scholar(), given)
    assert [(dict(r.params)["offset"], dict(r.params)["limit"]) for r in requests] == [
        ("0", "100"),
        ("100", "100"),
    ]
    assert dict(requests[0].params)["year"] == "-2014"
    assert said(parsed, "year_filter") == ["year=-2014"]


def test_rank_999_is_the_last_and_the_last_page_stays_below_1000() -> None:
    given = ask("semantic_scholar", requested=1500)
    parsed, requests = converse(S2, semantic_scholar(), given)
    assert len(ids(parsed)) == 999
    assert dict(requests[-1].params)["offset"] == "900"
    assert dict(requests[-1].params)["limit"] == "99"
    assert said(parsed, "depth_limit") == ["1500 asked for; the service gives 999 at most"]


def test_a_short_page_is_not_the_end() -> None:
    given = ask("semantic_scholar", requested=200)
    parsed, requests = converse(S2, semantic_scholar(short=3), given)
    assert [dict(request.params)["offset"] for request in requests] == ["0", "100"]
    names = ids(parsed)
    assert len(names) == 194
    assert names[97] == f"{101:040x}"
    assert said(parsed, "short_page") == ["page 1 held 97 of 100"]
    assert said(parsed, "short_list")[0].startswith("194 of 200 came")


def test_bug_04_a_later_page_that_is_empty_does_not_end_the_list_unseen() -> None:
    rows = [{"paperId": str(n), "title": None if n == 1 else "t"} for n in range(100)]
    first = {"total": 5000, "offset": 0, "next": 100, "data": rows}
    parsed = read(
        "semantic_scholar", first, {"total": 5000, "offset": 100, "data": []}, requested=200
    )
    assert (parsed.outcome, ids(parsed)[1:3]) == ("answered", ["1", "2"])
    assert said(parsed, "short_list") == ["100 of 200 came: empty page"]
    assert said(parsed, "total") == ["5000"]


def test_bug_07_digits_are_a_pmcid_by_the_name_of_their_field() -> None:
    rows = [
        {"paperId": "a", "title": "t", "externalIds": {"PubMedCentral": "123", "PubMed": "7"}},
        {"paperId": "b", "title": "t", "externalIds": {"PubMedCentral": "PMC9.1"}},
        {"paperId": "c", "title": "t", "externalIds": None},
    ]
    parsed = read("semantic_scholar", {"total": 3, "offset": 0, "data": rows}, requested=3)
    assert [hit.pmcid for hit in parsed.hits or ()] == ["PMC123", "PMC9.1", None]
    assert [hit.pmid for hit in parsed.hits or ()] == ["7", None, None]


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ({"total": 0, "offset": 0}, "empty"),
        ({"total": 0, "offset": 0, "data": []}, "empty"),
        ({"total": 12, "offset": 0}, "bad_reply"),
        ({"total": 12, "offset": 0, "data": []}, "bad_reply"),
        ({}, "bad_reply"),
        ({"message": "Too Many Requests", "code": "429"}, "bad_reply"),
        ({"total": 9, "offset": 0, "next": 0, "data": [{"paperId": "a"}]}, "bad_reply"),
    ],
)
def test_nothing_found_and_nothing_said(body: dict[str, Any], outcome: str) -> None:
    assert read("semantic_scholar", body).outcome == outcome
    assert (fault("semantic_scholar", body) is None) is (outcome == "empty")


def test_the_fields_of_a_paper() -> None:
    parsed, _ = converse(S2, semantic_scholar(), ask("semantic_scholar", requested=2))
    first, second = parsed.hits or ()
    assert (first.doi, first.pmid, first.pmcid) == ("10.5555/invented.1", "90000001", "PMC1")
    assert (first.year, first.source_type) == ("2001", "JournalArticle; Review")
    assert (second.source_type, second.score) == (None, None)


def test_without_a_key_the_request_has_no_key() -> None:
    fake = semantic_scholar(key=False)
    request = S2.step(ask("semantic_scholar"), [])
    assert isinstance(request, Request)
    assert fake(wire(request, keys={})).status == 200


# --- recorded replies ---------------------------------------------------------------------------


def cassette(path: Path) -> list[tuple[str, int, bytes]]:
    """Address, status and body of each exchange of a recorded conversation.

    Only as much YAML as those files use: bodies are single-quoted scalars, folded over lines.
    """
    found = []
    for part in re.split(r"^- request:", path.read_text("utf-8"), flags=re.M)[1:]:
        address = re.search(r"^    uri: (\S+)$", part, re.M)
        status = re.search(r"^\s+(?:code|status_code): (\d+)$", part, re.M)
        quoted = re.search(r"^\s+(?:string|content): '((?:[^']|'')*)'$", part, re.M)
        assert address is not None
        assert status is not None
        assert quoted is not None
        # Inside single quotes a line break with its indent is a blank, an empty line a break.
        folded = re.sub(r"[ ]*\n[ ]+(?=\S)", " ", re.sub(r"\n\n\s*", "\n", quoted[1]))
        body = folded.replace("''", "'").encode("utf-8")
        found.append((address[1], int(status[1]), body))
    return found


# Read out of the files with a YAML and a JSON library: file, exchange, total, next, papers, the
# beginnings of the first and last id, title of the first.
TYPES = "test_search_paper_publication_types"
PUBLISHED = "test_search_paper_publication_date_or_year"
LOVELACE = (
    "Lady Lovelace’s Objection: The Turing–Hartree Disputes Over the Meaning of Digital Computers,"
    " 1946–1951"
)
MEGATRON = (
    "Using DeepSpeed and Megatron to Train Megatron-Turing NLG 530B, A Large-Scale Generative"
    " Language Model"
)
CHATBOTS = "A Turing test of whether AI chatbots are behaviorally similar to humans"
ADVICE = "Putting ChatGPT’s Medical Advice to the (Turing) Test: Survey Study"
RECORDED = [
    ("test_search_paper", 0, 70499, 100, 100, "7cbc2a784341", "f4aaf0a780cd", MEGATRON),
    ("test_search_paper_fields_of_study", 0, 11683, 100, 100, "6b0f06617d9f", "7c326f661163", None),
    ("test_search_paper_min_citation_count", 0, 70, None, 70, "6b0f06617d9f", "953819e4cb47", None),
    ("test_search_paper_next_page", 0, 70498, 100, 100, "7cbc2a784341", "85b093fad42e", MEGATRON),
    ("test_search_paper_open_access_pdf", 0, 11054, 100, 100, "f1328e67a622", "b9e537ee7148", None),
    (PUBLISHED, 0, 77, None, 77, "d4d0f5e248e9", "744a4ee3eec1", LOVELACE),
    (PUBLISHED, 1, 79, None, 79, "d4d0f5e248e9", "171f8dd8bbdc", LOVELACE),
    (PUBLISHED, 2, 473, 100, 100, "331fa9e381cd", "33a39625df01", CHATBOTS),
    (PUBLISHED, 3, 1054, 100, 100, "331fa9e381cd", "2a455ed1ef3b", CHATBOTS),
    (PUBLISHED, 4, 1199, 100, 100, "331fa9e381cd", "e92c2dd179c8", CHATBOTS),
    (PUBLISHED, 5, 68786, 100, 100, "7cbc2a784341", "e007587c6904", MEGATRON),
    (PUBLISHED, 6, 2576, 100, 100, "f1328e67a622", "018aae0ea9c6", ADVICE),
    (PUBLISHED, 7, 2721, 100, 100, "f1328e67a622", "3e97d76f8648", ADVICE),
    (PUBLISHED, 8, 68786, 100, 100, "7cbc2a784341", "e007587c6904", MEGATRON),
    (TYPES, 0, 15596, 100, 100, "7cbc2a784341", "a12d167d42e7", None),
    (TYPES, 1, 2309, 100, 100, "682918c9c170", "176f1d608b91", None),
    (
        "test_search_paper_sync_from_running_loop", 0, 75717, 100, 100,
        "66e350075a66", "01dde81924fc", "Large Language Models Pass the Turing Test",
    ),
    (
        "test_search_paper_traversing_results", 0, 89, None, 89,
        "169a66a03148", "cfb6af8004ee", "Near-optimal sublinear time algorithms for Ulam distance",
    ),
    ("test_search_paper_venue", 0, 839, 100, 100, "7cbc2a784341", "575a082dd247", None),
    (
        "test_search_paper_with_relevance_and_sort", 0, 3028, 100, 100, "61020665f913",
        "a8da6903b072",
        "Security Misconfigurations in Open Source Kubernetes Manifests: An Empirical Study",
    ),
    ("test_search_paper_year", 0, 21, None, 21, "0f34fcab599a", "8876e1e84b39", None),
    ("test_search_paper_year_range", 0, 47, None, 47, "ab7790485f26", "1a3cb84da1b0", None),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(real_data: Path) -> Path:
    return real_data / "api" / "semanticscholar"


def test_every_recorded_search_is_in_the_table(folder: Path) -> None:
    searched = {
        (path.stem, place)
        for path in sorted(folder.glob("*.yaml"))
        for place, (address, status, _) in enumerate(cassette(path))
        if "/paper/search?" in address and status == 200
    }
    read_here = {(row[0], row[1]) for row in RECORDED}
    apart = {("test_search_paper_next_page", 1), ("test_empty_paginated_results", 0)}
    assert searched == read_here | apart


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_recorded_search(row: tuple[Any, ...], folder: Path) -> None:
    name, place, total, following, papers, first, last, title = row
    _, _, body = cassette(folder / f"{name}.yaml")[place]
    assert fault("semantic_scholar", body) is None
    parsed = read("semantic_scholar", body, requested=papers)
    names = ids(parsed)
    assert (len(names), names[0][:12], names[-1][:12]) == (papers, first, last)
    assert (parsed.hits or ())[0].title == title
    assert said(parsed, "total") == [str(total)]
    step = S2.step(ask("semantic_scholar", requested=papers + 100), [reply(body)])
    if following is None:
        assert not isinstance(step, Request)
    else:
        assert isinstance(step, Request)
        assert dict(step.params)["offset"] == str(following)


def test_recorded_pages_follow_each_other(folder: Path) -> None:
    bodies = [body for _, _, body in cassette(folder / "test_search_paper_next_page.yaml")]
    parsed = read("semantic_scholar", *bodies, requested=200)
    names = ids(parsed)
    assert len(names) == 200
    assert names[100].startswith("ac7a3d2983b7")
    assert (parsed.hits or ())[100].title == "How to Run Turing Machines on Encrypted Data"
    assert names[199].startswith("f2acd4ed9201")
    assert said(parsed, "repeated") == []


def test_the_recorded_search_without_results_has_no_list_at_all(folder: Path) -> None:
    ((_, _, body),) = cassette(folder / "test_empty_paginated_results.yaml")
    assert json.loads(body) == {"total": 0, "offset": 0}
    assert fault("semantic_scholar", body) is None
    assert read("semantic_scholar", body).outcome == "empty"


def test_fields_of_recorded_papers(folder: Path) -> None:
    ((_, _, body),) = cassette(folder / "test_search_paper_year_range.yaml")
    years = [hit.year for hit in read("semantic_scholar", body, requested=47).hits or ()]
    assert (years[0], years[2], years.count("1936"), years.count("1937")) == (
        "1937",
        "1936",
        21,
        26,
    )
    (_, _, body), _ = cassette(folder / "test_search_paper_publication_types.yaml")
    assert (read("semantic_scholar", body, requested=100).hits or ())[0].source_type == (
        "JournalArticle"
    )


def test_a_recorded_page_of_another_client(real_data: Path) -> None:
    body = (real_data / "api/search_pages/semantic_search.json").read_bytes()
    parsed = read("semantic_scholar", body, requested=3)
    assert [hit.doi for hit in parsed.hits or ()] == [
        "10.1016/J.NEUCOM.2021.03.091",
        "10.1016/j.inffus.2023.102147",
        None,
    ]
    assert [hit.year for hit in parsed.hits or ()] == ["2021", "2024", "2022"]
    third = (parsed.hits or ())[2]
    assert third.record_id == "68c25a2dcb4df9632996fdcb078ff3bed8300a9c"
    assert third.title == (
        "Interpretable and Generalizable Graph Learning via Stochastic Attention Mechanism"
    )
    assert said(parsed, "total") == ["12143225"]


@pytest.mark.parametrize("name", ["test_bad_query_parameters", "test_not_found"])
def test_a_recorded_error_is_left_to_its_status(name: str, folder: Path) -> None:
    for _, status, body in cassette(folder / f"{name}.yaml"):
        assert status in (400, 404)
        assert fault("semantic_scholar", body, status) is None
