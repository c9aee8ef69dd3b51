"""Labels from elsewhere: qrels with a stated grade, tables with a stated mapping (R49, R54)."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Invalid
from judge.judgements.importing import ImportedLabels, import_label_table, import_qrels
from judge.records.judgement import ImportedLabel

QUERIES = frozenset({"q1", "q2"})
QRELS = "q1 0 d1 2\nq1 0.5  d2 1\nq1\t0\td3\t0\nq2 0 d1 0\n"


def qrels(data: str | bytes, **options: Any) -> ImportedLabels:
    raw = data.encode() if isinstance(data, str) else data
    given = {"relevant_from": 1, "assessor": "A", "known": QUERIES}
    return import_qrels(raw, "x.qrels", **{**given, **options})


def table(data: str, **options: Any) -> ImportedLabels:
    given = {
        "mapping": {"Yes": "relevant", "No": "not_relevant", "Maybe": "uncertain"},
        "assessors": {"one": "A", "two": "B"},
        "known": QUERIES,
    }
    return import_label_table(data.encode(), "x.csv", **{**given, **options})


def triples(found: ImportedLabels) -> list[tuple[str, str, str, str]]:
    return [(g.assessor, g.query_id, g.record_id, g.label) for g in found.labels]


def problems(call: Any, data: str | bytes, **options: Any) -> list[str]:
    with pytest.raises(Invalid) as caught:
        call(data, **options)
    return [str(problem) for problem in caught.value.problems] or [caught.value.message]


def kinds(found: ImportedLabels) -> dict[str, str]:
    return {notice.kind: notice.text for notice in found.notices}


def test_a_grade_counts_from_the_one_that_is_stated() -> None:
    assert [row[1:] for row in triples(qrels(QRELS))] == [
        ("q1", "d1", "relevant"),
        ("q1", "d2", "relevant"),
        ("q1", "d3", "not_relevant"),
        ("q2", "d1", "not_relevant"),
    ]
    strict = qrels(QRELS, relevant_from=2, assessor="final")
    assert strict.counts() == {"relevant": 1, "not_relevant": 3}
    assert strict.labels[1] == ImportedLabel(
        assessor="final",
        query_id="q1",
        record_id="d2",
        label="not_relevant",
        source="x.qrels: line 2",
    )


def test_without_known_queries_the_file_says_which_there_are() -> None:
    assert {g.query_id for g in qrels("x9 0 d1 1\n", known=None).labels} == {"x9"}
    assert "invisible" in problems(qrels, "x\u200b9 0 d1 1\n", known=None)[0]


@pytest.mark.parametrize("grade", [0, -1])
def test_a_grade_of_0_or_less_cannot_be_relevant(grade: int) -> None:
    with pytest.raises(Invalid, match="a grade of 0 says not relevant"):
        qrels(QRELS, relevant_from=grade)


def test_a_negative_grade_is_pooled_and_not_judged() -> None:
    found = qrels("q1 0 d1 -1\nq1 0 d2 -2\nq1 0 d3 0\n")
    assert triples(found) == [("A", "q1", "d3", "not_relevant")]
    assert found.not_judged == 2


def test_a_pair_that_stands_twice_is_taken_once_or_refused() -> None:
    found = qrels(QRELS + "q1 0 d1 2\n")
    assert found.repeated == 1
    assert len(found.labels) == 4
    data = QRELS + "q1 0 d1 0\nq1 1 d2 2\nq1 0 d3 -1\n"
    assert problems(qrels, data) == [
        "x.qrels: line 5: 'd1' for query 'q1' is grade 0 here and grade 2 on line 1; "
        "one label for a pair",
        "x.qrels: line 6: 'd2' for query 'q1' is grade 2 here and grade 1 on line 2; "
        "one label for a pair",
        "x.qrels: line 7: 'd3' for query 'q1' is grade -1 here and grade 0 on line 3; "
        "one label for a pair",
    ]


def test_documents_are_keyed_by_the_record_that_they_are() -> None:
    def key(_query: str, document: str) -> str:
        return f"pmid:{document.removeprefix('v2-')}"

    found = qrels("q1 0 7 1\nq1 0 v2-7 2\nq1 0 8 0\n", key=key)
    assert [row[2:] for row in triples(found)] == [
        ("pmid:7", "relevant"),
        ("pmid:8", "not_relevant"),
    ]
    assert found.repeated == 1
    assert problems(qrels, "q1 0 7 1\nq1 0 v2-7 0\n", key=key) == [
        "x.qrels: line 2: 'v2-7' for query 'q1' is grade 0 here and grade 1 on line 1 (as '7'); "
        "one label for a pair"
    ]


def test_ids_keep_case_and_zeros() -> None:
    found = qrels("q1 0 MET 1\nq1 0 met 0\nq1 0 007 1\nq1 0 7 0\n")
    assert len(found.labels) == 4
    assert "007" in kinds(found)["leading_zeros"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "the file is empty"),
        ("\n\n", "no label in the file"),
        ("q1 0 d1\n", "line 1: 3 columns where 4 are expected"),
        ("q1 0 NCT 0123 1\n", "line 1: 5 columns where 4 are expected; four columns: query"),
        ("q1 0 d1 1\nq1 0 d2 1", "line 2: no line end"),
        ("q1 0 d1 1.5\n", "line 1: the grade '1.5'; a whole number"),
        ("q1 0 d1 yes\n", "line 1: the grade 'yes'"),
        ("q1 0 d1 +1\n", "line 1: the grade '+1'"),
        ("q10 0 d1 1\n", "line 1: unknown query id 'q10' (did you mean 'q1'?)"),
        ("# 0 d1 1\n", "line 1: unknown query id '#'"),
        (b"q1 0 d\xff 1\n", "line 1: byte 0xff is not UTF-8"),
        (gzip.compress(QRELS.encode(), mtime=0)[:-9], "the gzip file is cut off"),
    ],
)
def test_a_broken_qrels_file_is_refused_with_the_reason(data: str | bytes, words: str) -> None:
    assert any(words in line for line in problems(qrels, data))


def test_qrels_with_crlf_or_gzip_are_taken() -> None:
    found = qrels(gzip.compress(QRELS.replace("\n", "\r\n").encode()))
    assert triples(found) == triples(qrels(QRELS))
    assert [*kinds(found)] == ["crlf"]


def test_a_column_per_assessor_becomes_labels_of_each() -> None:
    found = table("query_id,record_id,one,two\nq1,d1,Yes,No\nq1,d2,Maybe,\nq2,d1,No,No\n")
    assert triples(found) == [
        ("A", "q1", "d1", "relevant"),
        ("B", "q1", "d1", "not_relevant"),
        ("A", "q1", "d2", "uncertain"),
        ("A", "q2", "d1", "not_relevant"),
        ("B", "q2", "d1", "not_relevant"),
    ]
    assert found.not_judged == 1
    assert found.notices == ()
    assert found.labels[0].source == "x.csv: line 2"


def test_cells_that_match_only_when_changed_are_counted_and_named() -> None:
    found = table("query_id,record_id,one,two\nq1,d1,no,No \nq1,d2,YES , \nq2,d1,no,No\n")
    assert [row[3] for row in triples(found)] == [
        "not_relevant",
        "not_relevant",
        "relevant",
        "not_relevant",
        "not_relevant",
    ]
    assert found.not_judged == 1
    assert kinds(found) == {
        "trimmed_cells": (
            "cells read without the blanks around them: 2: 'No ' in 'two' (1), 'YES ' in 'one' (1)"
        ),
        "case_folded_cells": (
            "cells read without regard to case: 3: 'YES ' in 'one' (1), 'no' in 'one' (2)"
        ),
    }


def test_values_without_a_meaning_are_all_listed() -> None:
    data = "query_id,record_id,one,two\nq1,d1,Y,No\nq1,d2,Yes,?\nq2,d1,Y,NA\n"
    assert problems(table, data) == [
        "x.csv: lines 2 and 4: the value 'Y' in column 'one'; one of 'Yes', 'No', 'Maybe', "
        "or empty",
        "x.csv: line 3: the value '?' in column 'two'; one of 'Yes', 'No', 'Maybe', or empty",
        "x.csv: line 4: the value 'NA' in column 'two'; one of 'Yes', 'No', 'Maybe', or empty",
    ]


def test_two_labels_of_one_assessor_for_one_pair_are_refused() -> None:
    data = "query_id,record_id,one,two\nq1,d1,Yes,No\nq1,d1,No,No\n"
    assert problems(table, data) == [
        "x.csv: line 3: 'd1' for query 'q1' is 'No' here and 'Yes' on line 2; one label for a pair"
    ]
    assert table(data.replace("d1,No,No", "d1,Yes,")).repeated == 1


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ("query_id,record_id,one\nq1,d1,Yes\n", {}, "no column 'two'"),
        ("query,record_id,one,two\nq1,d1,Yes,No\n", {}, "no column 'query_id'"),
        ("query_id,record_id,one,two\nq1,d1,Yes\n", {}, "3 cells where the header has 4"),
        ("query_id,record_id,one,two\nq9,d 1,Yes,No\n", {}, "has a blank at character 2"),
        ("query_id,record_id,one,two\n", {}, "no label in the file"),
        ("", {}, "the file is empty"),
        ("x\n", {"mapping": {"Yes": "good"}}, "no such label"),
        ("x\n", {"mapping": {"Yes": "relevant", "yes ": "uncertain"}}, "two labels"),
        ("x\n", {"mapping": {" ": "not_relevant"}}, "an empty cell is never a label"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    data: str, options: dict[str, Any], words: str
) -> None:
    assert any(words in line for line in problems(table, data, **options))


def test_cannot_judge_is_a_label_that_a_mapping_may_name() -> None:
    data = "query_id,record_id,one,two\nq1,d1,?,?\n"
    found = table(data, mapping={"?": "cannot_judge"})
    assert found.counts() == {"cannot_judge": 2}


def test_tables_may_be_tab_separated_and_name_their_own_columns() -> None:
    data = "topic\tdoc\tone\ttwo\nq1\td1\tYes\tNo\n"
    assert len(table(data, query="topic", record="doc").labels) == 2


def test_two_screeners_and_a_final_decision_of_a_real_screening(real_data: Path) -> None:
    # The file has no query column, and DOIs are missing in some rows: its row numbers are the ids.
    path = real_data / "screening" / "caim_covid_tiab.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [["row", *rows[0]], *([str(n), *row] for n, row in enumerate(rows[1:], 1))]
    )
    columns = {
        "Screener 1 Decision": "A",
        "Screener 2 Decision": "B",
        "Final Decision": "final",
    }
    found = table(
        out.getvalue(), assessors=columns, known=frozenset({"s"}), only_query="s", record="row"
    )
    by_assessor = {
        code: [g.label for g in found.labels if g.assessor == code] for code in ("A", "B", "final")
    }
    counted = {
        code: (
            given.count("relevant"),
            given.count("not_relevant"),
            given.count("uncertain"),
        )
        for code, given in by_assessor.items()
    }
    # Yes, No and Maybe of each column, in any spelling, counted apart from this code.
    assert counted == {"A": (98, 533, 40), "B": (153, 492, 26), "final": (130, 527, 14)}
    notices = kinds(found)
    assert "'No ' in 'Screener 1 Decision' (3)" in notices["trimmed_cells"]
    assert notices["case_folded_cells"] == (
        "cells read without regard to case: 4: 'no' in 'Screener 1 Decision' (4)"
    )
    assert found.not_judged == 0
