"""The surroundings of a study: what would lose work or spoil a label, before it does."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from judge.clock import Clock, system_clock
from judge.errors import JudgeError
from judge.study import Study

State = Literal["ok", "warn", "bad"]

PACKAGES = ("textual", "sqlalchemy", "httpx", "krippendorff", "numpy", "scipy", "msgspec")
OLDEST_SQLITE = (3, 37)
"""The first with STRICT tables."""
LEAST_FREE = 200_000_000
"""Bytes: room for a study, its journal and a report."""
SMALLEST = (60, 20)
"""Columns and rows that the desk needs."""
NETWORK = frozenset(
    (
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "afpfs",
        "9p",
        "ceph",
        "glusterfs",
        "lustre",
        "davfs",
        "vboxsf",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.glusterfs",
        "fuse.s3fs",
        "fuse.davfs2",
        "fuse.vmhgfs",
    )
)
"""Types of file systems on which SQLite's locks or flushes cannot be relied upon."""
SYNCED = (
    "dropbox",
    "onedrive",
    "google drive",
    "googledrive",
    "mobile documents",
    "icloud",
    "nextcloud",
    "owncloud",
    "pcloud",
    "box sync",
    "syncthing",
)
"""Parts of folder names that programs give which copy files behind one's back."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: State
    said: str
    next: str = ""


def _mounts() -> str:
    try:
        return Path("/proc/self/mounts").read_text("utf-8", "replace")
    except OSError:  # not Linux
        return ""


@dataclass(frozen=True)
class Surroundings:
    """What the machine says of itself; a test passes another."""

    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    mounts: str = field(default_factory=_mounts)
    """As in /proc/self/mounts; empty where there is no such file."""
    clock: Clock = system_clock
    encoding: str = field(default_factory=lambda: locale.getpreferredencoding(False))
    screen: tuple[int, int] | None = field(
        default_factory=lambda: os.get_terminal_size(2) if os.isatty(2) else None
    )
    """Columns and rows; None where there is no terminal."""
    sqlite: tuple[int, ...] = sqlite3.sqlite_version_info
    free: int | None = None
    """Free bytes; those of the disk without it."""


def examine(place: Path, around: Surroundings | None = None) -> tuple[Finding, ...]:
    """Everything worth knowing about ``place``, a study or any folder, and this machine."""
    around = around or Surroundings()
    place = place.resolve()
    try:
        study: Study | None = Study.locate(place)
    except JudgeError:
        study = None
    folder = study.root if study else place
    return (
        *_versions(around),
        _disk(folder, around),
        _space(folder, around),
        *(_store(study, around) if study else ()),
        _language(around),
        _terminal(around),
    )


def _versions(around: Surroundings) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{platform.python_version()} ({sys.platform})")
    number = ".".join(map(str, around.sqlite))
    if around.sqlite < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        yield Finding(
            "sqlite",
            "bad",
            f"{number}; {wanted} or newer is needed",
            "another Python, with a newer SQLite",
        )
    else:
        yield Finding("sqlite", "ok", number)
    told, missing = [], []
    for name in PACKAGES:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        yield Finding("packages", "bad", f"not installed: {', '.join(missing)}", "install again")
    yield Finding("packages", "ok", ", ".join(told))


def _disk(folder: Path, around: Surroundings) -> Finding:
    kind = _file_system(folder, around.mounts)
    synced = [part for part in folder.parts if any(one in part.casefold() for one in SYNCED)]
    move = "move the study to a disk of this machine, and bring copies elsewhere with judge backup"
    if kind in NETWORK:
        return Finding(
            "disk", "warn", f"{kind}, over a network: locks and flushes cannot be relied upon", move
        )
    if synced:
        return Finding(
            "disk",
            "warn",
            f"{synced[0]!r} looks like a synced folder: it copies files half written",
            move,
        )
    return Finding("disk", "ok", kind or "file system unknown on this platform")


def _file_system(folder: Path, mounts: str) -> str:
    """The type of the file system that holds ``folder``; the deepest mount point decides."""
    best, kind = "", ""
    for line in mounts.splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ")
        inside = folder == Path(point) or Path(point) in folder.parents
        if inside and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind


def _space(folder: Path, around: Surroundings) -> Finding:
    free = shutil.disk_usage(folder).free if around.free is None else around.free
    said = f"{free / 1e9:.1f} GB free"
    if free < LEAST_FREE:
        return Finding("space", "warn", said, "free some; a label that cannot be saved is refused")
    return Finding("space", "ok", said)


def _store(study: Study, around: Surroundings) -> Iterator[Finding]:
    journals = [
        path.name
        for store in (study.store, *sorted((study.root / "packets").glob("*.packet")))
        for suffix in ("-journal", "-wal", "-shm")
        if (path := store.with_name(store.name + suffix)).exists()
    ]
    if journals:
        yield Finding(
            "journal",
            "warn",
            f"{', '.join(journals)}: a program is writing, or one stopped while it was",
            "close other programs; opening the study again puts back what was not finished",
        )
    if not study.store.is_file():
        yield Finding("store", "ok", "none yet", "judge status")
        return
    try:
        with study.ledger(around.clock) as ledger:
            damage = ledger.damage()
            last = ledger.events()[-1].at_utc
    except JudgeError as error:
        yield Finding("store", "bad", error.message, error.hint)
        return
    if damage:
        yield Finding("store", "bad", damage[0], "go back to a backup, or judge rebuild")
        return
    yield Finding("store", "ok", "opens with every setting it needs; pages and indexes whole")
    now = around.clock()
    if now < last:
        yield Finding(
            "clock",
            "warn",
            f"{now}, but the study was last written at {last}",
            "set this machine's clock; order does not depend on it, dates do",
        )
    else:
        yield Finding("clock", "ok", f"{now}; last written at {last}")


def _language(around: Surroundings) -> Finding:
    name = around.encoding
    if name.replace("-", "").replace("_", "").casefold() != "utf8":
        return Finding(
            "language",
            "warn",
            f"{name}: Greek, CJK and accents cannot be shown",
            "export LC_ALL=C.UTF-8",
        )
    return Finding("language", "ok", name)


def _terminal(around: Surroundings) -> Finding:
    if around.screen is None:
        return Finding("terminal", "ok", "none here; the desk needs one")
    columns, rows = around.screen
    name = around.environment.get("TERM", "")
    said = f"{columns}x{rows}, {name or 'no TERM'}"
    extras = {"TMUX": "tmux", "SSH_CONNECTION": "ssh", "NO_COLOR": "no colour"}
    said += "".join(f", {told}" for key, told in extras.items() if around.environment.get(key))
    if name in ("", "dumb"):
        return Finding("terminal", "warn", said, "another terminal, or export TERM=xterm-256color")
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        return Finding("terminal", "warn", said, f"at least {SMALLEST[0]}x{SMALLEST[1]}")
    return Finding("terminal", "ok", said)
