"""A small study in memory, worked by hand: seven queries, two systems, cutoffs 2 and 5.

At k = 5, ranks 1 to 5 by final label (R relevant, N not relevant, ? not judged, C cannot judge,
U uncertain, + a later copy):

    query  family  K                     S
    q1     fa      R N R R N   3/5       R N + N     1/5 (4 returned)
    q2     fa      R ? N C R   2/5..4/5  empty       0/5
    q3     fb      refused               R U         1/5..2/5 (2 returned)
    q4     fb      R R         2/5       timeout
    q5     fc      no-match control: K empty, S two hits
    q6     fc      documented guard: K refused, S one hit
    q7     fc      invalid by design: K rejected, S one hit
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import strategies as st

from judge.records.failure import CodedItem
from judge.records.judgement import (
    Adjudication,
    AgreementFreeze,
    Deal,
    FrozenPair,
    GivenLabel,
    JudgedItem,
    Label,
)
from judge.records.protocol import Frozen
from judge.records.query import Query
from judge.records.report import Report
from judge.records.run import (
    OUTCOMES,
    Document,
    FoundAt,
    Hit,
    Notice,
    Outcome,
    PooledRecord,
    RunRecord,
)
from judge.records.statement import FailureAnswer, Statement
from judge.reports.build import build
from judge.reports.material import Material
from tests.reports.declared import CUTOFFS, FREEZE_ID, QUERIES, protocol

LISTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("q1", "K"): ("1", "2", "3", "4", "5"),
    ("q1", "S"): ("3", "6", "3", "7"),
    ("q2", "K"): ("11", "12", "13", "14", "15"),
    ("q2", "S"): (),
    ("q3", "S"): ("21", "22"),
    ("q4", "K"): ("31", "32"),
    ("q5", "K"): (),
    ("q5", "S"): ("41", "42"),
    ("q6", "S"): ("51",),
    ("q7", "S"): ("61",),
}
NO_LIST: dict[tuple[str, str], Outcome] = {
    ("q3", "K"): "refused",
    ("q4", "S"): "timeout",
    ("q6", "K"): "refused",
    ("q7", "K"): "rejected",
}
# First labels of A and B, and the final label, by query and record.
LABELS: dict[tuple[str, str], tuple[Label, Label, Label | None]] = {
    ("q1", "1"): ("relevant", "relevant", "relevant"),
    ("q1", "2"): ("relevant", "not_relevant", "not_relevant"),
    ("q1", "3"): ("relevant", "relevant", "relevant"),
    ("q1", "4"): ("relevant", "relevant", "relevant"),
    ("q1", "5"): ("not_relevant", "not_relevant", "not_relevant"),
    ("q1", "6"): ("not_relevant", "not_relevant", "not_relevant"),
    ("q1", "7"): ("not_relevant", "not_relevant", "not_relevant"),
    ("q2", "11"): ("relevant", "relevant", "relevant"),
    ("q2", "12"): ("cannot_judge", "relevant", None),
    ("q2", "13"): ("not_relevant", "not_relevant", "not_relevant"),
    ("q2", "14"): ("cannot_judge", "cannot_judge", "cannot_judge"),
    ("q2", "15"): ("relevant", "relevant", "relevant"),
    ("q3", "21"): ("relevant", "relevant", "relevant"),
    ("q3", "22"): ("uncertain", "uncertain", "uncertain"),
    ("q4", "31"): ("relevant", "relevant", "relevant"),
    ("q4", "32"): ("relevant", "relevant", "relevant"),
}


def hit(rank: int, pmid: str, **fields: Any) -> Hit:
    return Hit(
        rank=rank, record_id=f"x{pmid}", pmid=pmid, link=f"https://example.org/{pmid}", **fields
    )


def run(query: Query, system: str, **changes: Any) -> RunRecord:
    """The executed run of the study's table above; ``changes`` are fields of the record."""
    pair = (query.id, system)
    pmids = LISTS.get(pair)
    outcome = NO_LIST.get(pair, "answered" if pmids else "empty")
    notices = (Notice(kind="message", text="too broad"),) if outcome == "refused" else ()
    record = RunRecord(
        status="executed",
        query_id=query.id,
        information_need=query.need,
        query=query.submitted(system),
        mode="keyword" if system == "K" else "semantic",
        cutoffs=CUTOFFS,
        retrieved_at_utc="2026-11-30T09:02:00Z",
        service_version="2.1",
        index_version="unavailable",
        model_version="unavailable",
        raw_results=None
        if pmids is None
        else tuple(hit(rank, pmid) for rank, pmid in enumerate(pmids, 1)),
        errors_and_notices=notices,
        run_id=f"r1-{system}-{query.id}-1",
        round="r1",
        system=system,
        service="example",
        endpoint="https://example.org",
        requested=5,
        attempt=1,
        outcome=outcome,
        elapsed_ms=30000,
    )
    return msgspec.structs.replace(record, **changes)


def planned(query: Query, system: str) -> RunRecord:
    return run(
        query,
        system,
        status="planned",
        attempt=0,
        run_id=f"r1-{system}-{query.id}-0",
        retrieved_at_utc=None,
        service_version=None,
        index_version=None,
        model_version=None,
        raw_results=None,
        errors_and_notices=None,
        outcome=None,
        elapsed_ms=None,
    )


