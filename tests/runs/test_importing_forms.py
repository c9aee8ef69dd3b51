"""The three forms of a run file, and every way in which a file can be broken."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from judge.errors import Invalid
from judge.records.run import Hit
from tests.runs.importing import kinds, only, order, problems, read

TREC = "q1 Q0 d1 1 2.5 S\nq1 Q0 d2 2 1.5 S\n"
TABLE = "run\ttopic\tdocid\trank\tscore\nS\tq1\td1\t1\t2.5\nS\tq1\td2\t2\t1.5\n"
LINES = [
    {"query_id": "q1", "system": "S", "record_id": "d1", "rank": 1, "score": 2.5},
    {"topic": "q1", "run": "S", "docid": "d2", "rank": 2, "score": "1.5"},
]


def jsonl(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (TREC, "trec"),
        (TREC.replace(" ", "\t"), "trec"),
        (TREC.replace("q1", "  q1").replace(" S", "   S "), "trec"),
        (TABLE, "csv"),
        (TABLE.replace("\t", ","), "csv"),
        (TABLE.replace("topic", "query_id").replace("docid", "record_id"), "csv"),
        (jsonl(*LINES), "jsonl"),
        ("\n" + jsonl(*LINES), "jsonl"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_each_form_gives_the_same_list(data: str, form: str, named: bool) -> None:
    found = read(data, form=form if named else "auto")
    assert found.form == form
    assert found.systems == ("S",)
    assert found.hits == 2
    assert found.lists[0].hits == (
        Hit(rank=1, record_id="d1", score="2.5"),
        Hit(rank=2, record_id="d2", score="1.5"),
    )


def test_gzip_is_opened_by_what_it_is_not_by_its_name() -> None:
    packed = gzip.compress(TREC.encode())
    assert order(only(packed)) == order(only(packed, name="x.run.gz")) == [(1, "d1"), (2, "d2")]
    assert problems(TREC, name="x.gz") == ["x.gz: not a gzip file, whatever its name says"]


def test_a_gzip_file_that_is_cut_or_damaged_is_refused() -> None:
    packed = gzip.compress(TREC.encode())
    for end in (11, len(packed) - 9, len(packed) - 4):
        assert problems(packed[:end]) == ["x.run: the gzip file is cut off; fetch it again"]
    flipped = packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]
    assert "the gzip file is damaged" in problems(flipped)[0]
    assert "the gzip file is damaged" in problems(b"\x1f\x8b" + b"junk" * 9)[0]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "no hit in the file"),
        (b"run,topic,docid,rank\n", "no hit in the file"),
        (TREC.encode() + b"q1 Q0 \xff 3 1 S\n", "line 3: byte 0xff is not UTF-8"),
        (TREC.encode("utf-16"), "UTF-16"),
        (TREC.encode().replace(b"d2", b"d\x00"), "line 2: a NUL character"),
        (TREC.encode()[:-1], "line 2: no line end"),
        (TREC.encode()[:-8], "line 2: 3 columns where 6 are expected"),
        (jsonl(*LINES).encode()[:-9], "line 2: not JSON"),
        (TABLE.encode()[:-8], "line 3: 3 cells where the header has 5"),
    ],
)
def test_a_broken_file_is_refused_with_the_reason(data: bytes, words: str) -> None:
    assert any(words in line for line in problems(data))


def test_crlf_a_byte_order_mark_and_blank_lines_are_taken_and_noted() -> None:
    data = b"\xef\xbb\xbf" + TREC.replace("\n", "\r\n\r\n").encode()
    found = read(data)
    assert order(found.lists[0]) == [(1, "d1"), (2, "d2")]
    assert kinds(found) == {
        "crlf": "x.run has CRLF line ends; read as line ends",
        "byte_order_mark": "x.run starts with one; left out",
        "blank_lines": "blank lines passed over: 2",
    }


def test_a_line_that_starts_with_a_hash_is_a_line() -> None:
    data = "#12 Q0 d1 1 2 S\n"
    assert only(data, known_queries=frozenset({"#12"})).query_id == "#12"
    (found,) = problems("# made by a tool\n" + TREC)
    assert found.startswith("x.run: line 1: 5 columns where 6 are expected")


def test_an_id_with_a_blank_is_refused_in_every_form() -> None:
    (found,) = problems(TREC.replace("d2", "NCT 0123"))
    assert found.startswith("x.run: line 2: 7 columns where 6 are expected")
    assert "an id with a blank in it" in found
    for data in (
        TABLE.replace("d2", "NCT 0123"),
        jsonl(LINES[0], {**LINES[1], "docid": "NCT 0123"}),
        TREC.replace("d2", "NCT\u00a00123"),
    ):
        (found,) = problems(data)
        assert "line " in found
        assert "has a blank at character 4" in found


def test_equal_problems_on_many_lines_are_one_problem_with_its_lines() -> None:
    data = "".join(f"q9 Q0 d{n} {n} 1 S\n" for n in range(1, 9)) + "q1 Q0 d 1 1 S\n"
    assert problems(data) == [
        "x.run: lines 1, 2, 3 and 5 more: unknown query id 'q9'; an id of the queries, upper and "
        "lower case told apart"
    ]


def test_query_ids_are_matched_exactly_and_the_near_one_is_named() -> None:
    assert only("MET Q0 d 1 1 S\n").query_id == "MET"
    assert only("met Q0 d 1 1 S\n").query_id == "met"
    assert "unknown query id 'Met' (did you mean" in problems("Met Q0 d 1 1 S\n")[0]
    assert "unknown query id '007' ('7' is one: zeros count)" in problems("007 Q0 d 1 1 S\n")[0]


def test_ids_that_a_spreadsheet_may_have_changed_are_kept_and_reported() -> None:
    ids = ["00123456", "31234567", "10.5070", "1e5", "NA", "8906788.0", "0e1qn4yv"]
    rows = "".join(f"q1,{name},{rank}\n" for rank, name in enumerate(ids, 1))
    data = "topic,docid,rank\n" + rows.replace("31234567,2\n", "31234567,2\n\n")
    found = read(data, system="S")
    assert [hit.record_id for hit in found.lists[0].hits] == ids
    assert kinds(found) == {
        "blank_lines": "blank lines passed over: 1",
        "suspicious_ids": (
            "ids that look as if a spreadsheet had changed them: '1e5', '8906788.0', 'NA'"
        ),
        "leading_zeros": "ids that start with 0, kept so: '00123456'",
    }


def test_a_number_where_an_id_belongs_is_refused() -> None:
    data = jsonl({"query_id": 7, "record_id": 123, "rank": 1, "pmid": 31234567, "title": True})
    assert problems(data, system="S") == [
        "x.run: line 1: query_id is not text: 7; text in quotes; zeros count in ids",
        "x.run: line 1: record_id is not text: 123; text in quotes; zeros count in ids",
        "x.run: line 1: pmid is not text: 31234567; text in quotes; zeros count in ids",
        "x.run: line 1: title is not text: bool; text in quotes; zeros count in ids",
    ]


def test_scores_keep_the_digits_they_were_written_with() -> None:
    data = '{"query_id":"q1","record_id":"d","rank":1,"score":1.50e3,"year":2020}\n'
    (hit,) = only(data, system="S").hits
    assert (hit.score, hit.year) == ("1.50e3", "2020")


def test_fields_of_a_hit_are_taken_and_characters_that_cannot_be_stored_are_counted() -> None:
    title = 'Müller, "β-blocker"\nline 2 \u2028 \x0b \ud83d'
    data = jsonl({**LINES[0], "title": title, "doi": "10.1/x", "year": "2020", "link": ""})
    found = only(data)
    assert found.hits[0] == Hit(
        rank=1,
        record_id="d1",
        score="2.5",
        title='Müller, "β-blocker"\nline 2 \u2028 \x0b \ufffd',
        doi="10.1/x",
        year="2020",
    )
    assert kinds(found) == {
        "repaired_text": "characters that cannot be stored, replaced by U+FFFD: 1"
    }


def test_a_table_keeps_commas_quotes_and_line_breaks_in_its_cells() -> None:
    cell = '"Müller, ""β-blocker""\nline 2 \u2028 \x0b"'
    found = only(f"topic,docid,rank,title\nq1,d1,1,{cell}\nq1,d2,2,=EGFR\n", system="S")
    assert [hit.title for hit in found.hits] == [
        'Müller, "β-blocker"\nline 2 \u2028 \x0b',
        "=EGFR",
    ]


def test_names_that_are_not_read_are_listed() -> None:
    table = "topic,docid,rank,lang,x\nq1,d1,1,en,1\n"
    assert kinds(read(table, system="S")) == {"fields_not_read": "fields not read: 'lang', 'x'"}
    lines = jsonl({**LINES[0], "lang": "en"}, {**LINES[1], "x": 1})
    assert kinds(read(lines)) == {"fields_not_read": "fields not read: 'lang', 'x'"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("topic,docd,rank\nq1,d,1\n", "line 1: no record_id or docid (is it 'docd'?); names:"),
        ("topic,docid,docid\nq1,d,d\n", "line 1: the column 'docid' stands twice"),
        ("topic,query_id,docid\nq1,q1,d\n", "the columns 'topic' and 'query_id' are the same"),
        ("topic,docid,rank\nq1,d,1.0\n", "line 2: the rank '1.0'; a whole number"),
        ("topic,docid,rank\nq1,d,\n", "line 2: no rank; an explicit rank for every document"),
        ("topic,docid\nq1,d\n", "line 2: no rank"),
        ('topic,docid,rank\nq1,"d,1\n', "line 2: not a table row"),
        ("q1 Q0 d -1 1 S\n", "line 1: the rank '-1'; a whole number"),
        ("q1 Q0 d ¹ 1 S\n", "line 1: the rank '¹'"),
        (jsonl({"query_id": "q1", "record_id": "d", "rank": "1"}), "line 1: the rank '1'"),
        (jsonl({"query_id": "q1", "record_id": "d", "rank": True}), "line 1: the rank True"),
        (jsonl({"query_id": "q1", "topic": "q1", "record_id": "d"}), "query_id is given twice"),
        (jsonl({"query_id": "q1", "rank": 1}), "line 1: no record_id or docid"),
        ("{}[]\n", "line 1: not JSON"),
        ('{"rank": 1, "rank": 2}\n', "the key 'rank' stands twice"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(data: str, words: str) -> None:
    assert any(words in line for line in problems(data, system="S"))


def test_a_named_system_wins_over_one_run_name_and_is_noted() -> None:
    found = read(TREC, system="keyword")
    assert found.systems == ("keyword",)
    assert kinds(found) == {"run_name": "the file calls the run 'S'; imported as 'keyword'"}
    assert kinds(read(TREC, system="S")) == {}


def test_a_named_system_for_a_file_of_several_runs_is_refused() -> None:
    data = TREC + TREC.replace(" S", " T")
    assert read(data).systems == ("S", "T")
    with pytest.raises(Invalid, match=r"holds 2 runs \('S', 'T', …\), but one system is named"):
        read(data, system="S")


def test_without_a_run_column_the_system_has_to_be_named() -> None:
    data = "topic,docid,rank\nq1,d1,1\nq1,d2,2\n"
    assert problems(data) == [
        "x.run: lines 2 and 3: no run column, and no system given; name it with --system"
    ]
    assert read(data, system="S").systems == ("S",)


def test_a_query_without_a_line_is_absent_and_never_an_empty_list() -> None:
    # R64: a file cannot tell an empty answer from a failed request.
    found = read(TREC, known_queries=frozenset({"q1", "q2", "q3"}))
    assert [item.query_id for item in found.lists] == ["q1"]
    assert found.absent == (("S", "q2"), ("S", "q3"))


def test_lists_may_stand_mixed_in_a_file() -> None:
    data = "q1 Q0 a 1 2 S\nq2 Q0 b 1 2 S\nq1 Q0 c 2 1 S\n"
    found = read(data)
    assert [(item.query_id, order(item)) for item in found.lists] == [
        ("q1", [(1, "a"), (2, "c")]),
        ("q2", [(1, "b")]),
    ]
