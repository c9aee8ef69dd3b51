"""The ranked lists of a release as TREC run files, and which means they give again.

A run file has one line a hit, with the record keys of the qrels; scores fall with the rank, since
trec_eval orders by score. A further copy of a record gets a key of its own, which no qrels holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from judge.judgements.export import GRADES
from judge.records.base import NOT_APPLICABLE
from judge.records.judgement import Label
from judge.records.release import Loss, TrecMean
from judge.reports.labellings import final_labels
from judge.reports.material import Material
from judge.reports.standing import RankedList, ranked_lists, scored_runs, standings

COPY = "#copy"


def trec_runs(material: Material) -> tuple[dict[str, bytes], tuple[Loss, ...]]:
    """A run file per system, by its name in the bundle, and what it cannot carry."""
    lists, runs = ranked_lists(material), scored_runs(material)
    files, losses = {}, []
    for system in material.frozen.protocol.systems:
        name = f"runs/trec/{system.code}.run"
        lines: list[str] = []
        lost = {"empty_list": 0, "no_list": 0, "not_run": 0, "further_copy": 0}
        for query in material.evaluation:
            found = lists.get((query.id, system.code))
            if found is None:
                lost["no_list" if (query.id, system.code) in runs else "not_run"] += 1
                continue
            lost["empty_list"] += not found.ranked
            keys = _keys(found)
            lost["further_copy"] += sum(COPY in key for key in keys)
            lines += [
                f"{query.id} Q0 {key} {rank} {len(keys) - rank + 1} {system.code}\n"
                for rank, key in enumerate(keys, 1)
            ]
        files[name] = "".join(lines).encode()
        losses.append(
            Loss(
                file=name,
                format="trec_run",
                carried=len(lines),
                lost={kind: count for kind, count in lost.items() if count},
                said="A run file cannot tell an empty answer from a request that gave no list, "
                "nor a record that stands twice; the services' own scores are in "
                "runs/records.jsonl.",
            )
        )
    return files, tuple(losses)


def _keys(found: RankedList) -> list[str]:
    seen: dict[str, int] = {}
    keys = []
    for _, key in sorted(found.ranked):
        seen[key] = seen.get(key, 0) + 1
        keys.append(key if seen[key] == 1 else f"{key}{COPY}{seen[key]}")
    return keys


def trec_means(material: Material) -> tuple[TrecMean, ...]:
    """Per system and cutoff, over which complete queries trec_eval gives the report's P@k."""
    protocol, labels = material.frozen.protocol, final_labels(material.items)
    lists = ranked_lists(material)
    found = []
    for k in protocol.depth.cutoffs:
        placed = standings(material, k, labels, lists, protocol.choices)
        for system in protocol.systems:
            same: dict[str, Fraction] = {}
            others: dict[str, str] = {}
            for one in placed:
                if one.system != system.code or one.kind != "scored" or one.precision is None:
                    continue
                here = lists[one.query.id, system.code]
                value = one.precision.lower
                why = _difference(value, k, here, labels.get(one.query.id, {}))
                if why:
                    others[one.query.id] = why
                else:
                    same[one.query.id] = value
            mean = sum(same.values(), Fraction(0)) / len(same) if same else None
            found.append(
                TrecMean(
                    system=system.code,
                    k=k,
                    queries=tuple(same),
                    mean=NOT_APPLICABLE if mean is None else str(mean),
                    others=others,
                )
            )
    return tuple(found)


def _difference(value: Fraction, k: int, found: RankedList, labels: Mapping[str, Label]) -> str:
    """Why trec_eval cannot give this query's ``value``; empty where it does."""
    if not found.ranked:
        return "an empty list has no line in a run file; it counts 0"
    if not any(label in GRADES for label in labels.values()):
        return "no label of the query has a grade in the qrels"
    first = _keys(found)[:k]
    relevant = sum(labels.get(key) == "relevant" for key in first)
    if Fraction(relevant, k) != value:
        return "a further copy, or an uncertain label that counts: a qrels file cannot say so"
    return ""
