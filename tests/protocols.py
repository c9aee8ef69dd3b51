"""Protocols for tests: every field filled, what a test cares about passed in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

import judge.protocol
from judge.decode import scan_toml
from judge.records.protocol import (
    Choices,
    Family,
    Measure,
    People,
    Protocol,
    System,
    UnacceptableFailure,
)

TEMPLATE = Path(judge.protocol.__file__).parent / "template" / "protocol" / "protocol.toml"


def filled(
    *,
    systems: Sequence[tuple[str, str]] = (("keyword", "embedded"), ("semantic", "embedded")),
    cutoffs: tuple[int, ...] = (5, 10),
    pool: int = 10,
    requested: int = 20,
    measures: tuple[Measure, ...] = ("precision_at_k", "judged_at_k", "agreement"),
    assessors: tuple[str, ...] = ("A", "B"),
    choices: Choices | None = None,
) -> Protocol:
    """The template that `judge init` writes, with every empty answer given.

    ``systems`` are (code, service); the mode has the code's name.
    """
    draft, _ = scan_toml(TEMPLATE.read_bytes(), TEMPLATE.name, Protocol)
    assert draft is not None
    return msgspec.structs.replace(
        draft,
        title="A study for tests",
        decision="whether the tests pass",
        intended_users="developers",
        source_scope="what the test says",
        measures=measures,
        largest_entity_share="1",
        families=(Family(code="mechanism", task_type="mechanism_survey", need="how it works"),),
        unacceptable_failures=(UnacceptableFailure(code="U1", text="a wrong answer first"),),
        systems=tuple(
            System(
                code=code,
                service=service,
                mode=code,
                endpoint=f"{service}:{code}",
                operators=(),
                quotes_joined_by_and=False,
            )
            for code, service in systems
        ),
        depth=msgspec.structs.replace(draft.depth, cutoffs=cutoffs, pool=pool, requested=requested),
        rubric=msgspec.structs.replace(
            draft.rubric,
            target_entity="not relevant here",
            organism="not relevant here",
            mechanism="not relevant here",
            evidence_type="not relevant here",
        ),
        choices=choices
        or Choices(
            uncertain="bounds",
            failed_request="that_system",
            duplicates="first_counts",
            same_record=("same_id",),
            gaps="bounds",
        ),
        people=People(
            assessors=assessors,
            adjudicator="D",
            adjudication="third_person",
            run_by="a test",
            judged_by="a test",
            ties="none",
        ),
    )


def toml_text(protocol: Protocol) -> str:
    """The protocol as a TOML file."""
    return "".join(_table("", msgspec.to_builtins(protocol)))


def _table(path: str, table: dict[str, object]) -> list[str]:
    lines, later = [], []
    for key, value in table.items():
        if isinstance(value, dict):
            later += [f"[{path}{key}]\n", *_table(f"{path}{key}.", value)]
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            for one in value:
                later += [f"[[{path}{key}]]\n", *_table(f"{path}{key}.", one)]
        else:
            lines.append(f"{key} = {msgspec.json.encode(value).decode()}\n")
    return [*lines, *later]
