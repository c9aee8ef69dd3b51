"""Whether the thresholds of acceptance criteria speak of what the protocol declares (R59, R80)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from judge.errors import Problem
from judge.records.protocol import Protocol


def threshold_problems(protocol: Protocol) -> Iterable[Problem]:
    """Every threshold of a measure, system, cutoff or family that is not declared."""
    for number, criterion in enumerate(protocol.criteria, 1):
        threshold = criterion.threshold
        if threshold is None:
            continue
        where = f"criteria[{number}].threshold"
        known: dict[str, tuple[str, Collection[str]]] = {
            "measure": (threshold.measure, protocol.measures),
            "system": (threshold.system, [one.code for one in protocol.systems]),
            "cutoff": (str(threshold.cutoff), list(map(str, protocol.depth.cutoffs))),
        }
        if threshold.family:
            known["family"] = (threshold.family, [one.code for one in protocol.families])
        for field, (found, allowed) in known.items():
            if found not in allowed:
                yield Problem(f"{where}.{field}", found, f"one of {', '.join(allowed)}")
