"""A disk that fails in the middle of a sitting: what the screen called saved is in the packet."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.store.desk import Desk
from tests.tui.support import make_packet
from tests.tui.terminal import Terminal, terminal

FULL = """
from sqlalchemy import event
from judge.store import engine
plain = engine._engine
def small(path):
    made = plain(path)
    @event.listens_for(made, "connect")
    def _connect(dbapi, _):
        dbapi.execute("PRAGMA max_page_count={pages}")
    return made
engine._engine = small
"""
"""SQLite takes no page more than this, and says what it says of a full disk."""

BOUND = """
import ctypes, os
# Without its capabilities root is held to the rights of files, as everybody else is.
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
assert ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)()) == 0
"""

LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))
"""


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    yield make_packet(tmp_path / "A.packet", 30)
    tmp_path.chmod(0o700)


def pages(path: Path) -> int:
    """How many pages of 4,096 bytes the file has."""
    return path.stat().st_size // 4096


def label_until_it_fails(t: Terminal) -> int:
    """Labels item after item; how many the screen called saved when it said NOT saved."""
    for saved in range(30):
        t.rest()
        t.type("1")
        t.until("The key of a reason saves it")
        t.type("a")
        t.sees(
            lambda text, item=saved + 1: (  # type: ignore[misc]
                f"saved: relevant (a) - item {item}" in text
                or "Every label that was called saved" in text
            ),
            "an end of the save",
        )
        if "Every label that was called saved" in t.shown.text:
            return saved
    raise AssertionError("the disk never was full")


def told(t: Terminal) -> str:
    """The words of the window that lies over the item."""
    inside = re.findall(r"\|(.*?)\|", t.shown.text)
    return " ".join(" ".join(inside).split())


def standing(path: Path) -> list[tuple[int | None, str | None]]:
    with Desk(path) as desk:
        return [(event.position, event.label) for event in desk.events()]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (FULL, "the disk is full; free some space, then try again"),
        (LIMITED, "the disk reports an error"),
    ],
    ids=["full", "quota"],
)
def test_a_disk_that_fills_up_loses_nothing_that_was_called_saved(
    path: Path, before: str, said: str
) -> None:
    room = pages(path) + 1
    with terminal(path, before=before.format(pages=room, bytes=room * 4096)) as t:
        t.until("item 1 of 30")
        saved = label_until_it_fails(t)
        assert saved >= 1
        assert said in told(t)
        t.rest()
        t.type("\r")
        t.sees(lambda text: f"item {saved + 1} of 30" in text, "the item that was not saved")
        t.rest()
        t.type("\x11")
        assert t.end() == 0
    assert standing(path) == [(item, "relevant") for item in range(1, saved + 1)]
    with terminal(path) as t:  # with room again the work goes on where it stopped
        t.until(f"item {saved + 1} of 30")
        t.label("1a", f"saved: relevant (a) - item {saved + 1}")
    assert len(standing(path)) == saved + 1


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's own")
def test_a_folder_that_becomes_read_only_is_told_and_loses_nothing(path: Path) -> None:
    with terminal(path, before=BOUND) as t:
        t.until("item 1 of 30")
        t.label("1a", "saved: relevant (a) - item 1")
        path.parent.chmod(0o500)
        t.rest()
        t.type("0")
        t.until("The key of a reason saves it")
        t.type("w")
        t.sees(lambda text: "Every label that was called saved" in text, "the message")
        said = told(t)
        assert "cannot be opened (missing, or no permission)" in said or "cannot be written" in said
        assert "NOT saved" in said
        t.rest()
        t.type("\r")
        t.until("The key of a reason saves it")
        path.parent.chmod(0o700)
        t.rest()
        t.type("w")
        t.until("saved: not relevant (w) - item 2")
        t.process.kill()
        t.end()
    assert standing(path) == [(1, "relevant"), (2, "not_relevant")]


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's own")
def test_a_file_that_is_read_only_is_refused_before_anything_is_drawn(path: Path) -> None:
    path.chmod(0o400)
    with terminal(path, before=BOUND) as t:
        assert t.end() == 3
        said = " ".join(t.out.decode().split())
        assert "cannot be written (no permission), so no label could be saved" in said
        assert b"\x1b[?1049h" not in t.out
    path.chmod(0o600)
    assert standing(path) == []
