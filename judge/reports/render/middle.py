"""The middle of the page: claims, failures and behaviour, then how the pool was judged."""

from __future__ import annotations

from collections.abc import Sequence

from judge.records.report import BehaviourLine, Claims, Failures, Judging
from judge.reports.render.agreement import agreement as agreement_blocks
from judge.reports.render.agreement import repeats
from judge.reports.render.blocks import Block, Section, Table, Text, columns
from judge.reports.render.life import life
from judge.reports.render.review import review

_KINDS = {
    "no_match_control": "no-match control",
    "documented_guard": "documented guard",
    "invalid_by_design": "invalid by design",
}
_MET = {
    "yes": "yes",
    "no": "no",
    "not_tested": "not tested",
    "not_applicable": "not applicable",
    "to_be_read": "read it yourself",
}


def claims(part: Claims) -> list[Section]:
    """What services say of themselves, against what was seen here (R10, R76)."""
    table = Table(
        "claims",
        "Documented claims against what was observed",
        columns("Claim", "System", "Text", "Address", "Documentation", "Observation"),
        tuple(
            (one.id, one.system, one.text, one.address, one.documented, one.observed)
            for one in part.rows
        ),
        "No claim is declared.",
    )
    heading = "Documented claims and observed behaviour"
    return [Section("claims", heading, 2, (Text(part.summary), *([table] if part.rows else [])))]


def failures(part: Failures) -> list[Section]:
    """Everything that is no score: requests without a list, notices, data, review."""
    return [
        Section("failures", "Failures and data problems", 2, _failure_blocks(part)),
        review(part.review),
    ]


def behaviour(rows: Sequence[BehaviourLine]) -> list[Section]:
    """Queries that are not ordinary ones: expected against observed."""
    table = Table(
        "behaviour-table",
        "Expected against observed",
        columns("Query", "System", "Kind", "Expected", "Observed", "As expected"),
        tuple(
            (
                one.query_id,
                one.system,
                _KINDS[one.kind],
                one.expected,
                one.observed,
                _MET[one.as_expected],
            )
            for one in rows
        ),
        "The set holds no such query.",
    )
    heading = "Controls, guards and queries that are invalid by design"
    return [Section("behaviour", heading, 3, (Text("None of these queries has a P@k."), table))]


def _failure_blocks(part: Failures) -> tuple[Block, ...]:
    return (
        Text(part.summary),
        Table(
            "no-list",
            "Requests that gave no list; none of them is an empty answer",
            columns(
                "Run",
                "Query",
                "System",
                "Outcome",
                "#HTTP status",
                "#Elapsed (ms)",
                "What the service said",
            ),
            tuple(
                (
                    one.run_id,
                    one.query_id,
                    one.system,
                    one.outcome,
                    "–" if one.http_status is None else str(one.http_status),
                    "–" if one.elapsed_ms is None else str(one.elapsed_ms),
                    one.said,
                )
                for one in part.no_list
            ),
            "None.",
        ),
        Table(
            "outcomes",
            "Requests by system and outcome",
            columns("System", "Outcome", "#Requests"),
            tuple((one.system, one.outcome, str(one.requests)) for one in part.by_outcome),
            "No request has been made.",
        ),
        Table(
            "notice-counts",
            "Notices and errors by system",
            columns("System", "#Recorded", "#Runs with none recorded", "#Runs where not captured"),
            tuple(
                (one.system, str(one.recorded), str(one.none_recorded), str(one.not_captured))
                for one in part.notices
            ),
            "No request has been made.",
        ),
        Table(
            "notices",
            "What services said beside their lists",
            columns("System", "Query", "Notice"),
            tuple((one.system, said.name, said.text) for one in part.notices for said in one.said),
            _no_notice(part),
        ),
        Table(
            "data-problems",
            "Data problems in counted lists, apart from relevance",
            columns(
                "System",
                "#Hits",
                "#Later copies",
                "#No source link",
                "#Preprints",
                "#Notices exposed by the service",
                "#Retracted (checked at the source)",
            ),
            tuple(
                (
                    one.system,
                    str(one.hits),
                    str(one.duplicates),
                    str(one.missing_links),
                    str(one.preprints),
                    str(one.notices_exposed),
                    str(one.retracted_at_source),
                )
                for one in part.data
            ),
            "No request has been made.",
        ),
    )


def _no_notice(part: Failures) -> str:
    """Zero is "none recorded"; what was not captured is not zero (R38)."""
    missed = sum(one.not_captured for one in part.notices)
    return f"None recorded; not captured for {missed} runs." if missed else "None recorded."


def judging(part: Judging) -> list[Section]:
    """Blindness, agreement before adjudication, settlements and gaps."""
    if part.closed_reason:
        return [Section("judging", "Judging", 2, (Text(part.closed_reason, "note"),))]
    agreement: list[Block] = [Text(part.agreement_note)]
    for number, one in enumerate(part.agreement, 1):
        agreement += agreement_blocks(one, number)
    agreement.append(Text(part.repeats_note))
    if part.repeats:
        agreement.append(repeats(part.repeats))
    return [
        Section(
            "judging",
            "Judging",
            2,
            (
                Table(
                    "blindness",
                    "How items were labelled",
                    columns("What", "#Items"),
                    tuple((one.name, str(one.count)) for one in part.blindness),
                    "",
                ),
            ),
        ),
        Section("agreement", "Agreement before adjudication", 3, tuple(agreement)),
        Section(
            "settled",
            "Disagreements and how they were settled",
            3,
            (
                Text(f"Settled: {len(part.settled)}. To be settled: {part.open_disagreements}."),
                Table(
                    "settled-table",
                    "Settled items; first labels never change",
                    columns(
                        "Query",
                        "Record",
                        "First labels",
                        "Adjudicator, blind",
                        "Decision",
                        "Reason",
                    ),
                    tuple(
                        (
                            one.query_id,
                            one.record_id,
                            one.first_labels,
                            one.blind or "none: discussion",
                            one.decision,
                            one.reason,
                        )
                        for one in part.settled
                    ),
                    "None.",
                ),
            ),
        ),
        *(life(part.life) if part.life else ()),
        Section(
            "gaps",
            "Gaps",
            3,
            (
                Table(
                    "gap-table",
                    "What is missing in the judgements, by query; a gap is never a 0",
                    columns(
                        "Query",
                        "#Pooled",
                        "#Without final label",
                        "#Final uncertain",
                        "#Paper unavailable",
                        "#No abstract",
                        "#Conflicting metadata",
                        "#Other",
                        "#Records without abstract",
                    ),
                    tuple(
                        (
                            one.query_id,
                            str(one.pooled),
                            str(one.without_final),
                            str(one.final_uncertain),
                            str(one.paper_unavailable),
                            str(one.no_abstract),
                            str(one.conflicting_metadata),
                            str(one.other),
                            str(one.records_without_abstract),
                        )
                        for one in part.gaps
                    ),
                    "Nothing is pooled.",
                ),
            ),
        ),
    ]
