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
    app.command("import-texts")(import_texts)


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
    from judge.steps.texts import left_open

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
        bare, open_ones = left_open(context)
    if json:
        return say_json([vars(one) for one in taken])
    for one in taken:
        say(f"{one.file}: {one.lists} lists of {one.systems} systems, {one.hits} hits")
        for notice in one.examples:
            say(f"  {notice.kind} ({one.notices[notice.kind]}): {notice.text}")
        if one.absent and absent == "open":
            pairs = ", ".join(f"{query} at {code}" for code, query in one.absent[:3])
            say(f"  {len(one.absent)} queries have no line ({pairs}…): still open; see --absent")
    if bare:
        note(f"{len(bare)} records have no title or abstract to show ({', '.join(bare[:3])}…)")
        note("Next: judge check-sources, or judge import-texts FILE")
    elif open_ones:
        note("Next: judge import-run or judge capture for the queries that are open; judge status")
    else:
        note("Next: judge pool")
    return None


def import_texts(
    file: Annotated[
        Path, typer.Argument(help="JSON Lines: record_id, title, abstract, journal, year, type.")
    ],
    source: Annotated[str, typer.Option(help="Whose texts they are; it stands in the report.")],
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Import what assessors read of each record, from one source for all systems.

    For collections that PubMed, Europe PMC and Crossref do not know. Texts of one service's answers
    would tell its hits from another's.

    Example: judge import-texts texts.jsonl --source "the collection's own records"
    """
    from judge.steps.texts import import_texts as take

    with at_work(study) as context:
        taken = take(context, file, source=source)
    if json:
        return say_json(vars(taken))
    say(f"{taken.file}: texts of {taken.taken} records, {taken.same} as they were")
    if taken.elsewhere:
        say(f"  {taken.elsewhere} lines of records that no run returned: left out")
    if taken.dealt:
        say(
            f"  {taken.dealt} records were dealt to somebody already and keep the text that was "
            "shown; judge access found takes an abstract that turned up"
        )
    if taken.bare:
        say(f"  {len(taken.bare)} records have none ({', '.join(taken.bare[:3])}…)")
    note("Next: judge status")
    return None
