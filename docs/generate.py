"""Writes what docs/ and the README show of the program: `python -m docs.generate`.

`reference.md` and the figures are made whole. Elsewhere a part stands between two comments,
`<!-- made: NAME -->` and `<!-- end -->`, which a reader of the page does not see; `docs.parts`
makes it. A test compares all of it with what this makes of the program today.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from docs.parts import PARTS, figure

ROOT = Path(__file__).resolve().parents[1]
_PART = re.compile(r"(<!-- made: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


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
    for path, command in commands(get_command(app)):
        lines += ["", f"## judge {' '.join(path)}", "", *_help(command)]
        context = typer.Context(command, info_name=path[-1])
        rows = [row for one in command.params if (row := _row(one, context))]
        if rows:
            lines += ["", "| | |", "|---|---|", *rows]
    return "\n".join(lines) + "\n"


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that can be given, with its path; a group too that does something alone."""
    inner = getattr(command, "commands", None)
    if path and (inner is None or command.invoke_without_command):
        yield path, command
    for name, one in (inner or {}).items():
        if not one.hidden:
            yield from commands(one, (*path, name))


def _help(command: Any) -> list[str]:
    """The help text; its example, up to the end of its paragraph, as code."""
    lines: list[str] = []
    example = False
    for line in inspect.cleandoc(command.help or "").split("\n"):
        if line.startswith("Example: "):
            example = True
            lines += ["```", line.removeprefix("Example: ")]
        elif example and line:
            lines[-1] += " \\"
            lines.append(f"    {line}")
        else:
            lines += ["```", line] if example else [line]
            example = False
    return [*lines, "```"] if example else lines


def _row(parameter: Any, context: typer.Context) -> str | None:
    told = parameter.get_help_record(context)
    if told is None or parameter.name == "help":
        return None
    name, text = (" ".join(part.split()).replace("|", "\\|") for part in told)
    return f"| `{name}` | {text} |"


def _filled(path: Path) -> Callable[[], str]:
    """The page with its parts as they are today."""
    return lambda: _PART.sub(
        lambda found: f"{found[1]}{PARTS[found[2]]()}\n{found[3]}", path.read_text("utf-8")
    )


def _pages() -> dict[str, Callable[[], str]]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    made = {
        str(page.relative_to(ROOT)): _filled(page)
        for page in pages
        if _PART.search(page.read_text("utf-8"))
    }
    return {
        **made,
        "docs/reference.md": reference,
        "docs/figures/per-query.svg": lambda: figure("per-query-5"),
    }


PAGES = _pages()
"""Path in the project to what makes the file."""


def main() -> None:
    """Writes every file that differs, and names it."""
    for name, make in PAGES.items():
        path, text = ROOT / name, make()
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
            print(f"written: {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
