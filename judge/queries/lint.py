"""What can be seen of a query set before anything is run.

A *problem* stops a freeze; a *warning* is for the team to weigh.
Nothing here is measured: it sets queries against what the protocol declares (R06, R11, R17-R20,
R27) and against what it says each mode reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from judge.files import nearest
from judge.queries.near import near_copies
from judge.queries.operators import found_operators, has_unbalanced_quote, quoted_phrases
from judge.records.protocol import Protocol, System
from judge.records.query import Query
from judge.text import fold, shorten


@dataclass(frozen=True)
class Finding:
    """One thing to say about a study's files: how grave, where, what, and what is allowed."""

    severity: Literal["problem", "warning"]
    where: str
    text: str
    allowed: str = ""

    def __str__(self) -> str:
        tail = f"; {self.allowed}" if self.allowed else ""
        return f"{self.where}: {self.text}{tail}" if self.where else f"{self.text}{tail}"


def lint_queries(
    evaluation: Sequence[Query], development: Sequence[Query], protocol: Protocol
) -> list[Finding]:
    """Every finding on both sets. ``where`` names the query, the claim or the stratum."""
    return [
        *_in_both(evaluation, development),
        *_near_copies(evaluation, development),
        *_names(evaluation, "query", protocol),
        *_names(development, "development query", protocol),
        *_strata(evaluation, protocol),
        *_entities(evaluation, protocol),
        *_modes(evaluation, "query", protocol),
        *_modes(development, "development query", protocol),
        *_untested(evaluation, protocol),
    ]


def _in_both(evaluation: Sequence[Query], development: Sequence[Query]) -> Iterator[Finding]:
    """R11: the same id, text or need in both sets."""
    marks: dict[str, Callable[[Query], str]] = {
        "id": lambda query: query.id,
        "text": lambda query: fold(query.text),
        "need": lambda query: fold(query.need),
    }
    indexes = {
        what: {mark(query): query for query in reversed(development)}
        for what, mark in marks.items()
    }
    for query in evaluation:
        same: dict[str, list[str]] = {}
        for what, mark in marks.items():
            other = indexes[what].get(mark(query))
            if other is not None:
                same.setdefault(other.id, []).append(what)
        for other_id, shared in same.items():
            yield Finding(
                "problem",
                f"query {query.id}",
                f"{shorten(query.text, 60)!r} is in both sets: development query {other_id} has "
                f"the same {' and '.join(shared)}",
                "a query belongs to one set",
            )


def _near_copies(evaluation: Sequence[Query], development: Sequence[Query]) -> Iterator[Finding]:
    for query, twin, how in near_copies(evaluation, development):
        yield Finding("warning", f"query {query.id}", f"differs from {twin.id} {how}")
    for query, twin, how in near_copies(evaluation):
        yield Finding("warning", f"query {query.id}", f"differs from {twin.id} {how}")
    earlier: dict[str, Query] = {}
    for query in evaluation:
        twin = earlier.setdefault(fold(query.text), query)
        if twin is not query:
            yield Finding("warning", f"query {query.id}", f"has the same text as {twin.id}")


def _names(queries: Iterable[Query], label: str, protocol: Protocol) -> Iterator[Finding]:
    """Names that the protocol does not declare, and records that a query must carry."""
    families = [family.code for family in protocol.families]
    systems = [system.code for system in protocol.systems]
    claims = [claim.id for claim in protocol.claims]
    strata = {stratum.name: stratum.values for stratum in protocol.strata}

    def unknown(where: str, kind: str, name: str, known: Sequence[str]) -> Finding:
        allowed = f"one of {', '.join(known)}" if known else "the protocol declares none"
        text = f"unknown {kind} {name!r}{nearest(name, known)}"
        return Finding("problem", where, text, allowed)

    for query in queries:
        where = f"{label} {query.id}"
        if query.family not in families:
            yield unknown(where, "family", query.family, families)
        for name, value in query.strata.items():
            if name not in strata:
                yield unknown(where, "stratum", name, list(strata))
            elif value not in strata[name]:
                yield unknown(where, f"value of stratum {name}", value, strata[name])
        for claim in query.tests:
            if claim not in claims:
                yield unknown(where, "claim", claim, claims)
        for system, translation in query.translations.items():
            if system not in systems:
                yield unknown(where, "system", system, systems)
            if not translation.note.strip():
                text = f"the translation for {system} has no note"
                yield Finding("problem", where, text, "say why this system gets another text")
            if translation.text == query.text:
                text = f"the translation for {system} is the query's own text"
                yield Finding("warning", where, text, "leave it out")
        if query.expected == "no_match_control" and query.control_check is None:
            text = "a no-match control whose absence is unverified"
            yield Finding("problem", where, text, "record control_check, or change expected")
        if query.expected == "documented_guard" and not query.tests:
            text = "a documented guard is expected, but no claim is named that documents it"
            yield Finding("warning", where, text, "name the claim in tests")


