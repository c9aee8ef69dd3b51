"""How the pool was judged: blindness, agreement before adjudication, settlements, gaps."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec

from judge.errors import Refused
from judge.judgements.life import to_settle
from judge.judgements.repeats import APART
from judge.protocol.lint import share_of
from judge.records.judgement import AgreementFreeze, JudgedItem
from judge.records.measured import AgreementSection
from judge.records.report import (
    Count,
    GapLine,
    Judging,
    SettledLine,
)
from judge.reports.agreement.section import agreement_section, repeats_rows
from judge.reports.life import by_version, freeze_lines, lived, rubrics_of
from judge.reports.material import Material
from judge.reports.resampling import Resamples
from judge.reports.status import LABELS_CLOSED

BEFORE = (
    "Agreement before adjudication: on the labels given before either assessor saw the other's. "
    "Decisions never enter these numbers."
)


def judging_section(material: Material, resamples: Resamples) -> Judging:
    """The whole section. While labels are closed (R51) it holds the reason and nothing else."""
    protocol = material.frozen.protocol
    if material.closed:
        return Judging(
            closed_reason=LABELS_CLOSED,
            blindness=(),
            agreement_note="",
            agreement=(),
            repeats=(),
            repeats_note="",
            settled=(),
            open_disagreements=0,
            gaps=(),
        )
    _refuse_mixed_rubrics(material)
    declared = "agreement" in protocol.measures
    note = BEFORE
    if not declared:
        note = "'agreement' is not a declared measure of this protocol."
    elif not material.agreement:
        note = "No agreement has been frozen: no two assessors have handed in."
    return Judging(
        closed_reason="",
        blindness=_blindness(material),
        agreement_note=note,
        agreement=_agreement(material, resamples) if declared else (),
        repeats=repeats_rows(material.repeats),
        repeats_note=_repeats_note(material),
        settled=tuple(_settled(item) for item in material.items if item.adjudication is not None),
        open_disagreements=sum(map(to_settle, material.items)),
        gaps=_gaps(material),
        life=lived(material),
    )


def _repeats_note(material: Material) -> str:
    """What hidden repeats were declared, and whose are missing."""
    protocol = material.frozen.protocol
    if not share_of(protocol.repeats_share):
        return "The protocol declares no hidden repeats; self-consistency was not measured."
    said = (
        f"Hidden repeats: {protocol.repeats_share} of each assessor's items came again, unmarked, "
        "as a block at the end of the packet. The first label counts everywhere; the second one "
        "enters neither agreement nor P@k."
    )
    without = [code for code in protocol.people.assessors if not material.repeats.get(code)]
    if without:
        said += (
            f" No repeats of {', '.join(without)}: {APART} items stand between the first time and "
            "the second, and no packet that was dealt here holds more."
        )
    return said


def _agreement(material: Material, resamples: Resamples) -> tuple[AgreementSection, ...]:
    """Every pair of assessors at every freeze, the versions of the rubric apart (R57)."""
    standing = {line.freeze: line.said for line in freeze_lines(material)}
    several = len(material.agreement) > 1
    sections = []
    for freeze in material.agreement:
        for codes in combinations(_people_of(freeze, material), 2):
            apart, mixed = by_version(freeze.pairs, codes, rubrics_of(material))
            for version, pairs in apart.items():
                section = agreement_section(
                    msgspec.structs.replace(freeze, pairs=pairs),
                    codes,
                    families={query.id: query.family for query in material.evaluation},
                    items=material.items,
                    deals=material.deals,
                    resamples=resamples,
                )
                told = standing[freeze.number] if several else ""
                if mixed:
                    told += f" Items with labels under two versions, in no table: {mixed}."
                sections.append(
                    msgspec.structs.replace(
                        section,
                        standing=told.strip(),
                        rubric=version if len(apart) > 1 or mixed else "",
                    )
                )
    return tuple(sections)


def _people_of(freeze: AgreementFreeze, material: Material) -> tuple[str, ...]:
    """The declared assessors; where one whose first labels it holds was replaced since, its own."""
    declared = material.frozen.protocol.people.assessors
    held = freeze.pairs[0].labels if freeze.pairs else declared
    if set(held) <= set(declared):
        return declared
    return (
        *(code for code in declared if code in held),
        *(code for code in held if code not in declared),
    )


def _refuse_mixed_rubrics(material: Material) -> None:
    declared = rubrics_of(material).versions
    versions: dict[str, Counter[str]] = {}
    for item in material.items:
        for label in item.labels.values():
            # An amendment of the rubric says how labels before and after it go together.
            if label.rubric_version and label.rubric_version not in declared[1:]:
                versions.setdefault(item.query_id, Counter())[label.rubric_version] += 1
    for query, counts in versions.items():
        if len(counts) > 1:
            told = " and ".join(f"{name} ({count} labels)" for name, count in counts.items())
            raise Refused(
                f"{query} mixes rubric {told} (R57).",
                hint="label its items again under one version of the rubric",
            )


def _blindness(material: Material) -> tuple[Count, ...]:
    """R54: what was not judged twice and blind, each said with its number."""
    origins = [[label.origin for label in item.labels.values()] for item in material.items]
    imported_final = sum(item.state == "imported_final" for item in material.items)
    rows = {
        "items with two or more labels given blind here": sum(
            one.count("blind") >= 2 for one in origins
        ),
        "items labelled once": sum(len(one) == 1 for one in origins),
        "items without any label": sum(not one for one in origins) - imported_final,
        "items with a scripted label": sum("scripted" in one for one in origins),
        "items with a label made elsewhere, not blinded by this tool": sum(
            "imported" in one for one in origins
        )
        + imported_final,
    }
    return tuple(Count(name=name, count=count) for name, count in rows.items())


def _settled(item: JudgedItem) -> SettledLine:
    decided = item.adjudication
    if decided is None:
        raise ValueError(f"{item.query_id} {item.record_id} was not adjudicated")
    return SettledLine(
        query_id=item.query_id,
        record_id=item.record_id,
        first_labels=", ".join(f"{code}: {label.label}" for code, label in item.labels.items()),
        blind=decided.blind or "",
        decision=decided.decision,
        reason=decided.reason,
    )


def _gaps(material: Material) -> tuple[GapLine, ...]:
    lines: list[GapLine] = []
    for query in material.evaluation:
        items = [item for item in material.items if item.query_id == query.id]
        if not items:
            continue
        kinds: Counter[str | None] = Counter()
        for item in items:
            kinds.update(
                {
                    label.cannot_kind or "other"
                    for label in item.labels.values()
                    if label.label == "cannot_judge"
                }
            )
        documents = [material.documents.get(item.record_id) for item in items]
        lines.append(
            GapLine(
                query_id=query.id,
                pooled=len(items),
                without_final=sum(item.final is None for item in items),
                final_uncertain=sum(item.final == "uncertain" for item in items),
                paper_unavailable=kinds["paper_unavailable"],
                no_abstract=kinds["no_abstract"],
                conflicting_metadata=kinds["conflicting_metadata"],
                other=kinds["other"],
                records_without_abstract=sum(
                    document is None or document.abstract is None for document in documents
                ),
            )
        )
    return tuple(lines)
