"""Commands of a label's life after the desk: retract, and the access queue."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from judge.cli.common import JsonOption, StudyOption, at_work, counted, note, say, say_json

access = typer.Typer(
    no_args_is_help=False,
    invoke_without_command=True,
    help="The access queue: what somebody could not judge, and what was found since.",
)

ByOption = Annotated[str, typer.Option(help="Who says so, by code.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it is recorded and reported.")]
RecordArgument = Annotated[str, typer.Argument(help="Key of the record, such as pmid:123.")]
QueryArgument = Annotated[str, typer.Argument(help="Id of the query.")]


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(retract)
    app.add_typer(access, name="access")


def retract(
    code: Annotated[str, typer.Argument(help="Whose label, by code.")],
    cause: Annotated[
        Literal["slip", "wrong_item", "conflict_of_interest", "removed_from_study"],
        typer.Option(help="removed_from_study takes out every label of the person."),
    ],
    by: ByOption,
    reason: ReasonOption,
    query: Annotated[str, typer.Argument(help="Id of the query.")] = "",
    record: Annotated[str, typer.Argument(help="Key of the record.")] = "",
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Take a label out, for a reason.

    Nothing is deleted: the label no longer counts, and an older one of the same person does not
    come back. After a slip or a wrong item it can be labelled again.

    Example: judge retract A q07 pmid:31234567 --cause slip --by R1 --reason 'took it for q06'
    """
    from judge.steps.retracting import retract as take_out

    with at_work(study) as context:
        done = take_out(
            context, code, cause=cause, by=by, reason=reason, query=query, record=record
        )
    if json:
        say_json(
            {"retracted": done.items, "again": done.again, "frozen_again": done.frozen is not None}
        )
    else:
        say(f"{code}: {counted(done.items, 'label', 'labels')} retracted, {cause}")
        if done.frozen:
            say(f"first labels frozen again, as freeze {done.frozen.number}; the earlier stay")
    if done.again:
        note(f"Next: judge packet make {code} deals it again")
    elif cause == "removed_from_study":
        note(
            "Next: judge amend --target protocol.people.assessors names who labels in place of "
            f"{code}"
        )
    else:
        note("Next: judge status; the item keeps its gap, or judge access exclude takes it out")


@access.callback()
def access_queue(
    context: typer.Context, study: StudyOption = None, json: JsonOption = False
) -> None:
    """List what somebody could not judge, by record.

    Nobody's label is shown. While an assessor is out, it lists records without an abstract and
    says nothing of labels.

    Example: judge access
    """
    if context.invoked_subcommand is not None:
        return
    from judge.steps.accessing import access_queue as queue_of

    with at_work(study) as at:
        queue = queue_of(at)
    if json:
        return say_json(queue)
    if queue.closed:
        say("Labels are closed; these are the pooled records that lack a part of their text:")
    for line in queue.lines:
        kinds = ", ".join(f"{count} {kind}" for kind, count in line.kinds.items())
        lacks = f"lacks {', '.join(line.missing)}" if line.missing else "text is complete"
        told = "; ".join(part for part in (kinds, lacks) if part)
        looked = " [unavailable]" if line.state == "unavailable" else ""
        say(f"{line.record_id} ({', '.join(line.queries)}){looked}: {told}")
        say(f"    {line.title or 'no title'}")
    if not queue.lines:
        say("nothing")
    return note(
        "Next: judge access found RECORD --abstract FILE (or --link), or "
        "judge access unavailable QUERY RECORD"
        if queue.lines and not queue.closed
        else "Next: judge status"
    )


@access.command("found")
def found(
    record: RecordArgument,
    by: ByOption,
    reason: Annotated[str, typer.Option(help="Where it was found; it is recorded.")],
    abstract: Annotated[
        Path | None, typer.Option(help="A text file with the abstract that was found.")
    ] = None,
    link: Annotated[str, typer.Option(help="Where the paper can be read.")] = "",
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Record an abstract or a link that was found.

    Cannot-judge labels of the record lapse; judgements stand.

    Example: judge access found pmid:31234567 --abstract found.txt --by R1 --reason 'publisher'
    """
    from judge.files import decode_text, read_bytes
    from judge.steps.accessing import evidence_found

    text = "" if abstract is None else decode_text(read_bytes(abstract), abstract.name)
    with at_work(study) as context:
        done = evidence_found(context, record, by=by, reason=reason, abstract=text, link=link)
    if json:
        say_json(vars(done))
    else:
        say(f"{record}: recorded for {', '.join(done.queries)}; judgements that stand: {done.kept}")
    again = ", ".join(f"judge packet make {code}" for code in done.deal_to)
    note(f"Next: {again or 'judge status'}")


@access.command("unavailable")
def unavailable(
    query: QueryArgument,
    record: RecordArgument,
    by: ByOption,
    reason: ReasonOption,
    study: StudyOption = None,
) -> None:
    """Say that what was missing cannot be had: the item goes to whoever settles.

    Example: judge access unavailable q07 pmid:31234567 --by R1 --reason 'three libraries asked'
    """
    from judge.steps.accessing import say_unavailable

    with at_work(study) as context:
        say_unavailable(context, query, record, by=by, reason=reason)
    say(f"{query} {record}: unavailable; where several labelled it, it goes to whoever settles")
    note("Next: judge adjudicate")


@access.command("exclude")
def exclude(
    query: QueryArgument,
    record: RecordArgument,
    by: ByOption,
    reason: ReasonOption,
    study: StudyOption = None,
) -> None:
    """Take an item out of the judging for good. Its rank stays open: a bound, never a 0.

    Example: judge access exclude q07 pmid:31234567 --by R1 --reason 'record withdrawn'
    """
    from judge.steps.accessing import exclude as take_out

    with at_work(study) as context:
        take_out(context, query, record, by=by, reason=reason)
    say(f"{query} {record}: excluded")
    note("Next: judge status")
