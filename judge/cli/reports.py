"""Commands of the report: report, score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, note, say, say_json


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(report)
    app.command()(score)


def report(study: StudyOption = None, json: JsonOption = False) -> None:
    """Compute the report and write it.

    As JSON, Markdown and HTML, with the same numbers in all three.

    Example: judge report
    """
    import os

    from judge.cli.common import print_report
    from judge.reports.render.data import report_json
    from judge.steps.reporting import report_study

    with at_work(study) as context:
        done = report_study(context)
    if json:
        print(report_json(done.report).decode(), end="")
    else:
        print_report(done.report)
        say()
        say(f"{os.path.relpath(done.folder)}/report.html (and .md, .json)")
    if not done.new:
        note("the same report was there already; nothing was written")
    note("Next: judge publish")


def score(
    qrels: Annotated[Path, typer.Option(help="TREC qrels.")],
    run: Annotated[Path, typer.Option(help="A run file, or one with many runs; .gz as well.")],
    relevant_from: Annotated[int, typer.Option(help="The lowest grade that is relevant.")],
    cutoff: Annotated[list[int] | None, typer.Option(help="Cutoffs; 5 and 10 without any.")] = None,
    order: Annotated[
        Literal["rank", "trec"],
        typer.Option(help="By explicit ranks, or by score then id descending as trec_eval does."),
    ] = "rank",
    system: Annotated[
        str | None, typer.Option(help="Name of the run, where the file has no run column.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Score run files against qrels, without a study.

    P@k with bounds, and what was unjudged.

    trec_eval counts an unjudged rank as not relevant: its figure is the lower bound here.

    Example: judge score --qrels qrels.txt --run run.txt --relevant-from 1 --order trec
    """
    from judge.reports.numbers import decimal_text
    from judge.steps.scoring import score_files

    found = score_files(
        qrels,
        run,
        relevant_from=relevant_from,
        cutoffs=cutoff or [5, 10],
        order=order,
        system=system,
    )
    rows = [
        {
            "run": one.system,
            "k": one.k,
            "queries": found.queries,
            "lower": decimal_text(one.lower),
            "upper": decimal_text(one.upper),
            "judged": one.judged,
            "returned": one.filled,
            "incomplete": len(one.incomplete),
            "absent": list(one.absent),
        }
        for one in found.scores
    ]
    for notice in found.examples:
        note(f"{notice.kind} ({found.notices[notice.kind]} lists): {notice.text}")
    if json:
        return say_json({"scores": rows, "notices": found.notices})
    width = max(len(one.system) for one in found.scores)
    say(f"{'run':<{width}}  {'k':>3}  mean P@k over {found.queries} queries, what was judged")
    for row, one in zip(rows, found.scores, strict=True):
        gaps = f"{row['lower']} to {row['upper']}" if one.incomplete else str(row["lower"])
        judged = f"{row['judged']} of {row['returned']} returned ranks judged"
        said = [f"{row['incomplete']} queries incomplete"] if one.incomplete else []
        said += [f"{len(one.absent)} queries not in the run, counted 0"] if one.absent else []
        say(f"{one.system:<{width}}  {one.k:>3}  {gaps:<16}  {'; '.join([judged, *said])}")
    return None
