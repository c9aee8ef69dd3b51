"""Faults that people met with other tools, replayed on a whole small study.

The others stand beside the code that could have them.
"""

from __future__ import annotations

from pathlib import Path

from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.steps.judging import collect_packet, unlock_packet
from judge.steps.reporting import report_study
from judge.steps.status import status_of
from tests.steps.acts import at, relabel
from tests.steps.studies import label_packet


def test_an_open_disagreement_does_not_vanish_from_the_totals(tmp_path: Path) -> None:
    """A record that was never adjudicated was dropped, and the totals still balanced."""
    context = at("judged", tmp_path)
    report = report_study(context).report
    assert report.head.banner.startswith("INTERIM")
    steps = {step.code: step for step in report.flow.steps}
    first = {part.name: part.count for part in steps["labelled"].parts}
    # Of seven: one agree relevant, one not; one below the evidence; two disagree; two access.
    assert first["first labels disagree"] == 2
    assert sum(first.values()) == steps["labelled"].total == 7
    still = {part.name: part.count for part in steps["adjudication"].parts}
    assert (still["still open"], report.judging.open_disagreements) == (2, 2)
    assert status_of(context).stage == "adjudicating"


def test_a_split_is_a_pair_of_bounds_and_never_an_average(tmp_path: Path) -> None:
    """Ratings 0 and 1 were averaged to 0.5, and stored as 1."""
    context = at("dealt", tmp_path)
    for code, label in (("A", "relevant"), ("B", "not_relevant")):
        path = context.study.packet(code)
        label_packet(path, lambda _, said=label: said)  # type: ignore[misc]
        collect_packet(context, path, code)
    report = report_study(context).report
    rows = [row for row in report.precision.per_query if (row.query_id, row.cutoff) == ("q1", 2)]
    assert [row.system for row in rows] == ["K", "S"]
    for row in rows:
        assert "between 0.00 and 1.00" in row.figure.cell


def test_a_packet_that_was_opened_again_is_told_with_its_reason(tmp_path: Path) -> None:
    """Finished work was changed, and nothing said so."""
    context = at("settled", tmp_path)
    assert "opened again" not in render_markdown(report_study(context).report)
    relabel(context, "B", "Aspirin in mice", "relevant")
    report = report_study(context).report
    said = (
        "The label packet of B was opened again after hand-in, for this reason: "
        "Aspirin in mice was a slip"
    )
    assert said in report.blinding.said
    assert said in render_markdown(report)
    assert said in render_html(report)


def test_an_adjudicator_who_opened_the_packet_again_is_waited_for(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    report_study(context)
    unlock_packet(context, "D", "a slip")
    assert status_of(context).stage == "adjudicating"
    assert status_of(context).next == "judge adjudicate, then judge collect D"
