"""A frozen study over the fake service, made straight into a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.clock import stepping_clock
from judge.files import write_atomic
from judge.protocol.freeze import freeze, freeze_id, frozen_bytes, planned_runs
from judge.records.query import FrozenQuery, Query
from judge.runs.exchange import Limits
from judge.runs.providers.base import Adapter
from judge.steps.capturing import Wire
from judge.steps.context import Context
from judge.store.ledger import Ledger
from judge.study import Study
from tests.fakes.adapter import BASE_ENV, KEY_ENV, FakeAdapter
from tests.protocols import filled, toml_text

START = "2026-11-30T09:00:00Z"
KEY = "sk-fake-0123456789"
FAST = Limits(deadline_s=20.0, backoff_s=0.001)
"""Long enough for a busy machine, short waits between repeats."""


def query(name: str, **changes: Any) -> Query:
    """A query whose text is its id."""
    given = {"id": name, "family": "mechanism", "need": f"Papers on {name}.", "text": name}
    return Query(**{**given, "expected": "ordinary", **changes})


def frozen_study(
    folder: Path,
    names: Sequence[str],
    *,
    systems: Sequence[tuple[str, str]] = (("b", "fake"),),
    requested: int = 4,
    development: Sequence[str] = (),
    max_year: int | None = None,
) -> Context:
    """A study of queries ``names`` at ``systems`` (code, service), frozen, nothing asked yet."""
    study = Study(folder)
    protocol = filled(systems=systems, requested=requested, pool=min(4, requested), cutoffs=(1, 2))
    queries = [query(name, max_year=max_year) for name in names]
    others = [query(name) for name in development]
    files = {"evaluation.jsonl": b"{}\n", "development.jsonl": b"{}\n"}
    frozen = freeze(protocol, b"# Rubric\n", files, None)
    for path, data in (
        (study.protocol, toml_text(protocol).encode()),
        (study.rubric, b"# Rubric\n"),
        *((folder / "queries" / name, data) for name, data in files.items()),
        (study.frozen, frozen_bytes(frozen)),
    ):
        write_atomic(path, data)
    clock = stepping_clock(START)
    with Ledger.create(study.store, clock, "A study for tests") as ledger:
        ledger.record(
            "frozen",
            freeze_id(frozen),
            [frozen],
            [
                *(FrozenQuery(set="evaluation", query=one) for one in queries),
                *(FrozenQuery(set="development", query=one) for one in others),
            ],
            planned_runs(protocol, queries),
        )
    return Context(study, clock=clock)


def wire(
    url: str,
    adapter: Adapter | Mapping[str, Adapter] = FakeAdapter(),  # noqa: B008
    *,
    key: str = KEY,
    limits: Limits = FAST,
    **more: Any,
) -> Wire:
    """The outside of a capture: the fake server, and a key for it."""
    adapters = adapter if isinstance(adapter, Mapping) else {"fake": adapter}
    environment = {BASE_ENV: url, KEY_ENV: key}
    return Wire(environment=environment, adapters=adapters, limits=limits, **more)
