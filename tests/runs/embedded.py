"""A small corpus, and asking it as capture does: shared by the tests of the embedded service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from judge.records.protocol import System
from judge.records.run import Hit
from judge.runs.outcome import Parsed
from judge.runs.providers.embedded.corpus import load_corpus
from judge.runs.providers.embedded.service import EmbeddedService

Note = dict[str, Any]

NOTES: list[Note] = [
    {"id": "n1", "title": "Aspirin lowers fever", "abstract": "A short trial in children."},
    {"id": "n2", "title": "Aspirin after stroke", "abstract": "Heart failure was rare."},
    {"id": "n3", "title": "A statin", "abstract": "Fever after stroke; failure of the heart."},
    {"id": "n4", "title": "IL-6 and TNF-α in sepsis", "retracted": True, "pmid": "31234567"},
    {
        "id": "n5",
        "title": "Benzo[a]pyrene: P<0.001",
        "abstract": "Müller drank H₂O. 低用量メトホルミン",
    },
]


def system(mode: str, **changes: Any) -> System:
    given = {
        "code": "S",
        "service": "embedded",
        "mode": mode,
        "endpoint": "embedded",
        "operators": (),
        "quotes_joined_by_and": True,
    }
    return System(**{**given, **changes})


def service(notes: Sequence[Note]) -> EmbeddedService:
    data = "".join(json.dumps(note) + "\n" for note in notes).encode()
    return EmbeddedService(load_corpus(data, "notes.jsonl"))


SMALL = service(NOTES)


def ask(mode: str, text: str, requested: int = 10, of: EmbeddedService = SMALL) -> Parsed:
    return of.parse(of.ask(system(mode), text, requested))


def found(mode: str, text: str, of: EmbeddedService = SMALL) -> set[str]:
    return {hit.record_id for hit in hits(mode, text, of)}


def hits(mode: str, text: str, of: EmbeddedService = SMALL) -> tuple[Hit, ...]:
    parsed = ask(mode, text, 1_000, of)
    assert parsed.hits is not None, parsed
    return parsed.hits
