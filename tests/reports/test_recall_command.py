"""`judge recall` and `judge recall compare`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.cli import run
from tests.reports.recall_files import Row, answer, asked

QUESTIONS = [asked("q1", "1", "2", "3", "4"), asked("q2", "5"), asked("q3", "6")]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """q1 finds one of four at rank 2, q2 its one at rank 11 with an unread PMID before it."""
    monkeypatch.chdir(tmp_path)
    second = answer("q2", "PMID:5", *(["90"] * 9), "5")
    write("q.jsonl", *QUESTIONS)
    write("r.jsonl", answer("q1", "90", "1"), second)
    write("f.jsonl", {"question_id": "q3", "error": "HTTP 503", "retryable": True})
    return tmp_path


def write(name: str, *rows: Row) -> None:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


SCORE = ["recall", "--questions", "q.jsonl", "--results", "r.jsonl"]


@pytest.mark.usefixtures("files")
def test_figures_go_to_stdout_and_warnings_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SCORE, "--failures", "f.jsonl", "--per-question"]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0] == "s: 2 of 3 questions scored, 5 gold papers, 13 candidates"
    assert lines[1].startswith("1 missing (1 failed, 0 not attempted); 0 empty answers")
    # Macro at 10: (1/4 + 0) / 2; at 20: (1/4 + 1) / 2. Micro: 1/5, then 2/5.
    assert lines[3].split() == ["macro", "0.1250", "0.6250", "0.6250", "0.6250", "0.6250"]
    assert lines[4].split() == ["micro", "0.2000", "0.4000", "0.4000", "0.4000", "0.4000"]
    assert "matched by pmid 2" in lines
    assert "failed: q3: HTTP 503 (retryable: yes)" in lines
    assert lines[-1].split() == ["q2", "1", "0.0000", "1.0000", "1.0000", "1.0000", "1.0000"]
    assert any("Courtesy of the U.S. National Library of Medicine" in line for line in lines)
    assert "warning: PMIDs given as PMID:N are not read" in shown.err
    assert "warning: questions without a result row leave the mean (cases: 1)" in shown.err


@pytest.mark.usefixtures("files")
def test_json_holds_the_questions_only_where_they_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([*SCORE, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["macro_recall"]["20"] == 0.625
    assert summary["unattempted_question_ids"] == ["q3"]
    assert summary["per_question"] == []
    assert run([*SCORE, "--json", "--per-question"]) == 0
    first, second = json.loads(capsys.readouterr().out)["per_question"]
    assert first["matches"] == {"1": {"rank": 2, "tier": "pmid"}}
    assert second["recall"]["20"] == 1.0


@pytest.mark.usefixtures("files")
def test_strict_refuses_and_prints_no_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SCORE, "--strict"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "without a result, not attempted: 1 (q3)" in shown.err


@pytest.mark.usefixtures("files")
def test_a_manifest_that_differs_ends_as_broken_evidence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("m.json").write_text('{"questions": 3, "gold_papers": 7}', encoding="utf-8")
    assert run([*SCORE, "--manifest", "m.json"]) == 4
    shown = capsys.readouterr()
    assert "s: 2 of 3 questions scored" in shown.out
    assert "INTEGRITY: m.json says otherwise: gold_papers: found 6, expected 7" in shown.err
    Path("m.json").write_text('{"questions": 3, "gold_papers": 6}', encoding="utf-8")
    assert run([*SCORE, "--manifest", "m.json"]) == 0
    assert "the manifest has no digest of r.jsonl" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_no_result_prints_a_sentence_and_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    write("r.jsonl")
    assert run(SCORE) == 0
    out = capsys.readouterr().out
    assert "No question has an answer: there is no recall, which is not a recall of 0." in out
    assert "macro          –       –" in out
    assert "nan" not in out.lower()


def test_both_inputs_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["recall", "--questions", "q.jsonl"]) == 2
    assert "--questions and --results are both needed" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_a_comparison_marks_what_is_no_figure(capsys: pytest.CaptureFixture[str]) -> None:
    write("deep.jsonl", *(answer(f"q{n}", *(["90"] * 200)) for n in (1, 2, 3)))
    command = ["recall", "compare", "r=r.jsonl", "deep=deep.jsonl", "--questions", "q.jsonl"]
    assert run(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "macro recall; 3 questions, 2 completed by all"
    # Lists of 2 and 11: a median of 6.5, nothing beyond rank 20.
    assert lines[2].split() == [
        "r",
        "2",
        "6.5",
        "0.125*",
        "(0.125)",
        "0.625*",
        "(0.625)",
        "–",
        "–",
        "–",
    ]
    assert lines[3].split()[:5] == ["deep", "3", "200", "0.000", "(0.000)"]
    assert run([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["systems"][0]["figures"][2] == {
        **{"cutoff": 50, "own": None},
        **{"shared": None, "ceiling": False},
    }
