"""Where keyword queries came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.cli import run
from judge.errors import Invalid
from judge.queries.provenance import KeywordQuery, chosen, keyword_queries, summary

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
"""SHA-256 of ``hello``, as published with the algorithm's usual examples."""


def entry(**fields: Any) -> dict[str, Any]:
    given = {
        "query": "a AND b",
        "model": "m1",
        "source": "generated",
        "prompt": "hello",
        "prompt_sha256": HELLO,
        "prompt_provenance": "recorded",
        "query_version_id": "v1",
    }
    return {**given, **fields}


TEXT = "".join(
    json.dumps({"question_id": name, "question": "Q?", "gold": [], "queries": queries}) + "\n"
    for name, queries in {
        "1": {
            "google_scholar": entry(request_query="a b"),
            "semantic_scholar": entry(model="m2", prompt_sha256=HELLO.upper()),
        },
        "2": {"google_scholar": entry(prompt=None, source="written")},
        "3": {"google_scholar": entry(prompt="hello "), "openalex_keyword": {"query": "c"}},
        "4": None,
    }.items()
)


def found() -> tuple[KeywordQuery, ...]:
    return keyword_queries(TEXT, "questions.jsonl")


def test_every_query_has_a_row_with_what_was_sent_and_its_prompt_checked() -> None:
    rows = found()
    assert [(row.question_id, row.provider, row.sent, row.prompt_hash) for row in rows] == [
        ("1", "google_scholar", "a b", "matches"),
        ("1", "semantic_scholar", "a AND b", "matches"),
        ("2", "google_scholar", "a AND b", "no_prompt"),
        ("3", "google_scholar", "a AND b", "differs"),
        ("3", "openalex_keyword", "c", "no_prompt"),
    ]
    assert rows[4].model is None


def test_the_summary_counts_by_provider_model_and_source() -> None:
    done = summary(found())
    assert (done.rows, done.questions, done.sent_differs) == (5, 3, 1)
    assert done.by_provider == {"google_scholar": 3, "openalex_keyword": 1, "semantic_scholar": 1}
    assert done.by_model == {"m1": 3, "m2": 1, "not said": 1}
    assert done.by_source == {"generated": 3, "not said": 1, "written": 1}
    assert done.by_prompt_hash == {"differs": 1, "matches": 2, "no_prompt": 2}


def test_rows_are_chosen_by_provider_and_by_question() -> None:
    assert [row.question_id for row in chosen(found(), ["google_scholar"], [])] == ["1", "2", "3"]
    assert [row.provider for row in chosen(found(), [], ["3"])] == [
        "google_scholar",
        "openalex_keyword",
    ]


def test_all_that_cannot_be_read_is_named() -> None:
    bad = '{"question_id": 1}\n{"question_id": "a", "queries": {"p": {"prompt": 3}}}\nx\n'
    with pytest.raises(Invalid) as caught:
        keyword_queries(bad, "q.jsonl")
    lines = "\n".join(caught.value.lines())
    assert "line 1: no question_id" in lines
    assert "line 2: queries.p: prompt is no text" in lines
    assert "line 3: not JSON" in lines


def test_the_command_writes_the_rows_and_fails_on_a_prompt_of_another_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(TEXT, encoding="utf-8")
    arguments = ["keyword-queries", str(file), "--provider", "google_scholar"]
    assert run(arguments) == 4
    shown = capsys.readouterr()
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert [row["sent"] for row in rows] == ["a b", "a AND b", "a AND b"]
    assert "3 keyword queries of 3 questions" in shown.err
    assert "1 prompts do not match their digest (3 at google_scholar)" in shown.err
    assert run([*arguments, "--question", "1", "--out", str(tmp_path / "rows.jsonl")]) == 0
    assert len((tmp_path / "rows.jsonl").read_text("utf-8").splitlines()) == 1
