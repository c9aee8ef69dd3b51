"""The parts of the pages that are made from the program: fields, keys, screens, figures."""

from __future__ import annotations

import ast
import inspect
import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import anyio
import msgspec
from rich.console import Console

from judge.clock import stepping_clock
from judge.judgements.packet import fixed_entropy
from judge.records import protocol as protocol_records
from judge.records import query as query_records
from judge.records.base import Record
from judge.records.report import Report
from judge.steps.context import Context
from judge.study import Study

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "tui" / "golden"
README_LABELS = ("1", "a")
"""What is typed before the screen that the README shows."""


# --- fields ---------------------------------------------------------------------------------------


def fields(module: ModuleType, names: Mapping[str, str]) -> str:
    """A table for each record of ``module``: field, what it may be, what its docstring says.

    ``names`` has the heading of each record's table.
    """
    parts = []
    for name, heading in names.items():
        kind = getattr(module, name)
        told = _docstrings(kind)
        rows = [
            f"| `{field.name}`{'' if field.required else ' *'} "
            f"| {_allowed(get_type_hints(kind)[field.name])} | {told.get(field.name, '')} |"
            for field in msgspec.structs.fields(kind)
        ]
        said = inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0]
        head = f"{heading}: {_one_line(said)}\n\n| Field | Value | Meaning |\n|---|---|---|\n"
        parts.append(head + "\n".join(rows))
    return "\n\n".join(parts)


def _docstrings(kind: type[Record]) -> dict[str, str]:
    """What stands below each field; Python keeps the docstrings of classes alone."""
    (defined,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(defined, ast.ClassDef)
    told = {}
    for one, after in itertools.pairwise(defined.body):
        if (
            isinstance(one, ast.AnnAssign)
            and isinstance(one.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            told[one.target.id] = _one_line(str(after.value.value))
    return told


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _allowed(hint: Any) -> str:
    """What a field of this type may hold, in words."""
    inner = get_args(hint)
    origin = get_origin(hint)
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in inner)
    if origin in (Union, UnionType):
        return " or ".join(_allowed(one) for one in inner if one is not type(None))
    if origin is tuple:
        return ("list of " if ... in inner else "pair of ") + _allowed(inner[0])
    if origin is dict:
        return f"table of {_allowed(inner[1])}"
    if isinstance(hint, type) and issubclass(hint, Record):
        return "table"
    return {str: "text", int: "whole number", bool: "true, false"}[hint]


# --- keys -----------------------------------------------------------------------------------------


def keys() -> str:
    """Every key of the desk, by group."""
    from judge.tui.keymap import Keymap, key_name

    rows = []
    group = ""
    for action in Keymap().actions.values():
        shown = " ".join(f"`{key_name(key)}`" for key in action.keys)
        head = f"**{action.group}**" if action.group != group else ""
        group = action.group
        rows.append(f"| {head} | {shown} | {_one_line(action.description)} | `{action.name}` |")
    return "\n".join(["| | Key | What it does | Name in a key file |", "|---|---|---|---|", *rows])


# --- screens --------------------------------------------------------------------------------------


def golden(name: str) -> str:
    """A screen that the tests of the desk hold."""
    return _fenced((GOLDEN / f"{name}.txt").read_text("utf-8"))


def desk() -> str:
    """The desk on the second item of the worked study's practice packet, at 80x20."""
    from judge.steps.judging import make_packet, pool_study
    from judge.steps.planning import copy_inputs, freeze_study
    from judge.steps.running import capture_study

    with tempfile.TemporaryDirectory() as folder:
        context = Context(
            Study(Path(folder) / "study"),
            clock=stepping_clock("2026-11-30T09:00:00Z"),
            entropy=fixed_entropy("the screen of the README 6"),
        )
        copy_inputs(ROOT, context.study.root)
        freeze_study(context)
        capture_study(context)
        pool_study(context)
        return _fenced(anyio.run(_screen, make_packet(context, "C")))


async def _screen(packet: Path) -> str:
    from tests.tui.support import bench

    async with bench(packet, size=(80, 20)) as opened:
        await opened.press(*README_LABELS)
        return opened.text()


def _fenced(text: str) -> str:
    return f"```\n{text.rstrip()}\n```"


# --- the report -----------------------------------------------------------------------------------


@cache
def worked_report() -> Report:
    """The newest report of the worked study, as published."""
    newest = max((ROOT / "reports").glob("*/report.json"))
    return msgspec.json.decode(newest.read_bytes(), type=Report)


def family_table() -> str:
    """The terminal's table of means per family at the first cutoff."""
    from judge.reports.render.terminal import print_summary

    out = StringIO()
    print_summary(worked_report(), Console(file=out, width=90, no_color=True))
    blocks = out.getvalue().split("\n\n")
    found = next(one.strip("\n") for one in blocks if one.strip().startswith("Mean P@5 per family"))
    return _fenced("\n".join(line.rstrip() for line in found.split("\n")))


def figure(chart_id: str) -> str:
    """A figure of the worked study's report as an SVG file of its own."""
    from judge.reports.figures.draw import draw

    chart = next(one for one in _charts() if one.id == chart_id)
    svg = draw(chart.drawing, f"f-{chart.id}", chart.title, chart.description)
    # In a page the style sheet says these; on its own a picture has no page.
    head = '<svg font-family="sans-serif" style="background:#fff" '
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg.replace("<svg ", head, 1) + "\n"


def _charts() -> Iterator[Any]:
    from judge.reports.figures.drawings import Chart
    from judge.reports.render.outline import outline

    for section in outline(worked_report()).sections:
        yield from (block for block in section.blocks if isinstance(block, Chart))


PARTS: dict[str, Callable[[], str]] = {
    "protocol-fields": lambda: fields(
        protocol_records,
        {
            "Protocol": "**The top of the file**",
            "Family": "**`[[families]]`**",
            "UnacceptableFailure": "**`[[unacceptable_failures]]`**",
            "System": "**`[[systems]]`**",
            "Depth": "**`[depth]`**",
            "Rubric": "**`[rubric]`**",
            "Reason": "**`[[reasons]]`**",
            "Choices": "**`[choices]`**",
            "People": "**`[people]`**",
            "Stratum": "**`[[strata]]`**",
            "Claim": "**`[[claims]]`**",
            "Criterion": "**`[[criteria]]`**",
        },
    ),
    "query-fields": lambda: fields(
        query_records,
        {
            "Query": "**A query**",
            "Translation": "**`translations`, by system code**",
            "ControlCheck": "**`control_check`**",
            "GoldPaper": "**`gold`**",
        },
    ),
    "keys": keys,
    "desk": desk,
    "screen-reason": lambda: golden("reason-80x24"),
    "screen-decide": lambda: golden("decide-80x24"),
    "screen-summary": lambda: golden("summary-80x24"),
    "family-table": family_table,
}
"""Name of a part to what makes it."""
