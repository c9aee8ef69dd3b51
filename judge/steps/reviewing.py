"""Failure review: dealt once relevance is locked, never touching a label or a score (R73-R78)."""

from __future__ import annotations

from pathlib import Path

from judge.errors import Refused
from judge.files import nearest
from judge.judgements.collect import handed_in, not_handed_in
from judge.judgements.failure_review import (
    Records,
    automatic,
    coded_items,
    coders_out,
    deal_failures,
    worth_coding,
)
from judge.judgements.life import to_settle
from judge.records.failure import CodedItem
from judge.records.judgement import AgreementFreeze
from judge.steps.context import Context, Work
from judge.steps.judging import (
    dealt_to,
    draft_of,
    finished_draft,
    give_name,
    is_collected,
    make_room,
)
from judge.steps.openness import freeze_first_labels, live_deals, refuse_while_out
from judge.store.packet_file import create_packet

MEASURE = "failure_categories"


def failure_packet(context: Context, code: str, *, scripted: bool = False) -> Path:
    """Deals what is worth coding to ``code``, or finds the packet that is still out.

    A coder is a declared assessor or the adjudicator. Raises `Refused` for anybody else, where the
    protocol does not declare the measure (R03), while relevance is not locked (`_refuse_unlocked`),
    and where nothing is left to deal.
    """
    with context.frozen() as work:
        people = work.protocol.people
        known = tuple(dict.fromkeys((*people.assessors, people.adjudicator)))
        if code not in known:
            raise Refused(
                f"{code!r} codes no failures in this study{nearest(code, known)}; "
                f"one of {', '.join(known)}"
            )
        if MEASURE not in work.protocol.measures:
            raise Refused(
                f"'{MEASURE}' is not a declared measure of this protocol; nothing was dealt",
                hint="judge amend protocol.measures declares it, with a reason",
            )
        path = context.study.packet(code, "failures")
        if finished_draft(path, work) or (path.exists() and not is_collected(path, work)):
            return path
        _refuse_unlocked(context, work)
        had = {
            (item.run_id, item.rank)
            for one in live_deals(work)
            if one.assessor == code and one.kind == "failures"
            for item in one.items
        }
        rest = [one for one in worth_coding(records_of(work)) if one.place not in had]
        if not rest:
            raise Refused(
                f"everything that is worth coding was dealt to {code} already"
                if had
                else "no request and no hit is worth coding; nothing was written",
                hint="judge report",
            )
        make_room(path, work, code)
        dealt = deal_failures(
            rest,
            coder=code,
            scripted=scripted,
            protocol=work.protocol,
            freeze_id=work.freeze_id,
            rubric=context.rubric(work),
            day=context.today(),
            entropy=context.entropy,
        )
        create_packet(draft_of(path), dealt.packet, dealt.items)
        work.ledger.record("dealt", dealt.packet.packet_id, [dealt.deal], [dealt.packet])
        give_name(draft_of(path), path)
        return path


def records_of(work: Work) -> Records:
    """What failure review reads of a study at work."""
    return Records(
        work.protocol, work.evaluation, work.current, work.documents, work.items, work.merged
    )


def _refuse_unlocked(context: Context, work: Work) -> None:
    """Raises `Refused` until relevance is locked: a coder sees which system found what.

    Every label is in and the first labels are frozen, no packet of anybody's is out or opened
    again, and no disagreement waits for the adjudicator. After the first deal no label is given or
    changed any more (`judge.judgements.failure_review.refuse_after_review`).
    """
    if not work.pool:
        raise Refused("nothing is pooled yet, so no failure can be coded", hint="judge pool")
    refuse_while_out(work, "failure review")
    freeze_first_labels(context, work)
    if not work.ledger.count(AgreementFreeze) and not work.imported:
        raise Refused(
            "no first labels are frozen yet; failure review follows relevance", hint="judge status"
        )
    for deal in live_deals(work):
        if deal.practice or deal.kind == "failures" or handed_in(deal, work.label_events):
            continue
        command = "adjudicate" if deal.kind == "adjudication" else f"label {deal.assessor}"
        raise Refused(
            f"the {deal.kind} packet of {deal.assessor} is out; failure review shows which system "
            "found what, so it waits until relevance is locked",
            hint=f"judge {command}, then judge collect {deal.assessor}",
        )
    pooled = {(one.query_id, one.record_id) for one in work.pool}
    for code in {deal.assessor: None for deal in work.deals if deal.kind == "label"}:
        if code in work.protocol.people.assessors and (again := pooled - dealt_to(work, code)):
            raise Refused(
                f"{len(again)} items wait for another label of {code}, and none is given once "
                "failure review has begun; nothing was dealt",
                hint=f"judge packet make {code}, or judge access exclude QUERY RECORD",
            )
    if any(map(to_settle, work.items)):
        raise Refused(
            "disagreements are open; failure review waits until they are settled",
            hint="judge adjudicate",
        )


def coded_of(work: Work) -> tuple[tuple[CodedItem, ...], tuple[str, ...]]:
    """What the coders named, and who is out; nothing is named to anybody while somebody is."""
    deals = live_deals(work)
    out = coders_out(deals, work.label_events)
    if out or all(deal.kind != "failures" for deal in deals):
        return (), out
    runs = {run.run_id: run for run in work.runs}
    known = automatic(records_of(work))
    return coded_items(deals, work.packets, work.label_events, runs, known), ()


def review_lines(work: Work) -> list[str]:
    """Each coder and how far their packets are, in words; nothing of what they named."""
    deals = [deal for deal in live_deals(work) if deal.kind == "failures"]
    out = coders_out(deals, work.label_events)
    return [
        f"{code} {sum(len(deal.items) for deal in deals if deal.assessor == code)} items, "
        f"{'out' if code in out else 'handed in'}"
        for code in dict.fromkeys(deal.assessor for deal in deals)
    ]


def next_review(work: Work) -> str:
    """The command that failure review waits for; empty where it waits for none.

    It is asked for where the protocol declares the measure. One coder is enough for it; a second
    one is the team's to add.
    """
    deals = [deal for deal in live_deals(work) if deal.kind == "failures"]
    if out := coders_out(deals, work.label_events):
        return f"judge failures {out[0]}, then judge collect {out[0]}"
    if deals or MEASURE not in work.protocol.measures or not worth_coding(records_of(work)):
        return ""
    return f"judge packet make {work.protocol.people.assessors[0]} --failures"


def refuse_while_coding(work: Work, what: str) -> None:
    """Raises `Refused` while one coder has handed in and another has not.

    What the one named stays closed to the other.
    """
    deals = [deal for deal in live_deals(work) if deal.kind == "failures"]
    out = coders_out(deals, work.label_events)
    if out and any(handed_in(deal, work.label_events) for deal in deals):
        raise Refused(
            f"{not_handed_in(out)} the failure review; what was coded stays closed, "
            f"so {what} is refused",
            hint=f"judge failures {out[0]}, then judge collect {out[0]}",
        )
