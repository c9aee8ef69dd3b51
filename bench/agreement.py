"""The whole agreement section, intervals and all, for 100,000 items that two people labelled.

python -m bench.agreement
"""

from __future__ import annotations

import sys
import time

import numpy as np

from judge.records.judgement import AgreementFreeze, FrozenPair
from judge.reports.agreement.section import agreement_section
from judge.reports.resampling import Resamples

ITEMS = 100_000
QUERIES = 5000
MOST_SECONDS = 1.0
_ROUNDS = 3


def main() -> int:
    """Prints the time of the best of a few rounds; returns 1 where it is too long."""
    random = np.random.default_rng(1)
    labels = np.array(["relevant", "not_relevant", "uncertain", "cannot_judge", "not_yet_judged"])
    first = random.choice(5, size=ITEMS, p=[0.3, 0.55, 0.08, 0.05, 0.02])
    second = np.where(random.random(ITEMS) < 0.85, first, random.choice(4, size=ITEMS))
    pairs = tuple(
        FrozenPair(
            query_id=f"q{number % QUERIES}",
            record_id=f"pmid:{number}",
            labels={"A": str(labels[first[number]]), "B": str(labels[second[number]])},
        )
        for number in range(ITEMS)
    )
    freeze = AgreementFreeze(number=1, at_utc="2026-12-02T10:00:00Z", packets={}, pairs=pairs)
    families = {f"q{number}": f"f{number % 5}" for number in range(QUERIES)}
    resamples = Resamples(tuple(families), seed=1)
    seconds = float("inf")
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        found = agreement_section(
            freeze, ("A", "B"), families=families, items=(), deals=(), resamples=resamples
        )
        seconds = min(seconds, time.perf_counter() - start)
    print(f"agreement: {ITEMS:,} items, {QUERIES:,} queries, {len(found.coefficients)} figures")
    print(f"  {seconds:.2f} s: {seconds / MOST_SECONDS:.2f} of the time allowed")
    return int(seconds > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
