"""A copy of a whole study that is proven before it gets its name."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from judge.errors import Integrity, Refused
from judge.files import unwritable
from judge.steps.context import Context
from judge.steps.recording import verify_study
from judge.store.packet_file import copy_packet
from judge.study import FOLDERS, Study


@dataclass(frozen=True)
class BackedUp:
    """What a backup holds."""

    folder: Path
    events: int
    """Steps of the study's chain."""
    packets: tuple[tuple[str, int], ...]
    """File name and number of acts of every packet that lies in the study."""
    checked: tuple[str, ...]


def back_up(context: Context, target: Path) -> BackedUp:
    """Copies the study into the new folder ``target``: folders, store and packets.

    The copy is a study like any other, and is verified as one before it gets its name; keys
    (`.env`) stay behind. People may go on labelling: what is committed is in it. Raises `Refused`
    for a target that exists or lies in the study, `Integrity` where the copy does not verify.
    """
    source = context.study
    if target.exists():
        raise Refused(
            f"{target} exists; a backup never replaces anything", hint="name a new folder"
        )
    if target.resolve().is_relative_to(source.root.resolve()):
        raise Refused(f"{target} lies in the study itself", hint="name a folder outside it")
    with source.ledger(context.clock) as ledger:
        head = ledger.events()[-1]
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    except OSError as error:
        raise unwritable(target, error) from None
    try:
        packets = _copy(source, draft, context)
        found = verify_study(Study(draft), context.clock)
        with Study(draft).ledger(context.clock) as copy:
            events = copy.events()
        if found.problems or events[head.seq - 1 : head.seq] != (head,):
            raise Integrity(
                "the copy does not verify, so it was removed: "
                + (found.problems or ("its chain is another",))[0],
                hint="judge verify says what is wrong; copy the folder by hand first",
            )
        os.rename(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return BackedUp(target, len(events), packets, found.passed)


def _copy(source: Study, draft: Path, context: Context) -> tuple[tuple[str, int], ...]:
    for name in FOLDERS:
        if (source.root / name).is_dir():
            shutil.copytree(source.root / name, draft / name)
    with source.ledger(context.clock) as ledger:
        ledger.copy(draft / source.store.name)
    held: list[tuple[str, int]] = []
    files = sorted((source.root / "packets").glob("*.packet"))
    for number, path in enumerate(files, 1):
        (draft / "packets").mkdir(mode=0o700, exist_ok=True)
        held.append((path.name, copy_packet(path, draft / "packets" / path.name)))
        context.progress("packets", number, len(files))
    return tuple(held)
