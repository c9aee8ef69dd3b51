"""Failure review of a study in files: after relevance, beside it, and never into it (R73-R78).

The small study once its disagreements are settled, with q3 ("the of") refused at both systems. Of
its hits four are finally not relevant (pmid:2, pmid:4 of q1, pmid:5 of q2), at both systems each
where both found them.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from judge.canonical import canonical
from judge.errors import Refused
from judge.records.report import Report
from judge.steps.context import Context
from judge.steps.importing import import_columns, import_grades
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    make_packet,
    unlock_packet,
)
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.replacing import replace_packet
from judge.steps.reporting import report_study
from judge.steps.reviewing import failure_packet
from judge.steps.status import status_of
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.acts import (
    CLOCK,
    amend,
    at,
    folders,
    problems,
    states,
    strangers_copy,
)
from tests.steps.reviews import code_packet, declare, literal, near, reviewed
from tests.steps.studies import context_of


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return declare(at("settled", tmp_path))


# --- when, and for whom -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("captured", "nothing is pooled yet"),
        ("pooled", "no first labels are frozen yet"),
        ("dealt", "A and B have not handed in"),
        ("judged", "disagreements are open"),
        ("disputed", "the adjudication packet of D is out"),
    ],
)
def test_failure_review_waits_until_relevance_is_locked(
    tmp_path: Path, made: str, words: str
) -> None:
    context = declare(at(made, tmp_path))
    with pytest.raises(Refused, match=words):
        failure_packet(context, "A")
    assert not context.study.packet("A", "failures").exists()


def test_an_opened_packet_is_out_again(context: Context) -> None:
    unlock_packet(context, "B", "a slip")
    with pytest.raises(Refused, match="B has not handed in"):
        failure_packet(context, "A")


def test_only_declared_people_code_and_only_a_declared_measure(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    with pytest.raises(Refused, match="'failure_categories' is not a declared measure"):
        failure_packet(context, "A")
    declare(context)
    for code in ("C", "Z"):  # a practice code is nobody's who judged
        with pytest.raises(Refused, match=f"'{code}' codes no failures in this study"):
            failure_packet(context, code)


def test_relevance_stays_locked_once_somebody_saw_the_systems(
    context: Context, tmp_path: Path
) -> None:
    before = states(context)
    failure_packet(context, "D")
    for act in (
        lambda: make_packet(context, "A"),
        lambda: unlock_packet(context, "A", "a slip"),
        lambda: adjudication_packet(context),
    ):
        with pytest.raises(Refused, match="failure review has begun"):
            act()
    labels = tmp_path / "final.qrels"
    labels.write_text("q1 0 pmid:1 1\n")
    with pytest.raises(Refused):
        import_grades(context, labels, relevant_from=1, assessor="final")
    # A packet that was voided was seen all the same.
    replace_packet(context, "D", "lost")
    with pytest.raises(Refused, match="failure review has begun"):
        unlock_packet(context, "B", "a slip")
    assert states(context) == before
    make_packet(context, "C")  # practice is never scored


def test_imported_labels_are_locked_as_well(tmp_path: Path) -> None:
    context = declare(at("pooled", tmp_path))
    with context.frozen() as work:
        keys = [(record.query_id, record.record_id) for record in work.pool]

    def take(name: str, rows: list[tuple[str, str]]) -> None:
        path = tmp_path / name
        lines = [f"{query},{record},no,no\n" for query, record in rows]
        path.write_text("query_id,record_id,one,two\n" + "".join(lines))
        import_columns(
            context, path, mapping={"no": "not_relevant"}, assessors={"one": "A", "two": "B"}
        )

    take("all.csv", keys)
    failure_packet(context, "A")
    with pytest.raises(Refused, match="an import of labels is refused"):
        take("more.csv", [("q1", "pmid:999")])


# --- what is dealt ------------------------------------------------------------------------------


def test_a_packet_shows_request_and_system_and_what_is_worth_coding(context: Context) -> None:
    path = failure_packet(context, "A")
    assert failure_packet(context, "A") == path  # the one that is out
    with Desk(path) as desk:
        views = [desk.failure_view(n) for n in range(1, desk.packet.items + 1)]
    refusals = [view for view in views if view.outcome == "refused"]
    assert {view.system for view in refusals} == {"K", "S"}
    assert all(view.hit is None and view.submitted == "the of" for view in refusals)
    assert all([fact.code for fact in view.automatic] == ["refused"] for view in refusals)
    hits = [view for view in views if view.hit is not None]
    shown = {(view.hit.record_id, view.hit.label) for view in hits if view.hit}
    assert shown == {
        ("pmid:2", "not_relevant"),
        ("pmid:4", "not_relevant"),
        ("pmid:5", "not_relevant"),
        *((view.hit.record_id, view.hit.label) for view in hits if view.hit and view.automatic),
    }
    # A request stands before its hits, and hits in the order of ranks.
    order = [(view.need, view.system, view.hit.rank if view.hit else 0) for view in views]
    for one, other in pairwise(order):
        assert one[:2] != other[:2] or one[2] < other[2]


# --- what comes back ----------------------------------------------------------------------------


def report_of(context: Context) -> Report:
    return report_study(context).report


def test_review_changes_no_label_and_no_number(context: Context) -> None:
    """R77, to the byte: everything of the report but its own part is as it was."""
    before, labels = report_of(context), states(context)
    reviewed(context, "A", literal)
    reviewed(context, "D", near)
    after = report_of(context)
    assert states(context) == labels
    assert after.failures.review != before.failures.review
    neutral = msgspec.structs.replace(after.failures, review=before.failures.review)
    assert canonical(msgspec.structs.replace(after, failures=neutral)) == canonical(before)


def test_two_coders_are_compared_on_what_both_coded(context: Context) -> None:
    reviewed(context, "A", literal)
    reviewed(context, "D", near)
    review = report_of(context).failures.review
    (pair,) = review.agreement
    assert (pair.first, pair.second) == ("A", "D")
    by_category = {one.category: one for one in pair.categories}
    hits = sum(row.hits_coded for row in review.reviewed if row.coder == "A")
    hits_of_s = sum(
        row.hits_coded for row in review.reviewed if (row.coder, row.system) == ("A", "S")
    )
    assert by_category["wrong_literal_match"].first_alone == hits > 0
    assert by_category["near_semantic_match"].second_alone == hits_of_s > 0
    assert by_category["timeout"].alpha.cell == "not defined: both said the same of every item"
    # Both named nothing at the requests, and something at every hit of A's.
    assert pair.same.lower is not None
    assert pair.same.lower.fraction == f"{pair.items - hits}/{pair.items}"
    automatic = {(row.category, row.system): row.automatic for row in review.categories}
    assert automatic["refused", "K"] == automatic["refused", "S"] == 1


def test_nothing_of_the_first_coder_shows_while_the_second_is_out(context: Context) -> None:
    failure_packet(context, "D")
    path = reviewed(context, "A", literal)
    review = report_of(context).failures.review
    assert "D has not handed in" in review.note
    assert (review.reviewed, review.agreement, review.lines) == ((), (), ())
    assert all(not row.named for row in review.categories)
    with pytest.raises(Refused, match="D has not handed in the failure review"):
        publish_study(context)
    code_packet(context.study.packet("D", "failures"), near)
    assert collect_packet(context, context.study.packet("D", "failures"), "D").waiting == ()
    assert report_of(context).failures.review.agreement
    # Opened again it is out again.
    assert unlock_packet(context, "A", "a slip") == "failures"
    assert report_of(context).failures.review.agreement == ()
    code_packet(path, near)
    collect_packet(context, path, "A")
    (pair,) = report_of(context).failures.review.agreement
    assert pair.same.cell.startswith("1.00")


def test_publish_rebuild_publish_gives_the_same_bytes(context: Context, tmp_path: Path) -> None:
    reviewed(context, "A", literal)
    report_study(context)
    publish_study(context)
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()
    before = folders(again)
    assert publish_study(context_of(again)) == []
    assert folders(again) == before
    assert report_study(context_of(again)).new is False


def test_relevance_stays_locked_in_a_store_made_again_while_a_coder_is_out(
    context: Context, tmp_path: Path
) -> None:
    path = failure_packet(context, "A")
    publish_study(context)
    assert problems(context.study.root) == ()
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()
    assert publish_study(context_of(again)) == []
    with pytest.raises(Refused, match="failure review has begun"):
        make_packet(context_of(again), "A")
    code_packet(path, literal)
    assert collect_packet(context_of(again), path, "A").waiting == ()


# --- status -------------------------------------------------------------------------------------


def test_status_names_the_next_step_where_the_measure_is_declared(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    assert status_of(context).next == "judge report"
    declare(context)
    assert status_of(context).next == "judge packet make A --failures"
    path = failure_packet(context, "A")
    found = status_of(context)
    assert found.next == "judge failures A, then judge collect A"
    lines = dict(found.lines)
    assert lines["failure review"].startswith("A ")
    assert lines["failure review"].endswith("items, out")
    code_packet(path, literal)
    collect_packet(context, path, "A")
    found = status_of(context)
    assert found.next == "judge report"
    assert dict(found.lines)["failure review"].endswith("items, handed in")
    report_study(context)
    assert status_of(context).next == "judge publish"
    # A second coder is the team's to add; what they name is not in the report yet.
    reviewed(context, "D", near)
    assert status_of(context).next == "judge report"


def test_a_lost_packet_is_voided_and_dealt_again(context: Context) -> None:
    path = failure_packet(context, "A")
    old = read_packet(path).packet.packet_id
    assert replace_packet(context, "A", "the disk died") == path
    new = read_packet(path).packet
    assert new.packet_id != old
    assert new.kind == "failures"
    code_packet(path, literal)
    assert collect_packet(context, path, "A").events == new.items + 1


def test_what_is_worth_coding_later_comes_in_a_packet_of_its_own(context: Context) -> None:
    """A deeper cutoff: the packet that came back is set aside, and its items do not come again."""
    amend(context, "protocol.depth.cutoffs", "[1]")
    first = reviewed(context, "A", near)
    coded = read_packet(first).packet
    with pytest.raises(Refused, match="was dealt to A already"):
        failure_packet(context, "A")
    amend(context, "protocol.depth.cutoffs", "[2,4]")
    second = failure_packet(context, "A")
    assert second == first
    kept = first.with_name(f"{first.name}.collected-1")
    assert read_packet(kept).packet == coded
    with context.frozen() as work:
        dealt = {
            deal.packet_id: {(item.run_id, item.rank) for item in deal.items}
            for deal in work.deals
            if deal.kind == "failures"
        }
    new = dealt[read_packet(second).packet.packet_id]
    assert new
    assert not new & dealt[coded.packet_id]
    assert all(rank is None or rank > 1 for _, rank in new)
