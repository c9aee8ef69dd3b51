"""Commands around live services: capture, round, reparse, providers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge.cli.common import JsonOption, StudyOption, note, say, say_json

if TYPE_CHECKING:
    from judge.runs.providers.base import Adapter
    from judge.steps.capturing import DryRun
    from judge.steps.context import Context
    from judge.steps.running import CaptureResult, Tally, Watch

rounds = typer.Typer(no_args_is_help=True, help="Open, close and list dated rounds of capture.")
providers = typer.Typer(invoke_without_command=True, help="The services that can be asked.")


def register(app: typer.Typer) -> None:
    """Adds this module's commands."""
    app.command()(capture)
    app.add_typer(rounds, name="round")
    app.command()(reparse)
    app.add_typer(providers, name="providers")


def capture(
    systems: Annotated[
        list[str] | None, typer.Argument(help="Codes of systems; all without any.")
    ] = None,
    development: Annotated[
        bool, typer.Option("--development", help="The development queries, which never score.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be sent; send nothing.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many queries of each system: a pilot.")
    ] = None,
    confirm_paid: Annotated[
        int | None,
        typer.Option(min=0, help="The most paid requests that may be sent; 100 without it."),
    ] = None,
    resend_in_doubt: Annotated[
        bool,
        typer.Option(
            "--resend-in-doubt",
            help="Send paid requests again that nobody knows the end of: they may be paid twice.",
        ),
    ] = False,
    retry_failed: Annotated[
        bool,
        typer.Option("--retry-failed", help="Ask again what was refused, rejected or unreadable."),
    ] = False,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Ask each system each frozen query once and keep what came back.

    Goes on where it was stopped: a page that was paid for is never paid for again without a word
    from you. Ctrl-C waits for the requests under way and keeps every answer; a second one does not.

    Example: judge capture keyword --dry-run
    """
    from judge.steps.capturing import Wish
    from judge.steps.capturing import dry_run as plan
    from judge.steps.running import StoppedEarly, capture_study, command_of

    context = _context(study)
    wish = Wish(limit, confirm_paid, resend_in_doubt, retry_failed)
    codes = systems or ()
    if dry_run:
        return _say_plan(plan(context, codes, development=development, wish=wish), json)
    try:
        with _watched() as watch:
            done = capture_study(context, codes, development=development, wish=wish, watch=watch)
    except StoppedEarly as early:
        _say_result(early.result, json)
        raise
    _say_result(done, json)
    if done.left:
        note(f"{done.left} queries are left. Next: {command_of(codes, development, wish)}")
    else:
        after = "judge pool" if done.scored else "judge round close"
        note(f"Next: {'judge freeze' if development else after}")
    return None


def _context(study: Path | None) -> Context:
    from judge.steps.context import Context
    from judge.study import Study

    return Context(Study.locate((study or Path.cwd()).resolve()))


@contextmanager
def _watched() -> Iterator[Watch]:
    """How far a capture is, on stderr: a bar on a terminal, a line at each tenth elsewhere."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _tenths()
        return
    bar = Progress(
        TextColumn("capture"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda tally: bar.update(
            task, completed=tally.done, total=tally.total, description=tally.words
        )


def _tenths() -> Watch:
    shown = 0

    def watch(tally: Tally) -> None:
        nonlocal shown
        tenth = 10 * tally.done // tally.total if tally.total else 0
        if tenth > shown:
            shown = tenth
            note(f"capture: {tally.done} of {tally.total} ({tally.words})")

    return watch


def _say_plan(found: DryRun, json: bool) -> None:
    if json:
        return say_json(found)
    say(f"round {found.round}; nothing is sent")
    for one in found.systems:
        say(f"{one.system}: {one.queries} queries to {one.service}, mode {one.mode}; {one.key}")
        say(
            f"  at most {one.requests} requests ({one.pages} a query), {one.paid} of them paid, "
            f"at least {_duration(one.seconds)}"
        )
        say(f"  first: {one.first}")
    for pair in found.in_doubt:
        say(f"in doubt: {pair}")
    say(f"at most {found.paid} paid requests, without repeats")
    return None


def _duration(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _say_result(done: CaptureResult, json: bool) -> None:
    if json:
        return say_json(done)
    for code, counts in done.outcomes.items():
        shown = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        say(f"{code}: {shown}")
    if done.paid:
        say(f"{done.paid} paid requests were sent")
    if not done.captured and not done.left and not done.in_doubt:
        say("every query has its outcome already; nothing was asked")
    return None


@rounds.command("open")
def open_round(
    name: Annotated[str, typer.Argument(help="A name that no round has had.")],
    study: StudyOption = None,
) -> None:
    """Open a new dated round over all evaluation queries.

    Only the round that the protocol declares is scored; the others are listed.

    Example: judge round open r2
    """
    from judge.steps.rounds import start_round

    planned = start_round(_context(study), name)
    say(f"round {name} is open: {planned} queries are planned")
    note("Next: judge capture --dry-run")


@rounds.command("close")
def close_round(
    reason: Annotated[
        list[str] | None,
        typer.Option(help="Why a query has no outcome: 'q14 at b: the service was withdrawn'."),
    ] = None,
    study: StudyOption = None,
) -> None:
    """Close the open round: every query has an outcome at every system, or a written reason.

    Example: judge round close --reason 'q14 at b: the service was withdrawn'
    """
    from judge.steps.rounds import finish_round

    done = finish_round(_context(study), reason or ())
    say(f"round {done.name} is closed: {_counts(done.outcomes)}; {done.excused} with a reason")


@rounds.command("list")
def list_rounds(study: StudyOption = None, json: JsonOption = False) -> None:
    """List the rounds with their dates and outcomes.

    Example: judge round list
    """
    from judge.steps.rounds import list_rounds as listed

    found = listed(_context(study))
    if json:
        return say_json(found)
    for one in found:
        state = f"closed {one.closed_utc}" if one.closed_utc else "open"
        scored = ", scored" if one.scored else ""
        done = sum(one.outcomes.values())
        say(f"{one.name}: opened {one.opened_utc}, {state}{scored}")
        say(f"  {done} of {one.planned} have an outcome ({_counts(one.outcomes)})")
    return None


def _counts(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())) or "none"


def reparse(
    round_name: Annotated[
        str | None, typer.Option("--round", help="The scored round without it.")
    ] = None,
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Read the stored replies again with the adapters of today; ask nothing.

    A record is never replaced: where the reading differs, one more execution is written.

    Example: judge reparse --round r2
    """
    from judge.steps.rereading import reparse_study

    done = reparse_study(_context(study), round_name)
    if json:
        return say_json(done)
    say(f"round {done.round}: {done.read} records read again, {len(done.changed)} differ")
    for name in done.changed:
        say(f"  new: {name}")
    for name in done.unreadable:
        say(f"  the stored replies of {name} are not enough for the adapter of today")
    return None


@providers.callback()
def list_providers(
    context: typer.Context, study: StudyOption = None, json: JsonOption = False
) -> None:
    """List the services: modes, depth, calls, keys, what a mode reads, what is unverified.

    Example: judge providers
    """
    if context.invoked_subcommand is not None:
        return None
    from judge.steps.probing import services

    found = services(*_here(study))
    if json:
        return say_json(found)
    for one in found:
        paid = "paid" if one.paid else "free"
        say(f"{one.name} ({one.adapter}), {paid}")
        say(f"  depth {one.depth}, {one.page_size} a request, at most {one.calls} requests a query")
        if one.key_env:
            say(f"  key: {one.key_env} is {one.key}")
        if one.base_env:
            say(f"  address for tests and mirrors: {one.base_env}")
        for mode, reads in one.reads.items():
            say(f"  mode {mode} reads: {reads}")
        say(f"  cuts off by year: {'yes' if one.filters_year else 'no'}")
        for fact in one.unverified:
            say(f"  unverified: {fact}")
    return None


@providers.command("probe")
def probe_provider(
    name: Annotated[str, typer.Argument(help="A service of `judge providers`.")],
    mode: Annotated[str | None, typer.Option(help="Its first mode without this.")] = None,
    query: Annotated[str, typer.Option(help="What is asked.")] = "aspirin",
    study: StudyOption = None,
    json: JsonOption = False,
) -> None:
    """Send one real request and say, fact by fact, what agrees with the adapter.

    Paid where the service is paid. Nothing is stored.

    Example: judge providers probe europepmc
    """
    from judge.clock import system_clock
    from judge.steps.probing import probe

    environment, adapters = _here(study)
    note(f"One request to {name} …")
    found = probe(name, environment, adapters=adapters, clock=system_clock, mode=mode, text=query)
    if json:
        return say_json(found)
    say(f"{found.adapter}: {found.asked}")
    for one in found.checks:
        say(f"  {one.verdict:<10} {one.fact}: {one.found}")
    return None


def _here(folder: Path | None) -> tuple[dict[str, str], dict[str, Adapter]]:
    """Keys and addresses, and the services that can be asked; a study adds its own to both."""
    from judge.errors import Refused
    from judge.runs.keys import surroundings
    from judge.steps.services import services_of
    from judge.study import Study

    start = (folder or Path.cwd()).resolve()
    try:
        study = Study.locate(start)
    except Refused:
        if folder is not None:
            raise
        study = Study(start)
    return surroundings(study.root, os.environ), services_of(study)
