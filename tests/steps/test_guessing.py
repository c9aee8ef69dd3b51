"""The questions after the lock: only then, of whom they unblind no more, from desk to report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

import judge.steps.context as surroundings
from judge.cli import run
from judge.errors import Invalid, Refused
from judge.judgements.asking import guess_pairs
from judge.judgements.guesses import Guessing
from judge.judgements.sittings import sit_down
from judge.records.judgement import LabelEvent, Packet
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.terminal import print_summary
from judge.steps.context import Context
from judge.steps.guessing import guess_packet
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
from judge.store.packet_file import read_shown
from tests.steps.acts import CLOCK, folders, problems, rewrite, strangers_copy
from tests.steps.repeated import label_twice, repeated
from tests.steps.studies import context_of, copy_of, settle_packet


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Both labelled, nothing adjudicated; each mode found four of 14 items alone."""
    root = copy_of(repeated("shallow"), tmp_path)
    return context_of(root, start="2026-12-01T08:00:00Z", entropy="guesses")


@pytest.fixture
def dealt(tmp_path: Path) -> Context:
    """Dealt to both, nothing labelled."""
    root = copy_of(repeated("shallow", labelled=False), tmp_path)
    return context_of(root, start="2026-12-01T08:00:00Z", entropy="guesses")


def answer(context: Context, path: Path, say: Callable[[str], str]) -> None:
    """Answers every item by the system that found it, as ``say`` has it, and hands in."""
    with context.frozen() as work:
        by_id = {(one.query_id, one.record_id): one for one in work.pool}
        packet_id = read_shown(path)[0].packet_id
        deal = next(one for one in work.deals if one.packet_id == packet_id)
        truth = {
            item.position: by_id[item.query_id, item.record_id].found_by[0].system
            for item in deal.items
        }
    with Desk(path) as desk:
        sitting = sit_down(desk, monotonic=lambda: 0.0, today=lambda: "2026-12-01")
        assert isinstance(sitting, Guessing)
        while sitting.progress().left:
            sitting.guess(say(truth[sitting.position]))
        sitting.hand_in("I answered alone.")


# --- when ---------------------------------------------------------------------------------------


def test_before_the_lock_it_is_refused(dealt: Context) -> None:
    with pytest.raises(Refused, match="A has not handed in; which system found what"):
        guess_packet(dealt, "A")
    label_twice(dealt.study.packet("A"), "A")  # handed in, and not collected
    with pytest.raises(Refused, match="A has not handed in") as error:
        guess_packet(dealt, "A")
    assert error.value.hint == "judge label A, then judge collect A"
    assert not dealt.study.packet("A", "guess").exists()


def test_each_is_asked_after_their_own_lock(dealt: Context) -> None:
    """A is in and B is not: A may be asked, and nothing of A's labels is told by that."""
    label_twice(dealt.study.packet("A"), "A")
    collect_packet(dealt, dealt.study.packet("A"), "A")
    assert guess_packet(dealt, "A").is_file()
    with pytest.raises(Refused, match="B has not handed in"):
        guess_packet(dealt, "B")


def test_whoever_was_unlocked_is_not_asked(context: Context) -> None:
    unlock_packet(context, "A", "a slip")
    with pytest.raises(Refused, match="A has not handed in"):
        guess_packet(context, "A")


@pytest.mark.parametrize("code", ["C", "D", "X"])
def test_only_assessors_are_asked(context: Context, code: str) -> None:
    """C practises, D adjudicates, X is nobody."""
    with pytest.raises(Refused, match=f"'{code}' is no assessor whose labels count"):
        guess_packet(context, code)


@pytest.mark.parametrize(
    "people", [{"adjudication": "discussion"}, {"adjudicator": "A"}], ids=["discussion", "both"]
)
def test_whoever_still_settles_disagreements_is_not_asked(
    context: Context, monkeypatch: pytest.MonkeyPatch, people: dict[str, Any]
) -> None:
    def amended(frozen: Any, amendments: Any) -> Protocol:
        declared: Protocol = frozen.protocol
        return msgspec.structs.replace(
            declared, people=msgspec.structs.replace(declared.people, **people)
        )

    monkeypatch.setattr(surroundings, "effective", amended)
    with pytest.raises(Refused, match="A settles disagreements, and that is not done"):
        guess_packet(context, "A")


