"""Reports are written once: never over another, recorded in the chain, all three forms or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.canonical import sha256
from judge.errors import Refused
from judge.steps.context import Context
from judge.steps.importing import import_runs
from judge.steps.recording import verify_study
from judge.steps.reporting import report_study
from judge.store.ledger import Ledger
from tests.steps.studies import START, context_of, copy_of, stage


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(copy_of(stage("settled"), tmp_path))


def reported(context: Context) -> list[str]:
    with context.frozen() as work:
        return [event.subject for event in work.ledger.events() if event.kind == "reported"]


def test_a_report_is_named_by_the_last_retrieval_and_kept_under_its_digest(
    context: Context,
) -> None:
    done = report_study(context)
    assert done.new
    assert done.folder.name == "2026-11-30-1"
    assert sorted(path.name for path in done.folder.iterdir()) == [
        "report.html",
        "report.json",
        "report.md",
    ]
    with context.frozen() as work:
        (event,) = [one for one in work.ledger.events() if one.kind == "reported"]
    digests = {batch.kind: batch.root for batch in event.batches}
    for path in done.folder.iterdir():
        name = path.relative_to(context.study.root).as_posix()
        assert digests[name] == sha256(path.read_bytes())


def test_a_report_on_runs_without_a_date_is_named_by_the_day_of_their_import(
    tmp_path: Path,
) -> None:
    context = context_of(copy_of(stage("frozen"), tmp_path), start="2026-12-02T08:00:00Z")
    runs = tmp_path / "all.run"
    runs.write_text(
        "".join(
            f"{query} Q0 pmid:1 1 1.0 {code}\n" for code in "KS" for query in ("q1", "q2", "q3")
        )
    )
    import_runs(context, runs)
    assert report_study(context).folder.name == "2026-12-02-1"
    # Whenever the report is made, the import keeps its day.
    later = context_of(context.study.root, start="2026-12-24T08:00:00Z")
    assert report_study(later).folder.name == "2026-12-02-1"


def test_the_same_report_is_not_written_again(context: Context) -> None:
    first = report_study(context)
    before = {path: path.read_bytes() for path in first.folder.iterdir()}
    again = report_study(context)
    assert (again.folder, again.new) == (first.folder, False)
    assert {path: path.read_bytes() for path in first.folder.iterdir()} == before
    assert reported(context) == ["2026-11-30-1"]


def test_another_report_gets_the_next_number(context: Context) -> None:
    report_study(context)
    statement = context.study.statement
    statement.write_text('conclusions = ["Mice."]\n' + statement.read_text())
    assert report_study(context).folder.name == "2026-11-30-2"
    assert reported(context) == ["2026-11-30-1", "2026-11-30-2"]
    assert verify_study(context.study, lambda: START).problems == ()


def test_a_report_that_somebody_edited_is_not_written_over(context: Context) -> None:
    first = report_study(context).folder / "report.md"
    first.write_text("edited")
    assert report_study(context).folder.name == "2026-11-30-2"
    assert first.read_text() == "edited"
    (found,) = verify_study(context.study, lambda: START).problems
    assert "reports/2026-11-30-1/report.md: changed since" in found


def test_a_report_that_was_written_and_not_recorded_is_recorded_by_the_next_call(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **fields: object) -> None:
        raise OSError("the machine went down")

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "record", fail)
        with pytest.raises(OSError, match="the machine went down"):
            report_study(context)
    assert (context.study.root / "reports" / "2026-11-30-1").is_dir()
    assert reported(context) == []
    report_study(context)
    report_study(context)
    assert reported(context) == ["2026-11-30-1"]


def test_a_report_that_was_half_written_is_not_taken_for_one(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def stop(path: Path, data: bytes) -> None:
        if written:
            raise Refused("the disk is full")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        written.append(path)

    with monkeypatch.context() as patched:
        patched.setattr("judge.steps.reporting.write_atomic", stop)
        with pytest.raises(Refused, match="the disk is full"):
            report_study(context)
    assert written
    assert not (context.study.root / "reports" / "2026-11-30-1").exists()
    done = report_study(context)
    assert done.folder.name == "2026-11-30-1"
    assert len(list(done.folder.iterdir())) == 3
    names = {path.name for path in (context.study.root / "reports").iterdir()}
    assert names == {"2026-11-30-1", "statement.toml"}
