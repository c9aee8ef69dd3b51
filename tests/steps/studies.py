"""Studies in files for the tests of store, stages, steps and command line.

The small study: two modes of the embedded search over nine notes, three queries, assessors A and
B, adjudicator D, practice code C. Each stage of it, and the worked study, is made once for the
whole session; tests take a copy with `copy_of`.

First labels at the stage "judged", by need and title, and what they amount to:

    need  note                          A               B
    q1    Aspirin and stroke            relevant        relevant        agree
    q1    Aspirin and headache          not relevant    not relevant    agree
    q1    Aspirin without an abstract   relevant        relevant        below evidence (title read)
    q1    Aspirin in mice               relevant        not relevant    disagree
    q2    Statins and the liver         relevant        uncertain       disagree
    q2    Statins and muscle            cannot judge    relevant        split access
    q2    Statins, paper withdrawn      cannot judge    cannot judge    both cannot judge
"""

from __future__ import annotations

import atexit
import itertools
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from judge.clock import stepping_clock
from judge.decode import read_toml
from judge.judgements.evidence import evidence_shown
from judge.judgements.packet import fixed_entropy
from judge.judgements.sitting import Sitting
from judge.records.judgement import CannotKind, Label
from judge.records.protocol import Protocol
from judge.steps.context import Context
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    make_packet,
    pool_study,
)
from judge.steps.planning import freeze_study
from judge.steps.running import capture_study
from judge.store.desk import Desk
from judge.study import Study

START = "2026-11-30T09:00:00Z"

NEED1 = "Papers on aspirin and stroke in people."
NEED2 = "Papers on harm done by statins."

NOTES: list[dict[str, Any]] = [
    {"id": "n1", "title": "Aspirin and stroke", "abstract": "Aspirin after a stroke.", "pmid": "1"},
    {"id": "n2", "title": "Aspirin and headache", "abstract": "Aspirin for pain.", "pmid": "2"},
    {"id": "n3", "title": "Aspirin without an abstract", "pmid": "3"},
    {"id": "n4", "title": "Aspirin in mice", "abstract": "Aspirin, stroke, mice.", "pmid": "4"},
    {"id": "n5", "title": "Statins and the liver", "abstract": "Statins and enzymes.", "pmid": "5"},
    {"id": "n6", "title": "Statins and muscle", "abstract": "Statins and pain.", "pmid": "6"},
    {"id": "n7", "title": "Statins, paper withdrawn", "abstract": "Statins.", "pmid": "7"},
    {"id": "n8", "title": "Zinc", "abstract": "Zinc and colds.", "pmid": "8"},
    {"id": "n9", "title": "Zinc again", "abstract": "Zinc and smell.", "doi": "10.5555/z.9"},
]

QUERIES: list[dict[str, Any]] = [
    {"id": "q1", "family": "f", "need": NEED1, "text": "aspirin", "expected": "ordinary"},
    {"id": "q2", "family": "f", "need": NEED2, "text": "statins", "expected": "ordinary"},
    {"id": "q3", "family": "f", "need": "All papers.", "text": "the of", "expected": "ordinary"},
]
DEVELOPMENT: list[dict[str, Any]] = [
    {"id": "d1", "family": "f", "need": "Papers on zinc.", "text": "zinc", "expected": "ordinary"},
]

PROTOCOL = """
title = "A small study"
decision = "Which mode to open first."
intended_users = "Information specialists"
source_scope = "Nine notes"
index_frozen = false
measures = ["precision_at_k", "agreement"]
largest_entity_share = "1"
resampling_seed = 7
strata = []

[[families]]
code = "f"
task_type = "known_item"
need = "Papers on one drug."

[[unacceptable_failures]]
code = "wrong-drug"
text = "Another drug stands first."

[[systems]]
code = "K"
service = "embedded"
mode = "keyword"
endpoint = "embedded:keyword"
operators = ["AND", "OR", "NOT", "quotes"]
quotes_joined_by_and = true

[[systems]]
code = "S"
service = "embedded"
mode = "semantic"
endpoint = "embedded:semantic"
operators = ["quotes"]
quotes_joined_by_and = true

[depth]
requested = 5
pool = 4
cutoffs = [2, 4]

[rubric]
version = "1"
target_entity = "The drug of the need"
organism = "As the need says"
mechanism = "not relevant here"
evidence_type = "any"
evidence_level = "abstract"
note = "optional"

[[reasons]]
code = "on_topic"
key = "a"
labels = ["relevant", "uncertain"]
text = "About the need"
clause = "1.1"

[[reasons]]
code = "off_topic"
key = "x"
labels = ["not_relevant"]
text = "Not about the need"
clause = "1.2"

[choices]
uncertain = "bounds"
failed_request = "that_system"
duplicates = "first_counts"
same_record = ["same_id"]
gaps = "bounds"

[people]
assessors = ["A", "B"]
adjudicator = "D"
adjudication = "third_person"
run_by = "Code R"
judged_by = "Codes A and B"
ties = "none"
practice = ["C"]
"""

RUBRIC = "# Criteria\n\n1.1 The drug is a subject.\n\n1.2 Anything else does not count.\n"

STATEMENT = '[[answers]]\ncode = "wrong-drug"\nanswer = "not_seen"\n'

