"""Commands of the plan: lint, freeze, amend, import-questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, counted, note, say, say_json


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(lint)
    app.command()(freeze)
    app.command()(amend)
    app.command("import-questions")(import_questions)


def lint(study: StudyOption = None, json: JsonOption = False) -> None:
    """List every problem of the plan at once.

    Reads protocol, rubric, queries and corpus.

    Problems stop a freeze; warnings are for you to weigh.

    Example: judge lint
    """
    from judge.errors import Invalid, Problem
    from judge.steps.planning import before_freeze, read_draft

    with at_work(study) as context:
        draft, frozen = read_draft(context.study), context.study.was_frozen(context.clock)
    if json:
        say_json([vars(one) for one in draft.findings])
    else:
        for one in draft.warnings:
            say(f"warning: {one}")
    if draft.problems:
        raise Invalid(
            before_freeze(draft.problems),
            [Problem(one.where, one.text, one.allowed) for one in draft.problems],
            hint="mend them, then `judge lint` again",
        )
    if not json:
        counts = ", ".join(f"{len(found)} {which}" for which, found in draft.queries.items())
        warnings = counted(len(draft.warnings), "warning", "warnings")
        say(f"no problems; {warnings} (queries: {counts})")
    note(f"Next: judge {'status' if frozen else 'freeze'}")


def freeze(study: StudyOption = None, json: JsonOption = False) -> None:
    """Fix protocol, rubric and queries under one digest.

    Example: judge freeze
    """
    from judge.steps.planning import freeze_study

    with at_work(study) as context:
        done = freeze_study(context)
    for one in done.warnings:
        note(f"warning: {one}")
    if json:
        say_json({"freeze_id": done.freeze_id, "queries": done.queries, "planned": done.planned})
    else:
        say(f"frozen {done.freeze_id}")
        queries = counted(done.queries, "query", "queries")
        runs = counted(done.planned, "run", "runs")
        say(f"{queries}, {runs} planned; see protocol/frozen.json")
    note("Next: judge capture (or judge import-run)")


def amend(
    target: Annotated[
        str, typer.Option(help="What changes: protocol.<field> or queries.<id>.<field>.")
    ],
    after: Annotated[str, typer.Option(help="The new value, as JSON or plain text.")],
    author: Annotated[str, typer.Option(help="Who files it, by code.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    seen: Annotated[
        Literal["nothing_run", "run_results_not_seen", "results_seen"],
        typer.Option(help="What had been seen when this was decided."),
    ],
    study: StudyOption = None,
) -> None:
    """File a change after the freeze.

    It stands beside the frozen bytes, which never change, and in every report.

    Example: judge amend --target protocol.depth.cutoffs --after '[5, 10]' --author R1
    --reason 'cutoff 3 says little' --seen nothing_run
    """
    from judge.steps.planning import amend_study

    with at_work(study) as context:
        done = amend_study(
            context, target=target, after=after, author=author, reason=reason, seen=seen
        )
    say(f"amendment {done.number}: {done.target}: {done.before} -> {done.after} ({done.seen})")
    note("Next: judge status")


def import_questions(
    file: Annotated[Path, typer.Argument(help="BioASQ JSON, or a questions file (JSON Lines).")],
    family: Annotated[str, typer.Option(help="Code of the family the questions belong to.")],
    out: Annotated[Path, typer.Option(help="The query file to write; it must not exist.")],
) -> None:
    """Turn BioASQ questions into a query file.

    Gold papers are taken over.

    Example: judge import-questions BioASQ-task.json --family mechanism
    --out queries/evaluation.jsonl
    """
    from judge.errors import Refused
    from judge.files import read_bytes, write_atomic
    from judge.queries.load import to_jsonl
    from judge.queries.questions import read_bioasq, read_recall_questions

    if out.exists():
        raise Refused(f"{out} exists already; nothing was written", hint="name a new file")
    lines = file.name.removesuffix(".gz").endswith(".jsonl")
    read = read_recall_questions if lines else read_bioasq
    found = read(read_bytes(file), file.name, family=family)
    for one in (*found.skipped, *found.warnings):
        note(f"warning: {one}")
    write_atomic(out, to_jsonl(found.queries))
    queries = counted(len(found.queries), "query", "queries")
    skipped = counted(len(found.skipped), "question", "questions")
    say(f"{out}: {queries}, {skipped} left out")
    note("Next: judge lint")
