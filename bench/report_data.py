"""A judged study of any size, in memory, for `bench.report`; the same one every time."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import msgspec

from judge.clock import stepping_clock
from judge.files import write_atomic
from judge.protocol.freeze import freeze, freeze_id, frozen_bytes
from judge.records.judgement import (
    Adjudication,
    AgreementFreeze,
    FrozenPair,
    GivenLabel,
    ImportedLabel,
    JudgedItem,
    Label,
)
from judge.records.protocol import Depth
from judge.records.query import FrozenQuery, Query
from judge.records.run import Document, FoundAt, PooledRecord, RunRecord
from judge.records.statement import Statement
from judge.reports.material import Material
from judge.store.ledger import Ledger
from judge.study import Study
from tests.reports.declared import protocol
from tests.reports.studies import deal, hit, run, study

K = 10
_LABELS: tuple[Label, ...] = ("relevant", "not_relevant", "uncertain", "cannot_judge")


def large(queries: int, systems: int) -> Material:
    """Lists of ten from a pool of twenty a query; one label in ten differs and is settled, one
    request in fifty is refused, some records cannot be judged."""
    chance = random.Random(1)
    plain = protocol()
    declared = tuple(
        msgspec.structs.replace(plain.systems[number % 2], code=f"S{number + 1}")
        for number in range(systems)
    )
    codes = [one.code for one in declared]
    asked = tuple(
        Query(
            id=f"q{number:03d}",
            family=("fa", "fb")[number % 2],
            need=f"Papers on need number {number}",
            text=f"need {number}",
            expected="ordinary",
        )
        for number in range(queries)
    )
    runs: list[RunRecord] = []
    pool: list[PooledRecord] = []
    items: list[JudgedItem] = []
    for number, query in enumerate(asked):
        found: dict[str, list[FoundAt]] = {}
        for code in codes:
            if chance.random() < 0.02:
                runs.append(run(query, code, outcome="refused", raw_results=None))
                continue
            pmids = [f"{number + 1}{at:02d}" for at in chance.sample(range(20), K)]
            hits = tuple(hit(rank, pmid) for rank, pmid in enumerate(pmids, 1))
            record = run(query, code, outcome="answered", raw_results=hits, requested=K)
            runs.append(record)
            for rank, pmid in enumerate(pmids, 1):
                found.setdefault(pmid, []).append(
                    FoundAt(system=code, run_id=record.run_id, rank=rank)
                )
        for pmid, by in sorted(found.items()):
            key = f"pmid:{pmid}"
            pool.append(PooledRecord(query_id=query.id, record_id=key, found_by=tuple(by)))
            items.append(_item(chance, query.id, key))
    pairs = tuple(
        FrozenPair(
            query_id=one.query_id,
            record_id=one.record_id,
            labels={code: given.label for code, given in one.labels.items()},
        )
        for one in items
    )
    return study(
        systems=declared,
        depth=Depth(requested=K, pool=K, cutoffs=(5, K)),
        comparisons=tuple(combinations(codes, 2)),
        claims=(),
        unacceptable_failures=(),
        evaluation=asked,
        runs=tuple(runs),
        pool=tuple(pool),
        items=tuple(items),
        documents={
            one.record_id: Document(
                record_id=one.record_id,
                title=f"Paper {one.record_id}",
                type="article",
                abstract="Text",
                pmid=one.record_id.removeprefix("pmid:"),
                provenance="made for a measurement",
            )
            for one in pool
        },
        agreement=(
            AgreementFreeze(number=1, at_utc="2026-12-02T10:00:00Z", packets={}, pairs=pairs),
        ),
        deals=(deal("A"), deal("B")),
        failures=(),
        statement=Statement(),
    )


def _item(chance: random.Random, query: str, key: str) -> JudgedItem:
    first = chance.choices(_LABELS, (45, 45, 8, 2))[0]
    second = chance.choices(_LABELS[:3], (45, 45, 10))[0] if chance.random() < 0.1 else first
    differ = first != second
    final: Label | None = None if "cannot_judge" in (first, second) and differ else second
    return JudgedItem(
        query_id=query,
        record_id=key,
        labels={
            code: GivenLabel(
                assessor=code,
                label=label,
                origin="blind",
                reason="on",
                evidence="abstract",
                cannot_kind="no_abstract" if label == "cannot_judge" else None,
                rubric_version="1",
            )
            for code, label in (("A", first), ("B", second))
        },
        state="split_access"
        if final is None
        else "adjudicated"
        if differ
        else "both_cannot_judge"
        if first == "cannot_judge"
        else "agree",
        final=final,
        adjudication=Adjudication(
            by="D", blind=second, decision=second, reason="on", origin="blind"
        )
        if differ and final is not None
        else None,
    )


def stored(folder: Path, material: Material) -> None:
    """The study in a store of its own, its labels as if imported, so that no desk is needed."""
    study, clock = Study(folder), stepping_clock("2026-11-30T09:00:00Z")
    files = {"evaluation.jsonl": b"{}\n"}
    frozen = freeze(material.frozen.protocol, b"# Rubric\n", files, None)
    for path, data in (
        (study.protocol, b"# made for a measurement\n"),
        (study.rubric, b"# Rubric\n"),
        *((folder / "queries" / name, data) for name, data in files.items()),
        (study.frozen, frozen_bytes(frozen)),
    ):
        write_atomic(path, data)
    labels = [
        ImportedLabel(
            assessor=code,
            query_id=item.query_id,
            record_id=item.record_id,
            label=label,
            source="made for a measurement",
        )
        for item in material.items
        for code, label in (
            *((code, given.label) for code, given in item.labels.items()),
            ("final", item.final),
        )
        if label is not None
    ]
    with Ledger.create(study.store, clock, "Bench") as ledger:
        queries = [FrozenQuery(set="evaluation", query=one) for one in material.evaluation]
        ledger.record("frozen", freeze_id(frozen), [frozen], queries)
        ledger.record("captured", "r1", material.runs)
        ledger.record("pooled", "r1", list(material.documents.values()), material.pool)
        ledger.record("imported_labels", "labels", labels)
        ledger.record("agreement_frozen", "1", material.agreement)
