"""A packet that is lost or damaged: another in its place, and the old one never taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.cli import run
from judge.errors import Integrity, Invalid, Refused
from judge.steps.context import Context
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    make_packet,
    unlock_packet,
)
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.replacing import replace_packet
from judge.steps.reporting import report_study
from judge.steps.status import status_of
from judge.store.desk import Desk
from judge.store.packet_file import read_packet
from tests.steps.acts import CLOCK, at, problems, refused, states, strangers_copy
from tests.steps.studies import label_packet, labels_of, settle_packet

AGAIN = "judge packet make A --replace --reason '…'"


def voided(context: Context) -> list[str]:
    with context.frozen() as work:
        return [one.subject for one in work.ledger.events() if one.kind == "voided"]


def test_a_lost_packet_is_voided_and_dealt_anew(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    path = context.study.packet("A")
    lost = path.rename(tmp_path / "lost.packet")
    old = read_packet(lost).packet
    (gap,) = status_of(context).gaps
    assert gap == f"A.packet is not here; where it is lost: {AGAIN}"
    for opening in (Desk, read_packet):
        with pytest.raises(Refused, match="there is no packet here") as error:
            opening(path)
        assert AGAIN in error.value.hint
    assert replace_packet(context, "A", "the stick was lost") == path
    new = read_packet(path).packet
    assert new.packet_id != old.packet_id
    assert new.items == old.items == 7
    assert voided(context) == [f"{old.packet_id}: the stick was lost"]
    found = status_of(context)
    assert found.gaps == ()
    assert dict(found.lines)["assessor A"] == "7 items dealt, out"
    # The old one is found again: it is not taken, before the new one comes back or after.
    label_packet(lost, labels_of(0))
    refused(context, lost, "A", Refused, "was voided and another dealt in its place")
    label_packet(path, labels_of(0))
    assert collect_packet(context, path, "A").waiting == ("B",)
    refused(context, lost, None, Refused, "was voided and another dealt in its place")
    label_packet(context.study.packet("B"), labels_of(1))
    assert collect_packet(context, context.study.packet("B"), "B").frozen is not None
    # What is published holds together, and the order of the voided packet stays closed.
    publish_study(context)
    assert problems(context.study.root) == ()
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_packet_that_is_cut_names_the_way_on_and_is_kept_aside(
    tmp_path: Path, keep: float
) -> None:
    context = at("dealt", tmp_path)
    path = context.study.packet("A")
    cut = path.read_bytes()[: int(path.stat().st_size * keep)]
    for number in (1, 2):
        path.write_bytes(cut)
        with pytest.raises(Integrity) as error:
            collect_packet(context, path, "A")
        assert AGAIN in error.value.hint
        assert "rebuild" not in error.value.hint
        replace_packet(context, "A", "cut by a bad copy")
        assert path.with_name(f"A.packet.voided-{number}").read_bytes() == cut
        assert read_packet(path).packet.items == 7


def test_a_packet_that_was_collected_is_not_replaced(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    before = context.study.store.read_bytes()
    with pytest.raises(Refused, match="no packet of A is out, for it was collected") as error:
        replace_packet(context, "A", "lost")
    assert error.value.hint == "judge unlock A --reason '…' opens a collected packet again"
    assert context.study.store.read_bytes() == before
    assert context.study.packet("A").is_file()


def test_only_a_packet_that_is_out_is_replaced_for_a_reason(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    with pytest.raises(Refused, match="no packet of A is out; nothing was changed") as error:
        replace_packet(context, "A", "lost")
    assert error.value.hint == "judge packet make A"
    make_packet(context, "A")
    before = context.study.store.read_bytes(), context.study.packet("A").read_bytes()
    with pytest.raises(Invalid, match="for a written reason"):
        replace_packet(context, "A", " ")
    with (
        Desk(context.study.packet("A")),
        pytest.raises(Refused, match="is open in another terminal"),
    ):
        replace_packet(context, "A", "lost")
    assert (context.study.store.read_bytes(), context.study.packet("A").read_bytes()) == before


def test_the_adjudicators_packet_is_replaced_too(tmp_path: Path) -> None:
    context = at("disputed", tmp_path)
    path = context.study.packet("D", "adjudication")
    old = read_packet(path).packet
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(Integrity) as error:
        adjudication_packet(context)
    assert "judge packet make D --replace --reason '…'" in error.value.hint
    assert replace_packet(context, "D", "damaged") == path
    assert read_packet(path).packet.items == old.items
    settle_packet(path)
    assert collect_packet(context, path, "D").events > 0


def test_a_packet_voided_before_the_machine_went_down_is_dealt_by_the_plain_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("dealt", tmp_path)

    def stop(*args: object, **fields: object) -> None:
        raise OSError("the machine went down")

    with monkeypatch.context() as patched:
        patched.setattr("judge.steps.replacing.make_packet", stop)
        with pytest.raises(OSError, match="went down"):
            replace_packet(context, "A", "lost")
    assert len(voided(context)) == 1
    assert read_packet(make_packet(context, "A")).packet.items == 7


def test_the_commands_name_the_way_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("dealt", tmp_path)
    shutil.move(context.study.packet("A"), tmp_path / "lost")
    monkeypatch.chdir(context.study.root)
    assert run(["collect", "A"]) == 3
    assert AGAIN in capsys.readouterr().err
    assert run(["packet", "make", "A", "--reason", "lost"]) == 2
    assert run(["packet", "make", "A", "--replace"]) == 2
    assert run(["packet", "make", "A", "--replace", "--reason", "lost"]) == 0
    assert context.study.packet("A").is_file()


def test_a_packet_that_was_opened_again_and_lost_does_not_hold_the_study_up(
    tmp_path: Path,
) -> None:
    context = at("settled", tmp_path)
    unlock_packet(context, "B", "a slip")
    context.study.packet("B").unlink()
    assert any("judge packet make B --replace" in gap for gap in status_of(context).gaps)
    path = replace_packet(context, "B", "the disk broke")
    label_packet(path, labels_of(1) | {"Aspirin in mice": "relevant"})
    assert collect_packet(context, path, "B").waiting == ()
    assert states(context)["pmid:4"] == ("agree", "relevant")
    report_study(context)
    publish_study(context)
    assert problems(context.study.root) == ()
