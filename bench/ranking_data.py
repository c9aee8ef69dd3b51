"""TREC files of any size, with the figures that were planned for them in exact fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

CUTOFFS = (5, 10)
RECALL_AT = (10, 50)


def make(folder: Path, *, queries: int, depth: int = 100, seed: int = 11) -> dict[str, Any]:
    """Writes qrels.txt, runA.txt and expected.json; returns what is expected of run A."""
    random = Random(seed)
    names = [f"P@{k}" for k in CUTOFFS] + ["AP"] + [f"R@{k}" for k in RECALL_AT]
    sums = dict.fromkeys(names, Fraction(0))
    with (folder / "qrels.txt").open("w") as qrels, (folder / "runA.txt").open("w") as run:
        for number in range(queries):
            missed = random.randrange(3)
            flags = [random.random() < 2 / (rank + 2) for rank in range(depth)]
            flags[random.randrange(depth)] = True
            ids = random.sample(range(10**7), depth + missed)
            for rank, (document, flag) in enumerate(
                zip(ids, [*flags, *[True] * missed], strict=True)
            ):
                qrels.write(f"q{number:05d} 0 d{document:07d} {int(flag)}\n")
                if rank < depth:
                    run.write(
                        f"q{number:05d} Q0 d{document:07d} {rank + 1} {99 - rank / 4:.6f} A\n"
                    )
            relevant = sum(flags) + missed
            found, precisions = 0, Fraction(0)
            for rank, flag in enumerate(flags, 1):
                found += flag
                precisions += Fraction(found, rank) if flag else 0
            sums["AP"] += precisions / relevant
            for k in CUTOFFS:
                sums[f"P@{k}"] += Fraction(sum(flags[:k]), k)
            for k in RECALL_AT:
                sums[f"R@{k}"] += Fraction(sum(flags[:k]), relevant)
    expected = {name: float(value / queries) for name, value in sums.items()}
    (folder / "expected.json").write_text(json.dumps({"expected_mean": {"A": expected}}))
    return expected
