"""Round 1 of TREC-COVID: 143 runs from one file, and the official P@5 of each from our import."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from judge.errors import Invalid
from judge.judgements.importing import ImportedLabels, import_qrels
from judge.runs.importing.run import ImportResult, import_run

TOPICS = frozenset(str(topic) for topic in range(1, 31))


@pytest.fixture(scope="module")
def folder(real_data: Path) -> Path:
    return real_data / "trec_covid_round1"


@pytest.fixture(scope="module")
def runs(folder: Path) -> ImportResult:
    path = folder / "runs_top30.tsv.gz"
    return import_run(path.read_bytes(), path.name, order="trec", known_queries=TOPICS)


@pytest.fixture(scope="module")
def labels(folder: Path) -> ImportedLabels:
    path = folder / "qrels.txt"
    return import_qrels(
        path.read_bytes(), path.name, relevant_from=1, assessor="final", known=TOPICS
    )


def test_all_143_runs_of_all_30_topics_import_from_the_one_file(runs: ImportResult) -> None:
    assert len(runs.systems) == 143
    assert len(runs.lists) == 143 * 30
    assert runs.hits == 137_662
    assert runs.absent == ()


def test_odd_rank_columns_and_ties_are_reported(runs: ImportResult) -> None:
    having = {
        kind: {item.system for item in runs.lists for n in item.notices if n.kind == kind}
        for kind in ("rank_base", "ties", "rank_against_score", "repeated_ranks")
    }
    # Counted over the file apart from this code: runs with a rank 0, with equal scores in a topic,
    # and with a rank that stands twice in a topic.
    assert len(having["rank_base"]) == 30
    assert len(having["ties"]) == 64
    assert having["repeated_ranks"] == {"sheikh_bm25_all"}
    assert "BITEM_df" in having["rank_against_score"]


def test_the_qrels_of_the_round_become_labels(labels: ImportedLabels) -> None:
    # Grades of qrels.txt: 6,339 of 0, 1,115 of 1, 1,237 of 2.
    assert labels.counts() == {"not_relevant": 6339, "relevant": 2352}
    assert (labels.not_judged, labels.repeated) == (0, 0)


def test_the_lower_bound_of_mean_p5_is_the_official_figure_of_every_run(
    runs: ImportResult, labels: ImportedLabels, folder: Path
) -> None:
    given = {(label.query_id, label.record_id): label.label for label in labels.labels}
    relevant: dict[str, Fraction] = dict.fromkeys(runs.systems, Fraction())
    unjudged = dict.fromkeys(runs.systems, 0)
    for item in runs.lists:
        top = [given.get((item.query_id, hit.record_id)) for hit in item.hits[:5]]
        relevant[item.system] += Fraction(top.count("relevant"), 5)
        unjudged[item.system] += top.count(None)
    with (folder / "official_p5.csv").open(encoding="utf-8", newline="") as file:
        official = {row["run"]: row["p@5"] for row in csv.DictReader(file)}
    assert {name: f"{float(total / 30):.4f}" for name, total in relevant.items()} == official
    # The figure is a lower bound only where a rank is unjudged: those runs have no one number.
    assert 0 < sum(1 for count in unjudged.values() if count) < 143


def test_under_explicit_ranks_the_runs_whose_ranks_have_gaps_are_named(folder: Path) -> None:
    path = folder / "runs_top30.tsv.gz"
    with pytest.raises(Invalid) as caught:
        import_run(path.read_bytes(), path.name, known_queries=TOPICS)
    text = "\n".join(str(problem) for problem in caught.value.problems)
    assert "ranks missing in query '1' in run 'BRPHJ_NLP1': 3, 6, 9, 14-15" in text
    assert "in run 'sheikh_bm25_all' stands on line" in text
    assert "--order trec" in caught.value.hint
