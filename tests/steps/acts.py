"""What tests do to studies in files, and what they look at: shared by several stages' tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.canonical import canonical, digest
from judge.clock import stepping_clock
from judge.errors import JudgeError
from judge.records.judgement import LabelEvent
from judge.records.protocol import Amendment
from judge.steps.context import Context
from judge.steps.judging import collect_packet, unlock_packet
from judge.steps.planning import amend_study
from judge.steps.recording import verify_study
from judge.store.chain import sealed
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from judge.study import FOLDERS, Study
from tests.steps.studies import (
    START,
    Answer,
    context_of,
    copy_of,
    give,
    sitting_at,
    stage,
    without_triggers,
)

CLOCK = stepping_clock(START)


def at(made: str, tmp_path: Path) -> Context:
    """A copy of the small study at a stage, a day later."""
    return context_of(copy_of(stage(made), tmp_path), start="2026-12-01T08:00:00Z", entropy="later")


def states(context: Context) -> dict[str, tuple[str, str | None]]:
    """State and final label of every item, by record."""
    with context.frozen() as work:
        return {item.record_id: (item.state, item.final) for item in work.items}


def amend(context: Context, target: str, after: str, **fields: Any) -> Amendment:
    said: dict[str, Any] = {"author": "R1", "reason": "A slip.", "seen": "results_seen"}
    return amend_study(context, target=target, after=after, **said | fields)


def label_again(path: Path, title: str, answer: Answer) -> None:
    """Labels one item of an open packet anew and hands the packet in."""
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for position in range(1, sitting.packet.items + 1):
            sitting.go(position)
            if sitting.view().title == title:
                give(sitting, answer)
                break
        sitting.hand_in("I judged alone.")


def relabel(context: Context, code: str, title: str, answer: Answer) -> None:
    """An assessor changes one label after all were collected."""
    unlock_packet(context, code, f"{title} was a slip")
    label_again(context.study.packet(code), title, answer)
    collect_packet(context, context.study.packet(code), code)


def folders(root: Path) -> dict[str, bytes]:
    """The files of the five folders."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for name in FOLDERS
        for path in sorted((root / name).rglob("*"))
        if path.is_file()
    }


def strangers_copy(root: Path, target: Path) -> Path:
    """What somebody gets who is handed the five folders alone."""
    for name in FOLDERS:
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name)
    return target


def problems(root: Path) -> tuple[str, ...]:
    """What a verification finds."""
    return verify_study(Study(root), CLOCK).problems


def rewrite(path: Path, change: Callable[[list[LabelEvent]], list[LabelEvent]]) -> None:
    """Writes the events of a packet anew, with a chain that is whole again: a forged packet."""
    returned = read_packet(path)
    head, links = digest(returned.packet), []
    for seq, event in enumerate(change(list(returned.events)), 1):
        links.append(sealed(msgspec.structs.replace(event, seq=seq, prev_hash=head)))
        head = links[-1].hash
    rows = [
        (
            "INSERT INTO label_event (packet_id, seq, kind, label, body, prev_hash, hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                link.packet_id,
                link.seq,
                link.kind,
                link.label,
                canonical(link).decode(),
                link.prev_hash,
                link.hash,
            ),
        )
        for link in links
    ]
    without_triggers(path, ("DELETE FROM label_event", ()), *rows)


def refused(
    context: Context, path: Path, code: str | None, kind: type[JudgeError], words: str
) -> None:
    """The packet is refused with these words, and nothing of the study has changed."""
    before = context.study.store.read_bytes()
    with pytest.raises(kind) as error:
        collect_packet(context, path, code)
    assert words in "\n".join(error.value.lines())
    assert context.study.store.read_bytes() == before
