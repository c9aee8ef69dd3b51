"""The small study with as many ordinary queries as wanted, all judged, both systems answering.

Hits in the top five follow the published example of ten queries: A's 4 3 2 5 1 3 4 2 3 5 for system
K, B's 3 3 1 4 2 2 4 1 3 4 for system S, over and over. Every second query one label is disputed.
"""

from __future__ import annotations

from typing import Any

from judge.records.judgement import (
    Adjudication,
    AgreementFreeze,
    FrozenPair,
    GivenLabel,
    JudgedItem,
    Label,
)
from judge.records.query import Query
from judge.reports.material import Material
from tests.reports.studies import hit, run, study

FIRST = (4, 3, 2, 5, 1, 3, 4, 2, 3, 5)
SECOND = (3, 3, 1, 4, 2, 2, 4, 1, 3, 4)


def many(queries: int, *, second: str = "", **changes: Any) -> Material:
    """``queries`` of them; with ``second="as the first"`` both systems return the same lists."""
    asked = tuple(
        Query(
            id=f"m{number:03d}",
            family="fa" if number % 3 else "fb",
            need=f"Need {number}",
            text=f"text {number}",
            expected="ordinary",
        )
        for number in range(queries)
    )
    runs = []
    items: list[JudgedItem] = []
    for number, query in enumerate(asked):
        lists = {
            "K": _list(number, "1", FIRST),
            "S": _list(number, "1" if second else "2", FIRST if second else SECOND),
        }
        for system, (pmids, _) in lists.items():
            hits = tuple(hit(rank, pmid) for rank, pmid in enumerate(pmids, 1))
            runs.append(run(query, system, outcome="answered", raw_results=hits))
        relevant = {
            pmid: place < wanted
            for pmids, wanted in lists.values()
            for place, pmid in enumerate(pmids)
        }
        for place, (pmid, good) in enumerate(relevant.items()):
            disputed = number % 2 == 0 and place == 0
            items.append(_item(query.id, pmid, "relevant" if good else "not_relevant", disputed))
    pairs = tuple(
        FrozenPair(
            query_id=item.query_id,
            record_id=item.record_id,
            labels={code: label.label for code, label in item.labels.items()},
        )
        for item in items
    )
    freeze = AgreementFreeze(number=1, at_utc="2026-12-02T10:00:00Z", packets={}, pairs=pairs)
    own: dict[str, Any] = {
        "evaluation": asked,
        "runs": tuple(runs),
        "items": tuple(items),
        "agreement": (freeze,),
        "coded": (),
    }
    return study(**(own | changes))


def _list(number: int, system: str, hits: tuple[int, ...]) -> tuple[list[str], int]:
    """Five documents of a system, and how many of them, from the top, are relevant."""
    return [f"{system}{number:04d}{rank}" for rank in range(5)], hits[number % 10]


def _item(query: str, pmid: str, final: Label, disputed: bool) -> JudgedItem:
    other: Label = "uncertain" if disputed else final
    labels = {
        code: GivenLabel(
            assessor=code, label=label, origin="blind", reason="on", evidence="abstract"
        )
        for code, label in (("A", final), ("B", other))
    }
    return JudgedItem(
        query_id=query,
        record_id=f"pmid:{pmid}",
        labels=labels,
        state="adjudicated" if disputed else "agree",
        final=final,
        adjudication=Adjudication(by="D", blind=final, decision=final, reason="on", origin="blind")
        if disputed
        else None,
    )
