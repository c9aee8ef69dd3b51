"""Records checked at PubMed, Europe PMC, Crossref and OpenAlex, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.canonical import sha256
from judge.errors import Incomplete, Refused
from judge.records.run import Document, RunRecord
from judge.records.source import SourceCheck, SourceSays
from judge.reports.checked import checked_section
from judge.runs.exchange import Limits
from judge.runs.redact import Redactor, leaks
from judge.steps.capturing import Wire
from judge.steps.context import Context
from judge.steps.importing import import_runs
from judge.steps.judging import make_packet, pool_study
from judge.steps.recording import publish_study, rebuild_study, verify_study
from judge.steps.reporting import gather
from judge.steps.sources import CheckResult, check_sources
from judge.steps.status import status_of
from judge.study import Study
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study
from tests.runs.sources.fake import EFETCH, Library, article, environment
from tests.steps.acts import at, strangers_copy

LIMITS = Limits(deadline_s=20.0, backoff_s=0.001, sends=3)


async def _no_wait(_: float) -> None:
    """The paces are tested elsewhere; here they only cost time."""


def study(folder: Path, *hits: dict[str, Any]) -> Context:
    """A study whose one query found ``hits``."""
    context = frozen_study(folder, ["q1"])
    file = folder / "run.jsonl"
    rows = [
        {"query_id": "q1", "record_id": f"r{rank}", "rank": rank, "system": "b", **hit}
        for rank, hit in enumerate(hits, 1)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_runs(context, file)
    ticks = iter(range(10**9))
    # Each reading of the clock is a second later, so that no pace ever makes a test wait.
    return replace(context, monotonic=lambda: float(next(ticks)))


def check(
    context: Context, library: Callable[[Seen], Answer], *, again: bool = False
) -> tuple[CheckResult, list[Seen]]:
    with FakeServer(library) as server:
        wire = Wire(environment=environment(server.url), limits=LIMITS, sleep=_no_wait)
        return check_sources(context, again=again, wire=wire), server.seen


def checks(context: Context) -> dict[str, SourceCheck]:
    with context.frozen() as work:
        return work.checks


def said(context: Context, record: str) -> dict[str, SourceSays]:
    return {one.source: one for one in checks(context)[record].says}


def texts(context: Context) -> dict[str, Document]:
    with context.frozen() as work:
        return work.documents


PAPER: dict[str, Any] = {
    "pubmed": {
        "7": article("7", "From PubMed", types=("Retracted Publication",), doi="10.1000/P(7)"),
    },
    "crossref": {
        "10.1000/P(7)": {
            "DOI": "10.1000/p(7)",
            "title": ["From Crossref"],
            "updated-by": [{"type": "retraction", "DOI": "10.1000/n"}],
        }
    },
    "openalex": {"doi:10.1000/P(7)": {"is_retracted": False, "type": "article"}},
}


def test_every_source_has_its_own_verdict_with_time_and_reply(tmp_path: Path) -> None:
    """OpenAlex does not know of the retraction: nothing makes its verdict agree."""
    context = study(tmp_path, {"pmid": "7"})
    done, _ = check(context, Library(**PAPER))
    says = said(context, "pmid:7")
    assert {name: one.retraction for name, one in says.items()} == {
        "pubmed": "yes",
        "europepmc": "not_checked",
        "crossref": "yes",
        "openalex": "no_signal",
    }
    assert says["openalex"].correction == "not_checked"
    assert says["europepmc"].at_utc is None
    assert done.retracted == ("pmid:7",)
    with context.study.ledger(context.clock) as ledger:
        for name in ("pubmed", "crossref", "openalex"):
            body = says[name].body
            assert body is not None
            assert sha256(ledger.blob(body)) == body
            assert (says[name].at_utc or "").startswith("2026-11-30T")


def test_the_text_is_pubmed_s_and_says_so(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmid": "7", "title": "As the service wrote it"})
    assert texts(context)["pmid:7"].title == "As the service wrote it"
    done, _ = check(context, Library(**PAPER))
    found = texts(context)["pmid:7"]
    assert (found.title, found.journal, found.year) == ("From PubMed", "A journal", "2019")
    assert (found.abstract, found.retracted) == ("An abstract.", True)
    assert found.provenance.startswith("PubMed, 2026-11-30T")
    assert found.provenance.endswith(f"reply {said(context, 'pmid:7')['pubmed'].body}")
    assert done.texts == {"PubMed": 1}
    with context.study.ledger(context.clock) as ledger:
        (first,) = ledger.all(Document)
    assert first.title == "As the service wrote it"


def test_without_pubmed_the_text_is_europe_pmc_s_and_then_crossref_s(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmid": "8"}, {"doi": "10.1000/c"}, {"doi": "10.1000/none"})
    library = Library(
        europepmc={"EXT_ID:8 AND SRC:MED": [{"pmid": "8", "title": "From Europe PMC"}]},
        crossref={"10.1000/c": {"DOI": "10.1000/c", "title": ["From Crossref"]}},
    )
    done, _ = check(context, library)
    found = texts(context)
    assert found["pmid:8"].title == "From Europe PMC"
    assert found["doi:10.1000/c"].provenance.startswith("Crossref, ")
    assert "doi:10.1000/none" not in found
    assert done.bare == ("doi:10.1000/none",)
    assert said(context, "pmid:8")["pubmed"].retraction == "not_found"
    assert {one.retraction for one in said(context, "doi:10.1000/none").values()} == {
        "not_checked",
        "not_found",
    }


def test_a_failure_of_a_source_is_an_error_and_asked_again_next_time(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmid": "7", "doi": "10.1000/P(7)"})
    library = Library(**PAPER)

    def failing(seen: Seen) -> Answer:
        return Answer(b"<html>busy</html>", status=503) if seen.path == EFETCH else library(seen)

    done, _ = check(context, failing)
    assert (done.checked, done.verdicts["pubmed"]) == (1, {"error": 1})
    assert said(context, "pmid:7")["pubmed"].retraction == "error"
    assert "503" in said(context, "pmid:7")["pubmed"].said
    assert texts(context)["pmid:7"].title == "From Crossref"
    done, _ = check(context, library)
    assert (done.checked, done.earlier) == (1, 0)
    assert said(context, "pmid:7")["pubmed"].retraction == "yes"
    assert texts(context)["pmid:7"].title == "From PubMed"
    with context.study.ledger(context.clock) as ledger:
        assert [one.number for one in ledger.all(SourceCheck)] == [1, 2]


def test_a_record_is_checked_once_unless_asked_again(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmid": "7"})
    check(context, Library(**PAPER))
    done, seen = check(context, Library(**PAPER))
    assert (done.checked, done.earlier, seen) == (0, 1, [])
    done, seen = check(context, Library(**PAPER), again=True)
    assert done.checked == 1
    assert len(seen) == 3


def test_a_refused_key_ends_the_source_and_keeps_what_others_said(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmid": "7", "doi": "10.1000/P(7)"})
    library = Library(**PAPER)

    def refusing(seen: Seen) -> Answer:
        return Answer(b"no", status=401) if "doi:" in seen.path else library(seen)

    with pytest.raises(Incomplete) as caught:
        check(context, refusing)
    assert "openalex: auth" in caught.value.message
    assert caught.value.hint == "judge check-sources goes on"
    assert said(context, "pmid:7")["pubmed"].retraction == "yes"
    assert said(context, "pmid:7")["openalex"].retraction == "error"


def test_a_key_that_a_source_echoes_is_kept_nowhere(tmp_path: Path) -> None:
    key = "sk-9f1kq/8+e7=d6%c5"
    context = study(tmp_path, {"pmid": "7", "doi": "10.1000/P(7)"})
    library = Library(**PAPER)

    def echoing(seen: Seen) -> Answer:
        if "doi:" not in seen.path:
            return library(seen)
        return Answer(f"no: {seen.headers['authorization']}".encode(), status=404)

    with FakeServer(echoing) as server:
        given = {**environment(server.url), "OPENALEX_API_KEY": key}
        wire = Wire(environment=given, limits=LIMITS, sleep=_no_wait)
        check_sources(context, wire=wire)
    assert any(one.headers.get("authorization") == f"Bearer {key}" for one in server.seen)
    publish_study(context)
    assert leaks(context.study.root, Redactor([key])) == []
    assert said(context, "pmid:7")["openalex"].said == "HTTP 404: no: Bearer [removed]"


def test_an_id_that_pubmed_refuses_does_not_sink_the_others(tmp_path: Path) -> None:
    """PubMed answers 400 where an id is no record's; alone, the id is not found."""
    context = study(tmp_path, {"pmid": "6"}, {"pmid": "7"}, {"pmid": "8"})
    library = Library(pubmed={"6": article("6"), "7": article("7")})

    def refusing(seen: Seen) -> Answer:
        if seen.path == EFETCH and "8" in seen.params["id"].split(","):
            return Answer(b"ID list is empty! Possibly it has no correct IDs.", status=400)
        return library(seen)

    check(context, refusing)
    found = {record: said(context, record)["pubmed"].retraction for record in checks(context)}
    assert found == {"pmid:6": "no_signal", "pmid:7": "no_signal", "pmid:8": "not_found"}
    lines = dict(status_of(context).lines)
    assert lines["at their sources"] == "3 records checked, 0 retracted"