def item(query: str, pmid: str, origin: Any = "blind") -> JudgedItem:
    """The judged item of the study's table of labels."""
    first, second, final = LABELS[query, pmid]
    given = {
        code: GivenLabel(
            assessor=code,
            label=label,
            origin=origin,
            cannot_kind="no_abstract" if label == "cannot_judge" else None,
            reason="on",
            evidence="abstract",
            rubric_version="1",
        )
        for code, label in (("A", first), ("B", second))
    }
    state = {
        (True, True): "agree",
        (True, False): "adjudicated",
        (False, False): "split_access",
        (False, True): "both_cannot_judge",
    }["cannot_judge" not in (first, second), first == second]
    return JudgedItem(
        query_id=query,
        record_id=f"pmid:{pmid}",
        labels=given,
        state=state,  # type: ignore[arg-type]
        final=final,
        adjudication=Adjudication(
            by="D", blind="uncertain", decision="not_relevant", reason="on", origin=origin
        )
        if state == "adjudicated"
        else None,
    )


def freeze(number: int = 1) -> AgreementFreeze:
    return AgreementFreeze(
        number=number,
        at_utc="2026-12-02T10:00:00Z",
        packets={"A": "a" * 64, "B": "b" * 64},
        pairs=tuple(
            FrozenPair(query_id=query, record_id=f"pmid:{pmid}", labels={"A": a, "B": b})
            for (query, pmid), (a, b, _) in LABELS.items()
        ),
    )


def deal(assessor: str, **changes: Any) -> Deal:
    plain = Deal(
        packet_id=f"p-{assessor}",
        assessor=assessor,
        kind="label",
        practice=False,
        order_seed="00",
        packet_sha256="0" * 64,
        items=(),
    )
    return msgspec.structs.replace(plain, **changes)


def _pool() -> tuple[PooledRecord, ...]:
    return tuple(
        PooledRecord(
            query_id=query,
            record_id=f"pmid:{pmid}",
            found_by=tuple(
                FoundAt(system=system, run_id=f"r1-{system}-{query}-1", rank=rank)
                for (other, system), pmids in LISTS.items()
                if other == query
                for rank, one in enumerate(pmids, 1)
                if one == pmid
            ),
        )
        for query, pmid in LABELS
    )


def pool_of(items: Iterable[JudgedItem]) -> tuple[PooledRecord, ...]:
    """The pool of these items, wherever they were found."""
    return tuple(
        PooledRecord(query_id=one.query_id, record_id=one.record_id, found_by=()) for one in items
    )


def _items(origin: Any) -> tuple[JudgedItem, ...]:
    return tuple(item(query, pmid, origin) for query, pmid in LABELS)


def study(*, origin: Any = "blind", **changes: Any) -> Material:
    """The judged study; ``changes`` are fields of the material, the protocol or its choices."""
    fields = {field.name for field in dataclasses.fields(Material)}
    own = {name: changes.pop(name) for name in list(changes) if name in fields}
    if not {"items", "runs"}.isdisjoint(own):
        own.setdefault("pool", pool_of(own.get("items", _items(origin))))
    plain = Material(
        frozen=Frozen(
            format=1,
            protocol=protocol(**changes),
            rubric_sha256="1" * 64,
            queries_sha256={"evaluation.jsonl": "2" * 64},
            corpus_sha256="not_applicable",
        ),
        freeze_id=FREEZE_ID,
        frozen_at="2026-11-29T08:00:00Z",
        evaluation=QUERIES,
        development=(Query(id="d1", family="fa", need="Try", text="try", expected="ordinary"),),
        runs=tuple(run(query, system) for query in QUERIES for system in ("K", "S")),
        documents={
            f"pmid:{pmid}": Document(
                record_id=f"pmid:{pmid}",
                title=f"Paper {pmid}",
                type="article",
                abstract=None if pmid == "14" else "Text",
                pmid=pmid,
                provenance="test",
            )
            for _, pmid in LABELS
        },
        pool=_pool(),
        items=_items(origin),
        deals=(deal("A"), deal("B")),
        agreement=(freeze(),),
        coded=(
            CodedItem(
                by="A",
                origin="blind",
                query_id="q1",
                system="S",
                run_id="r1-S-q1-1",
                rank=2,
                record_id="pmid:4",
                automatic=(),
                categories=("near_semantic_match",),
                note="Rank 2 is about another gene",
            ),
        ),
        statement=Statement(
            answers=(FailureAnswer(code="wrong-gene", answer="not_seen", text="Looked at all"),),
            conclusions=("K is opened first for known items.",),
        ),
    )
    return dataclasses.replace(plain, **own)


PMIDS = [pmid for _, pmid in LABELS]


@st.composite
def studies(draw: st.DrawFn) -> Material:
    """The small study with other lists, outcomes and choices."""
    runs = []
    for query in QUERIES:
        for system in ("K", "S"):
            outcome = draw(st.sampled_from([None, *OUTCOMES]))
            if outcome is None:
                runs.append(planned(query, system))
                continue
            pmids = draw(st.lists(st.sampled_from(PMIDS), min_size=1, max_size=7))
            hits = {
                "answered": tuple(hit(rank, pmid) for rank, pmid in enumerate(pmids, 1)),
                "empty": (),
            }.get(outcome)
            runs.append(run(query, system, outcome=outcome, raw_results=hits))
    return study(
        runs=tuple(runs),
        pool=pool_of(study().items),
        uncertain=draw(st.sampled_from(["bounds", "relevant", "not_relevant"])),
        failed_request=draw(st.sampled_from(["that_system", "all_systems"])),
        duplicates=draw(st.sampled_from(["first_counts", "every_copy_counts"])),
        gaps=draw(st.sampled_from(["bounds", "exclude_query"])),
    )


def plan() -> Material:
    """The study before its first run."""
    return study(
        runs=tuple(planned(query, system) for query in QUERIES for system in ("K", "S")),
        documents={},
        pool=(),
        items=(),
        deals=(),
        agreement=(),
        coded=(),
    )


def report_of(**changes: Any) -> Report:
    """The report of `study` with these changes."""
    return build(study(**changes), version="0.0")
