"""`make` installs once, again only when what is declared changes, and says what it lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# A Python that makes an environment of itself, and writes down what it was asked to do.
FAKE = """#!/bin/sh
case "$*" in
  "-c import sys; sys.exit(sys.version_info < (3, 11))") exit {old} ;;
  "-c import ensurepip, venv") exit {bare} ;;
  "-V") echo "Python 3.9.1" ;;
  "-m venv .venv")
    mkdir -p .venv/bin
    cp "$0" .venv/bin/python
    for tool in judge ruff mypy; do cp "$0" .venv/bin/$tool; done ;;
esac
echo "$(basename "$0") $*" >> calls
"""


def tree(folder: Path, *, old: int = 0, bare: int = 0) -> Path:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    fake = folder / "fake-python"
    fake.write_text(FAKE.format(old=old, bare=bare))
    fake.chmod(0o755)
    return folder


def make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    quiet = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", target, f"PYTHON={folder / 'fake-python'}"]
    return subprocess.run(command, cwd=folder, env=quiet, capture_output=True, text=True)


def installations(folder: Path) -> int:
    return sum(" -m pip install " in call for call in (folder / "calls").read_text().splitlines())


@pytest.mark.parametrize("target", ["demo", "test", "check"])
def test_a_second_run_installs_nothing(tmp_path: Path, target: str) -> None:
    folder = tree(tmp_path)
    assert make(folder, target).returncode == 0
    assert installations(folder) == 1
    again = make(folder, target)
    assert again.returncode == 0
    assert installations(folder) == 1
    assert "Installing" not in again.stdout


def test_the_development_tools_hold_what_the_demo_needs(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    for target in ("test", "demo", "check"):
        assert make(folder, target).returncode == 0
    assert installations(folder) == 1


def test_another_lock_file_is_installed(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    make(folder, "demo")
    stamp = (folder / ".venv" / "runtime.stamp").stat().st_mtime
    os.utime(folder / "constraints.txt", (stamp + 5, stamp + 5))
    make(folder, "demo")
    assert installations(folder) == 2


@pytest.mark.parametrize(
    ("lacks", "told"),
    [({"old": 1}, "is needed; "), ({"bare": 1}, "without its venv module")],
)
def test_an_interpreter_that_will_not_do_is_told_in_words(
    tmp_path: Path, lacks: dict[str, int], told: str
) -> None:
    folder = tree(tmp_path, **lacks)
    done = make(folder, "demo")
    assert done.returncode == 2
    assert told in done.stderr
    assert "Next:" in done.stderr
    assert not (folder / ".venv").exists()
