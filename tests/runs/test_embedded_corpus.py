"""The corpus file: what is refused, what is repaired, and the neutral documents."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from judge.canonical import canonical
from judge.errors import Invalid
from judge.records.run import Document
from judge.runs.providers.embedded.corpus import documents, load_corpus
from judge.text import display_text


def lines(*notes: dict[str, Any]) -> bytes:
    return "".join(json.dumps(note) + "\n" for note in notes).encode()


def problems(data: bytes) -> list[str]:
    with pytest.raises(Invalid) as caught:
        load_corpus(data, "notes.jsonl")
    return [str(problem) for problem in caught.value.problems]


def test_notes_are_ordered_by_id_and_the_digest_is_that_of_the_bytes() -> None:
    data = lines({"id": "n2", "title": "Two"}, {"id": "n10", "title": "Ten"})
    corpus = load_corpus(data, "notes.jsonl")
    assert [note.id for note in corpus.notes] == ["n10", "n2"]  # ids are text
    assert corpus.digest == hashlib.sha256(data).hexdigest()
    assert corpus.repaired == 0


def test_every_problem_of_the_file_is_listed_at_once() -> None:
    data = lines(
        {"id": "n1", "title": "One", "pmid": "31234567"},
        {"id": "n1", "title": "One again"},
        {"id": "n3", "title": " ", "abstract": ""},
        {"id": "n4", "title": "Four", "pmid": "0031234567"},
        {"id": "n5", "title": "Five", "preprint_of": "n99"},
        {"id": "n6", "title": "Six", "preprint_of": "n6"},
        {"id": "n 7", "title": "Seven"},
    )
    assert problems(data) == [
        "notes.jsonl: line 2: id 'n1' stands in line 1 already",
        "notes.jsonl: line 3: title is blank",
        "notes.jsonl: line 3: abstract is blank; null where there is none",
        "notes.jsonl: line 4: pmid:31234567 is the record of line 1 already",
        "notes.jsonl: line 5: preprint_of 'n99' is no other note's id",
        "notes.jsonl: line 6: preprint_of 'n6' is no other note's id",
        "notes.jsonl: line 7: the id 'n 7' has a blank at character 2",
    ]


def test_two_notes_without_pmid_and_one_doi_are_one_record() -> None:
    data = lines(
        {"id": "n1", "title": "One", "doi": "10.1000/ABC"},
        {"id": "n2", "title": "Two", "doi": "https://doi.org/10.1000/abc"},
    )
    assert problems(data) == [
        "notes.jsonl: line 2: doi:10.1000/abc is the record of line 1 already"
    ]


def test_unknown_keys_and_wrong_types_are_named() -> None:
    found = problems(lines({"id": "n1", "title": "One", "titel": "x"}, {"id": 2, "title": "Two"}))
    assert found == [
        "notes.jsonl: line 1: titel: unknown key (did you mean 'title'?)",
        "notes.jsonl: line 2: id: a whole number (2) where text is expected",
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n\n", "no notes"),
        (b'{"id": "n1", "title": "One"}\r\n', "CRLF"),
        (b'{"id": "n1", "title": "M\xfcller"}\n', "not UTF-8"),
        (b'{"id": "n1", "title": "a\x00b"}\n', "NUL"),
    ],
)
def test_a_file_that_is_not_one(data: bytes, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        load_corpus(data, "notes.jsonl")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"id": "n1", "title": "One"}', 1),
        (b'{"id": "n1", "title": "One"}\n{"id": "n2", "ti\n', 2),
    ],
)
def test_a_truncated_file_names_the_line_where_it_ends(data: bytes, line: int) -> None:
    assert problems(data)[0].startswith(f"notes.jsonl: line {line}: ")


def test_characters_that_no_file_can_hold_are_replaced_and_counted() -> None:
    data = (
        b'{"id": "n1", "title": "x\\ud83dy", "abstract": "a\\u0000b\\u0000"}\n'
        b'{"id": "n2", "title": "\\u001b[31mred [/ \\u202egnirts\\u202c \\ud83e\\uddec"}\n'
    )
    corpus = load_corpus(data, "notes.jsonl")
    first, second = corpus.notes
    assert corpus.repaired == 3
    assert (first.title, first.abstract) == ("x\ufffdy", "a\ufffdb\ufffd")
    # What can be stored is stored as it came; showing it safely is display_text's work.
    assert second.title == "\x1b[31mred [/ \u202egnirts\u202c \U0001f9ec"
    assert "\x1b" not in display_text(second.title)
    assert all(canonical(document) for document in documents(corpus))


def test_ids_that_become_one_by_the_repair_are_found() -> None:
    data = b'{"id": "n\\ud83d", "title": "One"}\n{"id": "n\\u0000", "title": "Two"}\n'
    assert problems(data) == ["notes.jsonl: line 2: id 'n\ufffd' stands in line 1 already"]


def test_documents_carry_the_notes_text_under_the_record_key() -> None:
    corpus = load_corpus(
        lines(
            {
                "id": "n1",
                "title": "Article",
                "abstract": "Text.",
                "journal": "J Notes",
                "year": "2020",
                "pmid": "31234567",
                "doi": "10.1000/x",
                "retracted": True,
            },
            {"id": "n2", "title": "Preprint", "type": "preprint", "preprint_of": "n1"},
        ),
        "notes.jsonl",
    )
    assert documents(corpus) == (
        Document(
            record_id="pmid:31234567",
            title="Article",
            journal="J Notes",
            year="2020",
            type="article",
            abstract="Text.",
            pmid="31234567",
            doi="10.1000/x",
            retracted=True,
            provenance="corpus",
        ),
        Document(
            record_id="id:embedded:n2",
            title="Preprint",
            type="preprint",
            preprint_of="pmid:31234567",
            provenance="corpus",
        ),
    )
