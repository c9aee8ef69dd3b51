"""All 143 runs of TREC-COVID round 1, from their one file to the report, against official figures.

With trec_eval's order and the round's qrels as labels, the lower bound of every mean P@5 is what
trec_eval printed: it counts an unjudged rank as not relevant.
"""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judge.records.protocol import Protocol
from judge.steps.context import Context
from judge.steps.importing import import_grades, import_runs
from judge.steps.judging import pool_study
from judge.steps.planning import freeze_study, init
from judge.steps.reporting import report_study
from judge.study import Study
from tests.protocols import filled, toml_text


@pytest.fixture(scope="module")
def round_one(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.getfixturevalue("real_data") / "trec_covid_round1"
    return folder


@pytest.fixture(scope="module")
def official(round_one: Path) -> dict[str, str]:
    with open(round_one / "official_p5.csv", encoding="utf-8", newline="") as file:
        return {row["run"]: row["p@5"] for row in csv.DictReader(file)}


def test_one_command_scores_every_run_as_published(
    round_one: Path, official: dict[str, str]
) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "judge", "score", "--json"),
            *("--qrels", round_one / "qrels.txt", "--run", round_one / "runs_top30.tsv.gz"),
            *("--relevant-from", "1", "--order", "trec", "--cutoff", "5"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    scores = {row["run"]: row for row in json.loads(done.stdout)["scores"]}
    assert {run: f"{float(row['lower']):.4f}" for run, row in scores.items()} == official
    assert all(
        (row["lower"] != row["upper"]) == (row["judged"] < row["returned"])
        for row in scores.values()
    )
    for said in ("ranks start at 0", "ordered by score", "share their score", "the rank column"):
        assert said in done.stderr


def test_a_study_of_all_runs_reports_the_official_lower_bounds(
    round_one: Path, official: dict[str, str], tmp_path: Path
) -> None:
    study = Study(tmp_path / "study")
    init(study.root)
    topics = ElementTree.parse(round_one / "topics.xml").getroot()
    study.protocol.write_text(toml_text(_protocol(sorted(official))), encoding="utf-8")
    study.rubric.write_text(
        "1.1 As the round's assessors judged. 1.2 Left open.\n", encoding="utf-8"
    )
    study.queries("evaluation").write_text(
        "".join(
            json.dumps(
                {
                    "id": topic.attrib["number"],
                    "family": "mechanism",
                    "need": topic.findtext("question", ""),
                    "text": topic.findtext("query", ""),
                    "expected": "ordinary",
                    "strata": {"organism": "human"},
                }
            )
            + "\n"
            for topic in topics
        ),
        encoding="utf-8",
    )
    context = Context(study)
    freeze_study(context)
    taken = import_runs(context, round_one / "runs_top30.tsv.gz", order="trec")
    with gzip.open(round_one / "runs_top30.tsv.gz", "rt", encoding="utf-8") as file:
        assert taken.hits == sum(1 for _ in file) - 1
    assert (taken.systems, taken.lists, taken.absent) == (143, 143 * 30, ())
    assert len(pool_study(context)) > 0
    import_grades(context, round_one / "qrels.txt", relevant_from=1, assessor="final")
    report = report_study(context).report
    means = {
        row.system: row.figure
        for row in report.precision.means
        if row.cutoff == 5 and row.over == "queries"
    }
    assert {
        system: f"{float(figure.lower.decimal):.4f}" if figure.lower else None
        for system, figure in means.items()
    } == official
    unjudged = [system for system, figure in means.items() if figure.lower != figure.upper]
    assert unjudged
    assert all(means[system].cell.startswith("– (between") for system in unjudged)


def _protocol(runs: list[str]) -> Protocol:
    return filled(
        systems=[(run, "trec") for run in runs],
        cutoffs=(5,),
        pool=5,
        requested=30,
        measures=("precision_at_k", "judged_at_k"),
        assessors=("A",),
    )
