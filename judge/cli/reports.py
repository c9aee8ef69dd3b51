"""Commands of the report: report, score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, note, print_report, say, say_json

if TYPE_CHECKING:
    from judge.reports.score import RunScore


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(report)
    app.command()(score)


def report(
    study: StudyOption = None,
    json: JsonOption = False,
    schema: Annotated[
        bool,
        typer.Option("--schema", help="Print the JSON Schema of report.json; no study is needed."),
    ] = False,
) -> None:
    """Compute the report and write it.

    As JSON, Markdown and HTML, with the same numbers in all three.

    Example: judge report
    """
    import os

    if schema:
        from judge.reports.schema import report_schema

        return say_json(report_schema())
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
    return None


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

    P@k with bounds, what was judged, recall and average precision, and where these part from
    trec_eval's.

    trec_eval counts an unjudged rank as not relevant: its figure is the lower bound here.

    Example: judge score --qrels qrels.txt --run run.txt --relevant-from 1 --order trec
    """
    from judge.reports.score import partings
    from judge.steps.scoring import score_files

    cutoffs = cutoff or [5, 10]
    if min(cutoffs) < 1:
        raise typer.BadParameter(f"{min(cutoffs)}: a cutoff is at least 1", param_hint="--cutoff")
    found = score_files(
        qrels,
        run,
        relevant_from=relevant_from,
        cutoffs=cutoffs,
        order=order,
        system=system,
    )
    said = [
        partings(
            one,
            by_rank=order == "rank",
            tied_lists=found.by_run[one.system].get("ties", 0),
            moved_lists=found.by_run[one.system].get("rank_against_score", 0),
        )
        for one in found.scores
    ]
    for notice in found.examples:
        note(f"{notice.kind} ({found.notices[notice.kind]} lists): {notice.text}")
    if json:
        return say_json(
            {
                "scores": [row for one in found.scores for row in _cutoff_rows(one)],
                "runs": [
                    {
                        "run": one.system,
                        "queries": len(one.queries),
                        "queries_with_relevant": one.with_relevant,
                        "average_precision": one.average_precision,
                        "recall": one.recall,
                        "parts_from_trec_eval": parts,
                    }
                    for one, parts in zip(found.scores, said, strict=True)
                ],
                "notices": found.notices,
            }
        )
    for one, parts in zip(found.scores, said, strict=True):
        _print_score(one, parts)
    return None


def _cutoff_rows(one: RunScore) -> list[dict[str, Any]]:
    from judge.reports.numbers import decimal_text

    return [
        {
            "run": one.system,
            "k": at.k,
            "queries": len(one.queries),
            "lower": decimal_text(at.lower),
            "upper": decimal_text(at.upper),
            "relevant": int(at.relevant.sum()),
            "open": int(at.open.sum()),
            "judged": int(at.judged.sum()),
            "returned": int(at.filled.sum()),
            "incomplete": len(at.incomplete),
            "recall": at.recall,
            "absent": list(one.absent),
        }
        for at in one.at
    ]


def _print_score(one: RunScore, parts: list[str]) -> None:
    say(f"{one.system}: means over {len(one.queries)} queries, each with equal weight")
    say(f"  {'k':>4}  {'P@k':<16}  {'judged@k (of returned ranks)':<28}  R@k")
    for row, at in zip(_cutoff_rows(one), one.at, strict=True):
        value = f"{row['lower']} to {row['upper']}" if at.incomplete else row["lower"]
        judged = f"{row['judged']} of {row['returned']}"
        say(f"  {at.k:>4}  {value:<16}  {judged:<28}  {_decimal(at.recall)}")
    whole = f"average precision {_decimal(one.average_precision)}, recall {_decimal(one.recall)}"
    say(f"  whole lists: {whole}")
    if one.with_relevant < len(one.queries):
        say(f"  recall and average precision over {one.with_relevant} queries with a relevant one")
    for sentence in parts:
        say(f"  {sentence}")


def _decimal(value: float | None) -> str:
    from judge.reports.numbers import float_text

    return "– (no query has a relevant document)" if value is None else float_text(value)
