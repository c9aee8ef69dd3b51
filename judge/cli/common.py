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
    from judge.steps.context import Context

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


def print_report(report: Report) -> None:
    """The tables a reader wants first, on stdout."""
    from rich.console import Console

    from judge.reports.render.terminal import print_summary

    print_summary(report, Console(highlight=False))


@contextmanager
def at_work(study: Path | None) -> Iterator[Context]:
    """The context of a study, with a progress bar on stderr while a long step runs."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    from judge.steps.context import Context
    from judge.study import Study

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
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
        yield Context(Study.locate((study or Path.cwd()).resolve()), progress=progress)
