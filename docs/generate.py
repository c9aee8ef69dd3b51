"""Writes the pages of docs/ that the program itself knows: `python -m docs.generate`.

A test compares them with what this makes of the program today.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

HERE = Path(__file__).resolve().parent


def reference() -> str:
    """`reference.md`: every command with its arguments and options."""
    from judge.cli.app import app

    lines = [
        "# Commands",
        "",
        "Made from the commands themselves by `python -m docs.generate`. Every command finds the",
        "study it stands in, or the one of `--study`. Results go to stdout, all else to stderr.",
        "Exit codes: 0 done, 1 a fault of the program, 2 invalid input, 3 refused, 4 integrity,",
        "5 incomplete.",
    ]
    for path, command in _leaves(get_command(app)):
        lines += ["", f"## judge {' '.join(path)}", "", *_help(command)]
        context = typer.Context(command, info_name=path[-1])
        rows = [row for one in command.params if (row := _row(one, context))]
        if rows:
            lines += ["", "| | |", "|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name, one in inner.items():
        if not one.hidden:
            yield from _leaves(one, (*path, name))


def _help(command: Any) -> list[str]:
    """The help text; its example as code."""
    lines = []
    for line in inspect.cleandoc(command.help or "").split("\n"):
        if line.startswith("Example: "):
            lines += ["```", line.removeprefix("Example: "), "```"]
        else:
            lines.append(line)
    return lines


def _row(parameter: Any, context: typer.Context) -> str | None:
    told = parameter.get_help_record(context)
    if told is None or parameter.name == "help":
        return None
    name, text = (" ".join(part.split()).replace("|", "\\|") for part in told)
    return f"| `{name}` | {text} |"


PAGES: dict[str, Callable[[], str]] = {"reference.md": reference}
"""File name in docs/ to what makes it."""


def main() -> None:
    """Writes every page that differs, and names it."""
    for name, make in PAGES.items():
        path, text = HERE / name, make()
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"written: docs/{name}", file=sys.stderr)


if __name__ == "__main__":
    main()
