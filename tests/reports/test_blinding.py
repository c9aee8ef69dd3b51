"""What the section on blinding says, and when it says nothing."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from judge.records.audit import LeakAudit
from judge.records.judgement import Deal, DealtItem
from judge.records.report import Report
from judge.records.run import FoundAt
from judge.reports.build import build
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from tests.reports.studies import report_of, study


def dealt(packet_id: str, code: str, items: int, *, practice: bool = False) -> Deal:
    return Deal(
        packet_id=packet_id,
        assessor=code,
        kind="label",
        practice=practice,
        order_seed="",
        packet_sha256="",
        items=tuple(
            DealtItem(position=at, query_id="q1", record_id=f"pmid:{at}", view_sha256="")
            for at in range(1, items + 1)
        ),
    )


def audit(deal: Deal) -> LeakAudit:
    return LeakAudit(
        packet_id=deal.packet_id,
        assessor=deal.assessor,
        kind=deal.kind,
        items=len(deal.items),
        single=0,
        exchangeable=0,
        permutations=0,
        lines=(),
        said="",
    )


def said(report: Report, leak: str) -> str:
    (found,) = [one for one in report.blinding.said if f"({leak})" in one]
    return found


def test_a_query_with_hits_of_one_system_voids_blinding_there() -> None:
    """By the table of the small study: K alone answered q4; q3, q5, q6 and q7 have S alone. Only
    queries that are pooled count."""
    report = report_of()
    pooled = {one.query_id for one in study().pool}
    alone = [query for query in ("q2", "q3", "q4") if query in pooled]
    assert said(report, "L9") == (
        f"Blinding is void for {len(alone)} of {len(pooled)} pooled queries, which have hits of "
        f"one system only: {', '.join(alone)}. Whoever learns that the other gave no list there "
        "knows the system (L9)."
    )


def test_with_two_systems_everywhere_it_is_void_nowhere() -> None:
    material = study()
    both = (
        FoundAt(system="K", run_id="r", rank=1),
        FoundAt(system="S", run_id="r", rank=1),
    )
    pool = tuple(msgspec.structs.replace(one, found_by=both) for one in material.pool)
    report = build(dataclasses.replace(material, pool=pool), version="0")
    assert said(report, "L9").startswith("Blinding is void for 0 of ")


@pytest.mark.parametrize("leak", ["L2", "L9", "L10", "L13", "L14", "L15", "L19"])
def test_what_no_rule_prevents_is_said_in_every_form(leak: str) -> None:
    report = report_of()
    words = " ".join(said(report, leak).split()[:6])
    for form in (render_markdown(report), render_html(report)):
        assert words in " ".join(form.split())


def test_items_that_were_dealt_later_are_counted() -> None:
    assert said(report_of(), "L19").startswith("Nobody was dealt a second packet")
    deals = (
        dealt("a1", "A", 9),
        dealt("b1", "B", 9),
        dealt("a2", "A", 3),
        dealt("a3", "A", 2),
        dealt("b2", "B", 9),  # voided: it never came back
        dealt("c1", "C", 9, practice=True),
        dealt("c2", "C", 9, practice=True),
    )
    audits = tuple(audit(deal) for deal in deals if deal.packet_id != "b2")
    report = build(dataclasses.replace(study(), deals=deals, audits=audits), version="0")
    assert said(report, "L19").startswith("Dealt later, in packets of their own (A: 5 items)")


def test_nobody_asked_is_a_sentence() -> None:
    report = report_of()
    assert report.blinding.guesses == ()
    assert "nobody was asked which system found an item" in report.blinding.guesses_note


def test_whoever_was_not_asked_is_named() -> None:
    report = report_of(guesses={"A": (("K", "K"), ("S", "?"))})
    assert report.blinding.guesses_note.endswith("There is no pass mark (L20). Not asked: B.")
    assert [(row.assessor, row.system) for row in report.blinding.guesses] == [
        ("A", "K"),
        ("A", "S"),
    ]
    for form in (render_markdown(report), render_html(report)):
        assert "Which system found it: answers after the lock" in form


def test_declarations_stand_beside_their_person() -> None:
    report = report_of(declared=(("A", "I did not run these queries."),))
    assert [(one.name, one.text) for one in report.blinding.declared] == [
        ("A", "I did not run these queries.")
    ]
    assert "I did not run these queries." in render_markdown(report)
