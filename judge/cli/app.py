"""All commands, in the order of a study."""

from __future__ import annotations

from typing import Annotated

import typer

import judge
from judge.cli import (
    care,
    judgements,
    life,
    planning,
    recall,
    record,
    reports,
    runs,
    sources,
    study,
)

app = typer.Typer(
    name="judge",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "Blind human judging of biomedical search: declare, freeze, capture, label, report.\n\n"
        "A study runs in this order: init, lint, freeze, capture, pool, packet make, label, "
        "collect, adjudicate, report, publish, verify. `judge status` names the next command."
    ),
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"blindjudge {judge.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for module in (study, planning, runs, sources, judgements, life, reports, recall, record, care):
    module.register(app)
