"""What has cost people their work elsewhere is told before it does here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.cli import run
from judge.steps.doctor import Finding, Surroundings, examine
from tests.steps.acts import at

FINE = Surroundings(
    environment={"TERM": "xterm-256color"},
    mounts="/dev/sda1 / ext4 rw 0 0\n",
    clock=lambda: "2026-12-02T08:00:00Z",
    encoding="UTF-8",
    screen=(80, 24),
    free=10_000_000_000,
)


def found(place: Path, around: Surroundings) -> dict[str, Finding]:
    return {one.what: one for one in examine(place, around)}


def test_a_sound_study_on_a_sound_machine_has_nothing_to_mend(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    assert {one.state for one in examine(context.study.root, FINE)} == {"ok"}


@pytest.mark.parametrize(
    ("changes", "what", "state", "said"),
    [
        ({"mounts": "s:/x / nfs4 rw 0 0\n"}, "disk", "warn", "nfs4, over a network"),
        ({"free": 1_000_000}, "space", "warn", "0.0 GB free"),
        ({"sqlite": (3, 36, 0)}, "sqlite", "bad", "3.36.0; 3.37 or newer is needed"),
        ({"encoding": "ANSI_X3.4-1968"}, "language", "warn", "ANSI_X3.4-1968"),
        ({"screen": (59, 24)}, "terminal", "warn", "59x24, xterm-256color"),
        ({"environment": {"TERM": "dumb"}}, "terminal", "warn", "80x24, dumb"),
        ({"screen": None}, "terminal", "ok", "none here"),
        ({"environment": {"TERM": "screen", "TMUX": "1"}}, "terminal", "ok", "screen, tmux"),
        ({"clock": lambda: "2020-01-01T00:00:00Z"}, "clock", "warn", "last written at"),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(
    tmp_path: Path, changes: dict[str, Any], what: str, state: str, said: str
) -> None:
    context = at("judged", tmp_path)
    one = found(context.study.root, replace(FINE, **changes))[what]
    assert (one.state, said in one.said) == (state, True), one
    assert bool(one.next) is (state != "ok")


def test_the_deepest_mount_decides(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    mounts = f"/dev/sda1 / ext4 rw 0 0\nhost: {tmp_path} fuse.sshfs rw 0 0\n"
    assert found(context.study.root, replace(FINE, mounts=mounts))["disk"].state == "warn"


def test_a_folder_that_is_synced_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "Dropbox"
    folder.mkdir()
    assert "synced folder" in found(folder, FINE)["disk"].said


def test_a_journal_beside_a_store_is_told(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    journal = context.study.packet("A").with_name("A.packet-journal")
    journal.touch()
    one = found(context.study.root, FINE)["journal"]
    assert (one.state, one.said.startswith("A.packet-journal: a program is writing")) == (
        "warn",
        True,
    )


def test_a_damaged_store_ends_with_integrity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = at("judged", tmp_path)
    whole = context.study.store.read_bytes()
    context.study.store.write_bytes(whole[:4096] + b"\x00" * 4096 + whole[8192:])
    assert run(["doctor", "--study", str(context.study.root), "--json"]) == 4
    shown = capsys.readouterr()
    states = {one["what"]: one["state"] for one in json.loads(shown.out)}
    assert states["store"] == "bad"
    assert shown.err.startswith("INTEGRITY: store: ")


def test_outside_a_study_the_machine_alone_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "sqlite" in out
    assert "store" not in out
