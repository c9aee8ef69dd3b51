"""PMCIDs resolved at NCBI's ID converter, over real sockets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Incomplete, Refused
from judge.records.run import RunRecord
from judge.records.source import ResolvedId
from judge.steps.capturing import Wire
from judge.steps.context import Context
from judge.steps.judging import pool_study
from judge.steps.recording import publish_study, verify_study
from judge.steps.reporting import gather
from judge.steps.resolving import Resolved, resolve_ids
from tests.fakes.server import Answer, FakeServer, Seen
from tests.runs.sources.fake import Library, environment
from tests.steps.test_sources import LIMITS, _no_wait, study

CONVERTER: dict[str, dict[str, Any]] = {
    "PMC1": {"pmcid": "PMC1", "pmid": 101, "doi": "10.1000/one"},
    "PMC3": {"pmcid": "PMC3"},
    "PMC4": {"pmcid": "PMC4", "pmid": 104, "live": "false"},
}


def resolve(context: Context, library: Callable[[Seen], Answer]) -> tuple[Resolved, list[Seen]]:
    with FakeServer(library) as server:
        wire = Wire(environment=environment(server.url), limits=LIMITS, sleep=_no_wait)
        return resolve_ids(context, wire=wire), server.seen


def answers(context: Context) -> dict[str, ResolvedId]:
    with context.frozen() as work:
        return work.resolved


def test_every_state_is_its_own_and_the_raw_record_stays(tmp_path: Path) -> None:
    """Padding goes, a version goes, and a number in the reply is text here."""
    pages = [{"pmcid": "PMC001.2"}, {"pmcid": "PMC2"}, {"pmcid": "PMC3"}, {"pmcid": "PMC4"}]
    context = study(tmp_path, *pages)
    done, (request,) = resolve(context, Library(converter=CONVERTER))
    assert request.params["ids"] == "PMC1,PMC2,PMC3,PMC4"
    assert (done.asked, done.left) == (4, ("PMC2", "PMC3", "PMC4"))
    found = answers(context)
    assert {key: (one.state, one.pmid) for key, one in found.items()} == {
        "PMC1": ("resolved", "101"),
        "PMC2": ("not_found", None),
        "PMC3": ("no_pmid", None),
        "PMC4": ("not_live", "104"),
    }
    with context.study.ledger(context.clock) as ledger:
        (run,) = [one for one in ledger.all(RunRecord) if one.status == "executed"]
    assert [(hit.pmcid, hit.pmid) for hit in run.raw_results or ()] == [
        ("PMC001.2", None),
        ("PMC2", None),
        ("PMC3", None),
        ("PMC4", None),
    ]


def test_the_two_pages_of_a_paper_are_pooled_as_one_record(tmp_path: Path) -> None:
    pages = [{"pmcid": "PMC1", "title": "T"}, {"pmid": "101"}, {"pmcid": "PMC4", "title": "W"}]
    context = study(tmp_path, *pages)
    resolve(context, Library(converter=CONVERTER))
    pool = {one.record_id: [at.rank for at in one.found_by] for one in pool_study(context)}
    assert pool == {"pmid:101": [1, 2], "pmcid:PMC4": [3]}
    with context.frozen() as work:
        assert work.documents["pmid:101"].title == "T"
        runs = gather(context.study, work).runs
    hits = [hit for run in runs for hit in run.raw_results or ()]
    assert [hit.pmid for hit in hits] == ["101", "101", None]
    publish_study(context)
    assert verify_study(context.study, context.clock, {}).problems == ()


def test_a_bad_id_does_not_sink_its_batch(tmp_path: Path) -> None:
    context = study(tmp_path, *({"pmcid": f"PMC{number}"} for number in range(1, 8)))
    converter = {f"PMC{n}": {"pmcid": f"PMC{n}", "pmid": n + 100} for n in range(1, 8)}
    library = Library(converter=converter, refused=frozenset({"PMC5"}))
    done, _ = resolve(context, library)
    assert done.states == {"not_found": 1, "resolved": 6}
    assert done.left == ("PMC5",)
    assert "mismatch" in answers(context)["PMC5"].said


def test_a_batch_holds_no_more_than_two_hundred(tmp_path: Path) -> None:
    context = study(tmp_path, *({"pmcid": f"PMC{number}"} for number in range(1, 252)))
    _, seen = resolve(context, Library())
    assert [len(one.params["ids"].split(",")) for one in seen] == [200, 51]


def test_an_error_is_no_answer_and_asked_again(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmcid": "PMC1"})
    with pytest.raises(Incomplete, match="1 PMCIDs got an error"):
        resolve(context, lambda _: Answer(b"busy", status=503))
    assert answers(context)["PMC1"].state == "error"
    done, _ = resolve(context, Library(converter=CONVERTER))
    assert (done.asked, done.states) == (1, {"resolved": 1})
    again, seen = resolve(context, Library(converter=CONVERTER))
    assert (again.asked, seen) == (0, [])


def test_after_pooling_no_key_changes_any_more(tmp_path: Path) -> None:
    context = study(tmp_path, {"pmcid": "PMC1", "title": "T"})
    pool_study(context)
    with pytest.raises(Refused, match="pooled or labelled already"):
        resolve(context, Library(converter=CONVERTER))
