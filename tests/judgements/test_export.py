"""Judgements for other tools: what each form can carry, and what it counts instead."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.judgements.export import guarded, jsonl, qrels, table, unguarded
from judge.records.judgement import GivenLabel, JudgedItem


def item(record: str, *, query: str = "q1", final: Any = None, **labels: Any) -> JudgedItem:
    """``labels`` by assessor code: a label, or (label, kind, note)."""
    given_ = {}
    for code, answer in labels.items():
        label, kind, note = answer if isinstance(answer, tuple) else (answer, None, "")
        given_[code] = GivenLabel(
            assessor=code, label=label, origin="blind", cannot_kind=kind, reason="on", note=note
        )
    return JudgedItem(query_id=query, record_id=record, labels=given_, state="agree", final=final)


ITEMS = [
    item("pmid:1", final="relevant", A="relevant", B="relevant"),
    item("pmid:2", final="not_relevant", A="relevant", B="not_relevant"),
    item("pmid:3", final="uncertain", A="uncertain", B="uncertain"),
    item("pmid:4", A=("cannot_judge", "no_abstract", ""), B="relevant"),
    item("pmid:5", A="relevant"),
]


@pytest.mark.parametrize(
    ("assessor", "lines", "left_out"),
    [
        (
            None,
            ["q1 0 pmid:1 1", "q1 0 pmid:2 0"],
            {"uncertain": 1, "not_yet_judged": 2},
        ),
        (
            "A",
            ["q1 0 pmid:1 1", "q1 0 pmid:2 1", "q1 0 pmid:5 1"],
            {"uncertain": 1, "cannot_judge": 1},
        ),
        (
            "B",
            ["q1 0 pmid:1 1", "q1 0 pmid:2 0", "q1 0 pmid:4 1"],
            {"uncertain": 1, "not_yet_judged": 1},
        ),
    ],
)
def test_qrels_hold_what_a_grade_can_say_and_count_the_rest(
    assessor: str | None, lines: list[str], left_out: dict[str, int]
) -> None:
    data, without = qrels(ITEMS, assessor)
    assert data.decode() == "".join(line + "\n" for line in lines)
    assert without == left_out


def test_ids_keep_their_zeros_and_their_case() -> None:
    items = [
        item(record, query=query, final="relevant")
        for query, record in [
            ("MET", "id:x:00123456"),
            ("met", "doi:10.5070/1e5"),
            ("NA", "id:x:NA"),
        ]
    ]
    assert qrels(items)[0].decode().split("\n")[:-1] == [
        "MET 0 id:x:00123456 1",
        "met 0 doi:10.5070/1e5 1",
        "NA 0 id:x:NA 1",
    ]
    rows = list(csv.reader(io.StringIO(table(items, []).decode(), newline="")))
    assert [row[:2] for row in rows[1:]] == [
        ["MET", "id:x:00123456"],
        ["met", "doi:10.5070/1e5"],
        ["NA", "id:x:NA"],
    ]


def test_the_table_names_what_is_not_there() -> None:
    rows = list(csv.DictReader(io.StringIO(table(ITEMS, ["A", "B"]).decode(), newline="")))
    assert [(row["label_A"], row["label_B"], row["final"]) for row in rows] == [
        ("relevant", "relevant", "relevant"),
        ("relevant", "not_relevant", "not_relevant"),
        ("uncertain", "uncertain", "uncertain"),
        ("no_abstract", "relevant", "not_yet_judged"),
        ("relevant", "not_yet_judged", "not_yet_judged"),
    ]


NOTES = [
    "-2 SD vs control",
    "=EGFR",
    "@home",
    "+1",
    "'quoted'",
    "''",
    "\tindented",
    'Müller, "β-blocker"\nline 2 \u2028 \x0b',
    "a;b,c\r\nd",
    "00123",
    "",
    " ",
]


@pytest.mark.parametrize("note", NOTES, ids=repr)
def test_a_note_survives_the_table(note: str) -> None:
    data = table([item("pmid:1", A=("relevant", None, note))], ["A"]).decode()
    (row,) = csv.DictReader(io.StringIO(data, newline=""))
    assert unguarded(row["note_A"]) == note


@given(st.text())
def test_a_guard_is_taken_off_again(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in {"=", "+", "-", "@", "\t", "\r"}


def test_the_lines_lose_nothing() -> None:
    items = [item("pmid:1", final="relevant", A=("relevant", None, note)) for note in NOTES]
    lines = jsonl(items).decode().split("\n")
    assert len(lines) == len(NOTES) + 1
    assert [msgspec.convert(json.loads(line), JudgedItem) for line in lines[:-1]] == items


def test_a_table_has_plain_line_ends() -> None:
    assert b"\r" not in table(ITEMS, ["A", "B"])
    assert table(ITEMS, ["A"]).count(b"\n") == len(ITEMS) + 1
