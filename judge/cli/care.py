"""Commands for living with a study: backup, doctor, diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, counted, note, say, say_json

if TYPE_CHECKING:
    from judge.records.difference import ListChange


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(backup)
    app.command()(doctor)
    app.command()(diff)


def backup(
    target: Annotated[Path, typer.Argument(help="The new folder, best on another disk.")],
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Copy the whole study into a new folder, and prove the copy.

    Folders, store and packets; not the keys in .env. People may go on labelling. The copy is a
    study itself: to go back, move the damaged folder away and copy this one to its place.

    Example: judge backup /media/backups/study-2026-12-01
    """
    from judge.steps.backup import back_up

    with at_work(study) as context:
        done = back_up(context, target)
    if json:
        return say_json({**vars(done), "folder": str(done.folder), "packets": dict(done.packets)})
    say(str(done.folder))
    say(f"{done.events} steps of the chain, {counted(len(done.packets), 'packet', 'packets')}")
    for name, acts in done.packets:
        say(f"  {name}: {counted(acts, 'act', 'acts')}")
    note(f"Verified as a study of its own. To look again: judge verify {target}")
    return None


def doctor(study: StudyOption = None, json: JsonOption = False) -> None:
    """Look at the surroundings that have cost people their work elsewhere.

    Versions, disk, store, clock, language and terminal; inside a study or without one.

    Example: judge doctor
    """
    from judge.errors import Integrity
    from judge.steps.doctor import examine

    found = examine(study or Path.cwd())
    if json:
        say_json(found)
    else:
        for one in found:
            say(f"{one.state:<5} {one.what:<12} {one.said}")
            if one.next:
                say(f"{'':<18} Next: {one.next}")
    bad = [one for one in found if one.state == "bad"]
    if bad:
        raise Integrity(f"{bad[0].what}: {bad[0].said}", hint=bad[0].next)


def diff(
    before: Annotated[Path, typer.Argument(help="The earlier report: its folder or report.json.")],
    after: Annotated[Path, typer.Argument(help="The later one.")],
    json: JsonOption = False,
) -> None:
    """Set two dated reports of one protocol side by side.

    Which figures are others, which records appeared in a list or left it. Two measurements of two
    days: neither corrects the other.

    Example: judge diff reports/2026-11-30-1 reports/2027-02-01-1
    """
    from judge.clock import system_clock
    from judge.steps.comparing import compare_reports

    found = compare_reports(before, after, system_clock)
    if json:
        return say_json(found)
    say(f"Two dated measurements of one protocol: {found.before}, and {found.after}")
    say("Neither corrects the other.")
    for title, rows in (("Means", found.means), ("Queries", found.queries)):
        say(f"{title}: {len(rows) or 'no'} figures that are others")
        for row in rows:
            say(f"  {row.where}, {row.system}, P@{row.cutoff}: {row.before} -> {row.after}")
    say(f"Lists to rank {found.depth}: {found.same_lists} the same, {len(found.lists)} others")
    for one in found.lists:
        say(f"  {one.query_id}, {one.system}: {_moved(one)}")
    for told, ids in (("earlier", found.only_before), ("later", found.only_after)):
        if ids:
            say(f"Only in the {told} report: {', '.join(ids)}")
    return None


def _moved(one: ListChange) -> str:
    parts = [f"{one.stayed} stayed"]
    if one.outcome_before != one.outcome_after:
        parts.insert(0, f"{one.outcome_before} -> {one.outcome_after}")
    if one.appeared:
        parts.append(f"appeared {', '.join(one.appeared)}")
    if one.left:
        parts.append(f"left {', '.join(one.left)}")
    if not one.appeared and not one.left and one.stayed:
        parts.append("in another order")
    return "; ".join(parts)