def test_it_is_asked_once(context: Context) -> None:
    path = guess_packet(context, "A")
    assert guess_packet(context, "A") == path  # still out: the same
    answer(context, path, lambda system: system)
    collect_packet(context, path, "A")
    with pytest.raises(Refused, match="A has answered which system found what; it is asked once"):
        guess_packet(context, "A")


def test_where_every_item_was_found_by_both_there_is_nothing_to_ask(tmp_path: Path) -> None:
    context = context_of(copy_of(repeated("plain"), tmp_path), start="2026-12-01T08:00:00Z")
    with pytest.raises(Refused, match="no item that A labelled was found by one system alone"):
        guess_packet(context, "A")


def test_a_lost_packet_is_dealt_again_as_what_it_was(context: Context) -> None:
    lost = guess_packet(context, "A")
    lost.unlink()
    again = replace_packet(context, "A", "the file was lost")
    assert again == lost
    assert read_shown(again)[0].kind == "guess"


# --- what is in it ------------------------------------------------------------------------------


def head(path: Path) -> Packet:
    return read_shown(path)[0]


def test_it_holds_what_one_system_found_as_blind_as_before(context: Context) -> None:
    path = guess_packet(context, "A")
    packet, rows = read_shown(path)
    assert [one.name for one in packet.systems] == [
        "K (embedded, keyword)",
        "S (embedded, semantic)",
    ]
    assert packet.items == len(rows) == 8
    labelled = {item.item_id for _, item in read_shown(context.study.packet("A"))[1]}
    assert not labelled & {item.item_id for _, item in rows}
    views = [item.view for _, item in read_shown(context.study.packet("A"))[1]]
    assert all(item.view in views and item.reveal is None for _, item in rows)
    needs = [item.view.need for _, item in rows]
    assert needs == 4 * [needs[0]] + 4 * [needs[4]]
    data = path.read_bytes()
    for sign in (b"found_by", b"r1/K", b"r1/S", b"rank", b"I judged alone"):
        assert sign not in data


def test_no_other_packet_names_a_system(context: Context) -> None:
    for code in "AB":
        assert head(context.study.packet(code)).systems == ()
    adjudicated = adjudication_packet(context)
    assert head(adjudicated).systems == ()
    assert b"keyword" not in adjudicated.read_bytes()


# --- on the way back ----------------------------------------------------------------------------


def test_answers_change_no_label_and_no_freeze(context: Context) -> None:
    with context.frozen() as work:
        before = (work.items, work.deals)
    path = guess_packet(context, "A")
    answer(context, path, lambda system: "?")
    taken = collect_packet(context, path, "A")
    assert (taken.events, taken.frozen, taken.waiting) == (9, None, ())
    with context.frozen() as work:
        assert (work.items, work.deals[:2]) == before
    assert collect_packet(context, path, "A").events == 0


def test_one_left_open_does_not_come_back(context: Context) -> None:
    path = guess_packet(context, "A")
    with pytest.raises(Refused) as error:
        collect_packet(context, path, "A")
    assert error.value.hint == "judge label A --guesses, then hand in"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"guess": "T"}, "guess 'T'; a system of the packet or ?"),
        ({"guess": None}, "guess None"),
        (
            {"kind": "label", "guess": None, "label": "relevant", "evidence": "title"},
            "a label among guesses",
        ),
    ],
)
def test_an_answer_outside_the_list_is_refused(
    context: Context, change: dict[str, Any], says: str
) -> None:
    path = guess_packet(context, "A")
    answer(context, path, lambda system: system)

    def forged(events: list[LabelEvent]) -> list[LabelEvent]:
        extra = msgspec.structs.replace(events[0], **change)
        return [extra, *events]

    rewrite(path, forged)
    with pytest.raises(Invalid) as error:
        collect_packet(context, path, "A")
    assert says in "\n".join(error.value.lines())