def _strata(evaluation: Sequence[Query], protocol: Protocol) -> Iterator[Finding]:
    """R18: values that no query has, and queries without a declared stratum."""
    for stratum in protocol.strata:
        held = Counter(query.strata.get(stratum.name) for query in evaluation)
        for value in stratum.values:
            if not held[value]:
                text = f"no query has stratum {stratum.name}={value}"
                yield Finding("warning", f"stratum {stratum.name}", text)
        without = [query.id for query in evaluation if stratum.name not in query.strata]
        if without:
            text = f"no value in {len(without)} of {len(evaluation)} queries: {', '.join(without)}"
            yield Finding("warning", f"stratum {stratum.name}", text)


def _entities(evaluation: Sequence[Query], protocol: Protocol) -> Iterator[Finding]:
    """R19. A share that is no fraction is the protocol's own problem, reported there."""
    try:
        share = Fraction(protocol.largest_entity_share)
    except (ValueError, ZeroDivisionError):
        return
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for query in evaluation:
        if entity := fold(query.entity):
            names.setdefault(entity, query.entity)
            counts[entity] += 1
    for entity, count in counts.items():
        most = share * len(evaluation)
        if count > most:
            name = names[entity]
            text = f"{name} is in {count} of {len(evaluation)} queries; the protocol allows "
            text += f"{int(most)} ({protocol.largest_entity_share})"
            yield Finding("problem", f"entity {name}", text)


def _modes(queries: Iterable[Query], label: str, protocol: Protocol) -> Iterator[Finding]:
    """What each mode will make of the text that it gets."""
    for query in queries:
        where = f"{label} {query.id}"
        for system in protocol.systems:
            for text in _misread(query.submitted(system.code), system):
                yield Finding("warning", where, text, _parses(system))
        texts = {query.text, *(translation.text for translation in query.translations.values())}
        if query.expected != "invalid_by_design" and any(map(has_unbalanced_quote, texts)):
            yield Finding("warning", where, "a double quote without its partner")


def _misread(text: str, system: System) -> Iterator[str]:
    found = found_operators(text)
    unread = found - set(system.operators)
    words = [operator for operator in ("AND", "OR", "NOT") if operator in unread]
    if words:
        yield f"{system.code} reads {', '.join(words)} as plain words"
    if "quotes" in unread:
        yield f"{system.code} reads quoted phrases as plain words"
    if "field_tags" in unread:
        yield f"{system.code} reads field tags as plain words"
    if "wildcard" in unread:
        yield f"{system.code} reads a wildcard as a plain character"
    if "grouping" in unread:
        yield f"{system.code} does not group by parentheses"
    phrases = quoted_phrases(text)
    either = "OR" in found and "OR" in system.operators
    if system.quotes_joined_by_and and len(phrases) > 1 and not either:
        yield f"{system.code} joins its {len(phrases)} quoted requirements by AND"


def _parses(system: System) -> str:
    return f"{system.code} parses {', '.join(system.operators) or 'no operators'}"


def _untested(evaluation: Sequence[Query], protocol: Protocol) -> Iterator[Finding]:
    """R20: every documented behaviour has a query that tests it, or a written reason."""
    tested = {claim for query in evaluation for claim in query.tests}
    for claim in protocol.claims:
        if claim.id not in tested and not claim.untested_reason.strip():
            text = f"no query tests {claim.behaviour!r} of {claim.system}"
            allowed = "name the claim in the tests of a query, or give untested_reason"
            yield Finding("warning", f"claim {claim.id}", text, allowed)
