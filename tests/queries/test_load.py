"""Query files: every problem at once with its line, and text kept to the byte (R15)."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.queries.load import LONGEST_TEXT, load_queries, to_jsonl
from judge.records.query import ControlCheck, GoldPaper, Query, Translation

LEAST = {
    "id": "q1",
    "family": "identifier",
    "need": "The series GSE135222",
    "text": "GSE135222",
    "expected": "ordinary",
}


def jsonl(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def table(*rows: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def problems(data: bytes, name: str = "evaluation.jsonl") -> list[str]:
    with pytest.raises(Invalid) as caught:
        load_queries(data, name)
    return [str(problem) for problem in caught.value.problems] or [caught.value.message]


def test_a_query_needs_five_fields_and_the_rest_is_absent() -> None:
    (query,) = load_queries(jsonl(LEAST), "evaluation.jsonl")
    assert query == Query(
        id="q1",
        family="identifier",
        need="The series GSE135222",
        text="GSE135222",
        expected="ordinary",
    )


@pytest.mark.parametrize(
    "text",
    [
        '  "IL-6"  AND asthma ',
        "“curly” and ’",
        "e\u0301 is not é",
        "tab\tand\nnewline",
        "line\u2028separator \x0b \x85",
        "=EGFR",
        "-2 SD vs control",
        "@home",
        "benzo[a]pyrene [/ \x1b[31m",
        "007",
        "IL-6; TNF",
    ],
)
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_submitted_text_is_kept_to_the_byte(text: str, form: str) -> None:
    if form == "csv":
        data = table([*LEAST], [*[*LEAST.values()][:3], text, "ordinary"])
    else:
        data = jsonl({**LEAST, "text": text})
    (query,) = load_queries(data, f"evaluation.{form}")
    assert query.text == text


def test_csv_columns_reach_every_field() -> None:
    header = [
        *LEAST,
        "entity",
        "max_year",
        "note",
        "tests",
        "gold",
        "strata.organism",
        "translations.key.word.text",
        "translations.key.word.note",
        "control_check.how",
        "control_check.on",
        "control_check.by",
    ]
    row = ["q01", "control", "Nothing on this", "zzqx", "no_match_control", "TP53", "2019", "a, b"]
    row += ["c1; c2", "007; 31234567", "mouse", '"zzqx"', "quotes", "read all", "2026-11-30", "B"]
    empty = ["q02", "identifier", "need", "text", "ordinary", *[""] * 11]
    first, second = load_queries(table(header, row, empty), "evaluation.csv")
    assert first == Query(
        id="q01",
        family="control",
        need="Nothing on this",
        text="zzqx",
        expected="no_match_control",
        entity="TP53",
        strata={"organism": "mouse"},
        translations={"key.word": Translation(text='"zzqx"', note="quotes")},
        tests=("c1", "c2"),
        control_check=ControlCheck(how="read all", on="2026-11-30", by="B"),
        max_year=2019,
        gold=(GoldPaper(pmid="007"), GoldPaper(pmid="31234567")),
        note="a, b",
    )
    assert second == Query(
        id="q02", family="identifier", need="need", text="text", expected="ordinary"
    )


def test_all_problems_of_a_file_come_at_once_in_line_order() -> None:
    rows = [
        {**LEAST, "id": "q 1"},
        {**LEAST, "id": "q2", "txt": "x"},
        {**LEAST, "id": "q3", "expected": "ordinry"},
        {**LEAST, "id": "q4", "text": "  "},
        {**LEAST, "id": "q3b", "need": ""},
        {**LEAST, "id": "q4"},
    ]
    found = problems(jsonl(*rows) + b"{nonsense\n")
    assert [line.split(": ")[1] for line in found] == [f"line {n}" for n in range(1, 8)]
    assert "the id 'q 1' has a blank at character 2" in found[0]
    assert "unknown key (did you mean 'text'?)" in found[1]
    assert "'ordinry' is not allowed (did you mean 'ordinary'?)" in found[2]
    assert found[3].endswith("text: empty; at least one character that is not a blank")
    assert "need: empty" in found[4]
    assert "the id 'q4' stands on line 4 already" in found[5]
    assert "not JSON" in found[6]


def test_ids_differ_by_case_and_by_leading_zeros() -> None:
    rows = [{**LEAST, "id": name} for name in ("MET", "met", "7", "007")]
    assert [q.id for q in load_queries(jsonl(*rows), "e.jsonl")] == ["MET", "met", "7", "007"]


@pytest.mark.parametrize("bad", ["", "a b", "a\tb", "a\u00a0b", "a\u200bb", "a\x07b", "e\u0301"])
def test_ids_that_cannot_be_told_apart_by_eye_are_refused(bad: str) -> None:
    (found,) = problems(jsonl({**LEAST, "id": bad}))
    assert found.startswith("evaluation.jsonl: line 1: id: ")


def test_a_text_of_100_000_characters_is_refused_with_its_length() -> None:
    (found,) = problems(jsonl({**LEAST, "text": "a" * 100_000}))
    assert found == "evaluation.jsonl: line 1: text: 100,000 characters; at most 20,000"
    (found,) = problems(table([*LEAST], ["q1", "f", "n", "a" * 100_000, "ordinary"]), "e.csv")
    assert found == "e.csv: line 2: text: 100,000 characters; at most 20,000"
    longest = jsonl({**LEAST, "text": "a" * LONGEST_TEXT})
    assert len(load_queries(longest, "e.jsonl")[0].text) == 20_000


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": "ab\ud83d"}, "text"),
        ({"need": "ab\ud83d"}, "need"),
        ({"translations": {"k": {"text": "ab\ud83d", "note": "n"}}}, "translations.k.text"),
        ({"gold": [{"title": "ab\ud83d"}]}, "gold[1].title"),
    ],
)
def test_a_lone_surrogate_is_refused_with_its_place(change: dict[str, Any], field: str) -> None:
    (found,) = problems(jsonl({**LEAST, **change}))
    assert found == (
        f"evaluation.jsonl: line 1: {field}: character 3 is a lone surrogate (U+D83D); "
        "text that can be stored as UTF-8"
    )


def test_nul_written_as_an_escape_is_refused() -> None:
    (found,) = problems(jsonl({**LEAST, "text": "a\x00"}))
    assert "text: character 2 is NUL (U+0000)" in found


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        ([{"pmid": "8906788.0"}], "the PMID '8906788.0'; digits alone"),
        ([{}], "no identifier"),
        ([{"pmid": "1"}, {"pmid": "01", "doi": "10.1/x"}], "gold[2]: the PMID 1 stands twice"),
        ([{"doi": "10.1/x"}, {"doi": "10.1/X"}], "gold[2]: the DOI 10.1/x stands twice"),
    ],
)
def test_gold_papers_are_identified_once_each(gold: list[dict[str, str]], words: str) -> None:
    (found,) = problems(jsonl({**LEAST, "gold": gold}))
    assert words in found


def test_two_pmids_under_one_doi_are_two_gold_papers() -> None:
    gold = [{"pmid": "1", "doi": "10.1201/b14859"}, {"pmid": "2", "doi": "10.1201/b14859"}]
    (query,) = load_queries(jsonl({**LEAST, "gold": gold}), "e.jsonl")
    assert len(query.gold) == 2


def test_a_control_check_says_how_when_and_by_whom() -> None:
    check = {"how": "", "on": "30 Nov", "by": " "}
    found = problems(jsonl({**LEAST, "control_check": check}))
    assert [line.split(": ")[2] for line in found] == [
        "control_check.how",
        "control_check.by",
        "control_check.on",
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (jsonl(LEAST)[:-20], "not JSON"),
        (jsonl(LEAST)[:-1], "cut off"),
        (jsonl(LEAST).replace(b"GSE", b"\xe9"), "byte 0xe9 is not UTF-8"),
        (jsonl(LEAST).replace(b"\n", b"\r\n"), "CRLF"),
        (b"\xef\xbb\xbf" + jsonl(LEAST), "byte order mark"),
        (b"[" * 200_000 + b"\n", "nested too deeply"),
        (b"[]\n", "a list where a table is expected"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(data: bytes, words: str) -> None:
    assert any(words in line for line in problems(data))


def test_an_empty_file_may_be_no_queries_where_the_caller_says_so() -> None:
    assert load_queries(b"", "development.jsonl", empty=True) == ()
    assert load_queries(b"", "development.csv", empty=True) == ()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"id,family,need,txt,expected\nq1,f,n,t,ordinary\n", "unknown column 'txt' (did you"),
        (b"id,family,need,txt,expected\nq1,f,n,t,ordinary\n", "line 1: no column text"),
        (b"id,family,need,text,expected\nq1,f,n,t\n", "line 2: 4 cells where the header has 5"),
        (b"id,family,need,text,expected,id\nq1,f,n,t,ordinary,q\n", "column 'id' stands twice"),
        (b'id,family,need,text,expected\nq1,f,n,"IL-6" AND x,ordinary\n', "each inner quote"),
        (b'id,family,need,text,expected\nq1,f,n,"IL-6,ordinary\n', "line 2: not a table row"),
        (b"id,family,need,text,expected,max_year\nq1,f,n,t,ordinary,2019.0\n", "max_year"),
        (b"id,family,need,text,expected\n,f,n,t,ordinary\n", "line 2: id: missing"),
    ],
)
def test_a_csv_file_that_does_not_fit_is_refused(data: bytes, words: str) -> None:
    assert any(words in line for line in problems(data, "evaluation.csv"))


def test_a_row_after_a_cell_of_several_lines_keeps_its_line_number() -> None:
    data = b'id,family,need,text,expected\nq1,f,"a\nb",t,ordinary\nq1,f,n,t,ordinary\n'
    assert problems(data, "e.csv") == [
        "e.csv: line 4: the id 'q1' stands on line 2 already; one query per id"
    ]


storable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)
visible = storable.filter(lambda text: bool(text.strip()))


@given(
    st.lists(
        st.builds(
            Query,
            id=st.uuids().map(str),
            family=storable,
            need=visible,
            text=visible,
            expected=st.sampled_from(["ordinary", "invalid_by_design"]),
            entity=storable,
            strata=st.dictionaries(storable, storable, max_size=2),
            translations=st.dictionaries(
                storable, st.builds(Translation, text=visible, note=storable), max_size=2
            ),
            tests=st.lists(storable, max_size=2).map(tuple),
            control_check=st.none(),
            max_year=st.none() | st.integers(1000, 9999),
            gold=st.sampled_from([(), (GoldPaper(pmid="1"), GoldPaper(doi="10.1/x"))]),
            note=storable,
        ),
        max_size=3,
        unique_by=lambda query: query.id,
    )
)
def test_what_is_written_as_json_lines_reads_back_equal(queries: list[Query]) -> None:
    assert load_queries(to_jsonl(queries), "q.jsonl", empty=True) == tuple(queries)


def test_written_lines_leave_out_what_is_empty() -> None:
    query = Query(id="q1", family="f", need="n", text="t", expected="ordinary")
    assert to_jsonl([query]) == (
        b'{"id":"q1","family":"f","need":"n","text":"t","expected":"ordinary"}\n'
    )