def test_before_pooling_pool_depth_is_checked_and_after_it_the_pool(tmp_path: Path) -> None:
    context = study(tmp_path, *({"pmid": str(number)} for number in range(1, 7)))
    check(context, Library())
    assert sorted(checks(context)) == ["pmid:1", "pmid:2", "pmid:3", "pmid:4"]
    pool_study(context)
    done, _ = check(context, Library())
    assert (done.checked, done.earlier) == (0, 4)


def test_nothing_to_check_is_refused_and_a_corpus_is_its_own_source(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no hit of a service"):
        check(frozen_study(tmp_path / "one", ["q1"]), Library())
    with pytest.raises(Refused, match="no hit of a service"):
        check(at("captured", tmp_path), Library())


def test_a_text_gets_better_before_it_is_dealt_and_stays_after_that(tmp_path: Path) -> None:
    """Both assessors judge the same words, whatever is learned of the paper in between."""
    context = study(tmp_path, {"pmid": "7", "title": "Bare"}, {"pmid": "9", "title": "Other"})
    pool_study(context)
    library = Library(**PAPER)
    check(context, replace(library, crossref={}, pubmed={"7": article("7", "First words")}))
    make_packet(context, "A")
    changed = {
        "7": article("7", "Other words", types=("Retracted Publication",)),
        "9": article("9", "New words"),
    }
    check(context, Library(pubmed=changed), again=True)
    found = texts(context)
    assert (found["pmid:7"].title, found["pmid:7"].retracted) == ("First words", True)
    assert found["pmid:9"].title == "Other"


def test_a_preprint_is_joined_to_its_article_by_the_article_s_own_key(tmp_path: Path) -> None:
    context = study(tmp_path, {"doi": "10.1000/pre"}, {"pmid": "7", "doi": "10.1000/Art"})
    library = Library(
        pubmed={"7": article("7", "Article", doi="10.1000/Art")},
        crossref={
            "10.1000/pre": {
                "DOI": "10.1000/pre",
                "title": ["Preprint"],
                "type": "posted-content",
                "subtype": "preprint",
                "relation": {"is-preprint-of": [{"id-type": "doi", "id": "10.1000/ART"}]},
            }
        },
    )
    check(context, library)
    found = texts(context)["doi:10.1000/pre"]
    assert (found.preprint_of, found.type) == ("pmid:7", "Preprint")


def test_the_report_credits_no_service_with_it(tmp_path: Path) -> None:
    """R36, R37: a type looked up is counted as checked, a retraction as found at the source."""
    context = study(tmp_path, {"pmid": "7"}, {"pmid": "9"})
    check(context, Library(**PAPER))
    pool_study(context)
    with context.frozen() as work:
        material = gather(context.study, work)
    assert material.documents["pmid:7"].retracted
    with context.study.ledger(context.clock) as ledger:
        (run,) = [one for one in ledger.all(RunRecord) if one.status == "executed"]
    assert all(hit.source_type is None and hit.notice is None for hit in run.raw_results or ())
    part = checked_section(material)
    assert part.summary.startswith("Checked at their sources: 2 of 2 records, from 2026-11-30T")
    assert [(one.record_id, one.source) for one in part.flagged] == [
        ("pmid:7", "pubmed"),
        ("pmid:7", "crossref"),
    ]


def test_checks_are_published_and_rebuilt_and_their_replies_verified(tmp_path: Path) -> None:
    context = study(tmp_path / "s", {"pmid": "7"})
    check(context, Library(**PAPER))
    publish_study(context)
    assert verify_study(context.study, context.clock, {}).problems == ()
    copy = strangers_copy(context.study.root, tmp_path / "copy")
    made = rebuild_study(copy, context.clock)
    assert checks(Context(Study(made.root), clock=context.clock)) == checks(context)
    body = said(context, "pmid:7")["crossref"].body
    assert body is not None
    (copy / "runs" / "raw" / body).unlink()
    made.store.unlink()
    problems = verify_study(Study(copy), context.clock, {}).problems
    assert any("pmid:7, check 1: its raw reply" in one for one in problems)
