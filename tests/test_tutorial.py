"""The tutorial works: its files are written, its commands run, and they print what it shows."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from judge.cli import run
from judge.judgements.evidence import evidence_shown
from judge.judgements.sitting import Sitting
from judge.records.judgement import Label
from judge.steps.context import Context
from judge.steps.judging import adjudication_packet
from judge.store.desk import Desk
from judge.study import Study
from tests.documented import Command, File, acts, is_printed
from tests.steps.studies import sitting_at

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tutorial.md"
_ROW = re.compile(r"^\| ([^|]+) \| (\w+), (\w+) \| (\w+), (\w+) \|$", re.MULTILINE)


def labels_in(page: str, code: str) -> dict[str, tuple[Label, str]]:
    """The label and the reason of an assessor for each title of the page's table."""
    at = {"A": 2, "B": 4}[code]
    return {row[1]: (cast(Label, row[at]), row[at + 1]) for row in _ROW.finditer(page)}


def label(page: str, code: str) -> None:
    """What a person does at the desk: everything by the table, then the hand-in."""
    answers = labels_in(page, code)

    def answer(sitting: Sitting) -> None:
        given, reason = answers[sitting.view().title or ""]
        sitting.label(given, reason, evidence=evidence_shown(sitting.view(), full_text=False))

    work(Study(Path.cwd()).packet(code), answer)


def settle() -> None:
    """A blind label, then both labels, then the decision."""

    def decide(sitting: Sitting) -> None:
        evidence = evidence_shown(sitting.view(), full_text=False)
        sitting.label("relevant", "reports_harm", evidence=evidence)
        sitting.show_both()
        sitting.decide("relevant", "reports_harm", note="Side effects are harm.")

    work(adjudication_packet(Context(Study(Path.cwd()))), decide)


def work(path: Path, do: Callable[[Sitting], None]) -> None:
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            do(sitting)
        sitting.hand_in("I judged alone.")


def test_the_tutorial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for act in acts(page):
        if isinstance(act, File):
            assert Path(act.name).parent.is_dir() or act.name.startswith("runs/corpus/")
            Path(act.name).parent.mkdir(exist_ok=True)
            Path(act.name).write_text(act.text, "utf-8")
            continue
        words = shlex.split(act.line)
        if words[0] == "cd":
            os.chdir(words[1])
        elif words[1] == "label":
            label(page, words[2])
        elif words[1] == "adjudicate":
            settle()
        else:
            assert run(words[1:]) == 0, (act.line, capsys.readouterr().err)
            printed = capsys.readouterr().out
            assert is_printed(act.printed, printed), f"$ {act.line}\n{printed}"


def test_what_a_page_shows_is_compared_line_by_line() -> None:
    shown = Command("x", ("a … c", "…", "end")).printed
    assert is_printed(shown, "a b c\n1\n2\nend\n")
    assert is_printed(shown, "a b c\n\nend")
    assert not is_printed(shown, "a b d\n1\nend")
    assert not is_printed(shown, "a b c\n1\nend\nmore")
