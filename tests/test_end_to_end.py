"""Whole studies: the same inputs, clock and chance give the same bytes, on any machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import judge
from judge.cli import run
from judge.errors import Refused
from judge.steps.demo import free_folder, run_demo
from judge.steps.recording import publish_study, verify_study
from judge.steps.reporting import report_study
from judge.store.packet_file import read_packet
from judge.study import Study
from tests.steps.acts import folders
from tests.steps.studies import START, context_of, copy_of, stage, worked

ROOT = Path(judge.__file__).parents[1]


AGAIN = """
import sys
from pathlib import Path
from judge.steps.demo import run_demo
from tests.steps.studies import context_of
run_demo(context_of(Path(sys.argv[1]), entropy="practice"))
"""


def test_the_worked_study_twice_gives_the_same_five_folders(tmp_path: Path) -> None:
    """Once here, once in another process with other settings of everything that could matter."""
    again = tmp_path / "elsewhere" / "ä b?c"
    again.parent.mkdir()
    subprocess.run(
        [sys.executable, "-c", AGAIN, str(again)],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C", "OMP_NUM_THREADS": "1"},
        check=True,
    )
    first, second = folders(worked()), folders(again)
    assert list(first) == list(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 40


def test_the_worked_study_is_whole_and_says_what_it_is() -> None:
    found = verify_study(Study(worked()), lambda: START)
    assert found.problems == ()
    report = next((worked() / "reports").glob("*/report.json")).read_text()
    assert "scripted" in report
    with context_of(worked()).frozen() as work:
        judged = [item for item in work.items if len(item.labels) == 2]
        origins = {label.origin for item in judged for label in item.labels.values()}
        differ = [
            item
            for item in judged
            if len({label.label for label in item.labels.values()}) == 2
            and "cannot_judge" not in {label.label for label in item.labels.values()}
        ]
        cannot = [
            item
            for item in judged
            if "cannot_judge" in {label.label for label in item.labels.values()}
        ]
    assert origins == {"scripted"}
    assert len(differ) / len(judged) >= 0.12
    assert cannot


def test_a_second_demo_takes_the_next_free_name(tmp_path: Path) -> None:
    assert free_folder(tmp_path).name == "demo-study"
    (tmp_path / "demo-study").mkdir()
    assert free_folder(tmp_path).name == "demo-study-2"


def test_a_demo_does_not_write_into_a_folder_that_holds_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run(["demo", "--into", str(tmp_path)]) == 3
    assert "is not empty; nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def differ_by_chance_alone(other: Path) -> None:
    """The packets of another run of the worked study: those of the scripts the same, C drawn."""
    mine, theirs = (
        {path.name: read_packet(path) for path in (root / "packets").glob("*.packet")}
        for root in (worked(), other)
    )
    assert (
        set(mine)
        == set(theirs)
        == {
            "A.packet",
            "B.packet",
            "C.packet",
            "D.adjudication.packet",
            "A.failures.packet",
            "D.failures.packet",
        }
    )
    for name, packet in mine.items():
        # Scripted packets are dealt in a fixed order; the one for a person never is.
        fixed = name != "C.packet"
        assert (theirs[name].packet.packet_id == packet.packet.packet_id) is fixed
        assert (theirs[name].views == packet.views) is fixed
        assert sorted(theirs[name].views.values()) == sorted(packet.views.values())
    assert mine["C.packet"].events == ()
    assert mine["C.packet"].packet.origin == "blind"
    assert mine["A.packet"].packet.origin == "scripted"


def test_a_demo_prints_the_results_and_deals_its_reader_a_packet_of_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    out = capsys.readouterr().out
    tables = ["Agreement before adjudication", "P@5 per query", "Mean P@5 per family", "Mean P@5"]
    assert [title for title in tables if title not in out] == []
    where, label = out.rstrip().splitlines()[-2:]
    (report,) = (tmp_path / "demo-study" / "reports").glob("*/report.html")
    assert str(report.relative_to(tmp_path)) in where
    assert label.startswith("Label yourself: ")
    assert label.endswith("judge label C --study demo-study")
    differ_by_chance_alone(tmp_path / "demo-study")


def test_a_demo_without_its_inputs_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="five folders are not beside this installation"):
        run_demo(context_of(tmp_path / "study"), source=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_small_study_ends_in_figures_worked_by_hand(tmp_path: Path) -> None:
    """q1, both systems: ranks 1 and 2 at K are not relevant (headache) and settled not relevant
    (mice); at S not relevant and relevant (stroke). The note without an abstract is not final."""
    context = context_of(copy_of(stage("settled"), tmp_path))
    with context.frozen() as work:
        lists = {
            system: [hit.record_id for hit in work.current[system, "q1"].raw_results or ()]
            for system in ("K", "S")
        }
    assert lists == {"K": ["n2", "n4", "n1", "n3"], "S": ["n2", "n1", "n4", "n3"]}
    report = json.loads((report_study(context).folder / "report.json").read_text(encoding="utf-8"))
    rows = {
        (row["query_id"], row["system"], row["cutoff"]): row["figure"]
        for row in report["precision"]["per_query"]
    }

    def bounds(*row: object) -> tuple[str, str]:
        figure = rows[row]  # type: ignore[index]
        return figure["lower"]["fraction"], figure["upper"]["fraction"]

    assert bounds("q1", "K", 2) == ("0/2", "0/2")
    assert bounds("q1", "S", 2) == ("1/2", "1/2")
    assert bounds("q1", "K", 4) == ("1/4", "2/4")  # n3 is not judged on enough
    # q2: liver settled not relevant, muscle and the withdrawn paper open; three ranks of four.
    assert bounds("q2", "K", 4) == ("0/4", "2/4")
    publish_study(context)
    assert verify_study(context.study, lambda: START).problems == ()
