"""While one person is out, nothing that anybody can run says what the other one labelled.

The labels of the one who is in carry marks that no other text holds; every command is tried, its
output and every file it leaves is searched for them, and for the number of conflicts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.cli import run
from judge.errors import Refused
from judge.steps.context import Context
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    export_labels,
    make_packet,
    unlock_packet,
)
from judge.steps.recording import publish_study
from judge.steps.reporting import report_study
from judge.steps.status import status_of
from judge.store.desk import Desk
from judge.study import FOLDERS
from tests.steps.studies import context_of, copy_of, give, label_packet, sitting_at, stage

MARK = "zyxwv-mark"

COMMANDS = [
    ["status"],
    ["status", "--json"],
    ["report"],
    ["report", "--json"],
    ["export", "out"],
    ["export", "out", "--json"],
    ["publish"],
    ["adjudicate"],
    ["verify"],
    ["verify", "--json"],
    ["lint"],
    ["packet", "make", "A"],
    ["packet", "make", "C"],
    ["packet", "make", "A", "--guesses"],
    ["packet", "make", "B", "--guesses"],
    ["packet", "audit", "A"],
    ["packet", "audit", "A", "--json"],
    ["packet", "audit", "B"],
    ["packet", "audit", "C"],
    ["pool"],
    ["collect", "A"],
    ["collect", "B"],
    ["rebuild", "."],
    ["access"],
    ["access", "--json"],
    ["access", "found", "pmid:3", "--by", "R", "--reason", "r", "--link", "https://x.org/1"],
    ["access", "unavailable", "q2", "pmid:7", "--by", "R", "--reason", "r"],
    ["access", "exclude", "q2", "pmid:7", "--by", "R", "--reason", "r"],
    ["retract", "B", "q1", "pmid:1", "--cause", "slip", "--by", "R", "--reason", "r"],
    ["retract", "B", "--cause", "removed_from_study", "--by", "R", "--reason", "r"],
    ["packet", "make", "A", "--failures"],
    ["packet", "make", "A", "--replace", "--reason", "lost"],
    ["packet", "make", "B", "--replace", "--reason", "lost"],
    ["import-texts", "runs/corpus/notes.jsonl", "--source", "corpus"],
    ["backup", "../backup"],
    ["doctor"],
    ["diff", "reports/a", "reports/b"],
]


def label_with_marks(path: Path) -> None:
    """Every item of B's packet, each with the mark in its note."""
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for _ in range(sitting.packet.items):
            give(sitting, "uncertain", MARK)
        sitting.hand_in("I judged alone.")


@pytest.fixture
def half(tmp_path: Path) -> Context:
    """B is in; A has labelled one item of seven and is out."""
    context = context_of(copy_of(stage("dealt"), tmp_path))
    label_with_marks(context.study.packet("B"))
    collect_packet(context, context.study.packet("B"), "B")
    with Desk(context.study.packet("A")) as desk:
        give(sitting_at(desk), "relevant")
    return context


def revealing(text: str) -> list[str]:
    signs = [MARK, "uncertain", "disagree", "in dispute", "conflict", "final labels", "alpha"]
    return [sign for sign in signs if sign in text]


def test_the_mark_is_found_once_both_are_in(half: Context) -> None:
    """The search below can find something: this is what it looks for."""
    with Desk(half.study.packet("A")) as desk:
        sitting = sitting_at(desk)
        while sitting.progress().left:
            give(sitting, "relevant")
        sitting.hand_in("I judged alone.")
    collect_packet(half, half.study.packet("A"))
    status = status_of(half)
    assert revealing(" ".join(str(line) for line in (*status.lines, *status.gaps)))
    publish_study(half)
    assert MARK in (half.study.root / "judgements" / "items.csv").read_text()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_tells_what_the_one_who_is_in_said(
    half: Context,
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(half.study.root)
    before = {path: path.read_bytes() for path in half.study.root.rglob("*") if path.is_file()}
    run(command)
    out, err = capsys.readouterr()
    assert revealing(out + err) == []
    for path in half.study.root.rglob("*"):
        if path.is_file() and path.read_bytes() != before.get(path):
            writes = ("packet", "pool", "collect", "retract")
            assert path.name != "study.db" or command[0] in writes
            if path.suffix != ".db":
                assert MARK.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("what", "step"),
    [
        ("a report", report_study),
        ("publishing", publish_study),
        ("export", lambda context: export_labels(context, context.study.root / "out")),
        ("adjudication", adjudication_packet),
    ],
)
def test_what_would_tell_is_refused_and_says_who_is_out(
    half: Context, what: str, step: Callable[[Context], object]
) -> None:
    with pytest.raises(Refused) as error:
        step(half)
    assert error.value.message == (f"A has not handed in; labels stay closed, so {what} is refused")
    assert error.value.hint == "judge label A, then judge collect A"
    names = {path.name for name in FOLDERS for path in (half.study.root / name).rglob("*.*")}
    assert not names & {"items.csv", "report.json", "labels.jsonl", "A.qrels"}
    assert not (half.study.root / "out").exists()


def test_the_packet_of_the_one_who_is_out_holds_nothing_of_the_other(half: Context) -> None:
    data = half.study.packet("A").read_bytes()
    for sign in (MARK.encode(), b'"uncertain","note"', b'"label":"uncertain"'):
        assert sign not in data
    made = make_packet(half, "C").read_bytes()  # dealt after B came in
    assert MARK.encode() not in made


def test_whoever_opens_their_packet_again_is_out_again(half: Context) -> None:
    label_rest = half.study.packet("A")
    with Desk(label_rest) as desk:
        sitting = sitting_at(desk)
        while sitting.progress().left:
            give(sitting, "relevant")
        sitting.hand_in("I judged alone.")
    collect_packet(half, label_rest)
    unlock_packet(half, "A", "a slip")
    status = status_of(half)
    assert revealing(" ".join(str(line) for line in (*status.lines, *status.gaps))) == []
    for step in (report_study, publish_study, adjudication_packet):
        with pytest.raises(Refused, match="A has not handed in"):
            step(half)


def test_an_adjudicators_packet_has_no_name(tmp_path: Path) -> None:
    context = context_of(copy_of(stage("dealt"), tmp_path))
    label_with_marks(context.study.packet("B"))
    label_packet(context.study.packet("A"), lambda title: "relevant")
    for code in "AB":
        collect_packet(context, context.study.packet(code))
    data = adjudication_packet(context).read_bytes()
    assert MARK.encode() in data  # the reason and note of a label are shown
    for name in (b'"assessor":"A"', b'"assessor":"B"', b'{"A":', b'"B":'):
        assert name not in data
