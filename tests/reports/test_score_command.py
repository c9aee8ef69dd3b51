"""`judge score` as it is typed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from judge.cli import run as judge
from tests.reports.trec_files import qrels_text, run_text

GRADES = {("q1", "d1"): 1, ("q1", "d2"): 0, ("q1", "d9"): 1, ("q2", "d4"): 0, ("q3", "d5"): 1}
# q1: relevant, not, unjudged; q2: unjudged, tied with a judged one; q3 is not there.
RUN = run_text({"q1": [("d1", "3"), ("d2", "2"), ("d3", "1")], "q2": [("d3", "1"), ("d4", "1")]})


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels.txt").write_bytes(qrels_text(GRADES))
    (tmp_path / "run.txt").write_bytes(RUN)
    return ["--qrels", str(tmp_path / "qrels.txt"), "--run", str(tmp_path / "run.txt")]


def test_figures_and_where_they_part_from_trec_eval(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(["score", *files, "--relevant-from", "1", "--cutoff", "2"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "A: means over 3 queries, each with equal weight"
    # Mean P@2 over three: (1 + 0 + 0)/6, with one open rank 2/6.
    assert lines[2].split() == [*["2", "0.1667", "to", "0.3333", "3", "of", "4", "0.25"]]
    # AP and recall over q1 and q3: (1/2 + 0)/2.
    assert "average precision 0.25, recall 0.25" in out
    for words in (
        "recall and average precision over 2 queries",
        "Unjudged ranks: 1 in 1 queries at k = 2",
        "Queries not in the run: 1 of 3",
        "Queries without a relevant document: 1",
        "In 1 lists the scores say otherwise (1 lists have equal scores)",
    ):
        assert words in out
    assert err.startswith("ties (1 lists): ")
    assert "nan" not in out


def test_json_holds_the_counts_behind_the_figures(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(["score", *files, "--relevant-from", "1", "--cutoff", "2", "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    (row,) = found["scores"]
    assert (row["relevant"], row["open"], row["judged"], row["returned"]) == (1, 1, 3, 4)
    assert (row["lower"], row["upper"], row["absent"]) == ("0.1667", "0.3333", ["q3"])
    (run,) = found["runs"]
    assert (run["queries"], run["queries_with_relevant"]) == (3, 2)
    assert run["average_precision"] == pytest.approx(0.25)


def test_without_a_relevant_document_there_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 0\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 1 A\n")
    files = ["--qrels", str(tmp_path / "qrels"), "--run", str(tmp_path / "run")]
    assert judge(["score", *files, "--relevant-from", "1"]) == 0
    assert "average precision – (no query has a relevant document)" in capsys.readouterr().out


def test_a_cutoff_below_one_is_invalid(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(["score", *files, "--relevant-from", "1", "--cutoff", "0"]) == 2
    assert "a cutoff is at least 1" in capsys.readouterr().err


def test_a_query_of_the_run_that_nobody_judged_is_named(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[3]).write_bytes(RUN.replace(b"q2", b"q22"))
    assert judge(["score", *files, "--relevant-from", "1"]) == 2
    err = capsys.readouterr().err
    assert "run.txt: lines 4 and 5: unknown query id 'q22' (did you mean 'q2'?)" in err


def test_many_runs_in_one_file_are_told_apart(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files[3]).write_bytes(RUN + run_text({"q1": [("d1", "1")]}, name="B"))
    assert judge(["score", *files, "--relevant-from", "1", "--json"]) == 0
    runs = msgspec.json.decode(capsys.readouterr().out)["runs"]
    assert [one["run"] for one in runs] == ["A", "B"]
    # The tie is in a list of A.
    assert any("scores say otherwise" in said for said in runs[0]["parts_from_trec_eval"])
    assert not any("scores say otherwise" in said for said in runs[1]["parts_from_trec_eval"])
