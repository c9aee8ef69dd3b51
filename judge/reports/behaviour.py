"""Expected against observed: controls, guards and invalid queries, and documented claims.

None of these has a P@k (R17, R20, R21). A documented behaviour is "documentation" until a request
was made and recorded; only then may the report say "observed" (R10, R76).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from judge.records.protocol import Claim
from judge.records.query import Query
from judge.records.report import BehaviourLine, ClaimLine, Claims
from judge.records.run import Outcome, RunRecord
from judge.reports.material import Material
from judge.reports.standing import scored_runs

_TURNED_AWAY = {"refused", "rejected"}
_NO_ANSWER: frozenset[Outcome] = frozenset(
    {"timeout", "unavailable", "in_doubt", "auth", "quota", "bad_reply"}
)
"""Outcomes that say nothing of what a service does with a query (R75)."""
_MEANS_REFUSAL = {"refusal", "grouping_unsupported"}
AsExpected = Literal["yes", "no", "not_tested", "not_applicable", "to_be_read"]


def observed_text(run: RunRecord) -> str:
    """What one request came to, with what the service said beside it."""
    if run.outcome == "answered":
        count = len(run.raw_results or ())
        text = f"answered: {count} hit{'' if count == 1 else 's'}"
    elif run.outcome == "empty":
        text = "a valid empty list"
    else:
        text = f"no list: {run.outcome}"
    said = "; ".join(notice.text for notice in run.errors_and_notices or ())
    return f"{text} ({said})" if said else text


def behaviour_lines(material: Material) -> tuple[BehaviourLine, ...]:
    """Every query that is not an ordinary one, at every system, in the order of the set."""
    runs = scored_runs(material)
    claims = {claim.id: claim for claim in material.frozen.protocol.claims}
    lines: list[BehaviourLine] = []
    for query in material.evaluation:
        if query.expected == "ordinary":
            continue
        for system in material.frozen.protocol.systems:
            run = runs.get((query.id, system.code))
            tested = [claims[i] for i in query.tests if i in claims]
            tested = [claim for claim in tested if claim.system == system.code]
            lines.append(
                BehaviourLine(
                    query_id=query.id,
                    system=system.code,
                    kind=query.expected,
                    expected=_expected_text(query, tested),
                    observed="not tested: no request was made"
                    if run is None
                    else observed_text(run),
                    as_expected=_as_expected(query, tested, run),
                )
            )
    return tuple(lines)


def claims_section(material: Material) -> Claims:
    """Every documented claim, with the runs that tested it or why none did."""
    runs = scored_runs(material)
    rows = tuple(_claim_line(claim, material, runs) for claim in material.frozen.protocol.claims)
    tested = sum(row.tested for row in rows)
    return Claims(
        summary=(
            f"Documented claims: {len(rows)}. Observed here: {tested}. Documented and not verified "
            f"here: {len(rows) - tested}. An observation is of the requests named beside it and of "
            "their day; it says nothing of other queries."
        )
        if rows
        else "No claim of a service's documentation is declared.",
        rows=rows,
    )


def _claim_line(
    claim: Claim, material: Material, runs: Mapping[tuple[str, str], RunRecord]
) -> ClaimLine:
    tests = [query for query in material.evaluation if claim.id in query.tests]
    made = [(query, runs.get((query.id, claim.system))) for query in tests]
    seen = [
        f"Observed in {run.run_id} ({query.id}): {observed_text(run)}"
        for query, run in made
        if run is not None and run.outcome not in _NO_ANSWER
    ]
    unanswered = [
        f"asked in {run.run_id} ({query.id}), but {observed_text(run)}"
        for query, run in made
        if run is not None and run.outcome in _NO_ANSWER
    ]
    tested = bool(seen)
    if not seen:
        why = claim.untested_reason or (
            "its query has not been run" if tests else "no query tests it"
        )
        seen = [f"Not tested: {'; '.join(unanswered) or why}"]
    verified = "." if tested else ", not verified here."
    return ClaimLine(
        id=claim.id,
        system=claim.system,
        text=claim.text,
        address=claim.address,
        documented=f"Documented (read {claim.read_on}){verified}",
        observed="; ".join(seen),
        tested=tested,
    )


def _expected_text(query: Query, tested: list[Claim]) -> str:
    if query.expected == "no_match_control":
        check = query.control_check
        if check is None:
            return "no match (absence not checked)"
        return f"no match (checked {check.on} by {check.by}: {check.how})"
    if query.expected == "invalid_by_design":
        return f"turned away as invalid{f' ({query.note})' if query.note else ''}"
    if not tested:
        return "nothing documented for this system"
    return "; ".join(f"documented: {claim.text}" for claim in tested)


def _as_expected(query: Query, tested: list[Claim], run: RunRecord | None) -> AsExpected:
    if run is None:
        return "not_tested"
    if query.expected == "no_match_control":
        if run.gave_list():
            return "yes" if run.outcome == "empty" else "no"
        return "to_be_read"
    if query.expected == "documented_guard" and not tested:
        return "not_applicable"
    refusal = query.expected == "invalid_by_design" or all(
        claim.behaviour in _MEANS_REFUSAL for claim in tested
    )
    if refusal and run.outcome in _TURNED_AWAY:
        return "yes"
    return "no" if refusal and run.gave_list() else "to_be_read"