def test_a_guess_in_a_packet_of_labels_is_refused(dealt: Context) -> None:
    path = dealt.study.packet("A")
    label_twice(path, "A")
    rewrite(path, lambda events: [msgspec.structs.replace(events[0], guess="K"), *events[1:]])
    with pytest.raises(Invalid) as error:
        collect_packet(dealt, path, "A")
    assert "guess 'K'" in "\n".join(error.value.lines())


# --- what it says -------------------------------------------------------------------------------


def settled(context: Context) -> Context:
    path = adjudication_packet(context)
    settle_packet(path)
    collect_packet(context, path, "D")
    return context


def test_the_report_has_the_index_of_each_system_in_every_form(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    """A always says K: right on all four of K, wrong on all four of S. B knows nothing."""
    settled(context)
    for code, say in {"A": lambda system: "K", "B": lambda system: "?"}.items():
        path = guess_packet(context, code)
        answer(context, path, say)
        collect_packet(context, path, code)
    with context.frozen() as work:
        pairs = guess_pairs(work.deals, work.label_events, work.pool, work.protocol)
        assert work.ledger.all(PooledRecord) == work.pool
    assert sorted(pairs["A"]) == [("K", "K")] * 4 + [("S", "K")] * 4
    report = report_study(context).report
    rows = [(row.assessor, row.system, row.bang.cell) for row in report.blinding.guesses]
    assert rows == [("A", "K", "1.00"), ("A", "S", "-1.00"), ("B", "K", "0.00"), ("B", "S", "0.00")]
    assert [one.name for one in report.blinding.declared] == ["A", "B"]
    print_summary(report, Console(width=80))
    for text in (render_markdown(report), render_html(report), capsys.readouterr().out):
        assert "Which system found it" in " ".join(text.split())
    assert "packet of questions after the lock of A" in render_markdown(report)


def test_answers_are_published_and_come_back(context: Context, tmp_path: Path) -> None:
    path = guess_packet(context, "A")
    answer(context, path, lambda system: system)
    collect_packet(context, path, "A")
    guess_packet(context, "B")  # stays out, and does not hold back what is in
    publish_study(context)
    copy = strangers_copy(context.study.root, tmp_path / "copy")
    rebuild_study(copy, CLOCK)
    assert problems(copy) == ()
    publish_study(context_of(copy))
    assert folders(copy) == folders(context.study.root)
    with context_of(copy).frozen() as work:
        assert len(guess_pairs(work.deals, work.label_events, work.pool, work.protocol)["A"]) == 8


# --- by the command line ------------------------------------------------------------------------


def test_the_commands_lead_from_the_lock_to_the_answers(
    dealt: Context, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dealt.study.root)
    label_twice(dealt.study.packet("A"), "A")
    assert run(["collect", "A"]) == 0
    assert "judge packet make A --guesses asks which system found what" in capsys.readouterr().err
    assert run(["packet", "make", "A", "--guesses"]) == 0
    out, err = capsys.readouterr()
    assert out.strip().endswith("packets/A.guess.packet")
    assert "Next: judge label A --guesses" in err
    assert ("which system?", "A out") in status_of(dealt).lines
    assert run(["label", "B", "--guesses"]) == 3
    assert run(["label", "A", "--guesses"]) == 3  # no terminal here, but the right packet
    assert "A.guess.packet" in capsys.readouterr().err
    assert run(["collect", "A"]) == 0  # the answers are still out: nothing is said of them
    assert "already collected" in capsys.readouterr().out
    answer(dealt, dealt.study.packet("A", "guess"), lambda system: system)
    assert run(["collect", "A"]) == 0
    out, err = capsys.readouterr()
    assert ("which system?", "A answered") in status_of(dealt).lines
    assert "A: 9 acts collected" in out
    assert "--guesses" not in err
    assert run(["packet", "make", "B", "--guesses"]) == 3
    assert make_packet(dealt, "C").is_file()


def test_a_packet_of_questions_that_is_not_here_names_the_command_that_makes_it(
    context: Context,
) -> None:
    path = context.study.packet("A", "guess")
    with pytest.raises(Refused) as error:
        read_shown(path)
    assert error.value.hint.startswith("judge packet make A --guesses; where it was dealt")
