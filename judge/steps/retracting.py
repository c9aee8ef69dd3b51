"""Taking a label out of a study: one of one item, or everything of somebody who left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.errors import Invalid, Problem, Refused
from judge.files import nearest
from judge.judgements.failure_review import refuse_after_review
from judge.judgements.items import IMPORTED, Key
from judge.judgements.life import Happening
from judge.records.judgement import AgreementFreeze
from judge.records.life import FOR_GOOD, RetractCause, StepKind, UnitStep
from judge.records.run import Document
from judge.steps.context import Context, Work
from judge.steps.openness import freeze_first_labels
from judge.text import unstorable


@dataclass(frozen=True)
class Retracted:
    """What a retraction took out."""

    items: int
    again: bool
    """Whether the person may be dealt the items again."""
    frozen: AgreementFreeze | None
    """The first labels as they stand now, where they were frozen before."""


def retract(
    context: Context,
    code: str,
    *,
    cause: RetractCause,
    by: str,
    reason: str,
    query: str = "",
    record: str = "",
) -> Retracted:
    """Retracts the label of ``code`` on one item, or with ``removed_from_study`` every one.

    The person's whole chain on the item dies: an older version does not come back, and neither
    does one given later in the same packet. A freeze of agreement that held the label is invalid
    from then on, and another stands beside it. Nothing is deleted. Raises `Invalid` without a
    reason or a name, `Refused` where no such label is in, and, for a cause after which the label
    is given again, once failure review has begun.
    """
    everything = cause == "removed_from_study"
    problems = _unsaid({"--by": by, "--reason": reason})
    if everything == bool(query or record) or bool(query) != bool(record):
        problems.append(
            Problem(
                "QUERY RECORD",
                f"{query} {record}".strip() or "none",
                "a label is retracted by its query and record; removed_from_study retracts all "
                "labels of a person and names no item",
            )
        )
    if problems:
        raise Invalid("the retraction is incomplete; nothing was changed", problems)
    with context.frozen() as work:
        live = _live_of(work, code)
        keys = list(live) if everything else [(query, record)]
        if not live or not set(keys) <= set(live):
            raise _none_in(work, code, keys, everything)
        if cause not in FOR_GOOD:
            refuse_after_review(work.deals, "retracting a label that is to be given again")
        if cause not in FOR_GOOD and any(IMPORTED in live[key] for key in keys):
            # Only a packet can give the label anew, and imports do not mix with packets (R51).
            raise Refused(
                f"the label of {code} was imported, so it cannot be given again here; nothing was "
                "changed",
                hint="--cause conflict_of_interest takes it out for good",
            )
        steps = unit_steps(
            context,
            work,
            keys,
            "retraction",
            by=by,
            reason=reason,
            cause=cause,
            lapsed={key: {code: live[key]} for key in keys},
        )
        work.ledger.record("retracted", f"{code}: {len(steps)} labels, {cause}: {reason}", steps)
        frozen = refrozen(context, Work(work.ledger))
        return Retracted(len(steps), cause not in FOR_GOOD, frozen)


def _live_of(work: Work, code: str) -> dict[Key, tuple[str, ...]]:
    """The units that have a live label of ``code``, each with the packets that would lapse."""
    return {
        key: unit.lapsing(code, "retraction", work.rubrics)
        for key, unit in work.units.items()
        if unit.live(code, work.rubrics) is not None
    }


def _none_in(work: Work, code: str, keys: list[Key], everything: bool) -> Refused:
    known = {*work.protocol.people.assessors, *(deal.assessor for deal in work.deals)}
    if code not in known:
        return Refused(f"{code!r} is no assessor of this study{nearest(code, known)}")
    if everything:
        return Refused(f"no label of {code} is in; nothing was changed")
    (key,) = keys
    pooled = {(one.query_id, one.record_id) for one in work.pool}
    if key not in pooled:
        records = [record for query, record in pooled if query == key[0]]
        return Refused(
            f"{key[0]} {key[1]} is not in the pool{nearest(key[1], records)}; nothing was changed"
        )
    return Refused(
        f"no label of {code} on {key[0]} {key[1]} is in; nothing was changed",
        hint=f"judge unlock {code}, or undo at the desk, while the packet is not collected",
    )


def refrozen(context: Context, work: Work) -> AgreementFreeze | None:
    """Another freeze beside the ones that are there, where everybody is in and labels changed."""
    return freeze_first_labels(context, work) if work.ledger.count(AgreementFreeze) else None


# --- steps in the life of units -----------------------------------------------------------------


def _unsaid(said: Mapping[str, str]) -> list[Problem]:
    problems = [
        Problem(name, "empty", "say it in a few words") for name in said if not said[name].strip()
    ]
    return problems + [
        Problem(name, fault) for name, text in said.items() if (fault := unstorable(text))
    ]


def check_said(what: str, **said: str) -> None:
    """Raises `Invalid` for a text that is empty or cannot be stored."""
    if problems := _unsaid({f"--{name}": text for name, text in said.items()}):
        raise Invalid(f"{what}; nothing was changed", problems)


def unit_steps(
    context: Context,
    work: Work,
    keys: Iterable[Key],
    kind: StepKind,
    *,
    by: str,
    reason: str,
    lapsed: Mapping[Key, dict[str, tuple[str, ...]]] | None = None,
    cause: RetractCause | None = None,
    document: Document | None = None,
    link: str = "",
) -> list[UnitStep]:
    """A step for each of ``keys``, numbered on from what there is."""
    now, first = context.clock(), len(work.steps) + 1
    return [
        UnitStep(
            number=number,
            at_utc=now,
            kind=kind,
            query_id=query,
            record_id=record,
            by=by,
            reason=reason,
            cause=cause,
            lapsed=(lapsed or {}).get((query, record), {}),
            document=document,
            link=link,
        )
        for number, (query, record) in enumerate(keys, first)
    ]


def lapsing(work: Work, key: Key, happening: Happening) -> dict[str, tuple[str, ...]]:
    """By assessor, the packets whose label on a unit stands no longer after ``happening``."""
    unit = work.units.get(key)
    if unit is None:
        return {}
    found = {code: unit.lapsing(code, happening, work.rubrics) for code in unit.chains}
    return {code: packets for code, packets in found.items() if packets}
