"""Commands of the record: publish, rebuild, verify."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import Annotated

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, counted, note, say, say_json
from judge.text import display_text


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(publish)
    app.command()(rebuild)
    app.command()(verify)
    app.command()(release)


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
    note(f"{counted(len(changed), 'file', 'files')} changed. Next: judge verify")


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

    A release is checked by its manifest first, and every number in it is computed again.
    Shows order and integrity, not dates: only something outside can date it.

    Example: judge verify
    """
    from judge.clock import system_clock
    from judge.errors import Integrity
    from judge.steps.proving import verify_bundle
    from judge.steps.recording import verify_study
    from judge.store.bundle import is_bundle
    from judge.study import Study

    place = (folder or Path.cwd()).resolve()
    bundle = is_bundle(place)
    if not bundle:
        place = Study.locate(place).root
        bundle = is_bundle(place)
    if bundle:
        found = verify_bundle(place, system_clock)
    else:
        found = verify_study(Study(place), system_clock)
    if json:
        say_json(vars(found))
    else:
        for one in found.passed:
            say(one if one.startswith("cannot: ") else f"checked: {one}")
    if found.problems:
        for problem in found.problems[1:]:
            note(f"also: {problem}")
        raise Integrity(
            found.problems[0],
            hint="get the bundle again from whoever released it"
            if bundle
            else "restore what changed from a backup or from git",
        )
    if not json:
        say("everything matches its digest")
        say("This shows that nothing changed since it was written, and in which order; not when.")
    if not json and bundle:
        say("Whoever writes all of it anew can make a bundle that holds together, too:")
        say("compare the line in HOW-TO-CHECK.md with a copy that came to you another way.")


def release(
    target: Annotated[
        Path | None,
        typer.Argument(help="The new folder of the bundle; without one, the list alone."),
    ] = None,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Pass the release gate, and write a bundle that a stranger can check.

    Without a folder it prints what holds and what is missing, and the command that would mend it.
    Nothing is written unless all holds.

    Example: judge release ../study-released
    """
    from judge.errors import Refused
    from judge.reports.gate import KINDS
    from judge.steps.releasing import gate_json, release_study

    with at_work(study) as context:
        found = release_study(context, target)
    if json:
        say_json(gate_json(found))
    else:
        for line in found.gate:
            first, *more = wrap(display_text(line.found), 80 - 31)
            say(f"{'holds' if line.held else 'MISSING':<8} {line.name:<21} {first}")
            for text in (*more, *wrap(f"Next: {line.mend}" if line.mend else "", 80 - 31)):
                say(f"{'':<30} {text}")
    if found.missing:
        raise Refused(
            f"{len(found.missing)} of {len(found.gate)} checks of the gate do not hold; nothing "
            "was written",
            hint=found.missing[0].mend,
        )
    if not json:
        for name, count in found.left_out.items():
            say(f"left out: {name}, {count}")
        say(f"{found.folder or 'It can be released'}, as a {KINDS[found.kind]}")
    where = found.folder or "DIR"
    note(f"Next: judge {'verify' if found.folder else 'release'} {where}")
