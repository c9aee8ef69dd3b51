"""A desk that could not save is refused before anything shows: held elsewhere, not writable."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from judge.errors import Integrity, Refused
from judge.records.judgement import LabelEvent
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.studies import copy_of, stage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A packet of seven items that nobody has touched."""
    return copy_of(stage("dealt"), tmp_path) / "packets" / "A.packet"


def draft(kind: Any = "later", position: int | None = 1, **fields: Any) -> LabelEvent:
    return LabelEvent(
        packet_id="",
        seq=0,
        kind=kind,
        position=position,
        on="2026-11-30",
        prev_hash="",
        hash="",
        **fields,
    )


# --- two terminals ------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from judge.store.desk import Desk
with Desk(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_second_terminal_is_refused_and_told_who_holds_the_packet(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        before = path.read_bytes()
        for opening in (Desk, read_packet):
            with pytest.raises(Refused) as error:
                opening(path)
            assert "is open in another terminal" in error.value.message
            assert f"process {holder.pid} on {socket.gethostname()}" in error.value.message
        assert path.read_bytes() == before
        holder.kill()
    with Desk(path) as desk:  # however the other ended, the packet is free
        desk.append(draft())


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_another_name_of_the_same_packet_is_the_same_packet(path: Path, link: Any) -> None:
    other = path.parent.parent / "other" / "mine.packet"
    other.parent.mkdir()
    link(path, other)
    for held, asked in ((path, other), (other, path)):
        with subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(held)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "open\n"
            for opening in (Desk, read_packet):
                with pytest.raises(Refused, match="is open in another terminal"):
                    opening(asked)
            holder.kill()
    with Desk(other) as desk:
        event_ = desk.append(draft())
    assert read_packet(path).events == (event_,)


def test_the_same_process_cannot_open_a_packet_twice(path: Path) -> None:
    with Desk(path), pytest.raises(Refused, match=f"process {os.getpid()}"):
        Desk(path)


def test_a_packet_that_could_not_be_opened_is_free_again(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:5000])
    with pytest.raises(Integrity):
        Desk(path)
    path.write_bytes(whole)
    with Desk(path) as desk:
        assert desk.packet.assessor == "A"


# --- nowhere to write ---------------------------------------------------------------------------

AS_NOBODY = """
import os, sys
from pathlib import Path
from judge.errors import JudgeError
from judge.store.desk import Desk
with Desk(Path(sys.argv[2])):
    pass  # everything is imported now: nobody may not be able to read where Python is
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    with Desk(Path(sys.argv[1])) as desk:
        print("opened", desk.packet.assessor)
except JudgeError as error:
    print(error.exit_code, error.message)
"""


def open_without_rights(path: Path, another: Path) -> str:
    """What a person without the rights of root is told on opening the packet."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(path), str(another)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def public(path: Path) -> Iterator[Path]:
    """The packet in a folder that everybody may use, wherever the tests' own folder lies."""
    folder = Path(tempfile.mkdtemp(prefix="blindjudge-public-"))
    folder.chmod(0o777)
    shutil.copyfile(path, folder / "A.packet")
    (folder / "A.packet").chmod(0o666)
    yield folder / "A.packet"
    folder.chmod(0o777)
    shutil.rmtree(folder)


def test_a_folder_that_can_be_written_opens(public: Path, path: Path) -> None:
    assert open_without_rights(public, path) == "opened A\n"


@pytest.mark.parametrize("locked_before", [False, True])
def test_a_folder_that_cannot_be_written_is_refused_before_anything_shows(
    public: Path, path: Path, locked_before: bool
) -> None:
    if locked_before:
        lock = public.with_name("A.packet.lock")
        lock.touch()
        lock.chmod(0o666)
    before = public.read_bytes()
    public.parent.chmod(0o555)
    said = open_without_rights(public, path)
    assert said.startswith("3 ")
    assert "its folder cannot be written" in said
    assert "no label could be saved; nothing was changed" in said
    assert public.read_bytes() == before


def test_a_file_that_cannot_be_written_is_refused_before_anything_shows(
    public: Path, path: Path
) -> None:
    public.chmod(0o444)
    said = open_without_rights(public, path)
    assert said.startswith("3 ")
    assert "it cannot be written (no permission), so no label could be saved" in said


def test_a_full_disk_is_said_and_no_label_is_taken_for_saved(path: Path) -> None:
    pages = path.stat().st_size // 4096

    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")

    acknowledged: list[LabelEvent] = []

    def fill(desk: Desk) -> None:
        for number in range(200):
            acknowledged.append(desk.append(draft("note", 1, note=f"{number} " + "word " * 100)))

    event.listen(Engine, "connect", limit)
    try:
        with Desk(path) as desk:
            with pytest.raises(Refused, match="the disk is full; free some space"):
                fill(desk)
            assert desk.events() == tuple(acknowledged)
    finally:
        event.remove(Engine, "connect", limit)
    assert acknowledged
    with Desk(path) as desk:  # there is room again
        acknowledged.append(desk.append(draft("later", 2)))
    assert read_packet(path).events == tuple(acknowledged)
