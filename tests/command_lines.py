"""Command lines that stand in a page, and what is wrong with them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import typer
from typer.main import get_command

from judge.cli.app import app

_FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(judge [^`]+)`")
_IN_FENCE = re.compile(r"^(?:\$ |    )?(judge \S.*)$", re.MULTILINE)
_INDENTED = re.compile(r"(?<=\n\n)    (judge \S.*)$", re.MULTILINE)


def command_lines(page: str) -> Iterator[tuple[str, bool]]:
    """Every ``judge …`` of a page, and whether it is one to be typed as it stands."""
    for fence in _FENCE.finditer(page):
        for found in _IN_FENCE.finditer(fence[1].replace("\\\n", " ")):
            yield found[1], True
    prose = _FENCE.sub("", page)
    for found in _INDENTED.finditer(prose):
        yield found[1], True
    for found in _INLINE.finditer(prose):
        yield " ".join(found[1].split()), False


def fault(line: str, *, whole: bool) -> str:
    """Why the program would not take a line; empty where it would.

    One that is not ``whole`` only names a command: it may leave out what is required.
    """
    command: Any = get_command(app)
    words = shlex.split(line)[1:]
    context = typer.Context(command, info_name="judge")
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words[0]]
        context = typer.Context(command, info_name=words.pop(0), parent=context)
    if not (hasattr(command, "commands") and not words) and words != ["--help"]:
        try:
            command.make_context(context.info_name, words, parent=context.parent)
        except typer.TyperException as error:
            # Typer keeps its own copy of click, and exports no name for what is missing.
            missing = type(error).__name__ in ("MissingParameter", "BadOptionUsage")
            return "" if missing and not whole else str(error)
    return "" if context.parent or words == ["--help"] else "no such command"
