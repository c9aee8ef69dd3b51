"""A packet that is lost or damaged: voided for a written reason, and another dealt in its place."""

from __future__ import annotations

from pathlib import Path

from judge.errors import Invalid, Refused
from judge.files import aside
from judge.judgements.collect import handed_in
from judge.records.judgement import SETTLING
from judge.steps.context import Context
from judge.steps.guessing import guess_packet
from judge.steps.judging import adjudication_packet, draft_of, make_packet
from judge.steps.openness import live_deals
from judge.steps.reviewing import failure_packet
from judge.store.packet_file import locked
from judge.text import unstorable


def replace_packet(context: Context, code: str, reason: str, *, scripted: bool = False) -> Path:
    """Voids the packet of ``code`` that is out and deals another; returns the new one's path.

    The new packet holds what the old one held and whatever else is to be dealt by now, in an
    order of its own. The old file, where there is one, is moved aside and kept; the study's chain
    keeps the reason, and the old packet is never taken back. Raises `Invalid` without a reason,
    `Refused` where nothing of that person is out (a packet that stands handed in is not replaced)
    and while the file is open somewhere. Of one that was collected and opened again, what came
    back stays on record, and all of it is labelled anew.

    The file is moved before the chain is written, so that a call that was cut short is made whole
    by the same call, or, once the packet is voided, by `make_packet`.
    """
    if not reason.strip() or unstorable(reason):
        raise Invalid(
            "a packet is replaced for a written reason; nothing was changed",
            hint=f"judge packet make {code} --replace --reason 'the file was lost'",
        )
    with context.frozen() as work:
        own = [one for one in live_deals(work) if one.assessor == code]
        out = [one for one in own if not handed_in(one, work.label_events)]
        if not out:
            raise Refused(
                f"no packet of {code} is out"
                + (", for it was collected already" if own else "")
                + "; nothing was changed",
                hint=f"judge unlock {code} --reason '…' opens a collected packet again"
                if own
                else f"judge packet make {code}",
            )
        old = out[-1]
        path = context.study.packet(code, old.kind)
        for file in (path, draft_of(path)):
            if file.is_file():
                with locked(file):
                    file.rename(aside(path, "voided"))
        work.ledger.record("voided", f"{old.packet_id}: {reason}")
    if old.kind == "failures":
        return failure_packet(context, code, scripted=scripted)
    if old.kind in SETTLING:
        return adjudication_packet(context, scripted=scripted)
    if old.kind == "guess":
        return guess_packet(context, code, scripted=scripted)
    return make_packet(context, code, scripted=scripted)
