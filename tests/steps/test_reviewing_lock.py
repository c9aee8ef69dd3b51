"""After failure review has begun nothing opens relevance again, and nothing ends in a dead end.

Whoever codes sees which system found what. A step whose only way on is another label would leave
the study waiting for one that nobody may give (R51, R77).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from judge.errors import Refused
from judge.records.protocol import RubricChange
from judge.records.run import Hit
from judge.steps.accessing import evidence_found, exclude, say_unavailable
from judge.steps.amending import amend_rubric
from judge.steps.context import Context
from judge.steps.guessing import guess_packet
from judge.steps.judging import adjudication_packet, collect_packet, pool_study
from judge.steps.replacing import replace_packet
from judge.steps.reporting import report_study
from judge.steps.retracting import retract
from judge.steps.reviewing import failure_packet
from judge.steps.status import status_of
from tests.steps.acts import amend, at, states
from tests.steps.repeated import repeated
from tests.steps.reviews import declare
from tests.steps.studies import RUBRIC, context_of, copy_of, settle_packet


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Settled, and D codes failures."""
    context = declare(at("settled", tmp_path))
    failure_packet(context, "D")
    return context


def _breaking(context: Context) -> None:
    file = context.study.root / "new.md"
    file.write_text(RUBRIC + "\n1.3 Doses do not count.\n")
    amend_rubric(
        context,
        file,
        version="2",
        change=RubricChange(kind="breaking", families=("f",)),
        author="R1",
        reason="It was wrong.",
        seen="results_seen",
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda context: evidence_found(context, "pmid:7", by="R", reason="found", abstract="Text."),
        lambda context: say_unavailable(context, "q2", "pmid:7", by="R", reason="looked"),
        lambda context: exclude(context, "q2", "pmid:7", by="R", reason="withdrawn"),
        lambda context: retract(
            context, "A", cause="slip", by="R", reason="r", query="q1", record="pmid:1"
        ),
        _breaking,
    ],
)
def test_no_step_asks_for_a_label_that_nobody_may_give(
    context: Context, act: Callable[[Context], object]
) -> None:
    before = states(context)
    with pytest.raises(Refused, match="failure review has begun"):
        act(context)
    replace_packet(context, "D", "lost")  # what was voided was seen all the same
    with pytest.raises(Refused, match="failure review has begun"):
        act(context)
    assert states(context) == before


def test_somebody_who_left_can_still_be_taken_out(context: Context) -> None:
    assert not retract(context, "A", cause="removed_from_study", by="R", reason="left").again
    assert report_study(context).report.head.status == "adjudicating"


def test_nothing_more_is_pooled_and_the_study_waits_for_nobody(context: Context) -> None:
    with context.frozen() as work:
        run = work.current["K", "q2"]
        hits = (*(run.raw_results or ()), Hit(rank=4, record_id="n99", pmid="99", title="New"))
        again = msgspec.structs.replace(
            run, run_id=f"{run.run_id}-again", attempt=run.attempt + 1, raw_results=hits
        )
        work.ledger.record("captured", "K", [again])
    status = status_of(context)
    assert any("not in the pool yet" in gap for gap in status.gaps)
    assert status.next == "judge failures D, then judge collect D"
    assert not any("judge access" in gap for gap in status.gaps)
    with pytest.raises(Refused, match="another pool is refused"):
        pool_study(context)
    assert status_of(context).stage == "closed"


def test_whoever_was_shown_the_systems_is_not_asked_which_found_what(tmp_path: Path) -> None:
    root = copy_of(repeated("shallow"), tmp_path)
    context = context_of(root, start="2026-12-01T08:00:00Z", entropy="lock")
    amend(context, "protocol.measures", '["precision_at_k","agreement","failure_categories"]')
    path = adjudication_packet(context)
    settle_packet(path)
    collect_packet(context, path, "D")
    failure_packet(context, "A")
    with pytest.raises(Refused, match="A was shown in failure review which system found what"):
        guess_packet(context, "A")
    assert guess_packet(context, "B").is_file()


def test_an_ended_label_is_given_again_before_failure_review_locks_it_out(tmp_path: Path) -> None:
    context = declare(at("settled", tmp_path))
    report_study(context)
    assert status_of(context).next == "judge packet make A --failures"
    retract(context, "A", cause="slip", by="R", reason="r", query="q1", record="pmid:1")
    assert status_of(context).next == "judge packet make A"
    with pytest.raises(Refused, match="1 items wait for another label of A"):
        failure_packet(context, "D")
    exclude(context, "q1", "pmid:1", by="R", reason="nobody judges it any more")
    assert status_of(context).next == "judge packet make A --failures"
    assert failure_packet(context, "D").is_file()
