"""What became of labels: states, settlements, steps outside the desk, and how agreements stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import get_args

from judge.judgements.life import EFFECTS, Effect, Happening, happening_of
from judge.protocol.rubric import Rubrics, rubrics
from judge.records.judgement import AgreementFreeze, FrozenPair, ItemState, JudgedItem
from judge.records.life import UnitStep
from judge.records.lived import FreezeLine, Lived, StepLine, Tally, TwinLine
from judge.records.measured import Pair
from judge.reports.material import Material
from judge.runs.identity import doi_key
from judge.text import fold

NOT_YET = "not_yet_judged"
LEAST_TITLE = 20
"""Characters of a title below which two alike say nothing: *Editorial*, *Reply*."""

_LABELS = {
    "stand": "labels stand",
    "superseded": "the new label counts",
    "chain_dies": "the person's labels of the item end, older versions too",
    "touched_die": "labels it touches end",
    "cannot_judge_dies": "cannot-judge labels lapse, judgements stand",
}
_AGREEMENT = {
    "valid": "agreement valid",
    "again": "another freeze stands beside it",
    "per_version": "agreement per version",
    "invalid": "agreement invalid for them",
    "left_out": "left out of a later agreement",
    "history": "the old agreement is history",
}


def rubrics_of(material: Material) -> Rubrics:
    """The versions of the rubric."""
    return rubrics(material.frozen.protocol.rubric.version, material.amendments)


def lived(material: Material) -> Lived:
    """The section; asked for only once labels are open (R51)."""
    items = material.items
    states = Counter(item.state for item in items)
    given = [label for item in items for label in item.labels.values()]
    history = rubrics_of(material)
    versions = Counter(label.rubric_version for label in given if label.rubric_version)
    return Lived(
        states=tuple(
            Tally(name=state, count=states[state]) for state in get_args(ItemState) if states[state]
        ),
        settling=_settling(items, material.frozen.protocol.people.assessors),
        versions=tuple(Tally(name=name, count=versions[name]) for name in history.versions)
        if len(history.versions) > 1
        else (),
        revised=sum(not label.independent for label in given),
        steps=tuple(_step(step) for step in material.steps),
        freezes=freeze_lines(material),
        twins=twins(material),
    )


def _step(step: UnitStep) -> StepLine:
    happening = happening_of(step)
    what = step.kind.replace("_", " ") + (
        f" ({step.cause.replace('_', ' ')})" if step.cause else ""
    )
    return StepLine(
        number=step.number,
        at_utc=step.at_utc,
        what=what,
        query_id=step.query_id,
        record_id=step.record_id,
        labels_of=tuple(step.lapsed),
        by=step.by,
        reason=step.reason,
        effect=effect_text(EFFECTS[happening]) if happening else "goes to whoever settles",
    )


def effect_text(effect: Effect) -> str:
    """A row of the table of consequences, in words."""
    return (
        f"{_LABELS[effect.labels]}; {_AGREEMENT[effect.agreement]}; decision {effect.decision}; "
        f"P@k {effect.score}"
    )


def _settling(items: Sequence[JudgedItem], assessors: Sequence[str]) -> tuple[Pair, ...]:
    """How often the blind label was not the decision, whom decisions upheld, where the rubric
    left a gap. Nothing is divided: a share of few disagreements says little."""
    settled = [(item, item.adjudication) for item in items if item.adjudication is not None]
    stale = sum(item.stale for item in items)
    old = Pair(name="decided before, on labels that stand no longer", text=str(stale))
    if not settled:
        return (old,) if stale else ()
    third = [(item, one) for item, one in settled if one.form == "third_person"]
    talked = len(settled) - len(third)
    rows = []
    if third:
        differs = sum(one.blind != one.decision for _, one in third)
        rows.append(
            Pair(
                name="adjudicator's blind label differs from the decision",
                text=f"{differs} of {len(third)}",
            )
        )
    if talked:
        rows.append(Pair(name="settled in discussion, consensus", text=str(talked)))
    for code in assessors:
        own = [(item.labels[code], one) for item, one in settled if code in item.labels]
        upheld = sum(label.label == one.decision for label, one in own)
        rows.append(Pair(name=f"{code} upheld", text=f"{upheld} of {len(own)}"))
    gaps = sum(one.rubric_gap for _, one in settled)
    rows.append(Pair(name="'the rubric has a gap here'", text=f"{gaps} of {len(settled)}"))
    return (*rows, old) if stale else tuple(rows)


# --- how a frozen agreement stands --------------------------------------------------------------


def freeze_lines(material: Material) -> tuple[FreezeLine, ...]:
    """Each freeze: the newest is current, an earlier one superseded, or invalid since labels in
    it ended. The first stays first: it is never replaced (R53)."""
    last = len(material.agreement)
    return tuple(
        _freeze_line(freeze, material, newest=place == last)
        for place, freeze in enumerate(material.agreement, 1)
    )


def _freeze_line(freeze: AgreementFreeze, material: Material, *, newest: bool) -> FreezeLine:
    held = {(pair.query_id, pair.record_id): pair.labels for pair in freeze.pairs}
    ended: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for step in material.steps:
        happening = happening_of(step)
        if happening is None:
            continue
        labels = held.get((step.query_id, step.record_id), {})
        count = sum(labels.get(code, NOT_YET) != NOT_YET for code in step.lapsed)
        if step.number > freeze.steps and EFFECTS[happening].agreement in ("invalid", "history"):
            ended[step.kind] += count
        elif step.kind == "retraction":
            gone[step.kind] += len(step.lapsed)
    breaking = [
        one
        for one in material.amendments
        if one.rubric is not None
        and one.at_utc > freeze.at_utc
        and EFFECTS[_CHANGES[one.rubric.kind]].agreement == "invalid"
    ]
    said = [f"{_ENDED[kind]}: {count}" for kind, count in ended.items() if count]
    said += [f"amendment {one.number} changed the rubric, breaking" for one in breaking]
    if newest:
        left = gone["retraction"]
        standing = "current"
        text = "Current." + (f" Labels retracted before it, and left out: {left}." if left else "")
    elif said:
        standing = "invalid"
        text = f"Invalid since: {'; '.join(said)}. The current one stands beside it."
    else:
        standing = "superseded"
        text = "Superseded: labels came in or were revised, before their assessor saw another's."
    return FreezeLine(
        freeze=freeze.number,
        at_utc=freeze.at_utc,
        standing=standing,  # type: ignore[arg-type]
        retracted=ended["retraction"],
        said=text,
    )


_CHANGES: dict[str, Happening] = {
    "editorial": "rubric_editorial",
    "clarifying": "rubric_clarifying",
    "breaking": "rubric_breaking",
}
_ENDED = {
    "retraction": "labels in it retracted",
    "evidence": "labels in it lapsed, for what was missing was found",
    "need_changed": "labels in it given for a need that changed",
}


def by_version(
    pairs: Sequence[FrozenPair], codes: tuple[str, str], history: Rubrics
) -> tuple[dict[str, tuple[FrozenPair, ...]], int]:
    """``pairs`` apart by version of the rubric, and how many have a label under each of two.

    Versions are never pooled (R57); editorial changes make no version. A pair without any label
    goes with the newest.
    """
    newest = history.same_as(history.versions[-1]) if history.versions else ""
    found: dict[str, list[FrozenPair]] = {}
    mixed = 0
    for pair in pairs:
        own = {history.same_as(pair.versions[code]) for code in codes if code in pair.versions}
        if len(own) > 1:
            mixed += 1
        else:
            found.setdefault(next(iter(own), newest), []).append(pair)
    order = [name for name in history.versions if name in found]
    rest = [name for name in found if name not in order]
    return {name: tuple(found[name]) for name in (*order, *rest)}, mixed


# --- one work, two labels -----------------------------------------------------------------------


def twins(material: Material) -> tuple[TwinLine, ...]:
    """Pairs of records of one need that share a DOI, a preprint or a title, and differ in labels.

    They are listed and never merged: one DOI may stand for several works (chapters of a book).
    """
    by_query: dict[str, list[JudgedItem]] = {}
    for item in material.items:
        by_query.setdefault(item.query_id, []).append(item)
    lines = []
    for query, items in by_query.items():
        for first, second in combinations(items, 2):
            because = _same(material, first.record_id, second.record_id)
            labels = _differing(first, second) if because else ""
            if labels:
                lines.append(
                    TwinLine(
                        query_id=query,
                        first=first.record_id,
                        second=second.record_id,
                        because=because,
                        labels=labels,
                    )
                )
    return tuple(lines)


def _same(material: Material, first: str, second: str) -> str:
    one, two = material.documents.get(first), material.documents.get(second)
    if one is None or two is None:
        return ""
    if one.preprint_of == second or two.preprint_of == first:
        return "preprint and article"
    names = [doi_key(one.doi or first), doi_key(two.doi or second)]
    if names[0] is not None and names[0] == names[1]:
        return "same DOI"
    titles = [" ".join(re.findall(r"\w+", fold(each.title or ""))) for each in (one, two)]
    if titles[0] == titles[1] and len(titles[0]) >= LEAST_TITLE:
        return "same title"
    return ""


def _differing(first: JudgedItem, second: JudgedItem) -> str:
    told = [
        f"{code}: {given.label} / {second.labels[code].label}"
        for code, given in first.labels.items()
        if code in second.labels and second.labels[code].label != given.label
    ]
    if None not in (first.final, second.final) and first.final != second.final:
        told.append(f"final: {first.final} / {second.final}")
    return "; ".join(told)
