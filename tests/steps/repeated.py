"""A study with hidden repeats: two needs of 18 papers, both modes of the embedded search."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from judge.steps.judging import collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.running import capture_study
from judge.store.desk import Desk
from judge.study import Study
from tests.steps.studies import (
    PROTOCOL,
    Answer,
    context_of,
    give,
    sitting_at,
    write_inputs,
)

WORDS = ("aspirin", "statin")
NOTES: list[dict[str, Any]] = [
    {
        "id": f"{word}{number}",
        "title": f"{word.capitalize()} paper {number:02d}",
        "abstract": f"What {word} does {'late' if number > 8 else 'soon'}, part {number:02d}.",
        "pmid": f"{1 + WORDS.index(word)}{number:02d}",
    }
    for word in WORDS
    for number in range(18)
]
QUERIES: list[dict[str, Any]] = [
    {
        "id": word,
        "family": "f",
        "need": f"On {word}.",
        "text": word,
        "translations": {"S": {"text": f"{word} does late", "note": "S reads sentences"}},
        "expected": "ordinary",
    }
    for word in WORDS
]
REPEATED = PROTOCOL.replace("requested = 5\npool = 4", "requested = 20\npool = 18").replace(
    "strata = []", 'strata = []\nrepeats_share = "1/6"'
)
PLAIN = REPEATED.replace('repeats_share = "1/6"', 'repeats_share = "0"')
SHALLOW = PLAIN.replace("pool = 18", "pool = 5").replace("cutoffs = [2, 4]", "cutoffs = [2]")
"""Each mode finds four papers that the other one does not, of 14."""


def first(code: str, title: str) -> Answer:
    """The first label: of A by the paper's number, of B the other for every fifth paper."""
    number = int(title[-2:])
    relevant = number % 2 == 0
    if code == "B" and number % 5 == 0:
        relevant = not relevant
    return "relevant" if relevant else "not_relevant"


def second(code: str, title: str) -> Answer:
    """What the same person says the second time: A the same, B always uncertain."""
    return first(code, title) if code == "A" else "uncertain"


def label_twice(path: Path, code: str) -> None:
    """Labels a packet as its person does, the second time by `second`, and hands it in."""
    had: set[str] = set()
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        while sitting.progress().left:
            title = sitting.view().title or ""
            give(sitting, second(code, title) if title in had else first(code, title))
            had.add(title)
        sitting.hand_in("I judged alone.")


@cache
def repeated(name: str, *, labelled: bool = True) -> Path:
    """The study with repeats, or without (``plain``); dealt, and labelled by both."""
    place = Path(tempfile.mkdtemp(prefix="blindjudge-repeats-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    root = place / name
    protocol = {"repeated": REPEATED, "plain": PLAIN, "shallow": SHALLOW}[name]
    write_inputs(root, protocol=protocol, queries=QUERIES, notes=NOTES)
    context = context_of(root, entropy=name)
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    for code in "AB":
        path = make_packet(context, code)
        if labelled:
            label_twice(path, code)
            collect_packet(context, Study(root).packet(code), code)
    return root
