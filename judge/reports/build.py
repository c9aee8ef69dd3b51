"""A report from a study's material: computed once, printed in any form.

Pure: the same material gives the same report, to the byte. Nothing here reads a clock.
"""

from __future__ import annotations

import dataclasses

import msgspec

from judge.protocol.amend import effective, effective_query
from judge.records.measured import Computation, Pair
from judge.records.report import SCHEMA_VERSION, Report, Status
from judge.reports.behaviour import behaviour_lines, claims_section
from judge.reports.blinding import blinding_section
from judge.reports.checked import checked_section
from judge.reports.comparison.section import comparison_section
from judge.reports.conclusions import conclusions
from judge.reports.conduct import runs_section
from judge.reports.criteria import criteria_section
from judge.reports.cut import cut_section
from judge.reports.failures import failures
from judge.reports.flow import flow
from judge.reports.judging import judging_section
from judge.reports.limitations import limitations
from judge.reports.material import Material
from judge.reports.omitted import omitted
from judge.reports.recall.section import recall_section
from judge.reports.resampling import Resamples
from judge.reports.scores import precision_section
from judge.reports.sensitivity import sensitivity_section
from judge.reports.setting import head, purpose, rules
from judge.reports.standing import ranked_lists
from judge.reports.status import LABELS_CLOSED, PLAN_ONLY, status_of


def build(material: Material, *, version: str) -> Report:
    """The report of ``material``; ``version`` is the tool's own.

    Raises `Refused` where the rules forbid a report (counts that do not add up, a closed study
    with an unanswered failure, mixed rubric versions) and `Integrity` where a run that says it
    gave a list holds none.
    """
    declared = material.frozen
    material = amended(material)
    status = status_of(material)
    absent = _why_no_score(status)
    shown, recall = head(material, status), recall_section(material, absent)
    lists = ranked_lists(material)
    resamples = Resamples(
        tuple(query.id for query in material.evaluation), material.frozen.protocol.resampling_seed
    )
    precision = precision_section(
        material, absent, declared.protocol.depth.cutoffs, lists, resamples
    )
    claims = claims_section(material)
    return Report(
        schema_version=SCHEMA_VERSION,
        tool=f"blindjudge {version}",
        head=shown,
        purpose=purpose(material, status),
        rules=rules(material, declared),
        flow=flow(material, status),
        runs=runs_section(material),
        cut=cut_section(material),
        claims=claims,
        failures=failures(material),
        sources=checked_section(material),
        behaviour=behaviour_lines(material),
        blinding=blinding_section(material),
        judging=judging_section(material, resamples),
        precision=precision,
        comparison=comparison_section(material, absent, lists, resamples),
        sensitivity=sensitivity_section(material, absent, lists),
        criteria=criteria_section(material, declared, status, absent, precision),
        recall=recall,
        conclusions=conclusions(material, status, shown, gold=not recall.absent_reason),
        limitations=limitations(material, status, shown.kind, claims),
        left_out=omitted(material, status, precision),
        computation=_computation(resamples, status),
        verify=_verify(material),
    )


def amended(material: Material) -> Material:
    """The material under the protocol and queries as amended; digests stay those of the freeze."""
    amendments = material.amendments
    protocol = effective(material.frozen, amendments)
    return dataclasses.replace(
        material,
        frozen=msgspec.structs.replace(material.frozen, protocol=protocol),
        evaluation=tuple(effective_query(query, amendments) for query in material.evaluation),
    )


def _why_no_score(status: Status) -> str:
    return {
        "planned": PLAN_ONLY,
        "captured": "No relevance has been judged yet; no score exists.",
        "judging": LABELS_CLOSED,
    }.get(status, "")


def _computation(resamples: Resamples, status: Status) -> Computation:
    """What resampled figures rest on; a plan has none, so no library is named (R01)."""
    from importlib.metadata import version

    return Computation(
        seed=resamples.seed,
        replicates=resamples.replicates,
        queries=len(resamples.queries),
        libraries=tuple(
            Pair(name=name, text=version(name))
            for name in ("numpy", "scipy", "krippendorff", "matplotlib")
            if status != "planned"
        ),
    )


def _verify(material: Material) -> tuple[str, ...]:
    return (
        f"sha256sum protocol/frozen.json prints the freeze id: {material.freeze_id}",
        "judge verify checks the frozen bytes, every digest and the chain of events.",
        "judge report on the same study writes the same bytes with the seed and the library "
        "versions above; nothing is read from a clock.",
        "Digests prove order and integrity, not dates: a date needs a trace outside the study.",
    )
