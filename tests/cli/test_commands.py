"""The command line: exit codes, what goes where, help that shows an example, from anywhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import judge
from judge.cli import run
from judge.cli.app import app
from judge.steps.judging import adjudication_packet, make_packet
from tests.steps.studies import (
    context_of,
    copy_of,
    label_packet,
    labels_of,
    settle_packet,
    stage,
    worked,
    write_inputs,
)

ROOT = Path(judge.__file__).parents[1]


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    return copy_of(stage("frozen"), tmp_path)


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
    else:
        for name, one in inner.items():
            yield from leaves(one, (*path, name))


COMMANDS = dict(leaves(get_command(app)))


# --- help ---------------------------------------------------------------------------------------


def test_the_commands_of_these_stages_are_there() -> None:
    names = {" ".join(path) for path in COMMANDS}
    assert names >= {
        "init",
        "status",
        "demo",
        "lint",
        "freeze",
        "amend",
        "import-questions",
        "capture",
        "import-run",
        "pool",
        "packet make",
        "label",
        "unlock",
        "collect",
        "adjudicate",
        "import-labels",
        "failures",
        "export",
        "report",
        "publish",
        "rebuild",
        "verify",
    }


@pytest.mark.parametrize("path", sorted(COMMANDS), ids=" ".join)
def test_the_help_of_every_command_has_an_example(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*path, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Example: judge {' '.join(path)}" in shown
    for parameter in COMMANDS[path].params:
        assert getattr(parameter, "help", "x"), parameter.name


def test_a_command_without_what_it_needs_says_what_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments, said in [
        (["unlock", "A"], "Missing option '--reason'"),
        (["collect"], "Missing argument"),
        (["amend", "--seen", "all"], "'all' is not one of"),
        (["capture", "--bogus"], "No such option: --bogus"),
    ]:
        assert run(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert said in err
        assert f"Next: judge {arguments[0]} --help" in err


@pytest.mark.parametrize("arguments", [[], ["packet"]])
def test_no_command_at_all_shows_the_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "Usage: judge" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"blindjudge {judge.__version__}\n"


# --- where it runs ------------------------------------------------------------------------------


def test_a_study_is_found_from_anywhere_inside_it(
    frozen: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for place, arguments in [
        (frozen, []),
        (frozen / "runs" / "corpus", []),
        (frozen.parent, ["--study", "study"]),
        (Path("/"), ["--study", str(frozen / "queries")]),
    ]:
        monkeypatch.chdir(place)
        assert run(["status", *arguments]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1


def test_outside_a_study_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["status"], ["freeze"], ["collect", "A"], ["verify"]):
        assert run(arguments) == 3
        out, err = capsys.readouterr()
        assert "is not inside a study folder" in err
        assert "judge init DIR" in err
        assert out == ""
    assert list(tmp_path.iterdir()) == []


# --- one study by hand --------------------------------------------------------------------------


def test_a_whole_study_by_its_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command that a status names, until nothing is left to do; only labelling is played."""
    root = tmp_path / "study"
    write_inputs(root)
    monkeypatch.chdir(root)
    study = context_of(root).study

    def next_command() -> str:
        assert run(["status"]) == 0
        return capsys.readouterr().out.rstrip().rsplit("next: ", 1)[1]

    done = []
    while (command := next_command()) != "judge verify":
        for part in command.split(", then "):
            done.append(part)
            words = part.split()[1:]
            if words[0] == "label":
                label_packet(study.packet(words[1]), labels_of("AB".index(words[1])))
            elif words[0] == "adjudicate":
                settle_packet(adjudication_packet(context_of(root, entropy="D")))
            else:
                assert run(words) == 0, capsys.readouterr().err
    assert done == [
        "judge freeze",
        "judge capture",
        "judge pool",
        "judge packet make A",
        "judge packet make B",
        "judge label A",
        "judge collect A",
        "judge label B",
        "judge collect B",
        "judge adjudicate",
        "judge collect D",
        "judge report",
        "judge publish",
    ]
    capsys.readouterr()
    assert run(["verify"]) == 0
    assert "everything matches its digest" in capsys.readouterr().out


