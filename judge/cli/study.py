"""Commands on a study as a whole: init, status, demo."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from judge.cli.common import (
    JsonOption,
    StudyOption,
    at_work,
    note,
    print_report,
    progress_bar,
    say,
    say_json,
)


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(init)
    app.command()(status)
    app.command()(demo)


def init(folder: Annotated[Path, typer.Argument(help="Where the five folders go.")]) -> None:
    """Start a study: five folders with files to fill in.

    Example: judge init my-study
    """
    from judge.steps.planning import init as make

    made = make(folder)
    for path in made:
        say(str(path))
    note(f"Next: fill in {folder}/protocol/protocol.toml, then: cd {folder} && judge lint")


def status(study: StudyOption = None, json: JsonOption = False) -> None:
    """Show where the study stands and the next command.

    Example: judge status
    """
    from judge.steps.status import status_of

    with at_work(study) as context:
        found = status_of(context)
    if json:
        return say_json(found)
    say(found.title or "(no title yet)")
    say(f"stage: {found.stage}")
    for name, value in found.lines:
        say(f"  {name:<22} {value}")
    for gap in found.gaps:
        say(f"  missing: {gap}")
    if found.anchor:
        say(f"anchor (mail or paste it somewhere outside to date the record):\n  {found.anchor}")
    say(f"next: {found.next}")
    return None


def demo(
    into: Annotated[
        Path | None,
        typer.Option(help="Folder to make the study in; demo-study in this one without it."),
    ] = None,
) -> None:
    """Run the worked study from protocol to report.

    Its labels are scripted: they exercise the tool, nobody judged, nothing is evaluated.

    Example: judge demo
    """
    from judge.errors import Refused
    from judge.steps.context import Context
    from judge.steps.demo import free_folder, run_demo
    from judge.study import Study

    folder = into or free_folder(Path.cwd())
    if folder.exists() and any(folder.iterdir()):
        raise Refused(f"{folder} is not empty; nothing was written", hint="name a new folder")
    note(f"The worked study, in {folder}: freeze, capture, deal, replay, adjudicate, report …")
    with progress_bar() as progress:
        done = run_demo(Context(Study(folder.resolve()), progress=progress))
    print_report(done.written.report)
    say()
    report = Path(os.path.relpath(done.written.folder))
    say(f"The report:     {report}/report.html (and .md, .json)")
    for code in done.practice:
        say(f"Label yourself: {_activate()}judge label {code} --study {os.path.relpath(folder)}")


def _activate() -> str:
    """The folder prefix of the `judge` that runs, where it is not on the search path."""
    import shutil
    import sys

    own = Path(sys.argv[0])
    found = shutil.which("judge")
    if found and own.exists() and Path(found).resolve() == own.resolve():
        return ""
    return f"{os.path.relpath(own.parent)}/" if own.name == "judge" else "python -m "
