"""How a command ends: exit codes, what goes where, and terminals that are not as they should be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import judge
from judge.cli import run
from tests.steps.studies import (
    PROTOCOL,
    copy_of,
    stage,
    write_inputs,
)

ROOT = Path(judge.__file__).parents[1]


def command_line(
    *arguments: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`python -m judge` as a user runs it."""
    return subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    return copy_of(stage("frozen"), tmp_path)


# --- exit codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "harm", "code", "first"),
    [
        (["status"], None, 0, ""),
        (["nonsense"], None, 2, "INVALID: No such command 'nonsense'."),
        (["freeze"], "five mistakes", 3, "REFUSED: "),
        (["lint"], "five mistakes", 2, "INVALID: "),
        (["freeze"], None, 3, "REFUSED: this study is frozen already"),
        (["capture"], "frozen byte", 4, "INTEGRITY: protocol/frozen.json no longer matches"),
        (["pool"], None, 3, "REFUSED: 6 queries have no outcome yet"),
        (["status"], "newer schema", 3, "REFUSED: "),
        (["status"], "damaged store", 4, "INTEGRITY: "),
    ],
)
def test_each_kind_of_error_ends_with_its_code(
    tmp_path: Path, arguments: list[str], harm: str | None, code: int, first: str
) -> None:
    if harm == "five mistakes":
        root = tmp_path / "study"
        broken = PROTOCOL
        for old, new in [
            ('decision = "Which mode to open first."', 'decision = ""'),
            ("cutoffs = [2, 4]", "cutoffs = [2, 9]"),
            ('clause = "1.1"', 'clause = "7.7"'),
            ('adjudicator = "D"', 'adjudicator = "A"'),
            ('ties = "none"', 'ties = ""'),
        ]:
            broken = broken.replace(old, new)
        write_inputs(root, protocol=broken)
    else:
        root = copy_of(stage("frozen"), tmp_path)
    if harm == "frozen byte":
        path = root / "protocol" / "frozen.json"
        path.write_bytes(path.read_bytes().replace(b'"pool":4', b'"pool":5'))
    if harm == "newer schema":
        data = bytearray((root / "study.db").read_bytes())
        data[60:64] = (99).to_bytes(4, "big")  # user_version, in SQLite's file format
        (root / "study.db").write_bytes(data)
    if harm == "damaged store":
        (root / "study.db").write_bytes(b"not a database" * 1000)
    done = command_line(*arguments, cwd=root)
    assert done.returncode == code
    if code:
        lines = done.stderr.splitlines()
        assert lines[0].startswith(first)
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
    if harm == "five mistakes":
        for field in ("decision", "depth.cutoffs", "reasons[1].clause", "people.adjudicator"):
            assert field in done.stderr
        assert "people.ties" in done.stderr


def test_what_stops_a_command_names_the_next_one(frozen: Path) -> None:
    for arguments in (["freeze"], ["pool"], ["packet", "make", "A"], ["report", "--bogus"]):
        done = command_line(*arguments, cwd=frozen)
        assert done.returncode in (2, 3)
        assert done.stderr.splitlines()[-1].startswith("Next: ")


