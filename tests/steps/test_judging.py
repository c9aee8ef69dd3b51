"""Pool, deal, settle, note failures, export: each step refused before its time, none a dead end."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from judge.canonical import digest
from judge.errors import Incomplete, Invalid, Refused
from judge.judgements.packet import fixed_entropy
from judge.records.judgement import AgreementFreeze
from judge.steps.context import Context
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    export_labels,
    make_packet,
    pool_study,
)
from judge.steps.running import capture_study
from judge.store.packet_file import read_packet
from tests.steps.acts import amend, at
from tests.steps.studies import (
    context_of,
    copy_of,
    label_packet,
    labels_of,
    stage,
)

# --- capture ------------------------------------------------------------------------------------


def test_a_capture_that_is_stopped_keeps_what_it_has_and_goes_on(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)

    def stop(what: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    stopped = Context(context.study, clock=context.clock, progress=stop)
    with pytest.raises(Incomplete) as error:
        capture_study(stopped)
    assert "every answer so far is kept" in error.value.message
    assert error.value.hint == "judge capture"
    assert error.value.exit_code == 5
    with context.frozen() as work:
        before = dict(work.current)
        assert 0 < len(before) < 6
    with pytest.raises(Refused, match="queries have no outcome yet") as refused:
        pool_study(context)
    assert "judge capture" in refused.value.hint
    capture_study(context)
    with context.frozen() as work:
        assert len(work.current) == 6
        assert before.items() <= work.current.items()
        assert len([run for run in work.runs if run.status == "executed"]) == 6
    assert len(pool_study(context)) == 7


def test_a_second_capture_asks_nothing_again(tmp_path: Path) -> None:
    context = at("captured", tmp_path)
    with context.frozen() as work:
        before = work.runs
    assert capture_study(context).captured == 0
    with context.frozen() as work:
        assert work.runs == before


def test_a_system_that_the_protocol_does_not_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no system X; one of K, S"):
        capture_study(at("frozen", tmp_path), ["X"])


# --- pool and packets ---------------------------------------------------------------------------


def test_the_pool_is_made_once_and_grows_with_the_declared_depth(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    with context.frozen() as work:
        assert len(work.pool) == 7
    assert pool_study(context) == ()
    amend(context, "protocol.depth.pool", "5")
    assert pool_study(context) == ()  # no list is longer
    with context.frozen() as work:
        assert [event.kind for event in work.ledger.events()].count("pooled") == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("E", "'E' is no assessor of this study; one of A, B, C"),
        ("a", "'a' is no assessor of this study"),
        ("D", "'D' is no assessor of this study; one of A, B, C"),
    ],
)
def test_a_packet_is_for_a_declared_assessor_alone(tmp_path: Path, code: str, said: str) -> None:
    context = at("pooled", tmp_path)
    with pytest.raises(Refused) as error:
        make_packet(context, code)
    assert said in error.value.message
    assert error.value.hint == "judge packet make A"
    assert not (context.study.root / "packets").exists()


def test_a_third_name_gets_no_item_of_a_pair_that_is_dealt(tmp_path: Path) -> None:
    # Three names, an overlap of two, and the third person's packet holds nothing that counts.
    context = at("judged", tmp_path)
    label_packet(make_packet(context, "C"), lambda title: "relevant")
    collect_packet(context, context.study.packet("C"), "C")
    with context.frozen() as work:
        assert {len(item.labels) for item in work.items} == {2}
        assert {code for item in work.items for code in item.labels} == {"A", "B"}
        assert work.ledger.count(AgreementFreeze) == 1


def test_nothing_is_dealt_before_the_pool_or_twice(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nothing is pooled yet") as error:
        make_packet(at("captured", tmp_path / "1"), "A")
    assert error.value.hint == "judge pool"
    context = at("dealt", tmp_path / "2")
    before = context.study.packet("A").read_bytes(), context.study.store.read_bytes()
    with pytest.raises(Refused, match="every pooled item was dealt to A already") as error:
        make_packet(context, "A")
    assert error.value.hint == "judge label A"
    assert (context.study.packet("A").read_bytes(), context.study.store.read_bytes()) == before


@pytest.mark.parametrize("kind", ["label", "adjudication"])
def test_a_deal_that_was_cut_short_is_finished_or_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    context = at("pooled" if kind == "label" else "judged", tmp_path)
    make: Any = (
        (lambda: make_packet(context, "A"))
        if kind == "label"
        else (lambda: adjudication_packet(context))
    )
    path = context.study.packet("A" if kind == "label" else "D", kind)
    draft = path.with_name(path.name + ".draft")
    # Before the study knows of it: the draft is thrown away, another is dealt.
    with monkeypatch.context() as patched:
        patched.setattr("judge.store.ledger.Ledger.record", _fail)
        with pytest.raises(OSError, match="the machine went down"):
            make()
    assert draft.is_file()
    assert not path.exists()
    thrown_away = read_packet(draft).packet.packet_id
    # After the study knows of it: the draft gets its name.
    with monkeypatch.context() as patched:
        patched.setattr("os.link", _fail)
        with pytest.raises(OSError, match="the machine went down"):
            make()
    with context.frozen() as work:
        newest = work.deals[-1]
        assert newest.packet_id != thrown_away
    assert make() == path
    assert read_packet(path).packet.packet_id == newest.packet_id
    with context.frozen() as work:
        assert work.deals[-1] == newest
        assert newest.packet_sha256 == digest(read_packet(path).packet)
    assert not draft.exists()


def test_a_draft_never_takes_the_place_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("pooled", tmp_path)
    path = context.study.packet("A")
    with monkeypatch.context() as patched:
        patched.setattr("os.link", _fail)
        with pytest.raises(OSError, match="the machine went down"):
            make_packet(context, "A")
    path.write_bytes(b"somebody's labels")
    with pytest.raises(Refused, match="nothing was written over") as error:
        make_packet(context, "A")
    assert error.value.hint == "move the file away, then run this again"
    assert path.read_bytes() == b"somebody's labels"
    path.unlink()
    assert read_packet(make_packet(context, "A")).packet.items == 7
    # Stopped between the two names: the same file has both.
    draft = path.with_name("A.packet.draft")
    draft.hardlink_to(path)
    assert make_packet(context, "A") == path
    assert not draft.exists()


def _fail(*args: object, **fields: object) -> None:
    raise OSError("the machine went down")


def test_what_the_pool_gained_is_dealt_in_a_packet_of_its_own(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    amend(context, "protocol.depth.cutoffs", "[2]")
    amend(context, "protocol.depth.pool", "2")
    capture_study(context)
    first = pool_study(context)
    label_packet(make_packet(context, "A"), labels_of(0))
    collect_packet(context, context.study.packet("A"))
    amend(context, "protocol.depth.pool", "4")
    second = pool_study(context)
    assert len(first) + len(second) == 7
    with context.frozen() as work:
        assert len(work.pool) == 7
    packet = read_packet(make_packet(context, "A"))
    assert packet.packet.items == len(second)
    label_packet(context.study.packet("A"), labels_of(0))
    taken = collect_packet(context, context.study.packet("A"))
    assert taken.waiting == ("B",)
    label_packet(make_packet(context, "B"), labels_of(1))
    assert collect_packet(context, context.study.packet("B")).frozen is not None
    with context.frozen() as work:
        assert {len(item.labels) for item in work.items} == {2}


# --- export -------------------------------------------------------------------------------------


def test_an_export_holds_what_was_judged(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    out = tmp_path / "out"
    left_out = export_labels(context, out)
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "items.csv",
        "items.jsonl",
        "qrels/A.qrels",
        "qrels/B.qrels",
        "qrels/final.qrels",
    ]
    assert (out / "qrels" / "final.qrels").read_text() == (
        "q1 0 pmid:1 1\nq1 0 pmid:2 0\nq1 0 pmid:4 0\nq2 0 pmid:5 0\n"
    )
    assert left_out == {
        "final.qrels": {"not_yet_judged": 3},
        "A.qrels": {"cannot_judge": 2},
        "B.qrels": {"uncertain": 1, "cannot_judge": 1},
    }
    with open(out / "items.csv", newline="") as file:
        rows = {row["record_id"]: row for row in csv.DictReader(file)}
    assert rows["pmid:4"]["label_A"] == "relevant"
    assert rows["pmid:4"]["final"] == "not_relevant"
    assert rows["pmid:6"]["final"] == "not_yet_judged"
    lines = [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]
    assert {line["record_id"]: line["state"] for line in lines}["pmid:7"] == "both_cannot_judge"


def test_an_export_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no label is in yet; nothing was written"):
        export_labels(at("pooled", tmp_path), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_packets_of_two_builds_share_no_id(tmp_path: Path) -> None:
    ids = []
    for name in ("one", "other"):
        root = copy_of(stage("pooled"), tmp_path / name)
        context = Context(context_of(root).study, entropy=fixed_entropy(name))
        ids.append(read_packet(make_packet(context, "A")).packet.packet_id)
    assert ids[0] != ids[1]
