"""Recall of a results file: figures against those planned, CPU against reading alone, peak memory.

    python -m bench.recall

JUDGE_BENCH_DATA names a folder with bioasq.jsonl, results.jsonl.gz, results_partial.jsonl,
failures.jsonl and expected.json; without it smaller files are made. The yardstick is a loop over
results.jsonl.gz that does nothing but `json.loads` on every line.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge.records.recall import RecallScore
from judge.steps.recalling import score_recall

MOST_RATIO = 1.5
MOST_MIB = 150
_ROUNDS = 3


def main() -> int:
    """Prints the figures; returns 1 where a recall is not the planned one or a bound is passed."""
    given = os.environ.get("JUDGE_BENCH_DATA")
    if given:
        return _measure(Path(given))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "bench.recall_data", folder, "500"], check=True)
        return _measure(Path(folder))


def _measure(folder: Path) -> int:
    questions, results = folder / "bioasq.jsonl", folder / "results.jsonl.gz"
    # First of all: a process starts with the peak of the one that made it.
    peak = _peak(questions, results)
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    full = score_recall(questions, results)
    part = score_recall(
        questions, folder / "results_partial.jsonl", failures=folder / "failures.jsonl"
    )
    wrong = [*_unequal(full, expected), *_unequal(part, expected["partial"])]
    ours = _cpu(lambda: score_recall(questions, results))
    plain = _cpu(lambda: _read(results))
    print(f"recall: {full.num_scored_questions:,} questions, {full.num_candidates:,} candidates")
    print(
        f"  figures as planned, full and partial: {'no: ' + ', '.join(wrong) if wrong else 'yes'}"
    )
    print(
        f"  CPU {ours:.2f} s, reading alone {plain:.2f} s: ratio {ours / plain:.2f} "
        f"(at most {MOST_RATIO})"
    )
    print(f"  peak {peak:.0f} MiB (at most {MOST_MIB})")
    return int(bool(wrong) or ours / plain > MOST_RATIO or peak > MOST_MIB)


def _unequal(score: RecallScore, expected: dict[str, Any]) -> list[str]:
    """The figures that are not to the last digit what was planned."""
    names = {"num_empty_success": "num_empty_answers", "rows": "num_candidates"}
    return [
        f"{name} {found!r} for {value!r}"
        for name, value in expected.items()
        if name not in ("partial", "traps")
        and (found := getattr(score, names.get(name, name))) != value
    ]


def _read(path: Path) -> None:
    with gzip.open(path) as lines:
        for line in lines:
            json.loads(line)


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of the best of a few rounds: the rest is what other processes cost."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _peak(questions: Path, results: Path) -> float:
    """MiB of the whole command, at its most."""
    inputs = ["--questions", str(questions), "--results", str(results)]
    child = subprocess.Popen(
        [sys.executable, "-m", "judge", "recall", "--json", *inputs],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"judge recall ended with {child.returncode}")
    return used.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
