"""Results and failures files: out of one study, into another, and scored."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Invalid, Refused
from judge.records.run import Document, RunRecord
from judge.steps.capturing import Wish
from judge.steps.context import Context
from judge.steps.recalling import score_recall
from judge.steps.recording import verify_study
from judge.steps.results import export_results, import_results
from judge.steps.running import StoppedEarly, capture_study
from tests.fakes.adapter import good, listed
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study, wire

NAMES = ["q1", "q2", "q3", "q4"]


def mixed(seen: Seen) -> Answer:
    """q1 answered, q2 empty, q3 refused with words."""
    if seen.params["q"] == "q2":
        return Answer(listed(), good=True)
    if seen.params["q"] == "q3":
        return Answer(b'{"error": "too broad"}', status=422)
    return good(seen)


def captured(folder: Path) -> Context:
    context = frozen_study(folder, NAMES)
    with FakeServer(mixed) as server:
        capture_study(context, wish=Wish(limit=3), wire=wire(server.url))
    return context


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def answer(name: str, *candidates: dict[str, Any], **more: Any) -> dict[str, Any]:
    row = {"question_id": name, "provider": "fake", "query": name, "max_year": None}
    return {**row, "candidates": list(candidates), **more}


def executed(context: Context) -> dict[str, RunRecord]:
    with context.study.ledger(context.clock) as ledger:
        return {run.query_id: run for run in ledger.all(RunRecord) if run.status == "executed"}


def test_a_failure_has_no_row_among_the_answers_and_an_open_query_none_at_all(
    tmp_path: Path,
) -> None:
    (done,) = export_results(captured(tmp_path / "s"), tmp_path / "out")
    assert (done.answered, done.failed, done.open) == (2, 1, 1)
    assert done.failures is not None
    assert rows(done.results) == [
        {
            "question_id": "q1",
            "provider": "fake",
            "query": "q1",
            "max_year": None,
            "candidates": [
                {
                    "rank": 1,
                    "provider_id": "q1-1",
                    "pmid": None,
                    "doi": None,
                    "title": "Title of q1-1",
                    "year": None,
                }
            ],
        },
        {
            "question_id": "q2",
            "provider": "fake",
            "query": "q2",
            "max_year": None,
            "candidates": [],
        },
    ]
    (failure,) = rows(done.failures)
    assert failure["question_id"] == "q3"
    assert (failure["status"], failure["retryable"], failure["outcome"]) == (422, False, "refused")
    assert failure["response"] == '{"error": "too broad"}'
    assert "too broad" in failure["error"]


def test_what_was_written_is_read_again_as_the_same_answers(tmp_path: Path) -> None:
    (done,) = export_results(captured(tmp_path / "one"), tmp_path / "out")
    other = frozen_study(tmp_path / "two", NAMES)
    taken = import_results(other, done.results, failures=done.failures)
    assert (taken.answered, taken.failed, taken.open) == ({"b": 2}, {"b": 1}, (("b", "q4"),))
    runs = executed(other)
    assert {name: run.outcome for name, run in runs.items()} == {
        "q1": "answered",
        "q2": "empty",
        "q3": "refused",
    }
    assert [hit.record_id for hit in runs["q1"].raw_results or ()] == ["q1-1"]
    assert runs["q2"].raw_results == ()
    assert runs["q3"].raw_results is None
    assert runs["q3"].http_status == 422
    with other.study.ledger(other.clock) as ledger:
        assert [one.title for one in ledger.all(Document)] == ["Title of q1-1"]
    assert verify_study(other.study, other.clock, {}).problems == ()
    (again,) = export_results(other, tmp_path / "again")
    assert again.results.read_bytes() == done.results.read_bytes()


def test_an_exported_run_is_scored_as_recall(tmp_path: Path) -> None:
    """By hand: of two gold papers one is at rank 2; q2 is empty, so its recall is 0; mean 1/4."""
    context = frozen_study(tmp_path / "s", ["q1", "q2"])
    file = write(
        tmp_path / "in.jsonl",
        answer("q1", {"rank": 2, "pmid": 7, "title": "T"}, {"rank": 1, "provider_id": "x"}),
        answer("q2"),
    )
    import_results(context, file)
    (done,) = export_results(context, tmp_path / "out")
    gold = [{"pmid": "7"}, {"pmid": "8"}]
    questions = write(
        tmp_path / "questions.jsonl",
        {"question_id": "q1", "gold": gold},
        {"question_id": "q2", "gold": [{"pmid": "9"}]},
    )
    assert score_recall(questions, done.results).macro_recall["10"] == 0.25


def test_a_packed_file_and_a_pmid_as_a_number_are_taken(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1"])
    line = answer("q1", {"rank": 3, "pmid": 123, "doi": "10.1000/x", "year": 2019})
    file = tmp_path / "in.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(line).encode() + b"\n"))
    import_results(context, file)
    (hit,) = executed(context)["q1"].raw_results or ()
    assert (hit.rank, hit.record_id, hit.pmid, hit.doi, hit.year) == (
        3,
        "123",
        "123",
        "10.1000/x",
        "2019",
    )


def test_all_that_does_not_fit_is_named_and_nothing_is_taken(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1", "q2"])
    file = write(
        tmp_path / "in.jsonl",
        answer("q1", query="another text"),
        answer("q9"),
        answer("q2", provider="elsewhere"),
    )
    with pytest.raises(Invalid) as caught:
        import_results(context, file)
    found = "\n".join(caught.value.lines())
    assert "in.jsonl: line 1: q1 was asked as 'another text'; frozen is 'q1'" in found
    assert "unknown question 'q9'" in found
    assert "provider 'elsewhere' is not the one system of its name" in found
    with pytest.raises(Invalid) as caught:
        import_results(context, write(file, answer("q1", max_year=2019)))
    assert "q1 has the cut-off year 2019; frozen is None" in "\n".join(caught.value.lines())
    assert executed(context) == {}


def test_a_list_that_is_missing_or_has_a_rank_twice_is_no_answer(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1", "q2"])
    file = write(
        tmp_path / "in.jsonl",
        {"question_id": "q1", "provider": "fake"},
        answer("q2", {"rank": 1}, {"rank": 1}),
    )
    with pytest.raises(Invalid) as caught:
        import_results(context, file)
    found = "\n".join(caught.value.lines())
    assert "line 1: no list of candidates" in found
    assert "line 2: rank 1 stands twice" in found
    assert executed(context) == {}


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        ({"status": 429, "retryable": True}, "unavailable"),
        ({"status": 503}, "unavailable"),
        ({"status": 402}, "quota"),
        ({"status": 401}, "auth"),
        ({"status": 400}, "rejected"),
        ({"status": None, "retryable": True}, "unavailable"),
        ({"status": None, "retryable": False}, "bad_reply"),
        ({"status": 200, "error": "Google hasn't returned any results."}, "empty_reported"),
        ({"status": 200, "outcome": "timeout"}, "timeout"),
    ],
)
def test_a_failure_made_elsewhere_is_never_an_empty_list(
    tmp_path: Path, failure: dict[str, Any], outcome: str
) -> None:
    context = frozen_study(tmp_path / "s", ["q1", "q2"])
    row = {"question_id": "q1", "provider": "fake", "query": "q1", "error": "no", **failure}
    sidecar = write(tmp_path / "f.jsonl", {**row, "status": 500, "outcome": None}, row)
    import_results(context, write(tmp_path / "in.jsonl", answer("q2")), failures=sidecar)
    run = executed(context)["q1"]
    assert (run.outcome, run.raw_results) == (outcome, None)


def test_an_answer_counts_before_a_failure_and_never_over_an_execution(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1"])
    sidecar = write(tmp_path / "f.jsonl", {"question_id": "q1", "provider": "fake", "status": 500})
    file = write(tmp_path / "in.jsonl", answer("q1"))
    import_results(context, file, failures=sidecar)
    assert executed(context)["q1"].outcome == "empty"
    with pytest.raises(Refused, match="1 queries have an execution already"):
        import_results(context, file)


def test_nothing_run_and_an_unknown_system_are_refused(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1"])
    with pytest.raises(Refused, match="nothing has been run"):
        export_results(context, tmp_path / "out")
    with pytest.raises(Invalid, match="does not name"):
        export_results(context, tmp_path / "out", ["z"])


def test_a_run_that_was_stopped_can_be_exported_as_far_as_it_came(tmp_path: Path) -> None:
    context = frozen_study(tmp_path / "s", ["q1", "q2"])
    with (
        FakeServer(
            lambda seen: good(seen) if seen.params["q"] == "q1" else Answer(status=401)
        ) as s,
        pytest.raises(StoppedEarly),
    ):
        capture_study(context, wire=wire(s.url))
    (done,) = export_results(context, tmp_path / "out")
    assert done.failures is not None
    assert [row["question_id"] for row in rows(done.results)] == ["q1"]
    assert [(row["outcome"], row["retryable"]) for row in rows(done.failures)] == [("auth", True)]