def test_a_packet_is_collected_by_code_or_by_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(stage("dealt"), tmp_path)
    monkeypatch.chdir(root)
    label_packet(root / "packets" / "A.packet", labels_of(0))
    assert run(["collect", "B"]) == 3
    assert "B has not handed in" in capsys.readouterr().err
    assert run(["collect", "E"]) == 3
    assert "no packet of E is here" in capsys.readouterr().err
    returned = tmp_path / "back" / "A.packet"
    returned.parent.mkdir()
    (root / "packets" / "A.packet").rename(returned)
    assert run(["collect", str(returned)]) == 0
    assert "A: 8 acts collected\nstill out: B\n" in capsys.readouterr().out
    assert run(["collect", str(returned)]) == 0
    assert "A: already collected, nothing changed" in capsys.readouterr().out
    assert run(["collect", "missing.packet"]) == 3
    assert "there is no packet here" in capsys.readouterr().err


def test_amendments_are_filed_by_command(
    frozen: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(frozen)
    said = ["--author", "R1", "--reason", "A slip.", "--seen", "nothing_run"]
    filed = ["amend", "--target", "protocol.depth.cutoffs", "--after", "[4]", *said]
    assert run(filed) == 0
    assert capsys.readouterr().out == (
        "amendment 1: protocol.depth.cutoffs: [2,4] -> [4] (nothing_run)\n"
    )
    assert run(filed) == 3
    assert "is [4] already; nothing was written" in capsys.readouterr().err
    assert run(["amend", "--target", "protocol.depth.cutofs", "--after", "[4]", *said]) == 2
    assert "did you mean 'cutoffs'?" in capsys.readouterr().err


def test_unlock_is_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy_of(stage("settled"), tmp_path))
    assert run(["unlock", "A", "--reason", " "]) == 3
    assert "an unlock needs a reason" in capsys.readouterr().err
    assert run(["unlock", "A", "--reason", "item 2 was a slip"]) == 0
    out, err = capsys.readouterr()
    assert out == "A: unlocked; the reason is recorded\n"
    assert err == "Next: judge label A, then judge collect A\n"
    assert run(["publish"]) == 3
    assert "A has not handed in" in capsys.readouterr().err


def test_init_then_lint_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "new"]) == 0
    out, err = capsys.readouterr()
    assert "new/protocol/protocol.toml" in out
    assert err.startswith("Next: fill in new/protocol/protocol.toml")
    assert run(["lint", "--study", "new"]) == 2
    assert "decision" in capsys.readouterr().err
    assert run(["init", "new"]) == 3
    assert "nothing was written" in capsys.readouterr().err


def test_rebuild_and_verify_need_the_folders_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(stage("settled"), tmp_path)
    assert run(["publish", "--study", str(root)]) == 0
    (root / "study.db").unlink()
    shutil.rmtree(root / "packets")
    capsys.readouterr()
    assert run(["status", "--study", str(root)]) == 3
    assert f"Next: judge rebuild {root}" in capsys.readouterr().err
    assert run(["verify", str(root)]) == 0
    assert run(["rebuild", str(root)]) == 0
    assert run(["verify", str(root)]) == 0
    assert run(["rebuild", str(root)]) == 3
    assert "a store is never replaced" in capsys.readouterr().err


def test_practice_is_offered_to_who_may_practise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(stage("pooled"), tmp_path)
    assert run(["packet", "make", "C", "--study", str(root)]) == 0
    assert capsys.readouterr().out == f"{root / 'packets' / 'C.packet'}\n"
    assert make_packet(context_of(root, entropy="A"), "A").is_file()


def test_failure_review_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(worked(), tmp_path)
    monkeypatch.chdir(root)
    assert run(["packet", "make", "B", "--failures"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{root}/packets/B.failures.packet\n"
    assert "Next: judge failures B" in err
    assert run(["failures", "B"]) == 3  # the packet is found, and this is no terminal
    assert "B.failures.packet: this is not a terminal" in capsys.readouterr().err
    assert run(["collect", "B"]) == 3
    assert "B has not handed in" in capsys.readouterr().err
    assert run(["publish"]) == 3
    assert "B has not handed in the failure review" in capsys.readouterr().err
    assert run(["status", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["next"] == "judge failures B, then judge collect B"
    assert run(["unlock", "A", "--reason", "item 12 was a slip"]) == 0
    assert "Next: judge failures A, then judge collect A" in capsys.readouterr().err
