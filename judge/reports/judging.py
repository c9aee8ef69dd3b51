"""How the pool was judged: blindness, agreement before adjudication, settlements, gaps."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

from judge.errors import Refused
from judge.records.judgement import JUDGEMENTS, AgreementFreeze, JudgedItem
from judge.records.measured import (
    AgreementSection,
    Coefficient,
    Figure,
    Pair,
    Share,
    TableRow,
)
from judge.records.report import (
    Count,
    GapLine,
    Judging,
    SettledLine,
)
from judge.reports.agreement import ROWS, Agreement, agreement
from judge.reports.material import Material
from judge.reports.numbers import decimal_text, float_text, share
from judge.reports.status import LABELS_CLOSED, labels_open

BEFORE = (
    "Agreement before adjudication: on the labels given before either assessor saw the other's. "
    "Decisions never enter these numbers."
)


def judging_section(material: Material) -> Judging:
    """The whole section. While labels are closed (R51) it holds the reason and nothing else."""
    protocol = material.frozen.protocol
    if not labels_open(material):
        return Judging(
            closed_reason=LABELS_CLOSED,
            blindness=(),
            agreement_note="",
            agreement=(),
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
        agreement=tuple(
            _section(freeze, first, second)
            for freeze in material.agreement
            for first, second in combinations(protocol.people.assessors, 2)
        )
        if declared
        else (),
        settled=tuple(_settled(item) for item in material.items if item.adjudication is not None),
        open_disagreements=sum(item.state == "disagree" for item in material.items),
        gaps=_gaps(material),
    )


def _refuse_mixed_rubrics(material: Material) -> None:
    versions: dict[str, Counter[str]] = {}
    for item in material.items:
        for label in item.labels.values():
            if label.rubric_version:
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


def _section(freeze: AgreementFreeze, first: str, second: str) -> AgreementSection:
    found = agreement(freeze.pairs, first, second)
    return AgreementSection(
        freeze=freeze.number,
        at_utc=freeze.at_utc,
        first=first,
        second=second,
        pooled=found.pooled,
        both_judged=found.both_judged,
        coverage=tuple(
            Pair(name=code, text=_coverage(found, number))
            for number, code in enumerate((first, second))
        ),
        labels=ROWS,
        table=tuple(TableRow(label=a, counts=tuple(found.table[a, b] for b in ROWS)) for a in ROWS),
        coefficients=_coefficients(found),
    )


def _coverage(found: Agreement, number: int) -> str:
    judged = sum(found.given(number, label) for label in ROWS if label in JUDGEMENTS)
    return (
        f"{judged} judged, {found.given(number, 'cannot_judge')} cannot judge, "
        f"{found.given(number, 'not_yet_judged')} not yet judged, of {found.pooled}"
    )


def _coefficients(found: Agreement) -> tuple[Coefficient, ...]:
    n = found.both_judged
    return (
        Coefficient(
            name="raw agreement",
            definition=f"equal judgements ÷ {n} items that both judged",
            figure=_exact(found.raw, n),
        ),
        Coefficient(
            name="agreement on relevant",
            definition="2a ÷ (2a + b + c), relevant against the rest (Dice)",
            figure=_exact(found.on_relevant, None),
        ),
        Coefficient(
            name="Krippendorff's alpha",
            definition="nominal, three judgements, pooled; a missing judgement is missing",
            figure=Figure(
                cell=found.alpha if isinstance(found.alpha, str) else float_text(found.alpha)
            ),
        ),
        Coefficient(
            name="Cohen's kappa",
            definition="(po - pe) ÷ (1 - pe), three judgements",
            figure=_exact(found.kappa, None),
        ),
    )


def _exact(value: Fraction | str, over: int | None) -> Figure:
    """A fraction as a figure, over ``over`` where the count behind it is the better reading."""
    if isinstance(value, str):
        return Figure(cell=value)
    if over is not None:
        number = share(int(value * over), over)
    else:
        number = Share(
            fraction=f"{value.numerator}/{value.denominator}", decimal=decimal_text(value)
        )
    return Figure(cell=number.decimal, lower=number, upper=number)


def _settled(item: JudgedItem) -> SettledLine:
    decided = item.adjudication
    if decided is None:
        raise ValueError(f"{item.query_id} {item.record_id} was not adjudicated")
    return SettledLine(
        query_id=item.query_id,
        record_id=item.record_id,
        first_labels=", ".join(f"{code}: {label.label}" for code, label in item.labels.items()),
        blind=decided.blind,
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
