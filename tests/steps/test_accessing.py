"""The access queue: what is listed, what a find changes, and what goes to the adjudicator."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.cli import run
from judge.errors import Invalid, Refused
from judge.steps.accessing import access_queue, evidence_found, exclude, say_unavailable
from judge.steps.judging import adjudication_packet, collect_packet, make_packet
from judge.steps.reporting import report_study
from judge.steps.status import status_of
from judge.store.desk import Desk
from tests.steps.acts import at, states
from tests.steps.studies import label_packet, settle_packet


def test_the_queue_lists_kinds_and_nobodys_label(tmp_path: Path) -> None:
    queue = access_queue(at("settled", tmp_path))
    assert not queue.closed
    assert [(one.record_id, one.queries, one.kinds) for one in queue.lines] == [
        ("pmid:6", ("q2",), {"no_abstract": 1}),
        ("pmid:7", ("q2",), {"paper_unavailable": 2}),
    ]


@pytest.mark.parametrize("made", ["pooled", "dealt"])
def test_while_labels_are_closed_only_what_records_lack_is_listed(
    tmp_path: Path, made: str
) -> None:
    context = at(made, tmp_path)
    queue = access_queue(context)
    assert queue.closed
    assert [(one.record_id, one.missing, one.kinds) for one in queue.lines] == [
        ("pmid:3", ("abstract",), {})
    ]


def test_a_find_ends_cannot_judge_and_is_judged_blind_in_a_small_packet(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    found = evidence_found(
        context, "pmid:6", by="R1", reason="the publisher", abstract="Statins and muscle pain.\n"
    )
    assert (found.queries, found.deal_to, found.kept) == (("q2",), ("A",), 1)
    assert states(context)["pmid:6"] == ("one_label", None)
    assert "1 item to label (again): judge packet make A" in status_of(context).gaps
    with pytest.raises(Refused, match="every pooled item was dealt to B"):
        make_packet(context, "B")
    path = make_packet(context, "A")
    with Desk(path) as desk:
        assert desk.packet.items == 1
        assert desk.view(1).abstract == "Statins and muscle pain."
        assert desk.reveal(1) is None
    label_packet(path, lambda title: "relevant")
    collect_packet(context, path, "A")
    assert states(context)["pmid:6"] == ("agree", "relevant")
    life = report_study(context).report.judging.life
    assert life is not None
    assert [one.standing for one in life.freezes] == ["invalid", "superseded", "current"]
    assert "lapsed, for what was missing was found" in life.freezes[0].said


def test_a_link_that_was_found_is_shown_in_place_of_the_canonical_one(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    link = "https://repository.example.org/7"
    found = evidence_found(context, "pmid:7", by="R1", reason="a repository", link=link)
    assert found.deal_to == ("A", "B")
    assert states(context)["pmid:7"] == ("unjudged", None)
    for code in "AB":
        path = make_packet(context, code)
        with Desk(path) as desk:
            assert desk.view(1).link == link
        label_packet(path, lambda title: "not_relevant")
        collect_packet(context, path, code)
    assert states(context)["pmid:7"] == ("agree", "not_relevant")


def test_what_cannot_be_had_is_settled_and_stays_a_gap(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    say_unavailable(context, "q2", "pmid:7", by="R1", reason="three libraries asked")
    say_unavailable(context, "q2", "pmid:6", by="R1", reason="three libraries asked")
    assert status_of(context).stage == "adjudicating"
    assert [one.state for one in access_queue(context).lines] == ["unavailable", "unavailable"]
    path = adjudication_packet(context)
    with Desk(path) as desk:
        assert desk.packet.items == 2
    settle_packet(path, "not_relevant")
    collect_packet(context, path, "D")
    assert states(context)["pmid:6"] == ("adjudicated", "not_relevant")
    with pytest.raises(Refused, match="is not in the access queue"):
        say_unavailable(context, "q1", "pmid:1", by="R1", reason="asked")


def test_an_excluded_item_is_out_of_the_judging_and_never_a_no(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    exclude(context, "q2", "pmid:7", by="R1", reason="withdrawn")
    assert states(context)["pmid:7"] == ("excluded", None)
    assert [one.record_id for one in access_queue(context).lines] == ["pmid:6"]
    with pytest.raises(Refused, match="excluded already"):
        exclude(context, "q2", "pmid:7", by="R1", reason="withdrawn")
    with pytest.raises(Refused, match="not in the pool of q1"):
        exclude(context, "q1", "pmid:7", by="R1", reason="withdrawn")


@pytest.mark.parametrize(
    ("fields", "kind", "said"),
    [
        ({}, Invalid, "evidence cannot be taken"),
        ({"link": "javascript:alert(1)"}, Invalid, "evidence cannot be taken"),
        ({"link": "https://x.org/a b"}, Invalid, "evidence cannot be taken"),
        ({"abstract": "a\x00b"}, Invalid, "evidence cannot be taken"),
        ({"abstract": "A text.", "reason": " "}, Invalid, "needs who found it"),
        ({"abstract": "Statins and pain."}, Refused, "has this already"),
        ({"abstract": "A text.", "record": "pmid:66"}, Refused, "is not in the pool"),
    ],
)
def test_evidence_that_is_none_changes_nothing(
    tmp_path: Path, fields: dict[str, str], kind: type[Exception], said: str
) -> None:
    context = at("settled", tmp_path)
    before = context.study.store.read_bytes()
    given = {"record": "pmid:6", "by": "R1", "reason": "found"} | fields
    with pytest.raises(kind, match=said):
        evidence_found(context, given.pop("record"), **given)
    assert context.study.store.read_bytes() == before


def test_nothing_is_found_excluded_or_sent_while_somebody_is_out(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    with pytest.raises(Refused, match="labels stay closed"):
        evidence_found(context, "pmid:3", by="R1", reason="found", abstract="A text.")
    with pytest.raises(Refused, match="labels stay closed"):
        exclude(context, "q1", "pmid:3", by="R1", reason="withdrawn")
    with pytest.raises(Refused, match="labels stay closed"):
        say_unavailable(context, "q1", "pmid:3", by="R1", reason="asked")


def test_the_commands_of_the_queue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("settled", tmp_path)
    monkeypatch.chdir(context.study.root)
    assert run(["access"]) == 0
    out = capsys.readouterr().out
    assert "pmid:6 (q2): 1 no_abstract; text is complete\n    Statins and muscle\n" in out
    Path("found.txt").write_text("Statins and muscle pain.")
    said = ["--by", "R1", "--reason", "publisher"]
    assert run(["access", "found", "pmid:6", "--abstract", "found.txt", *said]) == 0
    assert "Next: judge packet make A" in capsys.readouterr().err
    assert run(["access", "unavailable", "q2", "pmid:7", *said]) == 0
    assert run(["access", "exclude", "q1", "pmid:3", *said]) == 0
    capsys.readouterr()
    assert run(["access"]) == 0
    assert "pmid:7 (q2) [unavailable]" in capsys.readouterr().out
