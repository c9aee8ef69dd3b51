"""Replaying scripted labels through the desk, as if they were typed.

Only a packet dealt as ``scripted`` takes them, so that a scripted label can never pass for one
that a person gave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from judge.errors import Invalid, Problem, Refused
from judge.judgements.coding import CodingSitting
from judge.judgements.sitting import Sitting
from judge.records.failure import FailureScript
from judge.records.judgement import Deal, Script
from judge.store.desk import Desk

DECLARATION = "scripted labels, replayed to exercise the tool; nobody judged"


def replay(
    path: Path,
    deal: Deal,
    scripts: Sequence[Script],
    *,
    monotonic: Callable[[], float],
    today: Callable[[], str],
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Labels every item of the packet from ``scripts`` and hands it in; returns how many.

    ``progress`` is told the number done after each. Raises `Refused` for a packet that people
    label, `Invalid` where a dealt item has no script.
    """
    by_key = {(script.query_id, script.record_id): script for script in scripts}
    missing = [item for item in deal.items if (item.query_id, item.record_id) not in by_key]
    if missing:
        raise Invalid(
            f"{len(missing)} dealt items have no scripted label",
            [Problem(f"{item.query_id} {item.record_id}", "no line") for item in missing],
        )
    with Desk(path) as desk:
        _refuse_a_persons(desk)
        sitting = Sitting(desk, monotonic=monotonic, today=today)
        if sitting.handed_in:
            return 0
        for done, item in enumerate(deal.items, 1):
            if not sitting.done(item.position):
                sitting.go(item.position)
                _play(sitting, by_key[item.query_id, item.record_id])
            progress(done)
        sitting.hand_in(DECLARATION)
        return len(deal.items)


def replay_codes(
    path: Path,
    deal: Deal,
    scripts: Sequence[FailureScript],
    systems: Mapping[str, str],
    *,
    monotonic: Callable[[], float],
    today: Callable[[], str],
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Codes every item of a packet of failure review from ``scripts`` and hands it in.

    ``systems`` maps run ids to system codes. An item without a line is coded as one at which
    nothing is to be named. Raises `Refused` for a packet that people code, `Invalid` for a line
    whose request or hit was not dealt, or that stands twice.
    """
    by_place = {(one.query_id, one.system, one.rank): one for one in scripts}
    dealt = {item.position: (item.query_id, systems[item.run_id], item.rank) for item in deal.items}
    lost = [place for place in by_place if place not in dealt.values()]
    if lost or len(by_place) < len(scripts):
        raise Invalid(
            f"{len(lost)} scripted codes are of nothing that was dealt, "
            f"{len(scripts) - len(by_place)} stand twice",
            [Problem(" ".join(map(str, place)), "was not dealt") for place in lost],
        )
    with Desk(path) as desk:
        _refuse_a_persons(desk)
        sitting = CodingSitting(desk, monotonic=monotonic, today=today)
        if sitting.handed_in:
            return 0
        for done, (position, place) in enumerate(dealt.items(), 1):
            if not sitting.done(position):
                sitting.go(position)
                line = by_place.get(place)
                sitting.code(line.categories if line else (), line.note if line else None)
            progress(done)
        sitting.hand_in(DECLARATION)
        return len(dealt)


def _refuse_a_persons(desk: Desk) -> None:
    if desk.packet.origin != "scripted":
        raise Refused("this packet is for a person; scripted labels do not go into it")


def _play(sitting: Sitting, script: Script) -> None:
    if not sitting.discussing and not sitting.item().revealed:
        sitting.label(
            script.label,
            script.reason,
            evidence=script.evidence,
            cannot_kind=script.cannot_kind,
            note=script.note,
        )
    if sitting.adjudicating:
        sitting.show_both()
        sitting.decide(
            script.decision or script.label,
            script.decision_reason or script.reason,
            cannot_kind=script.cannot_kind if script.decision == "cannot_judge" else None,
            note=script.note,
        )