TWO_ASSESSORS = read_toml(PROTOCOL.encode(), "protocol.toml", Protocol)

Answer = Label | tuple[Label, CannotKind]

FIRST_LABELS: dict[str, tuple[Answer, Answer]] = {
    "Aspirin and stroke": ("relevant", "relevant"),
    "Aspirin and headache": ("not_relevant", "not_relevant"),
    "Aspirin without an abstract": ("relevant", "relevant"),
    "Aspirin in mice": ("relevant", "not_relevant"),
    "Statins and the liver": ("relevant", "uncertain"),
    "Statins and muscle": (("cannot_judge", "no_abstract"), "relevant"),
    "Statins, paper withdrawn": (
        ("cannot_judge", "paper_unavailable"),
        ("cannot_judge", "paper_unavailable"),
    ),
}


def jsonl(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def write_inputs(
    root: Path,
    *,
    protocol: str = PROTOCOL,
    rubric: str = RUBRIC,
    queries: list[dict[str, Any]] = QUERIES,
    development: list[dict[str, Any]] = DEVELOPMENT,
    notes: list[dict[str, Any]] = NOTES,
) -> Study:
    """The files of a study that is not frozen yet."""
    for name, text in {
        "protocol/protocol.toml": protocol,
        "protocol/rubric.md": rubric,
        "queries/evaluation.jsonl": jsonl(queries),
        "queries/development.jsonl": jsonl(development),
        "runs/corpus/notes.jsonl": jsonl(notes),
        "reports/statement.toml": STATEMENT,
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Study(root)


def context_of(root: Path, *, start: str = START, entropy: str = "tests") -> Context:
    """Surroundings in which every run of the same steps gives the same bytes."""
    return Context(
        Study(root),
        clock=stepping_clock(start),
        monotonic=itertools.count().__next__,
        entropy=fixed_entropy(entropy),
    )


def sitting_at(desk: Desk) -> Sitting:
    return Sitting(desk, monotonic=itertools.count().__next__, today=lambda: START[:10])


REASON: dict[Label, str] = {
    "relevant": "on_topic",
    "uncertain": "on_topic",
    "not_relevant": "off_topic",
    "cannot_judge": "",
}


def give(sitting: Sitting, answer: Answer, note: str | None = None) -> None:
    """Labels the item that is open."""
    label, kind = (answer, None) if isinstance(answer, str) else answer
    evidence = evidence_shown(sitting.view(), full_text=False)
    sitting.label(label, REASON[label], evidence=evidence, cannot_kind=kind, note=note)


def label_packet(path: Path, answers: Mapping[str, Answer] | Callable[[str], Answer]) -> None:
    """Labels every item of a packet by its title and hands it in."""
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            title = sitting.view().title or ""
            give(sitting, answers(title) if callable(answers) else answers[title])
        sitting.hand_in("I judged alone.")


def labels_of(place: int) -> dict[str, Answer]:
    """The first labels of assessor A (0) or B (1), by title."""
    return {title: pair[place] for title, pair in FIRST_LABELS.items()}


def settle_packet(path: Path, decision: Label = "not_relevant") -> None:
    """The adjudicator's work on every item: a blind label, both labels, the decision."""
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            give(sitting, "relevant")
            sitting.show_both()
            sitting.decide(decision, REASON[decision])
        sitting.hand_in("I decided alone.")


# --- made once ----------------------------------------------------------------------------------


@cache
def _place() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="blindjudge-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def stage(name: str) -> Path:
    """The small study at a stage: frozen, captured, pooled, dealt, judged, disputed, settled."""
    root = _place() / name
    order = ["frozen", "captured", "pooled", "dealt", "judged", "disputed", "settled"]
    place = order.index(name)
    if place:
        shutil.copytree(stage(order[place - 1]), root)
    context = context_of(root, start=f"2026-11-30T1{place}:00:00Z", entropy=name)
    if name == "frozen":
        write_inputs(root)
        freeze_study(context)
    elif name == "captured":
        capture_study(context)
    elif name == "pooled":
        pool_study(context)
    elif name == "dealt":
        make_packet(context, "A")
        make_packet(context, "B")
    elif name == "judged":
        for who, code in enumerate("AB"):
            label_packet(Study(root).packet(code), labels_of(who))
            collect_packet(context, Study(root).packet(code), code)
    elif name == "disputed":
        adjudication_packet(context)
    elif name == "settled":
        path = Study(root).packet("D", "adjudication")
        settle_packet(path)
        collect_packet(context, path, "D")
    return root


@cache
def worked() -> Path:
    """The worked study, from its inputs to its published folders."""
    from judge.steps.demo import run_demo

    root = _place() / "worked"
    run_demo(context_of(root, entropy="practice"))
    return root


def without_triggers(path: Path, *changes: tuple[str, tuple[object, ...]]) -> None:
    """What somebody with a SQLite shell can do: triggers off, changes, triggers on again."""
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement, values in changes:
            assert connection.execute(statement, values).rowcount > 0
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()


def copy_of(made: Path, folder: Path) -> Path:
    """A copy of a study to work on."""
    root = folder / "study"
    shutil.copytree(made, root)
    return root
