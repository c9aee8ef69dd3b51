"""The labelling desk in a terminal: from a key to the next item on the wire, and how it opens.

    python -m bench.desk

Packets are made in a temporary folder: 200 items, 20,000 items (as dealt, and labelled up to the
last ones), and items with abstracts of 200 kB. The times hold everything that a person waits for:
the key read, the label committed to the disk, the next item read and written to the terminal.
"""

from __future__ import annotations

import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import insert

from judge.canonical import canonical, digest
from judge.records.judgement import LabelEvent, Packet, View
from judge.records.protocol import Reason
from judge.store import tables
from judge.store.chain import sealed
from judge.store.packet_file import PacketItem, create_packet, open_packet

MOST_SECONDS = 0.050
MOST_RATIO = 1.5
_KEYS = 15
_OPENINGS = 5
_DWELL = 0.4
"""Seconds before a label key: the desk ignores one that nobody can have thought about."""
_LIMIT = 60

_REASON = Reason(code="about", key="a", labels=("relevant",), text="About the need", clause="1")
_NEED = "Which drugs lower the aggregation of alpha-synuclein in neurons?"
_SENTENCE = "Alpha-synuclein aggregates in the substantia nigra of patients treated early. "


def main() -> int:
    """Prints the figures; returns 1 where a bound is passed."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        small = _packet(folder / "small.packet", 200)
        large = _packet(folder / "large.packet", 20_000)
        late = _packet(folder / "late.packet", 20_000, labelled=19_999 - _KEYS)
        long = _packet(folder / "long.packet", _KEYS + 2, sentences=200_000 // len(_SENTENCE))
        opening = {name: _opening(path) for name, path in _named(small, large, late)}
        keys = {
            "small": _key_times(small),
            "late": _key_times(late, 20_000 - _KEYS),
            "long": _key_times(long),
        }
    print(f"desk: key to next item drawn, median of {_KEYS} (at most {MOST_SECONDS * 1000:.0f} ms)")
    for name, times in keys.items():
        worst = max(times) * 1000
        print(f"  {_WHAT[name]:<34} {statistics.median(times) * 1000:5.1f} ms, worst {worst:.1f}")
    ratios = {name: opening[name] / opening["small"] for name in ("large", "late")}
    print(f"desk: opening, median of {_OPENINGS} (at most {MOST_RATIO} times that of 200 items)")
    for name, seconds in opening.items():
        ratio = f", ratio {ratios[name]:.2f}" if name in ratios else ""
        print(f"  {_OPENED[name]:<34} {seconds * 1000:5.0f} ms{ratio}")
    slow = [name for name, times in keys.items() if statistics.median(times) > MOST_SECONDS]
    return int(bool(slow) or max(ratios.values()) > MOST_RATIO)


_WHAT = {
    "small": "item 1 of 200",
    "late": "item 19,999 of 20,000",
    "long": "abstracts of 200 kB",
}
_OPENED = {
    "small": "200 items",
    "large": "20,000 items",
    "late": "20,000 items, 19,984 labelled",
}


def _named(*paths: Path) -> list[tuple[str, Path]]:
    return [(path.stem, path) for path in paths]


def _packet(path: Path, items: int, *, labelled: int = 0, sentences: int = 20) -> Path:
    packet = Packet(
        packet_id="bench",
        kind="label",
        assessor="A",
        origin="blind",
        study_title="Bench",
        freeze_id="0" * 64,
        rubric_version="1",
        rubric="# Rubric\n\nAbout the need.\n",
        reasons=(_REASON,),
        evidence_level="abstract",
        note="optional",
        items=items,
        dealt_on="2026-01-15",
    )
    views = (
        View(
            need=_NEED,
            title=f"Title {number}",
            journal="Journal",
            year="2020",
            type="journal article",
            abstract=f"Item {number}. {_SENTENCE * sentences}",
            link=f"https://records.example/{number}",
        )
        for number in range(1, items + 1)
    )
    dealt = [PacketItem(f"i{number}", view) for number, view in enumerate(views, 1)]
    create_packet(path, packet, dealt)
    _label(path, packet, labelled)
    return path


def _label(path: Path, packet: Packet, labelled: int) -> None:
    """Labels the first items in one transaction; one each would take minutes."""
    if not labelled:
        return
    draft = LabelEvent(
        packet_id=packet.packet_id,
        seq=0,
        kind="label",
        label="relevant",
        reason=_REASON.code,
        evidence="abstract",
        seconds=20,
        on="2026-01-16",
        prev_hash="",
        hash="",
    )
    rows, before = [], digest(packet)
    for number in range(1, labelled + 1):
        event = sealed(
            msgspec.structs.replace(draft, seq=number, position=number, prev_hash=before)
        )
        before = event.hash
        rows.append(
            {
                "packet_id": event.packet_id,
                "seq": event.seq,
                "item_id": f"i{number}",
                "kind": event.kind,
                "label": event.label,
                "body": canonical(event).decode(),
                "prev_hash": event.prev_hash,
                "hash": event.hash,
            }
        )
    database = open_packet(path)
    try:
        with database.write() as connection:
            connection.execute(insert(tables.label_event), rows)
    finally:
        database.close()


class _Terminal:
    """A desk at a terminal of 80x24."""

    def __init__(self, path: Path) -> None:
        self.started = time.perf_counter()
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "judge", "label", str(path)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(slave)
        self._out = b""

    def wait(self, text: str) -> float:
        """When ``text`` came out; drops everything before its end."""
        end = time.perf_counter() + _LIMIT
        while (at := self._out.find(text.encode())) < 0:
            if time.perf_counter() > end:
                raise TimeoutError(f"{text!r} never came: {self._out[-500:]!r}")
            if select.select([self.master], [], [], 1.0)[0]:
                self._out += os.read(self.master, 1 << 16)
        came = time.perf_counter()
        self._out = self._out[at + len(text) :]
        return came

    def type(self, key: str) -> float:
        """When the key was typed."""
        os.write(self.master, key.encode())
        return time.perf_counter()

    def drain(self, seconds: float) -> None:
        """Takes in what comes for a while."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self.master], [], [], left)[0]:
                self._out += os.read(self.master, 1 << 16)


@contextmanager
def _desk(path: Path) -> Iterator[_Terminal]:
    terminal = _Terminal(path)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)


def _opening(path: Path) -> float:
    def once() -> float:
        with _desk(path) as terminal:
            return terminal.wait("link") - terminal.started

    return _median(once, _OPENINGS)


def _median(measure: Callable[[], float], times: int) -> float:
    return statistics.median(measure() for _ in range(times))


def _key_times(path: Path, first: int = 1) -> list[float]:
    """From item ``first`` on: seconds from the reason key, which saves, to the next item shown."""
    times = []
    with _desk(path) as terminal:
        terminal.wait("link")
        for number in range(1, _KEYS + 1):
            terminal.drain(_DWELL)
            terminal.type("1")
            terminal.wait("The key of a reason saves it")
            terminal.drain(0.05)
            typed = terminal.type("a")
            terminal.wait(f"item {first + number} of")
            terminal.wait("saved: relevant")
            times.append(terminal.wait("link") - typed)  # the last line of the screen
    return times


if __name__ == "__main__":
    raise SystemExit(main())
