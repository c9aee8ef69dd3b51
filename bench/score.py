"""Scoring TREC files: figures against those planned, CPU against pytrec_eval's on the same files.

    python -m bench.score

JUDGE_BENCH_DATA names a folder with qrels.txt, runA.txt and expected.json (itself or in a folder
`ranking` of it); without them smaller files are made. Both sides read the two files and compute
P@5, P@10, recall at the same cutoffs and average precision.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytrec_eval

from bench.ranking_data import make
from judge.reports.score import RunScore
from judge.steps.scoring import score_files

MOST_RATIO = 1.5
TOLERANCE = 1e-12
_ROUNDS = 3


def main() -> int:
    """Prints the figures; returns 1 where one is not the planned one or the bound is passed."""
    given = Path(os.environ.get("JUDGE_BENCH_DATA", ""))
    for folder in (given / "ranking", given):
        if (folder / "runA.txt").is_file():
            return _measure(folder)
    with tempfile.TemporaryDirectory() as made:
        make(Path(made), queries=1000)
        return _measure(Path(made))


def _measure(folder: Path) -> int:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["expected_mean"]
    cutoffs = sorted({int(name[2:]) for name in expected["A"] if "@" in name})
    wrong = []
    for run in [name for name in ("A", "B") if (folder / f"run{name}.txt").is_file()]:
        score = _score(folder, run, cutoffs)
        found = _figures(score)
        wrong += [
            f"{name} of {run}: {found[name]!r} for {value!r}"
            for name, value in expected.get(run, {}).items()
            if not abs(found[name] - value) <= TOLERANCE
        ]
    ours = _cpu(lambda: _score(folder, "A", cutoffs))
    theirs = _cpu(lambda: _trec_eval(folder, cutoffs))
    print(f"score: {len(score.queries):,} queries, cutoffs {', '.join(map(str, cutoffs))}")
    print(f"  figures as planned, to 1e-12: {'no: ' + ', '.join(wrong) if wrong else 'yes'}")
    print(
        f"  CPU {ours:.2f} s, pytrec_eval {theirs:.2f} s: ratio {ours / theirs:.2f} "
        f"(at most {MOST_RATIO})"
    )
    return int(bool(wrong) or ours / theirs > MOST_RATIO)


def _score(folder: Path, run: str, cutoffs: list[int]) -> RunScore:
    return score_files(
        folder / "qrels.txt",
        folder / f"run{run}.txt",
        relevant_from=1,
        cutoffs=cutoffs,
        order="trec",
    ).scores[0]


def _figures(score: RunScore) -> dict[str, float]:
    """Every figure by the name it is planned under; nan where there is none."""
    none = float("nan")
    found = {"AP": none if score.average_precision is None else score.average_precision}
    for one in score.at:
        found[f"P@{one.k}"] = float(one.lower)
        found[f"R@{one.k}"] = none if one.recall is None else one.recall
    return found


def _trec_eval(folder: Path, cutoffs: list[int]) -> None:
    with (folder / "qrels.txt").open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    with (folder / "runA.txt").open() as lines:
        run = pytrec_eval.parse_run(lines)
    wanted = ",".join(map(str, cutoffs))
    pytrec_eval.RelevanceEvaluator(qrels, {"P_5,10", f"recall_{wanted}", "map"}).evaluate(run)


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of the best of a few rounds: the rest is what other processes cost."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    sys.exit(main())
