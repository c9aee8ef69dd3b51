"""Amendments of a study in files: beside the freeze, never less than what had been seen."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from judge.errors import Invalid, Refused
from judge.records.query import FrozenQuery
from judge.steps.context import Context
from judge.steps.importing import import_grades
from judge.steps.running import capture_study
from tests.steps.acts import amend
from tests.steps.studies import (
    QUERIES,
    START,
    context_of,
    copy_of,
    stage,
)


@pytest.fixture
def frozen(tmp_path: Path) -> Context:
    return context_of(copy_of(stage("frozen"), tmp_path))


# --- amend --------------------------------------------------------------------------------------


def test_an_amendment_leaves_the_frozen_bytes_and_changes_what_holds(frozen: Context) -> None:
    before = frozen.study.frozen.read_bytes()
    done = amend(frozen, "protocol.depth.cutoffs", "[4]", seen="nothing_run")
    assert (done.number, done.at_utc[:10], done.seen) == (1, START[:10], "nothing_run")
    amend(frozen, "queries.q1.need", "Papers on aspirin.", seen="nothing_run")
    assert frozen.study.frozen.read_bytes() == before
    with frozen.frozen() as work:
        assert work.protocol.depth.cutoffs == (4,)
        assert work.frozen.protocol.depth.cutoffs == (2, 4)
        assert work.evaluation[0].need == "Papers on aspirin."
        stored = work.ledger.all(FrozenQuery)
        assert stored[0].query.need == QUERIES[0]["need"]
        assert [one.target for one in work.amendments] == [
            "protocol.depth.cutoffs",
            "queries.q1.need",
        ]


@pytest.mark.parametrize(
    ("made", "least"),
    [
        ("frozen", "nothing_run"),
        ("captured", "run_results_not_seen"),
        ("dealt", "run_results_not_seen"),
        ("judged", "results_seen"),
    ],
)
def test_what_the_store_knows_to_have_been_seen_is_the_least_that_may_be_claimed(
    tmp_path: Path, made: str, least: str
) -> None:
    context = context_of(copy_of(stage(made), tmp_path))
    order = ["nothing_run", "run_results_not_seen", "results_seen"]
    before = context.study.store.read_bytes()
    for claimed in order[: order.index(least)]:
        with pytest.raises(Refused, match=f"less than the store knows \\({least}\\)"):
            amend(context, "protocol.title", "Another title", seen=claimed)
    assert context.study.store.read_bytes() == before
    assert amend(context, "protocol.title", "Another title", seen=least).seen == least


def test_imported_labels_have_been_seen(tmp_path: Path) -> None:
    context = context_of(copy_of(stage("pooled"), tmp_path))
    with context.frozen() as work:
        lines = [f"{one.query_id} 0 {one.record_id} 1\n" for one in work.pool]
    qrels = context.study.root / "final.qrels"
    qrels.write_text("".join(lines))
    import_grades(context, qrels, relevant_from=1, assessor="final")
    with pytest.raises(Refused, match=r"less than the store knows \(results_seen\)"):
        amend(context, "protocol.title", "Another title", seen="run_results_not_seen")
    assert amend(context, "protocol.depth.cutoffs", "[3]").reason == "post hoc: A slip."


def test_a_cutoff_after_labels_is_marked(tmp_path: Path) -> None:
    context = context_of(copy_of(stage("judged"), tmp_path))
    assert amend(context, "protocol.depth.cutoffs", "[3]").reason == "post hoc: A slip."
    with pytest.raises(Invalid, match="incomplete"):
        amend(context, "protocol.depth.cutoffs", "[2]", reason=" ")


@pytest.mark.parametrize(
    ("target", "after", "said"),
    [
        ("protocol.depth.cutoffs", "[2, 9]", "cutoff 9 is deeper than the pool (4)"),
        ("protocol.depth.pool", "9", "depth.requested: 5 is less than depth.pool (9)"),
        ("protocol.people.assessors", '["A"]', "one assessor; agreement needs two"),
        ("protocol.people.adjudicator", "B", "people.adjudicator: 'B' is an assessor"),
        ("protocol.decision", " ", "decision: empty"),
        ("queries.q1.text", " ", "query q1: text: empty"),
        ("queries.q1.family", "g", "unknown family 'g'"),
        ("queries.q1.expected", "no_match_control", "whose absence is unverified"),
        ("queries.q1.text", "zinc", "is in both sets"),
    ],
)
def test_an_amendment_meets_what_a_freeze_meets(
    frozen: Context, target: str, after: str, said: str
) -> None:
    before = frozen.study.store.read_bytes()
    with pytest.raises(Invalid) as error:
        amend(frozen, target, after)
    assert said in "\n".join(error.value.lines())
    assert frozen.study.store.read_bytes() == before


def test_an_amended_query_is_asked_as_amended(frozen: Context) -> None:
    amend(frozen, "queries.q1.text", "zinc salts", seen="nothing_run")
    capture_study(frozen)
    with frozen.frozen() as work:
        asked = {run.query for run in work.runs if run.status == "executed"}
        planned = {run.query for run in work.runs if run.status == "planned"}
    assert asked == {"zinc salts", "statins", "the of"}
    assert planned == {"aspirin", "statins", "the of"}


def test_the_systems_of_a_study_are_those_of_its_freeze(frozen: Context) -> None:
    with frozen.frozen() as work:
        first, second = msgspec.to_builtins(work.protocol.systems)
    before = frozen.study.store.read_bytes()
    for systems in (
        [first],
        [first, second, second | {"code": "T"}],
        [first, second | {"code": "T"}],
    ):
        with pytest.raises(Refused, match="cannot add, remove or rename a system"):
            amend(frozen, "protocol.systems", json.dumps(systems), seen="nothing_run")
    assert frozen.study.store.read_bytes() == before
    moved = second | {"endpoint": "embedded:elsewhere"}
    assert amend(frozen, "protocol.systems", json.dumps([first, moved]), seen="nothing_run")


def test_an_amendment_with_text_that_cannot_be_stored_is_refused(frozen: Context) -> None:
    # What a terminal hands over for a byte that is not UTF-8.
    with pytest.raises(Invalid) as error:
        amend(frozen, "protocol.title", "Studie \udce4", author="R\udcff")
    assert [problem.where for problem in error.value.problems] == ["--after", "--author"]
