"""Where the shown texts come from, and whether that alone could tell the system.

A text from one neutral source is the record's own, whichever system found it: how long it is says
what the record is, and no blinding takes that away (L13). A text that came with a run was written
by the service whose run it was (L5, L6): beside a text from anywhere else it points to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge.errors import Problem
from judge.judgements.pool import only_system
from judge.records.run import IMPORTED, Document, PooledRecord


def source_of(document: Document) -> str:
    """The source of a document's text, such as ``PubMed`` or ``imported from K.csv``."""
    return document.provenance.partition(",")[0]


def one_neutral(sources: Iterable[str]) -> str | None:
    """The one source that all texts share, where no service wrote it; else None."""
    found = set(sources)
    if len(found) != 1:
        return None
    (source,) = found
    return None if not source or source.startswith(IMPORTED) else source


def aligned(
    pooled: Sequence[PooledRecord], documents: Mapping[str, Document]
) -> tuple[Problem, ...]:
    """Texts that came with a run and stand with one system alone, beside other texts of another.

    Of items that one system alone found; a problem for each such source.
    """
    finders: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for record in pooled:
        system = only_system(record)
        document = documents.get(record.record_id)
        if system is not None and document is not None:
            source = source_of(document)
            finders.setdefault(source, set()).add(system)
            counts[source] = counts.get(source, 0) + 1
    problems = []
    for source, systems in finders.items():
        elsewhere = {one for other, found in finders.items() if other != source for one in found}
        if source.startswith(IMPORTED) and len(systems) == 1 and elsewhere - systems:
            (system,) = systems
            problems.append(
                Problem(
                    source,
                    f"its {counts[source]} texts are all of items that {system} alone found",
                    "text from one source for every system",
                )
            )
    return tuple(problems)
