"""Commands of the record: publish, rebuild, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, note, say, say_json


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(publish)
    app.command()(rebuild)
    app.command()(verify)


def publish(study: StudyOption = None) -> None:
    """Write the store out into the five folders.

    It can be made again from them.

    Example: judge publish
    """
    from judge.steps.recording import publish_study

    with at_work(study) as context:
        changed = publish_study(context)
        root = context.study.root
    for path in changed:
        say(str(path.relative_to(root)))
    note(f"{len(changed)} files changed. Next: judge verify")


def rebuild(
    folder: Annotated[Path, typer.Argument(help="The folder of a published study.")],
) -> None:
    """Make the store again from the five folders.

    Example: judge rebuild my-study
    """
    from judge.clock import system_clock
    from judge.steps.recording import rebuild_study

    made = rebuild_study(folder.resolve(), system_clock)
    say(str(made.store))
    note(f"Next: judge verify {folder}")


def verify(
    folder: Annotated[
        Path | None, typer.Argument(help="A study or its published folders; this one without.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check frozen bytes, digests, chains and triggers.

    Shows order and integrity, not dates: only something outside can date it.

    Example: judge verify
    """
    from judge.clock import system_clock
    from judge.errors import Integrity
    from judge.steps.recording import verify_study
    from judge.study import Study

    found = verify_study(Study.locate((folder or Path.cwd()).resolve()), system_clock)
    if json:
        say_json(vars(found))
    else:
        for one in found.passed:
            say(f"checked: {one}")
    if found.problems:
        for problem in found.problems[1:]:
            note(f"also: {problem}")
        raise Integrity(found.problems[0], hint="restore what changed from a backup or from git")
    if not json:
        say("everything matches its digest")
        say("This shows that nothing changed since it was written, and in which order; not when.")
