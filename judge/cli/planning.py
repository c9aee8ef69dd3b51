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
    author: Annotated[str, typer.Option(help="Who files it, by code.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    seen: Annotated[
        Literal["nothing_run", "run_results_not_seen", "results_seen"],
        typer.Option(help="What had been seen when this was decided."),
    ],
    target: Annotated[
        str, typer.Option(help="What changes: protocol.<field> or queries.<id>.<field>.")
    ] = "",
    after: Annotated[str, typer.Option(help="The new value, as JSON or plain text.")] = "",
    rubric: Annotated[
        Path | None, typer.Option(help="A file with the whole new text of the rubric.")
    ] = None,
    version: Annotated[str, typer.Option(help="With --rubric: name of the new version.")] = "",
    change: Annotated[
        Literal["editorial", "clarifying", "breaking"] | None,
        typer.Option(help="With --rubric: what it means for labels given before."),
    ] = None,
    family: Annotated[
        list[str] | None, typer.Option(help="Breaking: a family whose labels end by it.")
    ] = None,
    reason_code: Annotated[
        list[str] | None, typer.Option(help="Breaking: a reason code whose labels end by it.")
    ] = None,
    study: StudyOption = None,
) -> None:
    """File a change after the freeze.

    An editorial change of the rubric keeps all labels, a clarifying one keeps them apart by
    version, a breaking one ends those of the families and reasons that it names.

    It stands beside the frozen bytes, which never change, and in every report.

    Example: judge amend --target protocol.depth.cutoffs --after '[5, 10]' --author R1
    --reason 'cutoff 3 says little' --seen nothing_run
    """
    from judge.errors import Invalid
    from judge.records.protocol import RubricChange
    from judge.steps.amending import amend_rubric
    from judge.steps.planning import amend_study

    if rubric is not None:
        if target or after or change is None or not version:
            raise Invalid(
                "--rubric goes with --version and --change, and without --target and --after; "
                "nothing was written"
            )
        with at_work(study) as context:
            filed = amend_rubric(
                context,
                rubric,
                version=version,
                change=RubricChange(
                    kind=change, families=tuple(family or ()), reasons=tuple(reason_code or ())
                ),
                author=author,
                reason=reason,
                seen=seen,
            )
        number = filed.amendment.number
        ended = counted(filed.ended, "label", "labels")
        say(f"amendment {number}: rubric version {version}, {change} ({seen}); {ended} ended by it")
        return note("Next: judge status")
    if version or change or family or reason_code:
        raise Invalid("--version, --change, --family and --reason-code go with --rubric")
    if not target:
        raise Invalid("say what changes: --target and --after, or --rubric FILE")
    with at_work(study) as context:
        done = amend_study(
            context, target=target, after=after, author=author, reason=reason, seen=seen
        )
    say(f"amendment {done.number}: {done.target}: {done.before} -> {done.after} ({done.seen})")
    return note("Next: judge status")


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