def test_ctrl_c_is_said_and_what_was_done_is_kept(
    frozen: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*args: object, **fields: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("judge.steps.judging.pool_study", stopped)
    assert run(["pool", "--study", str(frozen)]) == 5
    assert capsys.readouterr().err.splitlines() == [
        "INCOMPLETE: stopped; what was done is kept",
        "Next: judge status",
    ]


def test_a_fault_of_ours_is_one_line_and_a_log(
    frozen: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(context: object) -> None:
        title = "a secret title"
        raise RuntimeError(len(title))

    monkeypatch.setattr("judge.steps.status.status_of", broken)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert run(["status", "--study", str(frozen)]) == 1
    out, err = capsys.readouterr()
    log = tmp_path / "state" / "blindjudge" / "errors.log"
    assert out == ""
    assert err.splitlines() == [
        f"ERROR: a fault of this program (RuntimeError); the details are in {log}"
    ]
    assert "broken" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_is_no_second_fault(
    frozen: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(context: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("judge.steps.status.status_of", broken)
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert run(["status", "--study", str(frozen)]) == 1
    assert "no log: it could not be written" in capsys.readouterr().err


# --- what goes where ----------------------------------------------------------------------------


def test_results_go_to_stdout_and_everything_else_to_stderr(tmp_path: Path) -> None:
    root = tmp_path / "study"
    write_inputs(root)
    frozen = command_line("freeze", cwd=root)
    assert frozen.returncode == 0
    assert re.fullmatch(r"[0-9a-f]{64}", frozen.stdout.split()[1])
    assert frozen.stdout.startswith("frozen ")
    assert "Next: " not in frozen.stdout
    assert frozen.stderr.splitlines()[-1] == "Next: judge capture (or judge import-run)"
    pooled = [command_line(name, cwd=root) for name in ("capture", "pool")][-1]
    assert pooled.stdout == "7 new items over 2 needs\n"
    made = command_line("packet", "make", "A", cwd=root)
    assert made.stdout == f"{root / 'packets' / 'A.packet'}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["lint"],
        ["capture"],
        ["pool"],
        ["collect", "A"],
        ["export", "out"],
        ["report"],
        ["verify"],
    ],
    ids=" ".join,
)
def test_json_is_json_and_nothing_else(
    tmp_path: Path,
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(copy_of(stage("settled"), tmp_path))
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found or found == []


def test_freeze_says_its_digest_as_json_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_inputs(tmp_path / "study")
    assert run(["freeze", "--json", "--study", str(tmp_path / "study")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["queries"], found["planned"], len(found["freeze_id"])) == (4, 6, 64)


def test_hostile_text_reaches_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "study"
    title = r'title = "red \u001B[31mTEXT\u001B]0;pwned\u0007 \u202Egnirts [/"'
    write_inputs(root, protocol=PROTOCOL.replace('title = "A small study"', title))
    for arguments in (["lint"], ["freeze"], ["status"]):
        assert run([*arguments, "--study", str(root)]) == 0
    out, err = capsys.readouterr()
    assert "red \ufffd[31mTEXT\ufffd]0;pwned\ufffd \ufffdgnirts [/" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out + err)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_that_cannot_show_a_character_stops_nothing(frozen: Path, encoding: str) -> None:
    done = command_line("status", cwd=frozen, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert "stage: frozen" in done.stdout
    assert ("…" in done.stdout) is (encoding == "utf-8")


@pytest.mark.parametrize("arguments", [["--help"], ["status"], ["status", "--json"]])
def test_a_reader_that_goes_away_is_no_fault(frozen: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        cwd=frozen,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "unbuffered", "code"), [("report", "", 0), ("report", "1", 0), ("verify", "", 4)]
)
def test_a_reader_that_goes_away_from_tables_or_an_error_changes_no_code(
    tmp_path: Path, command: str, unbuffered: str, code: int
) -> None:
    root = copy_of(stage("settled"), tmp_path)
    if code:
        (root / "protocol" / "rubric.md").write_text("edited")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "judge", command],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    assert done.returncode == code
    assert "Broken" not in done.stderr
    assert "fault of this program" not in done.stderr


def test_lint_after_the_freeze_does_not_send_to_a_freeze(
    frozen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lint", "--study", str(frozen)]) == 0
    assert capsys.readouterr().err == "Next: judge status\n"


AS_NOBODY = """
import os, shutil, sys, tempfile
from pathlib import Path
from judge.errors import JudgeError
from judge.steps.context import Context
from judge.steps.running import capture_study
from judge.study import Study
rehearsal = Path(tempfile.mkdtemp()) / "study"
shutil.copytree(sys.argv[1], rehearsal, copy_function=shutil.copyfile)
capture_study(Context(Study(rehearsal)))  # so that everything is imported
shutil.rmtree(rehearsal.parent)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    capture_study(Context(Study(Path(sys.argv[1]))))
    print("captured")
except JudgeError as error:
    print(error.exit_code, error.message)
"""


def test_a_study_folder_that_cannot_be_written_is_said_so() -> None:
    # As another user, since nothing stops root; everybody else is stopped as they are.
    place = Path(tempfile.mkdtemp(prefix="blindjudge-readonly-")) / "study"
    place.parent.chmod(0o755)
    shutil.copytree(stage("frozen"), place)
    try:
        for path in [place, *place.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = (place / "study.db").read_bytes()
        said = as_nobody(place)
        assert re.match(r"3 .*study\.db: .*cannot be written", said), said
        assert "nothing was written" in said
        assert (place / "study.db").read_bytes() == before
    finally:
        for path in [place, *place.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        shutil.rmtree(place.parent)


def as_nobody(root: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(root)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
