"""Who is still out, what may be shown, and the freezing of first labels once all are in."""

from __future__ import annotations

from judge.errors import Refused
from judge.judgements.collect import agreement_freeze, not_handed_in, voided_packets
from judge.judgements.life import firsts, owing
from judge.judgements.openness import Openness, openness
from judge.records.judgement import AgreementFreeze, Deal
from judge.steps.context import Context, Work


def live_deals(work: Work) -> list[Deal]:
    """The deals that stand: all but those of packets that were voided."""
    voided = voided_packets(work.ledger.events())
    return [one for one in work.deals if one.packet_id not in voided]


def openness_of(work: Work) -> Openness:
    """Who is out, and whether labels may be shown."""
    excluded = {key for key, unit in work.units.items() if unit.excluded}
    return openness(
        [one for one in work.pool if (one.query_id, one.record_id) not in excluded],
        live_deals(work),
        work.label_events,
        work.imported,
        work.protocol,
        frozen=work.ledger.count(AgreementFreeze) > 0,
        owing=owing(work.units.values(), work.protocol.people.assessors, work.rubrics),
    )


def freeze_first_labels(context: Context, work: Work) -> AgreementFreeze | None:
    """Freezes the first labels of all assessors; a later freeze stands beside the first (R53).

    None while somebody is out, and where the newest freeze holds these very labels.
    """
    if openness_of(work).waiting or not any(item.labels for item in work.items):
        return None
    earlier = work.ledger.all(AgreementFreeze)
    number = len(earlier) + 1
    codes = work.protocol.people.assessors
    keys = [(record.query_id, record.record_id) for record in work.pool]
    frozen = agreement_freeze(
        number,
        context.clock(),
        {key: firsts(work.units, key, codes, work.rubrics) for key in keys},
        live_deals(work),
        work.label_events,
        work.protocol,
        len(work.steps),
    )
    if earlier and earlier[-1].pairs == frozen.pairs:
        return None
    work.ledger.record("agreement_frozen", f"freeze {number}", [frozen])
    return frozen


def refuse_while_out(work: Work, what: str) -> None:
    """Raises `Refused` while some assessors have handed in and others have not (R51)."""
    found = openness_of(work)
    if not found.closed:
        return
    if not found.waiting:
        last = work.protocol.people.assessors[-1]
        raise Refused(
            f"the first labels are not frozen yet, so {what} is refused",
            hint=f"judge collect {last}",
        )
    first = found.waiting[0]
    raise Refused(
        f"{not_handed_in(found.waiting)}; labels stay closed, so {what} is refused",
        hint=f"judge import-labels with the rest of the labels of {first}"
        if any(label.assessor == first for label in work.imported)
        else f"judge label {first}, then judge collect {first}",
    )
