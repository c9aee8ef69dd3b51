"""Commands of the runs: those of capture, and import-run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from judge.cli import capture
from judge.cli.common import JsonOption, StudyOption, at_work, note, say, say_json


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    capture.register(app)
    app.command("import-run")(import_run)


def import_run(
    files: Annotated[
        list[Path], typer.Argument(help="TREC run, JSON Lines, CSV or TSV; .gz as well.")
    ],
    system: Annotated[
        str | None, typer.Option(help="The system of the file; its run column names it without.")
    ] = None,
    form: Annotated[
        Literal["auto", "trec", "jsonl", "csv"], typer.Option(help="The form of the file.")
    ] = "auto",
    order: Annotated[
        Literal["rank", "trec"],
        typer.Option(help="By explicit ranks, or by score then id descending as trec_eval does."),
    ] = "rank",
    absent: Annotated[
        Literal["open", "empty", "unavailable"],
        typer.Option(help="What a query without a line is: a file cannot tell."),
    ] = "open",
    keep_gaps: Annotated[
        bool, typer.Option("--keep-gaps", help="Take missing ranks as unfilled ones.")
    ] = False,
    retrieved_at: Annotated[
        str, typer.Option(help="When the service answered, as 2026-11-30T09:00:00Z.")
    ] = "unavailable",
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Import ranked lists made elsewhere; ranks are kept as they are.

    Example: judge import-run run.txt --system A
    """
    from judge.clock import is_utc
    from judge.errors import Invalid
    from judge.records.base import UNAVAILABLE
    from judge.steps.importing import import_runs

    if retrieved_at != UNAVAILABLE and not is_utc(retrieved_at):
        raise Invalid(
            f"--retrieved-at {retrieved_at!r} is no UTC time; write 2026-11-30T09:00:00Z (R29)"
        )
    with at_work(study) as context:
        taken = [
            import_runs(
                context,
                file,
                system=system,
                form=form,
                order=order,
                absent=absent,
                retrieved_at=retrieved_at,
                gaps_kept=keep_gaps,
            )
            for file in files
        ]
    if json:
        return say_json([vars(one) for one in taken])
    for one in taken:
        say(f"{one.file}: {one.lists} lists of {one.systems} systems, {one.hits} hits")
        for notice in one.examples:
            say(f"  {notice.kind} ({one.notices[notice.kind]}): {notice.text}")
        if one.absent and absent == "open":
            pairs = ", ".join(f"{query} at {code}" for code, query in one.absent[:3])
            say(f"  {len(one.absent)} queries have no line ({pairs}…): still open; see --absent")
    note("Next: judge pool")
    return None
