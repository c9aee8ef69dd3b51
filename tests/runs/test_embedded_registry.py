"""From a system of the protocol to the code that asks it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from judge.errors import Invalid
from judge.records.protocol import System
from judge.runs.providers.embedded.corpus import Corpus, load_corpus
from judge.runs.providers.embedded.service import EmbeddedService
from judge.runs.providers.registry import service_for

CORPUS = load_corpus(b'{"id": "n1", "title": "Aspirin"}\n', "notes.jsonl")


def system(**changes: Any) -> System:
    given = {
        "code": "K",
        "service": "embedded",
        "mode": "keyword",
        "endpoint": "embedded",
        "operators": ("AND", "OR", "NOT", "quotes"),
        "quotes_joined_by_and": True,
    }
    return System(**{**given, **changes})


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_the_embedded_service_is_known(mode: str) -> None:
    service = service_for(system(mode=mode), CORPUS)
    assert isinstance(service, EmbeddedService)
    parsed = service.parse(service.ask(system(mode=mode), "aspirin", 5))
    assert service.facts.adapter.partition("@")[0] == "embedded"
    assert [hit.record_id for hit in parsed.hits or ()] == ["n1"]


@pytest.mark.parametrize(
    ("changes", "corpus", "said"),
    [
        (
            {"service": "embeded"},
            CORPUS,
            ["'embeded' (did you mean 'embedded'?)", "one of embedded"],
        ),
        ({"service": "medline"}, CORPUS, ["unknown service 'medline'; one of embedded"]),
        (
            {"service": "elicit", "mode": "boolean", "parameters": {"corpus": "pubmd", "x": 1}},
            None,
            [
                "system K: mode: unknown mode 'boolean'; one of semantic, keyword",
                "system K: parameters.corpus: 'pubmd' is not allowed",
                "system K: parameters.x: unknown parameter",
            ],
        ),
        (
            {"mode": "keywords", "filters": ("f",), "parameters": {"sort": "date"}},
            None,
            [
                "system K: mode: unknown mode 'keywords' (did you mean 'keyword'?); one of keyword",
                "system K: filters",
                "system K: parameters",
                "system K: the study has no corpus",
            ],
        ),
        ({}, None, ["the study has no corpus"]),
    ],
)
def test_what_cannot_be_asked_is_invalid_with_every_problem(
    changes: dict[str, Any], corpus: Corpus | None, said: list[str]
) -> None:
    with pytest.raises(Invalid) as caught:
        service_for(system(**changes), corpus)
    shown = "\n".join(caught.value.lines())
    assert [part for part in said if part not in shown] == []


def test_numpy_and_scipy_are_not_loaded_before_a_semantic_search() -> None:
    code = (
        "import sys, judge.runs.providers.registry;"
        "print({'numpy', 'scipy'} & {name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
