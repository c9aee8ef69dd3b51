"""The commands after capture, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.cli import run
from tests.fakes.server import FakeServer
from tests.fakes.study import frozen_study
from tests.runs.sources.fake import Library, article, environment
from tests.steps.test_sources import study


def test_a_results_file_goes_in_and_comes_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "s"
    frozen_study(root, ["q1", "q2"], max_year=2015)
    lines = [
        {"question_id": "q1", "provider": "fake", "query": "q1", "max_year": 2015,
         "candidates": [{"rank": 1, "provider_id": "a", "year": 2020},
                        {"rank": 2, "provider_id": "b", "year": 2014}]},
    ]  # fmt: skip
    file = tmp_path / "in.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert run(["import-results", str(file), "--study", str(root)]) == 0
    shown = capsys.readouterr()
    assert "b: 1 answers, 0 failures" in shown.out
    assert "1 queries are in neither file (q2 at b…): still open" in shown.out
    out = tmp_path / "out"
    assert run(["export-results", "--out", str(out), "--study", str(root)]) == 0
    assert "1 questions are still open at b: in neither file" in capsys.readouterr().out
    assert run(["export-results", "--out", str(out), "--study", str(root), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["results"], found["failures"]) == (str(out / "b.results.jsonl"), None)
    assert run(["cutoff-year", "b", "--out", str(out), "--study", str(root), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["raw"], found["kept"], found["too_late"]) == (2, 1, 1)
    (row,) = [json.loads(line) for line in (out / "b.cutoff.jsonl").read_text().splitlines()]
    assert [(one["rank"], one["raw_rank"]) for one in row["candidates"]] == [(1, 2)]


def test_ids_are_resolved_and_records_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    study(tmp_path, {"pmcid": "PMC1"})
    library = Library(
        converter={"PMC1": {"pmcid": "PMC1", "pmid": 7}},
        pubmed={"7": article("7", "On benzo[a]pyrene", types=("Retracted Publication",))},
    )
    with FakeServer(library) as server:
        for name, value in environment(server.url).items():
            monkeypatch.setenv(name, value)
        assert run(["resolve-ids", "--study", str(tmp_path)]) == 0
        assert "resolved: 1" in capsys.readouterr().out
        assert run(["check-sources", "--study", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "1 records checked, 0 had their verdicts already" in shown
    assert "retracted by pubmed: 1 yes" in shown
    assert "retracted by openalex: 1 not_found" in shown
    assert "retracted: pmid:7" in shown
    assert "text from PubMed: 1" in shown
    assert run(["resolve-ids", "--study", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked"] == 0
