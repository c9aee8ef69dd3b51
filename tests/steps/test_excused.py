"""A pair that a round was closed without: it stops nothing, and it never disappears (R26)."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.reports.render.markdown import render_markdown
from judge.reports.standing import account, ranked_lists, standings
from judge.steps.capturing import Wish
from judge.steps.context import Context
from judge.steps.importing import import_runs
from judge.steps.judging import pool_study
from judge.steps.reporting import gather, report_study
from judge.steps.results import import_results
from judge.steps.rounds import finish_round
from judge.steps.running import capture_study
from judge.steps.status import status_of
from tests.fakes.adapter import good
from tests.fakes.server import FakeServer
from tests.fakes.study import frozen_study, wire

WHY = "the service was withdrawn"


def captured(folder: Path) -> Context:
    """Three queries, of which the first alone was asked."""
    context = frozen_study(folder, ["q1", "q2", "q3"])
    with FakeServer(good) as server:
        capture_study(context, wish=Wish(limit=1), wire=wire(server.url))
    return context


def excused(folder: Path) -> Context:
    context = captured(folder)
    finish_round(context, [f"q2 at b: {WHY}", "q3 at b: the same"])
    return context


def test_without_a_reason_nothing_is_pooled_and_with_one_the_rest_is(tmp_path: Path) -> None:
    context = captured(tmp_path)
    with pytest.raises(Refused, match="2 queries have no outcome yet"):
        pool_study(context)
    finish_round(context, [f"q2 at b: {WHY}", "q3 at b: the same"])
    assert [one.query_id for one in pool_study(context)] == ["q1"]


def test_status_counts_it_and_shows_it_as_a_gap(tmp_path: Path) -> None:
    found = status_of(excused(tmp_path))
    assert dict(found.lines)["answers"] == "1 of 3, 0 gave no list, 2 left out with a reason"
    assert (found.stage, found.next) == ("captured", "judge pool")
    assert found.gaps == (f"q2 was not run at b: {WHY}", "q3 was not run at b: the same")


def test_the_report_lists_it_as_excluded_with_its_reason(tmp_path: Path) -> None:
    context = excused(tmp_path)
    pool_study(context)
    with context.frozen() as work:
        material = gather(context.study, work)
    assert material.excused == {("q2", "b"): WHY, ("q3", "b"): "the same"}
    text = render_markdown(report_study(context).report)
    assert "PLAN ONLY" not in text
    assert f"q2 at b ({WHY}); q3 at b (the same)" in text


def test_it_is_accounted_for_as_excluded_with_its_reason(tmp_path: Path) -> None:
    context = excused(tmp_path)
    with context.frozen() as work:
        material = gather(context.study, work)
    placed = standings(material, 1, {}, ranked_lists(material), material.frozen.protocol.choices)
    assert [(one.query.id, one.kind, one.reason) for one in placed][1:] == [
        ("q2", "excluded", f"not run: {WHY}"),
        ("q3", "excluded", "not run: the same"),
    ]
    assert account(["q1", "q2", "q3"], placed)["excluded"] == 2


def test_nothing_is_imported_into_a_closed_round(tmp_path: Path) -> None:
    context = excused(tmp_path)
    run = tmp_path / "late.run"
    run.write_text("q2 Q0 d1 1 1.0 b\n", encoding="utf-8")
    rows = tmp_path / "late.jsonl"
    rows.write_text("{}\n", encoding="utf-8")
    with context.frozen() as work:
        before = work.ledger.events()
    with pytest.raises(Refused, match="round r1 was closed"):
        import_runs(context, run)
    with pytest.raises(Refused, match="round r1 was closed"):
        import_results(context, rows)
    with context.frozen() as work:
        assert work.ledger.events() == before
