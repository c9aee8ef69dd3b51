"""The services that a study can ask: those in code, and those that it describes in files."""

from __future__ import annotations

from judge.files import read_bytes
from judge.runs.providers.base import Adapter
from judge.runs.providers.embedded.corpus import Corpus, load_corpus
from judge.runs.providers.registry import known_services
from judge.study import Study

DESCRIPTIONS = "runs/services"
"""Where a study keeps the files that describe services, one TOML file for each."""


def services_of(study: Study) -> dict[str, Adapter]:
    """Services over the network by name. Raises `Invalid` for a description with a problem."""
    files = sorted((study.root / DESCRIPTIONS).glob("*.toml"))
    return known_services({f"{DESCRIPTIONS}/{path.name}": read_bytes(path) for path in files})


def corpus_of(study: Study) -> Corpus | None:
    """The study's own notes, where it has any."""
    if not study.corpus.is_file():
        return None
    return load_corpus(read_bytes(study.corpus), "runs/corpus/notes.jsonl")
