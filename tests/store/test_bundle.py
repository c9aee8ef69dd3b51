"""A released folder as files: manifest, addresses, texts that must not show, texts left out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from judge.canonical import digest
from judge.errors import Integrity
from judge.records.base import Record
from judge.records.run import Document, Hit, RunRecord
from judge.records.source import ImportedText, SourceCheck, SourceSays
from judge.store.bundle import (
    MANIFEST,
    manifest_problems,
    that_show,
    with_address,
    write_manifest,
)
from judge.store.sharing import FIELDS, left_out_of, original_digest, without

TEXT = 'An abstract with "quotes", long enough to be told apart'
DOCUMENT = Document(
    record_id="pmid:1", title="A title", abstract=TEXT, year="2020", provenance="a source"
)
SAYS = SourceSays(
    source="pubmed",
    retraction="no_signal",
    correction="no_signal",
    concern="no_signal",
    preprint="no_signal",
    types=("Review",),
)
RUN = RunRecord(
    status="executed",
    query_id="q1",
    information_need="need",
    query="text",
    mode="m",
    cutoffs=(5,),
    run_id="r1/S/q1/1",
    round="r1",
    system="S",
    service="s",
    endpoint="e",
    requested=5,
    raw_results=(Hit(rank=1, record_id="1", title="A title", year="2020", score="2.5"),),
)


def test_sha256sum_reads_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "b.txt").write_bytes(b"abc")
    write_manifest(tmp_path)
    # The digest of "abc" is that of FIPS 180-4, example B.1.
    assert (tmp_path / MANIFEST).read_text() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a folder/b.txt\n"
    )
    done = subprocess.run(["sha256sum", "-c", MANIFEST], cwd=tmp_path, check=True, text=True,
                          capture_output=True)  # fmt: skip
    assert done.stdout == "a folder/b.txt: OK\n"
    assert manifest_problems(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["", "x\n", f"{'0' * 64}  ../a\n", f"{'0' * 64}  a\n{'0' * 64}  a\n", "\x00\xff"]
)
def test_a_manifest_that_is_none_is_a_problem(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / MANIFEST).write_text(text, encoding="latin-1")
    assert manifest_problems(tmp_path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("write to jane.doe+lists@mail.example.org.", True),
        ('{"mail":"a@b.io"}', True),
        ("p53@nucleus", False),
        ("name@2.1", False),
        ("@media print", False),
        ("https://example.org/@user", False),
    ],
)
def test_an_address_is_one(tmp_path: Path, text: str, found: bool) -> None:
    (tmp_path / "f").write_text(text)
    assert with_address(tmp_path) == (("f",) if found else ())


def test_a_text_shows_as_it_is_and_as_json_writes_it(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(f"… {TEXT} …")
    (tmp_path / "json").write_text(
        '{"x":"An abstract with \\"quotes\\", long enough to be told apart"}'
    )
    (tmp_path / "other").write_text("An abstract")
    assert that_show(tmp_path, [TEXT, "An abstract"]) == ("json", "plain")


@pytest.mark.parametrize(
    "record",
    [
        DOCUMENT,
        ImportedText(number=1, document=DOCUMENT),
        SourceCheck(record_id="pmid:1", number=1, says=(SAYS,), document=DOCUMENT),
        RUN,
    ],
)
def test_every_text_goes_and_nothing_else(record: Record) -> None:
    made, gone, _ = without(record, FIELDS)
    said = repr(made)
    assert not any(text in said for text in ("A title", TEXT, "2020", "Review"))
    assert {"title", "year"} <= gone.keys()
    assert without(record, ())[0] == record
    assert without(made, FIELDS) == (made, {}, {})
    kept = left_out_of("a file", 1, record, gone)
    assert original_digest(made, kept) == digest(record) == kept.record_sha256
    assert original_digest(record, None) == digest(record)
    with pytest.raises(Integrity, match="holds a text that"):
        original_digest(record, kept)
