"""Every service in code, by the name that a protocol gives a system."""

from __future__ import annotations

from judge.errors import Problem
from judge.files import nearest
from judge.records.protocol import System
from judge.runs.providers import (
    brave,
    consensus,
    elicit,
    europepmc,
    exa,
    google_scholar,
    openalex,
    parallel,
    perplexity,
    pubmed,
    semantic_scholar,
)
from judge.runs.providers.base import Adapter
from judge.runs.providers.paging import Paged

ADAPTERS: dict[str, Adapter] = {
    adapter.facts.name: adapter
    for adapter in (
        elicit.ADAPTER,
        consensus.ADAPTER,
        semantic_scholar.ADAPTER,
        openalex.KEYWORD_ADAPTER,
        openalex.SEMANTIC_ADAPTER,
        google_scholar.ADAPTER,
        exa.ADAPTER,
        brave.ADAPTER,
        parallel.ADAPTER,
        perplexity.ADAPTER,
        pubmed.ADAPTER,
        europepmc.ADAPTER,
    )
}


def unsupported(system: System, adapter: Adapter) -> list[Problem]:
    """What a protocol asks of a system that its service does not do: mode, filters, parameters.

    A filter or parameter that were left out in silence would make the record untrue.
    """
    where, facts = f"system {system.code}", adapter.facts
    problems: list[Problem] = []
    if system.mode not in facts.modes:
        problems.append(
            Problem(
                f"{where}: mode",
                f"unknown mode {system.mode!r}{nearest(system.mode, facts.modes)}",
                f"one of {', '.join(facts.modes)}",
            )
        )
    if system.filters:
        what = f"{facts.name} takes no filters; found {', '.join(map(repr, system.filters))}"
        problems.append(Problem(f"{where}: filters", what))
    known = adapter.parameters if isinstance(adapter, Paged) else {}
    for name, value in system.parameters.items():
        at = f"{where}: parameters.{name}"
        if name not in known:
            allowed = f"one of {', '.join(known)}" if known else f"{facts.name} takes none"
            problems.append(Problem(at, f"unknown parameter{nearest(name, known)}", allowed))
        elif not isinstance(value, str) or (known[name] and value not in known[name]):
            allowed = f"one of {', '.join(known[name])}" if known[name] else "text"
            problems.append(Problem(at, f"{value!r} is not allowed", allowed))
    return problems
