"""Every `judge` command that docs/capture.md shows is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from judge.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs" / "capture.md").read_text("utf-8")
SHOWN = re.compile(r"^(?:\$ |    )(judge .*)$", re.M)
INLINE = re.compile(r"`(judge\s[^`]+)`")
COMMANDS = list(
    dict.fromkeys(
        " ".join(found.split()) for found in [*SHOWN.findall(PAGE), *INLINE.findall(PAGE)]
    )
)
AFTER = (
    "resolve-ids",
    "check-sources",
    "cutoff-year",
    "keyword-queries",
    "export-results",
    "import-results",
    "reparse",
)


def command_and_rest(line: str) -> tuple[object, list[str]]:
    """The command that a line names, and its arguments."""
    command, rest = get_command(app), shlex.split(line)[1:]
    while rest and rest[0] in getattr(command, "commands", {}):
        command, rest = command.commands[rest[0]], rest[1:]  # type: ignore[attr-defined]
    return command, rest


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.count(" ") > 1])
def test_a_shown_command_line_is_taken(line: str) -> None:
    command, rest = command_and_rest(line)
    assert not getattr(command, "commands", {}), f"{line} names no command"
    command.make_context(line, rest)  # type: ignore[attr-defined]


def test_every_command_named_exists_and_everything_after_capture_is_shown_run() -> None:
    for line in COMMANDS:
        command, _ = command_and_rest(line)
        assert command is not get_command(app), line
    run = {line.split()[1] for line in SHOWN.findall(PAGE)}
    assert run >= {"capture", "providers", "round", *AFTER}


def test_an_option_that_does_not_exist_is_found() -> None:
    command, rest = command_and_rest("judge capture --no-such-option")
    with pytest.raises(Exception, match="no-such-option"):
        command.make_context("x", rest)  # type: ignore[attr-defined]
