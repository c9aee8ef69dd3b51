"""A label that is taken out: what stands, what the report says, and how it is given again."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.cli import run
from judge.errors import Invalid, Refused
from judge.records.judgement import AgreementFreeze
from judge.records.life import UnitStep
from judge.records.report import Report
from judge.reports.render.markdown import render_markdown
from judge.steps.context import Context
from judge.steps.judging import adjudication_packet, collect_packet, make_packet
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.steps.retracting import Retracted, retract
from judge.steps.status import status_of
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.acts import CLOCK, amend, at, problems, states, strangers_copy
from tests.steps.studies import label_packet, labels_of, settle_packet


def slip(context: Context, code: str = "A", record: str = "pmid:4", **fields: str) -> Retracted:
    said = {"cause": "slip", "by": "R1", "reason": "took it for another", "query": "q1"}
    return retract(context, code, record=record, **said | fields)  # type: ignore[arg-type]


def cell(report: Report, query: str, k: int) -> str:
    return next(
        row.figure.cell
        for row in report.precision.per_query
        if (row.query_id, row.system, row.cutoff) == (query, "K", k)
    )


def test_a_retraction_leaves_bounds_a_second_freeze_and_a_stale_decision(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    before = report_study(context).report
    assert [one.standing for one in before.judging.agreement] == [""]
    done = slip(context)
    assert (done.items, done.again) == (1, True)
    assert done.frozen is not None
    assert states(context)["pmid:4"] == ("one_label", None)
    report = report_study(context).report
    assert report.judging.life is not None
    first, second = report.judging.life.freezes
    assert (first.freeze, first.standing, first.retracted) == (1, "invalid", 1)
    assert (second.freeze, second.standing) == (2, "current")
    assert second.said == "Current. Labels retracted before it, and left out: 1."
    # Seven pooled; five judged by both at first, four without the retracted one.
    assert [one.both_judged for one in report.judging.agreement] == [5, 4]
    (step,) = report.judging.life.steps
    assert (step.what, step.labels_of, step.by) == ("retraction (slip)", ("A",), "R1")
    assert "agreement invalid" in step.effect
    assert first.said.startswith("Invalid since: labels in it retracted: 1.")
    told = {row.name: row.text for row in report.judging.life.settling}
    assert told["decided before, on labels that stand no longer"] == "1"
    text = render_markdown(report)
    assert "freeze 1 (invalid)" in text
    assert "freeze 2 (current)" in text
    # What was decided not relevant is a bound now, never a no.
    assert "between" not in cell(before, "q1", 2) or cell(before, "q1", 2) != cell(report, "q1", 2)
    with context.frozen() as work:
        (kept,) = work.ledger.all(UnitStep)
        assert kept.lapsed == {"A": (work.deals[0].packet_id,)}
        (item,) = [one for one in work.items if one.record_id == "pmid:4"]
        assert item.stale
        assert list(item.labels) == ["B"]
    with pytest.raises(Refused, match="no disagreement is open"):
        adjudication_packet(context)


def test_what_was_retracted_is_dealt_again_alone_and_decided_again(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    slip(context)
    assert "1 item to label (again): judge packet make A" in status_of(context).gaps
    path = make_packet(context, "A")
    assert read_packet(path).packet.items == 1
    assert path.with_name("A.packet.collected-1").is_file()
    # A packet is out again: labels are closed until it comes back (R51).
    with pytest.raises(Refused, match="A has not handed in; labels stay closed"):
        report_study(context)
    label_packet(path, lambda title: "uncertain")
    assert collect_packet(context, path, "A").frozen is not None
    assert states(context)["pmid:4"] == ("adjudication_stale", None)
    found = status_of(context)
    assert found.next == "judge adjudicate, then judge collect D"
    assert "1 item whose decision rests on labels that stand no longer" in found.gaps
    with Desk(adjudication_packet(context)) as desk:
        assert desk.packet.items == 1
        shown = desk.reveal(1)
        assert shown is not None
        assert {shown.first.label, shown.second.label} == {"uncertain", "not_relevant"}
    settle_packet(context.study.packet("D", "adjudication"), "relevant")
    collect_packet(context, context.study.packet("D", "adjudication"), "D")
    assert states(context)["pmid:4"] == ("adjudicated", "relevant")
    with context.frozen() as work:
        assert len(work.ledger.all(AgreementFreeze)) == 3


def test_a_retraction_is_published_and_comes_back_from_the_folders(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    slip(context)
    publish_study(context)
    assert problems(context.study.root) == ()
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()


def test_after_a_conflict_of_interest_nobody_is_dealt_the_item_again(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    assert not slip(context, cause="conflict_of_interest").again
    with pytest.raises(Refused, match="every pooled item was dealt to A already"):
        make_packet(context, "A")


def test_of_somebody_who_left_every_label_goes_and_another_labels_all(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    done = retract(context, "A", cause="removed_from_study", by="R1", reason="left the team")
    assert done.items == 7
    assert {state for state, _ in states(context).values()} == {"one_label"}
    amend(context, "protocol.people.assessors", '["E", "B"]')
    with pytest.raises(Refused, match="E has not handed in"):
        report_study(context)
    path = make_packet(context, "E")
    assert read_packet(path).packet.items == 7
    label_packet(path, lambda title: "not_relevant")
    collect_packet(context, path, "E")
    assert states(context)["pmid:2"] == ("agree", "not_relevant")
    with context.frozen() as work:
        assert {code for item in work.items for code in item.labels} == {"E", "B"}
        assert work.ledger.problems() == []


@pytest.mark.parametrize(
    ("fields", "kind", "said"),
    [
        ({"reason": " "}, Invalid, "the retraction is incomplete"),
        ({"by": ""}, Invalid, "the retraction is incomplete"),
        ({"cause": "removed_from_study"}, Invalid, "the retraction is incomplete"),
        ({"query": ""}, Invalid, "the retraction is incomplete"),
        ({"code": "Z"}, Refused, "'Z' is no assessor of this study"),
        ({"record": "pmid:99"}, Refused, "is not in the pool"),
    ],
)
def test_a_retraction_that_is_not_whole_changes_nothing(
    tmp_path: Path, fields: dict[str, str], kind: type[Exception], said: str
) -> None:
    context = at("judged", tmp_path)
    before = context.study.store.read_bytes()
    with pytest.raises(kind, match=said):
        slip(context, **fields)
    assert context.study.store.read_bytes() == before


def test_what_was_retracted_is_not_retracted_twice(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    slip(context)
    with pytest.raises(Refused, match="no label of A on q1 pmid:4 is in"):
        slip(context)


def test_the_command_retracts_and_names_the_way_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("settled", tmp_path)
    monkeypatch.chdir(context.study.root)
    said = ["--cause", "slip", "--by", "R1", "--reason", "a slip"]
    assert run(["retract", "A", "q1", "pmid:4", *said]) == 0
    out = capsys.readouterr()
    assert out.out.startswith("A: 1 label retracted, slip\nfirst labels frozen again, as freeze 2")
    assert out.err == "Next: judge packet make A deals it again\n"


def test_who_takes_over_does_not_stand_in_the_agreement_of_who_left(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    (before,) = report_study(context).report.judging.agreement
    retract(context, "A", cause="removed_from_study", by="R1", reason="left the team")
    amend(context, "protocol.people.assessors", '["E","B"]')
    path = make_packet(context, "E")
    label_packet(path, labels_of(0))
    collect_packet(context, path, "E")
    old, *_, new = report_study(context).report.judging.agreement
    # What was frozen first is still that of A and B, number for number (R53).
    assert {old.first, old.second} == {"A", "B"}
    assert (old.both_judged, old.pooled) == (before.both_judged, before.pooled) == (5, 7)
    assert old.standing.startswith("Invalid since: labels in it retracted: 7")
    assert (new.first, new.second, new.both_judged) == ("E", "B", 5)
