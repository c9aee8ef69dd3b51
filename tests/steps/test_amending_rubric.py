"""The rubric's text after the freeze: three kinds of change, and what each does to labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.cli import run
from judge.errors import Invalid, Refused
from judge.records.protocol import RubricChange
from judge.steps.amending import RubricAmended, amend_rubric
from judge.steps.context import Context
from judge.steps.judging import adjudication_packet, collect_packet, make_packet
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.steps.reviewing import failure_packet
from judge.steps.status import status_of
from judge.store.packet_file import read_packet
from tests.steps.acts import CLOCK, amend, at, problems, states, strangers_copy
from tests.steps.reviews import declare
from tests.steps.studies import RUBRIC, label_packet, settle_packet

CLEARER = RUBRIC + "\n1.3 A dose alone does not count.\n"


def change(context: Context, text: str = CLEARER, **fields: Any) -> RubricAmended:
    file = context.study.root / "new.md"
    file.write_text(text, encoding="utf-8")
    said: dict[str, Any] = {
        "version": "2",
        "change": RubricChange(kind="clarifying"),
        "author": "R1",
        "reason": "It was unclear.",
        "seen": "results_seen",
    }
    return amend_rubric(context, file, **said | fields)


def breaking(**touches: tuple[str, ...]) -> RubricChange:
    return RubricChange(kind="breaking", **touches)


@pytest.mark.parametrize("kind", ["editorial", "clarifying"])
def test_a_milder_change_ends_no_label_and_the_report_goes_on(tmp_path: Path, kind: Any) -> None:
    context = at("settled", tmp_path)
    before = states(context)
    assert change(context, change=RubricChange(kind=kind)).ended == 0
    assert states(context) == before
    report = report_study(context).report
    (line,) = report.rules.amendments
    assert f"Rubric version 2, {kind}, when results had been seen" in line.consequence
    assert len(report.judging.agreement) == 1
    life = report.judging.life
    assert life is not None
    assert [(one.name, one.count) for one in life.versions] == [("1", 14), ("2", 0)]
    publish_study(context)
    assert problems(context.study.root) == ()
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()


def test_packets_dealt_from_then_on_hold_the_new_text(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    change(context, seen="run_results_not_seen")
    packet = read_packet(make_packet(context, "A")).packet
    assert (packet.rubric, packet.rubric_version) == (CLEARER, "2")
    assert context.study.rubric.read_text() == RUBRIC  # as it was frozen


def test_failure_review_reads_the_criteria_that_are_in_force(tmp_path: Path) -> None:
    context = declare(at("settled", tmp_path))
    change(context)
    packet = read_packet(failure_packet(context, "A")).packet
    assert (packet.rubric, packet.rubric_version) == (CLEARER, "2")


def test_a_breaking_change_ends_what_it_touches_and_versions_are_not_pooled(
    tmp_path: Path,
) -> None:
    context = at("settled", tmp_path)
    # off_topic: both labels of pmid:2, B's of pmid:4, and nothing else.
    assert change(context, change=breaking(reasons=("off_topic",))).ended == 3
    assert states(context)["pmid:2"] == ("unjudged", None)
    assert states(context)["pmid:4"] == ("one_label", None)
    for code, items in (("A", 1), ("B", 2)):
        path = make_packet(context, code)
        assert read_packet(path).packet.items == items
        label_packet(path, lambda title: "relevant")
        collect_packet(context, path, code)
        if code == "A":  # B, whose label ended too, is not shown what A says now (R51)
            assert status_of(context).next == "judge packet make B"
            with pytest.raises(Refused, match="B has not handed in; labels stay closed"):
                report_study(context)
    assert states(context)["pmid:2"] == ("agree", "relevant")
    report = report_study(context).report
    assert report.judging.life is not None
    assert [one.standing for one in report.judging.life.freezes] == [
        "invalid",
        "superseded",  # at the change
        "current",
    ]
    newest = [one for one in report.judging.agreement if one.freeze == 3]
    # pmid:1, 3, 5 under version 1; pmid:2 under 2; pmid:4 has one of each and is in no table.
    assert [(one.rubric, one.both_judged) for one in newest] == [("1", 3), ("2", 1)]
    assert "under two versions, in no table: 1" in newest[0].standing


def test_a_need_that_changed_takes_its_labels_along(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    amend(context, "queries.q2.need", "Papers on harm by statins in old people.")
    assert {states(context)[f"pmid:{n}"] for n in (5, 6, 7)} == {("unjudged", None)}
    assert states(context)["pmid:1"] == ("agree", "relevant")
    assert read_packet(make_packet(context, "A")).packet.items == 3


@pytest.mark.parametrize(
    ("fields", "kind", "said"),
    [
        ({"version": "1"}, Invalid, "--version: 1 was used"),
        ({"version": " "}, Invalid, "--version"),
        ({"text": RUBRIC}, Invalid, "the text that is in force"),
        ({"text": "1.1 alone\n"}, Invalid, "'1.2' is not in rubric.md"),
        ({"change": breaking()}, Invalid, "touches nothing"),
        ({"change": breaking(families=("g",))}, Invalid, "'g' is not declared"),
        (
            {"change": RubricChange(kind="editorial", families=("f",))},
            Invalid,
            "ends no label",
        ),
        ({"reason": ""}, Invalid, "--reason"),
        ({"seen": "nothing_run"}, Refused, "is less than the store knows"),
    ],
)
def test_a_change_that_is_not_whole_is_not_filed(
    tmp_path: Path, fields: dict[str, Any], kind: type[Invalid], said: str
) -> None:
    context = at("judged", tmp_path)
    before = context.study.store.read_bytes()
    with pytest.raises(kind) as error:
        change(context, **fields)
    assert said in "\n".join(error.value.lines())
    assert context.study.store.read_bytes() == before


def test_the_version_does_not_change_without_its_text(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="changes with its text") as error:
        amend(at("judged", tmp_path), "protocol.rubric.version", "2")
    assert "judge amend --rubric FILE" in error.value.hint


def test_the_command_files_a_rubric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("settled", tmp_path)
    monkeypatch.chdir(context.study.root)
    Path("new.md").write_text(CLEARER)
    said = ["--author", "R1", "--reason", "unclear", "--seen", "results_seen"]
    new = ["amend", "--rubric", "new.md", "--version", "2", "--change", "breaking"]
    assert run([*new, *said]) == 2
    assert "touches nothing" in capsys.readouterr().err
    assert run([*new, "--reason-code", "off_topic", *said]) == 0
    assert capsys.readouterr().out == (
        "amendment 1: rubric version 2, breaking (results_seen); 3 labels ended by it\n"
    )
    assert run(["amend", "--version", "3", *said]) == 2
    assert run(["amend", *said]) == 2


def test_a_decision_that_a_breaking_change_touches_is_stale_though_its_labels_stand(
    tmp_path: Path,
) -> None:
    # pmid:5: relevant and uncertain, both "on_topic"; D decided not relevant, "off_topic".
    context = at("settled", tmp_path)
    assert states(context)["pmid:5"] == ("adjudicated", "not_relevant")
    change(context, change=breaking(reasons=("off_topic",)))
    assert states(context)["pmid:5"] == ("adjudication_stale", None)
    for code in "AB":
        path = make_packet(context, code)
        label_packet(path, lambda _: "relevant")
        collect_packet(context, path, code)
    path = adjudication_packet(context)
    settle_packet(path, "not_relevant")
    collect_packet(context, path, "D")
    assert states(context)["pmid:5"] == ("adjudicated", "not_relevant")
