"""Files read strictly and written whole, and plain data into records with every problem at once."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.decode import decode, read_jsonl, read_toml, scan_jsonl
from judge.errors import Invalid, Problem, Refused
from judge.files import decode_text, numbered_lines, parse_json, read_text, write_atomic
from judge.records.judgement import Script
from judge.records.protocol import Protocol
from judge.records.query import Query

# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "f.txt: the file is empty"),
        (b"one\ntwo \xff three\n", "f.txt: line 2: byte 0xff is not UTF-8"),
        (b"one\n\nM\xfcller\n", "f.txt: line 3: byte 0xfc is not UTF-8"),
        ("ü".encode()[:1], "f.txt: line 1: byte 0xc3 is not UTF-8"),
        (b"one\ntwo\r\nthree\r\n", "f.txt: line 2 ends in CRLF"),
        (b"\xef\xbb\xbfone\n", "f.txt: line 1 starts with a byte order mark"),
        ("one\n".encode("utf-16"), "f.txt: the file is UTF-16; save it as UTF-8"),
        (b"\xfe\xff\x00o", "f.txt: the file is UTF-16; save it as UTF-8"),
        ("one\n".encode("utf-16-le"), "f.txt: line 1: a NUL character"),
        (b"one\ntwo" + b"\x00" * 20, "f.txt: line 2: a NUL character"),
    ],
)
def test_a_file_that_is_not_plain_text_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.txt").write_bytes(data)
    with pytest.raises(Invalid) as error:
        read_text(Path("f.txt"))
    assert words in error.value.message


def test_files_of_other_tools_may_have_crlf_and_a_byte_order_mark() -> None:
    assert decode_text(b"\xef\xbb\xbfone\r\ntwo\r\n", "f", crlf=True) == "one\ntwo\n"


@pytest.mark.parametrize("name", ["missing.txt", "folder"])
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(Invalid, match=name):
        read_text(tmp_path / name)


def test_lines_end_at_newlines_alone() -> None:
    text = "a\u2028b\x0bc\x85d\x0ce\n \n\u2029\nlast"
    assert list(numbered_lines(text)) == [(1, "a\u2028b\x0bc\x85d\x0ce"), (4, "last")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"k": 5, "k": 10}', "'k' stands twice"),
        ('[{"a": {"b": 1, "b": 1}}]', "'b' stands twice"),
        ("[NaN]", "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "digits"),
        ('{"a": 1', "delimiter"),
    ],
    ids=["twice", "twice-inside", "nan", "infinity", "deep", "long-number", "cut"],
)
def test_json_is_read_strictly(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_a_number_with_a_point_stays_the_text_it_was() -> None:
    found = parse_json('{"score": 0.30000000000000004, "e": 1E400, "n": 7}', floats_as_text=True)
    assert found == {"score": "0.30000000000000004", "e": "1E400", "n": 7}


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file may grow beyond ``size`` bytes: writing more fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "report.md"
    write_atomic(path, b"old\n")
    with largest_file(1000), pytest.raises(Refused) as error:
        write_atomic(path, b"n" * 5000)
    assert "cannot be written" in error.value.message
    assert "nothing was changed" in error.value.message
    assert path.read_bytes() == b"old\n"
    assert [one.name for one in path.parent.iterdir()] == ["report.md"]


def test_a_file_where_a_folder_must_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("not a folder")
    with pytest.raises(Refused, match="cannot be written"):
        write_atomic(tmp_path / "reports" / "a.md", b"x")


WRITER = """
import sys
from pathlib import Path
from judge.files import write_atomic
path, number = Path(sys.argv[1]), 0
while True:
    number += 1
    write_atomic(path, (str(number) + "\\n").encode() * 20_000)
    print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 2, 5])
