"""The questions after the lock: which system found it?"""

from __future__ import annotations

from pathlib import Path

from judge.errors import Refused
from judge.files import nearest
from judge.judgements.asking import MOST_SYSTEMS, asked_about
from judge.judgements.collect import handed_in
from judge.judgements.life import to_settle
from judge.judgements.lifecycle import fold
from judge.records.judgement import GUESSES
from judge.steps.context import Context, Work
from judge.steps.judging import deal_packet, finished_draft, is_collected
from judge.steps.openness import live_deals, openness_of
from judge.store.packet_file import read_packet


def guess_packet(context: Context, code: str, *, scripted: bool = False) -> Path:
    """Deals the questions to an assessor whose labels are all in, or returns the packet that is
    out.

    Raises `Refused` before the lock, for somebody who labelled nothing here, while that person may
    still have to settle disagreements (the names of the systems are in this packet), where no item
    was found by one system alone, after failure review by that person, and for a second time.
    """
    with context.frozen() as work:
        people = work.protocol.people
        if code not in people.assessors:
            raise Refused(
                f"{code!r} is no assessor whose labels count{nearest(code, people.assessors)}; "
                f"one of {', '.join(people.assessors)}"
            )
        path = context.study.packet(code, "guess")
        if finished_draft(path, work) or (path.exists() and not is_collected(path, work)):
            return path
        own = [one for one in live_deals(work) if one.assessor == code]
        if any(one.kind == "guess" and handed_in(one, work.label_events) for one in own):
            raise Refused(f"{code} has answered which system found what; it is asked once")
        labelled = {
            (item.query_id, item.record_id)
            for one in own
            if one.kind == "label"
            for item in one.items
        }
        if not labelled:
            raise Refused(
                f"{code} has labelled nothing here; nothing was dealt",
                hint=f"judge packet make {code}",
            )
        if code in openness_of(work).waiting:
            raise Refused(
                f"{code} has not handed in; which system found what is asked after the lock, and "
                "nothing was dealt",
                hint=f"judge label {code}, then judge collect {code}",
            )
        if any(one.kind == "failures" and one.assessor == code for one in work.deals):
            raise Refused(
                f"{code} was shown in failure review which system found what, so an answer would "
                "say nothing of the blinding; nothing was dealt"
            )
        _refuse_before_settling(work, code)
        if len(work.protocol.systems) > MOST_SYSTEMS:
            raise Refused(
                f"{len(work.protocol.systems)} systems are more than there are digit keys "
                f"({MOST_SYSTEMS}); nothing was dealt"
            )
        drawn = asked_about(
            [one for one in work.found if (one.query_id, one.record_id) in labelled],
            context.entropy(32),
        )
        if not drawn:
            raise Refused(
                f"no item that {code} labelled was found by one system alone; there is nothing to "
                "ask"
            )
        return deal_packet(context, work, drawn, "guess", code, False, scripted)


def _refuse_before_settling(work: Work, code: str) -> None:
    """Whoever settles disagreements stays blind until none is open (L18)."""
    people = work.protocol.people
    if code != people.adjudicator and people.adjudication != "discussion":
        return
    still_open = bool(openness_of(work).waiting) or any(map(to_settle, work.items))
    if still_open:
        raise Refused(
            f"{code} settles disagreements, and that is not done; the packet would name the "
            "systems, so nothing was dealt",
            hint=f"judge adjudicate, then judge packet make {code}{GUESSES}",
        )


def answered(path: Path) -> bool:
    """Whether a packet of guesses is handed in, in its file."""
    returned = read_packet(path)
    return fold(returned.events, returned.packet.items).handed_in
