"""Which code asks which service."""

from __future__ import annotations

from collections.abc import Mapping

from judge.errors import Invalid, Problem
from judge.files import nearest
from judge.records.protocol import System
from judge.runs.described import load_described
from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.all import unsupported as unsupported_elsewhere
from judge.runs.providers.base import Adapter
from judge.runs.providers.embedded.corpus import SERVICE as EMBEDDED
from judge.runs.providers.embedded.corpus import Corpus
from judge.runs.providers.embedded.service import EmbeddedService, unsupported


def known_services(descriptions: Mapping[str, bytes] | None = None) -> dict[str, Adapter]:
    """Services over the network, by the name that a protocol gives as a system's service.

    ``descriptions`` are the study's own files, by name, for services without code. Raises
    `Invalid` with every problem of a file, and for one that names a service already known.
    """
    known = dict(ADAPTERS)
    for name, data in sorted((descriptions or {}).items()):
        adapter = load_described(data, name)
        if adapter.facts.name in (*known, EMBEDDED):
            raise Invalid(f"{name}: a service {adapter.facts.name!r} is known already")
        known[adapter.facts.name] = adapter
    return known


def service_for(
    system: System, corpus: Corpus | None, known: Mapping[str, Adapter] = ADAPTERS
) -> Adapter:
    """The service that ``system`` names. ``corpus`` is the study's own, where it has one;
    ``known`` are the services over the network (`known_services`).

    Raises `Invalid` for an unknown service, for a mode, filter or parameter that the service does
    not have, and for an embedded service without a corpus.
    """
    problems: list[Problem]
    if system.service in known:
        adapter = known[system.service]
        problems = unsupported_elsewhere(system, adapter)
        if problems:
            raise Invalid(f"system {system.code} cannot be asked", problems)
        return adapter
    if system.service != EMBEDDED:
        names = (EMBEDDED, *known)
        raise Invalid(
            f"system {system.code}: unknown service {system.service!r}"
            f"{nearest(system.service, names)}; one of {', '.join(names)}"
        )
    problems = unsupported(system)
    if corpus is None:
        problems.append(Problem(f"system {system.code}", "the study has no corpus to search"))
    if problems or corpus is None:
        raise Invalid(f"system {system.code} cannot be asked", problems)
    return EmbeddedService(corpus)


def key_names(known: Mapping[str, Adapter] = ADAPTERS) -> frozenset[str]:
    """Every environment variable that holds a key of a known service."""
    return frozenset(one.facts.key_env for one in known.values() if one.facts.key_env)
