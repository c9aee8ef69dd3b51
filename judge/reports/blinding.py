"""The section on blinding: what could tell the system, and whether anybody could name it.

Leaks are numbered as in docs/blinding.md. What no rule can prevent is said with its count.
"""

from __future__ import annotations

from judge.records.measured import Pair
from judge.records.report import Blinding
from judge.reports.guesses import guess_rows
from judge.reports.material import Material
from judge.reports.status import LABELS_CLOSED

NOT_ASKED = (
    "After the lock nobody was asked which system found an item, so whether blinding held was not "
    "measured (L20)."
)
ASKED = (
    "Asked after the labels were locked, on items that one system alone found, shown as they were "
    "labelled. Bang's index (2004) is -1 where every answer is wrong, 0 where answers are as "
    "chance would have them, and 1 where all are right; the share right is among answers that "
    "named a system, beside chance. Who always names one system is right on all of its items and "
    "on none of the others: read the rows of a person together. There is no pass mark (L20)."
)


def blinding_section(material: Material) -> Blinding:
    """The whole section. While labels are closed (R51) it holds the reason and nothing else."""
    if material.closed:
        return Blinding(
            closed_reason=LABELS_CLOSED,
            said=(),
            declared=(),
            audits=(),
            guesses=(),
            guesses_note="",
        )
    protocol = material.frozen.protocol
    asked = [code for code in protocol.people.assessors if code in material.guesses]
    silent = [code for code in protocol.people.assessors if code not in material.guesses]
    note = ASKED if asked else NOT_ASKED
    if asked and silent:
        note += f" Not asked: {', '.join(silent)}."
    return Blinding(
        closed_reason="",
        said=tuple(_said(material)),
        declared=tuple(Pair(name=code, text=text) for code, text in material.declared),
        audits=material.audits,
        guesses=guess_rows(material.guesses, [system.code for system in protocol.systems]),
        guesses_note=note,
    )


def _said(material: Material) -> list[str]:
    return [
        *(
            f"The {kind} packet of {code} was opened again after hand-in, for this reason: {why}"
            for code, kind, why in material.unlocked
        ),
        _one_sided(material),
        "Items came in a random order for each person and one need at a time, not by rank: an "
        "order by rank would tell it (L2).",
        "No packet and no screen states how many items a need has. Whoever counts them sees a "
        "short list, and not whose it was (L10).",
        "What a record says cannot be blinded: a literal mode finds other papers than one that "
        "reads for meaning. How well content tells the system is printed below as residual and "
        "never refused (L13).",
        "That an assessor runs a query in a live service cannot be prevented. The need was "
        "shown and never the text that was sent, and each hand-in carries a declaration (L14).",
        "That assessors compare notes cannot be seen. Packets share no id and no order, and each "
        "hand-in carries a declaration (L15).",
        _later(material),
    ]


def _later(material: Material) -> str:
    """Items that came in a second packet of the same person, or a later one (L19).

    Of packets that came back, which one that was voided never does.
    """
    back = {one.packet_id for one in material.audits}
    counts: dict[str, list[int]] = {}
    for deal in material.deals:
        if deal.kind == "label" and not deal.practice and deal.packet_id in back:
            firsts = sum(item.repeat_of is None for item in deal.items)
            counts.setdefault(deal.assessor, []).append(firsts)
    later = {code: sum(sizes[1:]) for code, sizes in counts.items() if len(sizes) > 1}
    if not later:
        return "Nobody was dealt a second packet, so nothing told what was run again (L19)."
    told = ", ".join(f"{code}: {count} items" for code, count in later.items())
    return (
        f"Dealt later, in packets of their own ({told}), and only what was new, so that no need is "
        "labelled twice: whoever knows what was asked again or pooled deeper could tell the system "
        "of these (L19)."
    )


def one_sided(material: Material) -> tuple[tuple[str, ...], int]:
    """Queries of whose pool one system found everything, and how many have a pool (L9)."""
    found: dict[str, set[str]] = {}
    for record in material.pool:
        found.setdefault(record.query_id, set()).update(one.system for one in record.found_by)
    void = tuple(query for query, systems in found.items() if len(systems) == 1)
    return void, len(found)


def _one_sided(material: Material) -> str:
    if len(material.frozen.protocol.systems) < 2:
        return "One system was asked, so there is no system to tell from another (L9)."
    void, pooled = one_sided(material)
    said = f"Blinding is void for {len(void)} of {pooled} pooled queries"
    if not void:
        return f"{said}: none has hits of one system only (L9)."
    return (
        f"{said}, which have hits of one system only: {', '.join(void)}. Whoever learns that the "
        "other gave no list there knows the system (L9)."
    )
