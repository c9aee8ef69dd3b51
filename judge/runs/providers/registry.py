"""Which code asks which service."""

from __future__ import annotations

from judge.errors import Invalid, Problem
from judge.files import nearest
from judge.records.protocol import System
from judge.runs.outcome import Service
from judge.runs.providers.embedded.corpus import SERVICE as EMBEDDED
from judge.runs.providers.embedded.corpus import Corpus
from judge.runs.providers.embedded.service import EmbeddedService, unsupported

SERVICES = (EMBEDDED,)
"""The names that a protocol may give as a system's service."""


def service_for(system: System, corpus: Corpus | None) -> Service:
    """The service that ``system`` names. ``corpus`` is the study's own, where it has one.

    Raises `Invalid` for an unknown service, for a mode, filter or parameter that the service does
    not have, and for an embedded service without a corpus.
    """
    if system.service not in SERVICES:
        raise Invalid(
            f"system {system.code}: unknown service {system.service!r}"
            f"{nearest(system.service, SERVICES)}; one of {', '.join(SERVICES)}"
        )
    problems = unsupported(system)
    if corpus is None:
        problems.append(Problem(f"system {system.code}", "the study has no corpus to search"))
    if problems or corpus is None:
        raise Invalid(f"system {system.code} cannot be asked", problems)
    return EmbeddedService(corpus)
