"""Where a study stands: at every stage the command that goes on, and nobody's labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Integrity, JudgeError
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    make_packet,
    pool_study,
    unlock_packet,
)
from judge.steps.planning import amend_study, freeze_study, init, read_draft
from judge.steps.recording import publish_study
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.steps.status import Status, status_of
from judge.store.packet_file import read_packet
from tests.steps.acts import amend, at
from tests.steps.studies import (
    PROTOCOL,
    context_of,
    label_packet,
    labels_of,
    settle_packet,
    write_inputs,
)


def line(found: Status, name: str) -> str:
    return dict(found.lines)[name]


def test_a_frozen_file_that_is_gone_does_not_make_a_plan_of_the_study(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    context.study.frozen.unlink()
    with pytest.raises(Integrity, match=r"protocol/frozen\.json is gone"):
        status_of(context)


def test_every_stage_names_the_command_that_goes_on(tmp_path: Path) -> None:
    """A whole study, each step the one that the status before it named."""
    root = tmp_path / "study"
    write_inputs(root, protocol=PROTOCOL.replace('gaps = "bounds"', "gaps ="))
    context = context_of(root)
    study = context.study

    def now(stage_: str, following: str) -> Status:
        found = status_of(context)
        assert (found.stage, found.next) == (stage_, following)
        return found

    now("planned", "judge lint")
    write_inputs(root)
    assert now("planned", "judge freeze").anchor == ""
    freeze_study(context)
    found = now("frozen", "judge capture")
    assert found.anchor.startswith("blindjudge 2026-11-30T09:")
    capture_study(context)
    found = now("captured", "judge pool")
    assert line(found, "answers") == "6 of 6, 2 gave no list"
    pool_study(context)
    found = now("captured", "judge packet make A")
    assert line(found, "pool") == "7 items to depth 4"
    assert line(found, "assessor A") == "no packet yet"
    make_packet(context, "A")
    now("judging", "judge packet make B")  # people label at the same time
    make_packet(context, "B")
    now("judging", "judge label A, then judge collect A")
    label_packet(study.packet("A"), labels_of(0))
    found = now("judging", "judge label A, then judge collect A")
    assert line(found, "assessor A") == "7 items dealt, out"
    collect_packet(context, study.packet("A"))
    found = now("judging", "judge label B, then judge collect B")
    assert line(found, "assessor A") == "7 items dealt, handed in"
    label_packet(study.packet("B"), labels_of(1))
    collect_packet(context, study.packet("B"))
    found = now("adjudicating", "judge adjudicate, then judge collect D")
    assert line(found, "final labels") == "2 of 7"
    assert set(found.gaps) == {
        "2 items in dispute",
        "1 item judged by one and not judgeable for the other",
        "1 item that nobody could judge",
        "1 item judged on less than the rubric asks for",
        "2 records that somebody could not judge: judge access",
    }
    settle_packet(adjudication_packet(context))
    collect_packet(context, study.packet("D", "adjudication"))
    unanswered = "reports/statement.toml does not answer wrong-drug"
    statement = study.statement.rename(root / "later.toml")
    assert unanswered in now("closed", "judge report").gaps
    statement.rename(study.statement)
    found = now("closed", "judge report")
    assert line(found, "final labels") == "4 of 7"
    assert unanswered not in found.gaps
    report_study(context)
    now("scored", "judge publish")
    publish_study(context)
    now("scored", "judge verify")


def test_a_criterion_that_nobody_answered_is_named(tmp_path: Path) -> None:
    """R80. One with a threshold is answered by the mean."""
    context = at("settled", tmp_path)
    amend(
        context,
        "protocol.criteria",
        '[{"code":"enough","text":"Enough","reason":"The desk reads two"},'
        '{"code":"half","text":"Half","reason":"The desk reads two","threshold":'
        '{"measure":"precision_at_k","system":"K","cutoff":2,"at_least":"1/2"}}]',
    )
    gap = "reports/statement.toml does not answer enough"
    assert gap in status_of(context).gaps
    statement = context.study.statement
    statement.write_text(
        f'{statement.read_text()}\n[[criteria]]\ncode = "enough"\nmet = "cannot_be_told"\n'
    )
    assert gap not in status_of(context).gaps


def test_the_anchor_is_the_newest_event(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    before = status_of(context).anchor
    capture_study(context)
    after = status_of(context).anchor
    with context.frozen() as work:
        newest = work.ledger.events()[-1]
    assert after == f"blindjudge {newest.at_utc} event {newest.seq} {newest.hash}"
    assert before != after
    assert status_of(context).anchor == after  # looking changes nothing


def test_a_status_writes_nothing(tmp_path: Path) -> None:
    for made in ("frozen", "dealt", "settled"):
        context = at(made, tmp_path / made)
        before = {
            path: path.read_bytes() for path in context.study.root.rglob("*") if path.is_file()
        }
        status_of(context)
        after = {
            path: path.read_bytes() for path in context.study.root.rglob("*") if path.is_file()
        }
        assert after == before


def test_an_unlocked_packet_takes_the_study_back_to_judging(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    assert status_of(context).stage == "closed"
    unlock_packet(context, "A", "a slip")
    found = status_of(context)
    assert (found.stage, found.next) == ("judging", "judge label A, then judge collect A")
    assert line(found, "assessor A") == "7 items dealt, out"
    assert "final labels" not in dict(found.lines)


def test_a_freeze_of_labels_that_was_cut_short_is_found(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    for who, code in enumerate("AB"):
        label_packet(context.study.packet(code), labels_of(who))
    collect_packet(context, context.study.packet("A"))
    with context.frozen() as work:
        returned = read_packet(context.study.packet("B"))
        work.ledger.record("collected", returned.packet.packet_id, returned.events)
    assert status_of(context).next == "judge collect B"
    collect_packet(context, context.study.packet("B"))
    assert status_of(context).next == "judge adjudicate, then judge collect D"


def test_a_replaced_assessor_is_the_next_to_label(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    amend_study(
        context,
        target="protocol.people.assessors",
        after='["E", "B"]',
        author="R1",
        reason="A left.",
        seen="results_seen",
    )
    found = status_of(context)
    assert (found.stage, found.next) == ("judging", "judge packet make E")
    label_packet(make_packet(context, "E"), labels_of(0))
    taken = collect_packet(context, context.study.packet("E"))
    assert taken.frozen is not None
    with context.frozen() as work:
        assert {code for item in work.items for code in item.labels} == {"E", "B"}
        # A's labels are still on record.
        first = {deal.packet_id: deal.assessor for deal in work.deals}
        assert "A" in {first[event.packet_id] for event in work.label_events}


def test_hits_that_the_pool_lacks_are_told_and_pooled_next(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    for target, after in (("cutoffs", "[2]"), ("pool", "3")):
        amend(context, f"protocol.depth.{target}", after)
    capture_study(context)
    before = len(pool_study(context))
    assert status_of(context).gaps == ()
    amend(context, "protocol.depth.pool", "4")
    found = status_of(context)
    assert found.next == "judge pool"
    missing = 7 - before
    plural = "item" if missing == 1 else "items"
    assert found.gaps == (f"{missing} {plural} to depth 4 not in the pool yet",)
    pool_study(context)
    assert (status_of(context).gaps, status_of(context).next) == ((), "judge packet make A")


def test_published_folders_without_their_store_name_the_command_that_makes_it(
    tmp_path: Path,
) -> None:
    context = at("settled", tmp_path)
    publish_study(context)
    context.study.store.unlink()
    with pytest.raises(JudgeError, match="a frozen study without its store") as error:
        status_of(context)
    assert error.value.hint == f"judge rebuild {context.study.root}"


def test_a_status_shows_five_problems_of_a_plan_and_says_how_many_more(tmp_path: Path) -> None:
    root = tmp_path / "study"
    init(root)
    found = status_of(context_of(root))
    problems = read_draft(context_of(root).study).problems
    assert found.gaps[:5] == tuple(map(str, problems[:5]))
    assert found.gaps[5:] == (f"and {len(problems) - 5} more; judge lint lists all",)
    assert line(found, "protocol") == f"{len(problems)} problems"


def test_one_problem_is_one_problem(tmp_path: Path) -> None:
    root = tmp_path / "study"
    write_inputs(root, protocol=PROTOCOL.replace('gaps = "bounds"', 'gaps = "bound"'))
    found = status_of(context_of(root))
    assert line(found, "protocol") == "1 problem"
    assert len(found.gaps) == 1
