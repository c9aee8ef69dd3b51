"""Commands of recall on results files: recall, recall compare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.common import JsonOption, note, say, say_json

if TYPE_CHECKING:
    from judge.records.recall import ComparedFigure, RecallComparison, RecallScore

QuestionsOption = Annotated[
    Path | None,
    typer.Option(help="Questions with gold papers, JSON Lines; .gz as well.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    group = typer.Typer(rich_markup_mode=None)
    group.callback(invoke_without_command=True)(recall)
    group.command("compare")(compare)
    app.add_typer(group, name="recall")


def recall(
    context: typer.Context,
    questions: QuestionsOption = None,
    results: Annotated[
        Path | None,
        typer.Option(help="A system's results, JSON Lines; .gz as well.", show_default=False),
    ] = None,
    failures: Annotated[
        Path | None,
        typer.Option(help="Failure records; the latest of a question counts.", show_default=False),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="Digests and expected figures to hold them against.", show_default=False),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse unless every question has an answer.")
    ] = False,
    per_question: Annotated[
        bool, typer.Option("--per-question", help="Every question's figures as well.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Score results files against gold papers, without a study.

    Recall at 10, 20, 50, 100 and 200, macro and micro.

    Figures are equal to those of the published evaluation's own scorer; what that scorer passes
    over in silence is told on stderr.

    Example: judge recall --questions bioasq.jsonl --results runs.jsonl.gz --failures
    runs.failures.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    if questions is None or results is None:
        raise typer.BadParameter("--questions and --results are both needed", ctx=context)
    from judge.errors import Integrity
    from judge.steps.recalling import score_recall

    done = score_recall(questions, results, failures=failures, manifest=manifest, strict=strict)
    for warning in done.warnings:
        note(f"warning: {warning.text} (first: {warning.example})")
    if json:
        _say_score_json(done, per_question)
    else:
        _say_score(done, per_question)
    if done.manifest is not None:
        note(f"checked against {manifest}: {', '.join(done.manifest.checked)}")
        for file in done.manifest.not_named:
            note(f"the manifest has no digest of {file}")
        if done.manifest.differs:
            raise Integrity(
                f"{manifest} says otherwise: {'; '.join(done.manifest.differs)}",
                hint="fetch the frozen files again, or score without --manifest",
            )


def compare(
    files: Annotated[
        list[str],
        typer.Argument(
            help="FILE or NAME=FILE: results files, or .json from `judge recall --per-question "
            "--json`."
        ),
    ],
    questions: QuestionsOption = None,
    json: JsonOption = False,
) -> None:
    """Set several systems side by side.

    Each on its own completed questions, and on those that all completed.

    Example: judge recall compare elicit.json brave=brave.jsonl --questions bioasq.jsonl
    """
    from judge.steps.recalling import compare_recall

    done = compare_recall(files, questions)
    if json:
        say_json(done)
    else:
        _say_comparison(done)


def _say_score_json(done: RecallScore, per_question: bool) -> None:
    import msgspec

    say_json(done if per_question else msgspec.structs.replace(done, per_question=()))


def _say_score(done: RecallScore, per_question: bool) -> None:
    say(
        f"{done.system}: {done.num_scored_questions:,} of {done.num_input_questions:,} questions "
        f"scored, {done.total_gold:,} gold papers, {done.num_candidates:,} candidates"
    )
    say(
        f"{done.num_missing_questions:,} missing ({done.num_failed_questions:,} failed, "
        f"{done.num_unattempted_questions:,} not attempted); {done.num_empty_answers:,} empty "
        "answers, counted 0"
    )
    if done.absent_reason:
        say(done.absent_reason)
    say(_line("recall", [f"@{k}" for k in done.cutoffs]))
    for name, figures in (("macro", done.macro_recall), ("micro", done.micro_recall)):
        say(_line(name, [_number(figures[str(k)], 4) for k in done.cutoffs]))
    tiers = ", ".join(f"{tier} {count:,}" for tier, count in done.match_tier_counts.items())
    say(f"matched by {tiers or 'nothing'}")
    say(f"Matching: {done.matching}.")
    for sentence in done.limits:
        say(sentence)
    for one in done.latest_failures:
        say(f"failed: {one.question_id}: {one.error} (retryable: {one.retryable})")
    if per_question:
        say()
        say(_line("question", ["gold", *(f"@{k}" for k in done.cutoffs)], 40))
        for row in done.per_question:
            cells = [str(row.total_gold), *(_number(row.recall[str(k)], 4) for k in done.cutoffs)]
            say(_line(row.question_id, cells, 40))


def _say_comparison(done: RecallComparison) -> None:
    width = max(len(one.system) for one in done.systems)
    say(f"macro recall; {done.questions:,} questions, {done.shared:,} completed by all")
    heads = [f"{f'@{k}':<14}" for k in done.cutoffs]
    say(f"{'system':<{width}}  {'n':>5}  {'depth':>6}  {' '.join(heads)}".rstrip())
    for one in done.systems:
        cells = [f"{_compared(figure):<14}" for figure in one.figures]
        head = f"{one.system:<{width}}  {one.completed:>5}  {one.median_depth:>6}"
        say(f"{head}  {' '.join(cells)}".rstrip())
    for sentence in done.notes:
        say(sentence)


def _compared(figure: ComparedFigure) -> str:
    if figure.own is None:
        return "–"
    mark = "*" if figure.ceiling else ""
    return f"{_number(figure.own, 3)}{mark} ({_number(figure.shared, 3)})"


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def _line(name: str, cells: list[str], width: int = 8) -> str:
    return f"{name:<{width}}" + "".join(f"{cell:>8}" for cell in cells)
