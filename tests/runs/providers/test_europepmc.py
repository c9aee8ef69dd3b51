"""Europe PMC: what was not run is no empty list, the cursor's end; recorded replies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Request
from tests.runs.providers.fake_academic import europepmc
from tests.runs.providers.support import ask, converse, fault, ids, read, reply, said

EPMC = ADAPTERS["europepmc"]


def listed(*rows: Any, found: int | None = None, **more: Any) -> dict[str, Any]:
    count = len(rows) if found is None else found
    return {"version": "6.9", "hitCount": count, "resultList": {"result": list(rows)}, **more}


def test_pages_go_by_cursor_and_synonyms_are_off() -> None:
    parsed, requests = converse(EPMC, europepmc(), ask("europepmc", "sleep AND fish", 250))
    assert [dict(request.params) for request in requests] == [
        {
            "query": "sleep AND fish",
            "format": "json",
            "resultType": "core",
            "pageSize": "100",
            "cursorMark": cursor,
            "synonym": "false",
        }
        for cursor in ("*", "A100==", "A200==")
    ]
    assert parsed.service_version == "6.9"
    assert said(parsed, "interpretation") == ["ran 'sleep AND fish'"]
    assert said(parsed, "total") == ["250"]


def test_the_year_goes_into_the_query_and_both_texts_are_noted() -> None:
    given = ask("europepmc", "a OR b", max_year=2014)
    parsed, (request,) = converse(EPMC, europepmc(), given)
    sent = "(a OR b) AND PUB_YEAR:[1000 TO 2014]"
    assert dict(request.params)["query"] == sent
    assert said(parsed, "sent_query") == [f"asked 'a OR b', sent {sent!r}"]


@pytest.mark.parametrize("echo", [False, True])
def test_the_list_ends_without_a_cursor_or_with_the_one_that_was_sent(echo: bool) -> None:
    """The cursor that a reply echoes is percent-encoded: ours is what counts."""
    given = ask("europepmc", requested=400)
    parsed, requests = converse(EPMC, europepmc(found=150, echo=echo), given)
    assert (len(ids(parsed)), len(requests)) == (150, 2)


def test_a_cursor_that_would_begin_again_is_the_end() -> None:
    body = listed({"id": "1", "source": "MED"}, found=900, nextCursorMark="*")
    assert ids(read("europepmc", body, requested=200)) == ["MED/1"]


def test_a_list_that_ends_early_is_noted() -> None:
    parsed = read("europepmc", listed({"id": "1", "source": "MED"}, found=900), requested=100)
    assert said(parsed, "short_list") == ["1 of 100 came: no next page was named"]


@pytest.mark.parametrize(
    ("body", "outcome", "kind"),
    [
        (listed(), "empty", None),
        ({"version": "6.9"}, "bad_reply", "bad_reply"),
        ({"version": "6.9", "hitCount": 0}, "bad_reply", "bad_reply"),
        ({"version": "6.9", "resultList": {"result": []}}, "bad_reply", "bad_reply"),
        (listed(found=5), "bad_reply", "bad_reply"),
        ({"errCode": 404, "errMsg": "Illegal query"}, "rejected", "rejected"),
        ({**listed(), "resultList": {"result": None}}, "bad_reply", "bad_reply"),
    ],
)
def test_bug_15_what_was_not_run_is_no_empty_list(
    body: dict[str, Any], outcome: str, kind: str | None
) -> None:
    assert read("europepmc", body).outcome == outcome
    found = fault("europepmc", body)
    assert (found.kind if found else None) == kind


def test_one_result_may_come_without_its_list() -> None:
    body = {**listed(found=1), "resultList": {"result": {"id": "7", "source": "MED"}}}
    assert ids(read("europepmc", body, requested=1)) == ["MED/7"]


def test_fields_of_a_result() -> None:
    preprint = {
        "id": "PPR123",
        "source": "PPR",
        "title": "A",
        "doi": "10.5555/A",
        "pubYear": "2020",
    }
    retracted = {
        "id": "8",
        "source": "MED",
        "pmid": "8",
        "pubTypeList": {"pubType": ["Journal Article", "Retracted Publication"]},
        "commentCorrectionList": {
            "commentCorrection": [
                {"type": "Retraction in", "id": "9", "source": "MED"},
                {"type": "Comment in", "id": "10"},
            ]
        },
    }
    parsed = read("europepmc", listed(preprint, retracted), requested=2)
    first, second = parsed.hits or ()
    assert (first.record_id, first.source_type, first.year) == ("PPR/PPR123", "Preprint", "2020")
    assert first.link == "https://europepmc.org/article/PPR/PPR123"
    assert second.notice == "Retracted Publication; Retraction in: 9"
    assert first.notice is None


def test_bug_08_and_09_titles_with_markup() -> None:
    rows = [
        {"id": "1", "source": "MED", "title": "Role of <i>TP53</i> at 1.73 m<sup>2</sup>."},
        {"id": "2", "source": "MED", "title": "Neopterin extends &lt;i&gt;C. elegans&lt;/i&gt;"},
    ]
    parsed = read("europepmc", listed(*rows), requested=2)
    assert [hit.title for hit in parsed.hits or ()] == [
        "Role of TP53 at 1.73 m2.",
        "Neopterin extends <i>C. elegans</i>",
    ]


# --- recorded replies ---------------------------------------------------------------------------

ABSCOPAL = (
    "Abscopal response in a patient with fibrolamellar hepatocellular carcinoma following"
    " radiotherapy."
)
LITE, FIVE = "AoIIP4ZawSg1MzEyODI1MA==", "AoIIP4lkIig1MzE0NTMwOA=="
# File, hitCount, cursor of the next page, results, first and last id, title of the first.
RECORDED = [
    ("search_cancer", 5059039, LITE, 25, "39709209", "40476859", ABSCOPAL),
    ("search_cancer_core", 5059039, LITE, 25, "39709209", "40476859", ABSCOPAL),
    ("search_cancer_idlist", 5059039, LITE, 25, "39709209", "40476859", None),
    ("search_cancer_page2", 5059039, FIVE, 5, "39709209", "40493882", ABSCOPAL),
    (
        "search_cancer_sorted_cited", 5059039, "AoIGAAAAACc5OTk4NTQ2", 25, "3311353", "3117255",
        "Relaxation techniques. A self-learning module for nurses: Unit II.",
    ),
    (
        "search_post_cancer", 5933343, "AoIIQM+luyg1MTc3NTM5Mw==", 25, "40353141", "39483961",
        "Aryl Hydrocarbon Receptor (AHR) is required for repopulation of decellularized intestinal"
        " colon scaffolds.",
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: str(row[0]))
def test_a_recorded_reply(row: tuple[Any, ...], real_data: Path) -> None:
    name, total, cursor, results, first, last, title = row
    body = (real_data / f"api/europepmc/{name}.json").read_bytes()
    assert fault("europepmc", body) is None
    parsed = read("europepmc", body, requested=results)
    names = ids(parsed)
    assert (len(names), names[0], names[-1]) == (results, f"MED/{first}", f"MED/{last}")
    assert (parsed.hits or ())[0].title == title
    assert (parsed.hits or ())[0].pmid == first
    assert said(parsed, "total") == [str(total)]
    assert said(parsed, "interpretation") == ["ran 'cancer'"]
    assert parsed.service_version == "6.9"
    step = EPMC.step(ask("europepmc", requested=200), [reply(body)])
    assert isinstance(step, Request)
    assert dict(step.params)["cursorMark"] == cursor


def test_the_recorded_folder_is_read_whole(real_data: Path) -> None:
    names = {path.stem for path in (real_data / "api/europepmc").glob("*.json")}
    assert names == {row[0] for row in RECORDED} | {"search_no_results"}


def test_the_recorded_reply_without_results_is_empty(real_data: Path) -> None:
    body = (real_data / "api/europepmc/search_no_results.json").read_bytes()
    assert fault("europepmc", body) is None
    parsed = read("europepmc", body)
    assert (parsed.outcome, parsed.hits) == ("empty", ())
    assert said(parsed, "interpretation") == ["ran 'asdkfjhasdkfjhasdfasdasdasdfgsagsd'"]


def test_fields_of_recorded_results(real_data: Path) -> None:
    folder = real_data / "api"
    core = read(
        "europepmc", (folder / "europepmc/search_cancer_core.json").read_bytes(), requested=25
    )
    second = (core.hits or ())[1]
    assert (second.pmcid, second.doi) == ("PMC12124214", "10.1016/s0140-6736(24)02716-8")
    assert second.source_type == "Published Erratum; correction"
    assert (second.notice, second.updated) == ("Erratum for: 39293462", "2025-06-01")
    lite = read("europepmc", (folder / "europepmc/search_cancer.json").read_bytes(), requested=25)
    assert (lite.hits or ())[1].source_type == "published erratum; correction"
    assert (lite.hits or ())[21].doi is None
    posted = read(
        "europepmc", (folder / "europepmc/search_post_cancer.json").read_bytes(), requested=25
    )
    assert (posted.hits or ())[10].title == (
        "Neopterin extends <i>C. elegans</i> lifespan in an ATFS-1-dependent manner."
    )
    last = read(
        "europepmc", (folder / "search_pages/europepmc_search.json").read_bytes(), requested=3
    )
    assert ids(last) == ["MED/41792208", "MED/41744547", "PMC/PMC13013079"]
    third = (last.hits or ())[2]
    assert (third.pmid, third.pmcid, third.doi, third.year) == (None, "PMC13013079", None, "2026")
    assert third.link == "https://europepmc.org/article/PMC/PMC13013079"


def test_bug_02_a_recorded_page_that_repeats(real_data: Path) -> None:
    """Two recorded pages of the same five results: ten ranks, five of them named as repeats."""
    body = (real_data / "api/europepmc/search_cancer_page2.json").read_bytes()
    parsed = EPMC.step(ask("europepmc", requested=200), [reply(body), reply(body)])
    assert not isinstance(parsed, Request)
    assert len(ids(parsed)) == 10
    assert said(parsed, "repeated_page") == ["page 2 is page 1 again"]
