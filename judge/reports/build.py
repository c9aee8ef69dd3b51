"""A report from a study's material: computed once, printed in any form.

Pure: the same material gives the same report, to the byte. Nothing here reads a clock.
"""

from __future__ import annotations

import dataclasses

import msgspec

from judge.protocol.amend import effective, effective_query
from judge.records.measured import Computation, Pair
from judge.records.report import SCHEMA_VERSION, Report, Status
from judge.reports.blinding import blinding_section
from judge.reports.checked import checked_section
from judge.reports.comparison.section import comparison_section
from judge.reports.conclusions import conclusions
from judge.reports.conduct import runs_section
from judge.reports.cut import cut_section
from judge.reports.failures import failures
from judge.reports.flow import flow
from judge.reports.judging import judging_section
from judge.reports.material import Material
from judge.reports.recall.section import recall_section
from judge.reports.resampling import Resamples
from judge.reports.scores import precision_section
from judge.reports.setting import head, last_retrieval_day, long_date, purpose, rules
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
    return Report(
        schema_version=SCHEMA_VERSION,
        tool=f"blindjudge {version}",
        head=shown,
        purpose=purpose(material, status),
        rules=rules(material, declared),
        flow=flow(material, status),
        runs=runs_section(material),
        failures=failures(material),
        sources=checked_section(material),
        cut=cut_section(material),
        judging=judging_section(material, resamples),
        blinding=blinding_section(material),
        precision=precision_section(
            material, absent, declared.protocol.depth.cutoffs, lists, resamples
        ),
        comparison=comparison_section(material, absent, lists, resamples),
        recall=recall,
        conclusions=conclusions(material, status, shown, gold=not recall.absent_reason),
        limitations=_limitations(material, status),
        left_out=material.statement.left_out,
        computation=_computation(resamples),
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


def _limitations(material: Material, status: Status) -> tuple[str, ...]:
    """The fixed box (R72) and what a reader must not take from this report (R08, R43, R48)."""
    level = material.frozen.protocol.rubric.evidence_level
    said = [
        "Every figure depends on this query set, these systems and these dates.",
        "P@k does not tell: literature that was missed, how complete an index is, clinical "
        "suitability, or whether a generated answer is correct.",
        "Relevance only. Support for a claim and fitness for use were not judged.",
    ]
    if status not in ("planned", "captured"):
        said.append("Judged on abstracts." if level == "abstract" else "Judged on full text.")
    said.append(
        "An executed search test speaks for retrieval under this set-up and does not validate a "
        "research workflow."
    )
    if status != "planned":
        day = last_retrieval_day(material)
        of_day = "these outputs" if day == "unavailable" else f"outputs of {long_date(day)}"
        said.append(
            f"{of_day[0].upper()}{of_day[1:]} are kept for audit of this run only; the service "
            "may answer differently today. A later run is a new run, never a correction of this "
            "one."
        )
    said.append(
        "Raw scores of services are kept as they were sent and compared nowhere: they are not on "
        "one scale."
    )
    return tuple(said)


def _computation(resamples: Resamples) -> Computation:
    from importlib.metadata import version

    return Computation(
        seed=resamples.seed,
        replicates=resamples.replicates,
        queries=len(resamples.queries),
        libraries=tuple(
            Pair(name=name, text=version(name))
            for name in ("numpy", "scipy", "krippendorff", "matplotlib")
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