def test_a_file_is_whole_whenever_its_writer_is_killed(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "f.txt"
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(acknowledged):
            writer.stdout.readline()
        writer.kill()
        rest = writer.stdout.read().split()
    lines = path.read_text().split("\n")
    assert len(lines) == 20_001
    assert len(set(lines[:-1])) == 1
    assert int(lines[0]) >= acknowledged + len(rest)


# --- decoding -----------------------------------------------------------------------------------


def test_five_mistakes_of_a_record_are_listed_at_once() -> None:
    record, problems = decode(
        {
            "id": "q1",
            "family": 7,
            "text": "aspirin",
            "expected": "ordinry",
            "max_year": "2024",
            "stratta": {},
            "gold": [{"pmid": 31}],
        },
        Query,
        "queries.jsonl: line 3",
    )
    assert record is None
    assert {problem.where: problem.found for problem in problems} == {
        "queries.jsonl: line 3: stratta": "unknown key (did you mean 'strata'?)",
        "queries.jsonl: line 3: family": "a whole number (7) where text is expected",
        "queries.jsonl: line 3: need": "missing",
        "queries.jsonl: line 3: expected": "'ordinry' is not allowed (did you mean 'ordinary'?)",
        "queries.jsonl: line 3: max_year": "text ('2024') where a whole number is expected",
        "queries.jsonl: line 3: gold[1].pmid": "a whole number (31) where text is expected",
    }


def test_an_optional_choice_names_what_is_allowed() -> None:
    script = {"query_id": "q", "record_id": "r", "label": "cannot_judge", "reason": ""}
    _, problems = decode(script | {"evidence": "title", "cannot_kind": "no_abstrct"}, Script)
    assert problems == [
        Problem(
            "cannot_kind",
            "'no_abstrct' is not allowed (did you mean 'no_abstract'?)",
            "one of paper_unavailable, no_abstract, conflicting_metadata, other",
        )
    ]


def test_a_pair_that_is_no_pair_is_said_so() -> None:
    _, problems = decode({"comparisons": [["a"]]}, Protocol)
    assert Problem("comparisons[1]", "a list where a list of 2 is expected") in problems


def test_true_is_no_number_and_a_number_no_truth() -> None:
    _, problems = decode({"index_frozen": 1, "resampling_seed": True}, Protocol)
    found = {problem.where: problem.found for problem in problems}
    assert found["index_frozen"] == "a whole number (1) where true or false is expected"
    assert found["resampling_seed"] == "true or false (True) where a whole number is expected"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "not TOML"),
        ('title = "a"\ntitle = "b"\n', "not TOML"),
        ("a = " + "[" * 20_000, "nested too deeply"),
        ("a = " + "1" * 5000, "not TOML"),
    ],
    ids=["cut", "twice", "deep", "long-number"],
)
def test_a_file_that_is_no_toml_is_refused(text: str, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        read_toml(text.encode(), "protocol.toml", Protocol)


GOOD = '{"query_id":"q","record_id":"r","label":"relevant","reason":"a","evidence":"abstract"}\n'


def test_every_line_of_a_file_is_looked_at() -> None:
    lines = [
        GOOD,
        '{"query_id": "q"\n',
        "\n",
        GOOD.replace('"q"', '"q","query_id":"q2"'),
        GOOD.replace("relevant", "relevent").rstrip("\n"),
    ]
    records, problems = scan_jsonl("".join(lines).encode(), "A.jsonl", Script)
    assert [number for number, _ in records] == [1]
    assert [problem.where for problem in problems] == [
        "A.jsonl: line 5",
        "A.jsonl: line 2",
        "A.jsonl: line 4",
        "A.jsonl: line 5: label",
    ]
    assert problems[0].found == "no line end: the file is cut off here"
    assert "stands twice" in problems[2].found
    with pytest.raises(Invalid) as error:
        read_jsonl("".join(lines).encode(), "A.jsonl", Script)
    assert error.value.message == "A.jsonl has 4 problems"
    assert list(error.value.problems) == problems


@given(st.integers(1, len(GOOD.encode()) * 2 - 1))
def test_a_file_cut_anywhere_is_noticed(length: int) -> None:
    data = (GOOD * 2).encode()[:length]
    if length == len(GOOD):
        assert len(read_jsonl(data, "A.jsonl", Script)) == 1
    else:
        with pytest.raises(Invalid):
            read_jsonl(data, "A.jsonl", Script)
