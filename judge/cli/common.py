"""What every command shares: the study it works on, the progress bar, how results are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judge.text import display_text

if TYPE_CHECKING:
    from judge.records.report import Report
    from judge.steps.context import Context, Progress

StudyOption = Annotated[
    Path | None,
    typer.Option(
        "--study", help="The study's folder; the one you are in without it.", show_default=False
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, for a program to read.")
]


def say(text: str = "") -> None:
    """One line of result on stdout, safe to show."""
    print(display_text(text))


def note(text: str) -> None:
    """One line on stderr that is not part of the result."""
    print(display_text(text), file=sys.stderr)


def say_json(value: Any) -> None:
    """A result as JSON on stdout."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def counted(count: int, one: str, many: str) -> str:
    """``1 query``, ``2 queries``."""
    return f"{count} {one if count == 1 else many}"


def print_report(report: Report) -> None:
    """The tables a reader wants first, on stdout."""
    from rich.console import Console

    from judge.reports.render.terminal import print_summary

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            # Rich would end the process with 1; `judge.cli.run` ends it quietly.
            raise BrokenPipeError

    print_summary(report, Quiet(highlight=False))


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on stderr for as long as a step runs; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    tasks: dict[str, Any] = {}

    def progress(what: str, done: int, total: int) -> None:
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done, total=total)

    with bar:
        yield progress


@contextmanager
def at_work(study: Path | None) -> Iterator[Context]:
    """The context of the study at ``study``, or around the folder one is in."""
    from judge.steps.context import Context
    from judge.study import Study

    with progress_bar() as progress:
        yield Context(Study.locate((study or Path.cwd()).resolve()), progress=progress)
