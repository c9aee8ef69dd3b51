"""One record under two identifiers, through the whole study: pool, texts, labels, review, report.

K gives a PMID with its DOI and no title, S the DOI alone with a title. Under q1 both find the
paper, so that it is one item there; under q2 only S does.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.records.judgement import Label
from judge.steps.context import Context
from judge.steps.importing import import_columns, import_runs
from judge.steps.judging import collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.reporting import report_study
from judge.steps.reviewing import failure_packet
from judge.steps.texts import import_texts
from judge.store.desk import Desk
from tests.steps.acts import states
from tests.steps.reviews import coding_at, declare
from tests.steps.studies import (
    NEED1,
    PROTOCOL,
    QUERIES,
    context_of,
    label_packet,
    write_inputs,
)

TITLE = "Aspirin after a stroke in old people"
JOINED = PROTOCOL.replace('same_record = ["same_id"]', 'same_record = ["same_id", "same_doi"]')
HITS = [
    {"system": "K", "query_id": "q1", "record_id": "a", "pmid": "1", "doi": "10.5555/x"},
    {"system": "S", "query_id": "q1", "record_id": "b", "doi": "10.5555/x", "title": TITLE},
    {"system": "S", "query_id": "q2", "record_id": "b", "doi": "10.5555/x", "title": TITLE},
]


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Captured and pooled: pmid:1 of q1, doi:10.5555/x of q2."""
    root = tmp_path / "merged"
    write_inputs(root, protocol=JOINED, queries=QUERIES[:2])
    context = context_of(root, entropy="merged")
    freeze_study(context)
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps({"rank": 1} | hit) + "\n" for hit in HITS))
    import_runs(context, path, absent="empty")
    texts(context, TITLE)
    pool_study(context)
    return context


def texts(context: Context, title: str) -> None:
    path = context.study.root / "texts.jsonl"
    line = {"record_id": "pmid:1", "title": title, "abstract": "Old people."}
    path.write_text(json.dumps(line) + "\n")
    import_texts(context, path, source="a library")


def judged(context: Context, label: Label) -> Context:
    for code in "AB":
        path = make_packet(context, code)
        label_packet(path, lambda _: label)
        collect_packet(context, path, code)
    return context


def test_a_title_that_comes_in_later_splits_no_record(context: Context) -> None:
    texts(context, "Titre en français")
    assert pool_study(context) == ()
    report = report_study(judged(context, "relevant")).report
    cells = {
        row.system: row.figure.cell
        for row in report.precision.per_query
        if (row.query_id, row.cutoff) == ("q1", 2)
    }
    assert set(cells) == {"K", "S"}
    assert all(cell.startswith("0.50") for cell in cells.values()), cells


def test_failure_review_reads_the_label_of_the_record(context: Context) -> None:
    judged(declare(context), "not_relevant")
    shown: list[tuple[str | None, ...]] = []
    with Desk(failure_packet(context, "A")) as desk:
        sitting = coding_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            view = sitting.shown()
            if view.need == NEED1 and view.hit is None:
                (one,) = view.listed
                shown.append((view.system, one.label))
            elif view.need == NEED1 and view.hit is not None:
                shown.append((view.system, view.hit.label, view.hit.abstract))
    assert sorted(shown, key=str) == [
        ("K", "not_relevant"),
        ("K", "not_relevant", "Old people."),
        ("S", "not_relevant"),
        ("S", "not_relevant", "Old people."),
    ]


def test_labels_and_texts_find_the_record_that_an_id_stands_for_under_each_query(
    context: Context, tmp_path: Path
) -> None:
    # S calls the paper b: pmid:1 under q1, where K has it too, and its DOI alone under q2.
    path = tmp_path / "labels.csv"
    path.write_text("query_id,record_id,one,two\nq1,b,yes,yes\nq2,b,no,no\n")
    taken = import_columns(
        context,
        path,
        mapping={"yes": "relevant", "no": "not_relevant"},
        assessors={"one": "A", "two": "B"},
    )
    assert taken.outside_pool == 0
    assert states(context) == {
        "pmid:1": ("agree", "relevant"),
        "doi:10.5555/x": ("agree", "not_relevant"),
    }
    lines = tmp_path / "texts.jsonl"
    lines.write_text(json.dumps({"record_id": "b", "abstract": "Both."}) + "\n")
    assert import_texts(context, lines, source="a library").taken == 2
    with context.frozen() as work:
        assert {one.abstract for one in work.documents.values()} == {"Both."}
