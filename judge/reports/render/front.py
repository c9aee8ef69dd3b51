"""The front of the page: people, purpose, rules, systems and runs."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import Pair
from judge.records.report import Choice, Count, Head, Purpose, Rules, Runs, SystemRuns
from judge.reports.render.blocks import Block, Section, Table, Text, columns

_ANSWERS = {
    "seen": "seen",
    "not_seen": "not seen",
    "not_testable_here": "not testable here",
    "unanswered": "unanswered",
}


def lead(head: Head, tool: str) -> tuple[Block, ...]:
    """Status and origin of the labels before anything else; then who did what."""
    banners = [Text(head.banner, "banner")]
    if head.labels_banner:
        banners.append(Text(head.labels_banner, "banner"))
    facts = [
        ("Study", head.study),
        ("Status", head.status),
        ("Kind", head.kind_reason),
        ("Run by", head.run_by),
        ("Judged by", head.judged_by),
        ("Same people", head.same_people),
        ("Ties to compared systems", head.ties),
        ("Assessors", ", ".join(head.assessors)),
        ("Adjudicator", head.adjudicator),
        ("Labels and decisions by origin", counts(head.labels_by_origin) or "none shown"),
        ("Written by", tool),
    ]
    return (
        *banners,
        Table(
            "people",
            "Who ran, who judged, and their ties",
            columns("What", "Said"),
            tuple(facts),
            "",
        ),
    )


def counts(rows: Iterable[Count]) -> str:
    """Named counts on one line."""
    return ", ".join(f"{row.count} {row.name}" for row in rows)


def _pairs(rows: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    return tuple((row.name, row.text) for row in rows)


def purpose(part: Purpose) -> list[Section]:
    """Decision, users and scope; needs by family; unacceptable failures and their answers."""
    return [
        Section(
            "purpose",
            "What this evaluation is for",
            2,
            (
                Table(
                    "decision",
                    "Decision, users and scope",
                    columns("What", "Declared"),
                    (
                        ("Decision", part.decision),
                        ("Intended users", part.intended_users),
                        ("Source scope", part.source_scope),
                    ),
                    "",
                ),
                Table(
                    "families",
                    "Information needs by family",
                    columns("Family", "Need"),
                    _pairs(part.families),
                    "No family is declared.",
                ),
                Table(
                    "unacceptable",
                    "Unacceptable failures, each answered by name",
                    columns("Failure", "What it is", "Answer", "Queries", "Remark"),
                    tuple(
                        (
                            one.code,
                            one.text,
                            _ANSWERS[one.answer],
                            ", ".join(one.queries) or "–",
                            one.remark or "–",
                        )
                        for one in part.unacceptable
                    ),
                    "No unacceptable failure is declared.",
                ),
            ),
        )
    ]


def _in_force(one: Choice) -> str:
    if not one.amendments:
        return "as declared"
    numbers = ", ".join(map(str, one.amendments))
    return f"{one.in_force} (amendment{'s' if len(one.amendments) > 1 else ''} {numbers})"


def rules(part: Rules) -> list[Section]:
    """The frozen protocol and every amendment."""
    blocks: list[Block] = [
        Text(f"Frozen at {part.frozen_at}. Freeze id: {part.freeze_id}"),
        Table(
            "digests",
            "What was frozen, by SHA-256",
            columns("File", "SHA-256"),
            _pairs(part.digests),
            "",
        ),
        Table(
            "choices",
            "Choices declared before the first run",
            columns("Choice", "Declared", "In force now"),
            tuple((one.name, one.text, _in_force(one)) for one in part.choices),
            "",
        ),
        Text(f"Declared measures: {', '.join(part.measures) or 'none'}. No other is printed."),
        Table(
            "strata",
            "Evaluation queries by stratum",
            columns("Stratum", "Value", "#Queries"),
            tuple((one.stratum, one.value, str(one.queries)) for one in part.strata),
            "No stratum is declared.",
        ),
        Table(
            "amendments",
            "Amendments, none left out",
            columns("#No.", "When", "Who", "What", "Why", "Seen before", "What follows"),
            tuple(
                (
                    str(one.number),
                    one.at_utc,
                    one.author,
                    one.target,
                    one.reason,
                    one.seen,
                    one.consequence or "–",
                )
                for one in part.amendments
            ),
            "No amendment was filed.",
        ),
    ]
    return [Section("protocol", "Protocol", 2, tuple(blocks))]


def runs(part: Runs) -> list[Section]:
    """Systems with their versions, run records, and what each was sent."""
    return [
        Section(
            "runs",
            "Systems and run records",
            2,
            (
                Text(part.summary),
                _systems(part.systems),
                Table(
                    "provenance",
                    "Source type of hits: where it is known from",
                    columns(
                        "System",
                        "#Hits",
                        "#Exposed by the service",
                        "#Checked at the source",
                        "#Unknown",
                    ),
                    tuple(
                        (
                            one.code,
                            str(one.hits),
                            str(one.source_type_exposed),
                            str(one.source_type_checked),
                            str(one.source_type_unknown),
                        )
                        for one in part.systems
                    ),
                    "No system is declared.",
                ),
                Text("A field that was looked up at the source is never credited to a service."),
                Table(
                    "run-records",
                    "Every run on an evaluation query",
                    columns(
                        "Run",
                        "Query",
                        "System",
                        "Round",
                        "#Attempt",
                        "Form",
                        "Retrieved (UTC)",
                        "Outcome",
                        "#Returned",
                        "Counted",
                    ),
                    tuple(
                        (
                            one.run_id,
                            one.query_id,
                            one.system,
                            one.round,
                            str(one.attempt),
                            one.form,
                            one.retrieved_at_utc,
                            one.outcome,
                            "no list" if one.returned is None else str(one.returned),
                            "yes" if one.scored else "no",
                        )
                        for one in part.runs
                    ),
                    "No query has been run.",
                ),
            ),
        ),
        Section(
            "translations",
            "What each system was sent",
            3,
            (
                Table(
                    "translation-table",
                    "Need and submitted text, by system",
                    columns("Query", "Need", "System", "Submitted text", "Why it differs"),
                    tuple(
                        (one.query_id, one.need, one.system, one.submitted, one.note or "–")
                        for one in part.translations
                    ),
                    "No query is frozen.",
                ),
            ),
        ),
    ]


def _systems(systems: tuple[SystemRuns, ...]) -> Table:
    facts: list[tuple[str, ...]] = [
        ("Service", *(one.service for one in systems)),
        ("Mode", *(one.mode for one in systems)),
        ("Endpoint", *(one.endpoint for one in systems)),
        ("Parameters and filters", *(one.parameters for one in systems)),
        ("Requested depth", *(str(one.requested) for one in systems)),
        ("First retrieval (UTC)", *(one.first_retrieved for one in systems)),
        ("Last retrieval (UTC)", *(one.last_retrieved for one in systems)),
        ("Service version", *(one.service_version for one in systems)),
        ("Model version", *(one.model_version for one in systems)),
        ("Index version", *(one.index_version for one in systems)),
        ("Index digest", *(one.index_digest for one in systems)),
        ("Runs counted", *(str(one.executed) for one in systems)),
        ("Outcomes", *(counts(one.outcomes) or "none" for one in systems)),
        ("Hits", *(str(one.hits) for one in systems)),
    ]
    return Table(
        "systems",
        "Systems, in the order of the protocol",
        columns("What", *(one.code for one in systems)),
        tuple(facts),
        "No system is declared.",
    )
