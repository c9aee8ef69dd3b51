"""Settling disagreements: the open ones are dealt, a decision stands until a label changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.records.judgement import AgreementFreeze, ImportedLabel
from judge.steps.context import Context
from judge.steps.importing import import_columns
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    unlock_packet,
)
from judge.store.desk import Desk
from tests.steps.acts import at, relabel, states
from tests.steps.studies import (
    settle_packet,
    sitting_at,
)

# --- adjudication -------------------------------------------------------------------------------


@pytest.mark.parametrize("made", ["pooled", "dealt"])
def test_adjudication_waits_for_both(tmp_path: Path, made: str) -> None:
    context = at(made, tmp_path)
    with pytest.raises(Refused):
        adjudication_packet(context)
    assert not context.study.packet("D", "adjudication").exists()


def test_the_adjudicator_gets_the_disagreements_and_nothing_else(tmp_path: Path) -> None:
    context = at("disputed", tmp_path)
    path = context.study.packet("D", "adjudication")
    with Desk(path) as desk:
        assert desk.packet.items == 2
        titles = {desk.view(position).title for position in (1, 2)}
        assert titles == {"Aspirin in mice", "Statins and the liver"}
        first = desk.reveal(1)
    assert first is not None
    before = path.read_bytes(), context.study.store.read_bytes()
    assert adjudication_packet(context) == path  # the one that is out
    assert (path.read_bytes(), context.study.store.read_bytes()) == before


def test_what_was_decided_is_final_and_both_first_labels_stay(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    assert states(context) == {
        "pmid:1": ("agree", "relevant"),
        "pmid:2": ("agree", "not_relevant"),
        "pmid:3": ("below_evidence", None),
        "pmid:4": ("adjudicated", "not_relevant"),
        "pmid:5": ("adjudicated", "not_relevant"),
        "pmid:6": ("split_access", None),
        "pmid:7": ("both_cannot_judge", None),
    }
    with context.frozen() as work:
        (settled,) = [item for item in work.items if item.record_id == "pmid:4"]
        assert {code: one.label for code, one in settled.labels.items()} == {
            "A": "relevant",
            "B": "not_relevant",
        }
        assert settled.adjudication is not None
        assert (settled.adjudication.by, settled.adjudication.blind) == ("D", "relevant")
    with pytest.raises(Refused, match="no disagreement is open; nothing to adjudicate"):
        adjudication_packet(context)


def test_a_disagreement_that_changed_is_decided_again(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    relabel(context, "A", "Aspirin in mice", "uncertain")
    assert states(context)["pmid:4"] == ("adjudication_stale", None)
    assert states(context)["pmid:5"] == ("adjudicated", "not_relevant")
    path = context.study.packet("D", "adjudication")
    old = path.read_bytes()
    with Desk(adjudication_packet(context)) as desk:
        assert desk.packet.items == 1
    # What was collected is put aside under another name, never written over.
    assert path.with_name("D.adjudication.packet.collected-1").read_bytes() == old
    settle_packet(path, "relevant")
    collect_packet(context, path, "D")
    assert states(context)["pmid:4"] == ("adjudicated", "relevant")
    with context.frozen() as work:
        assert work.ledger.count(AgreementFreeze) == 2
        assert work.ledger.problems() == []


def test_a_new_disagreement_is_decided_too(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    relabel(context, "B", "Aspirin and stroke", "not_relevant")
    assert states(context)["pmid:1"] == ("disagree", None)
    path = context.study.packet("D", "adjudication")
    settle_packet(adjudication_packet(context), "relevant")
    collect_packet(context, path, "D")
    assert states(context)["pmid:1"] == ("adjudicated", "relevant")


def test_an_adjudicators_packet_is_opened_again_as_well(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    unlock_packet(context, "D", "the second was a slip")
    path = context.study.packet("D", "adjudication")
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        sitting.go(1)
        sitting.decide("relevant", "on_topic")
        sitting.hand_in("I decided alone.")
    assert collect_packet(context, path, "D").events == 2
    assert sorted(str(final) for _, final in states(context).values()).count("relevant") == 2


# --- labels from elsewhere ----------------------------------------------------------------------


def columns(context: Context, text: str) -> None:
    path = context.study.root / "labels.csv"
    path.write_text(text)
    import_columns(
        context,
        path,
        mapping={"yes": "relevant", "no": "not_relevant"},
        assessors={"one": "A", "two": "B"},
    )


def test_imported_labels_are_frozen_and_their_disagreements_settled(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    with context.frozen() as work:
        keys = [(record.query_id, record.record_id) for record in work.pool]
    rows = [f"{query},{record},yes,yes\n" for query, record in keys]
    rows[0] = rows[0].replace("yes,yes", "yes,no")
    columns(context, "query_id,record_id,one,two\n" + "".join(rows))
    with context.frozen() as work:
        (frozen,) = work.ledger.all(AgreementFreeze)
        assert len(frozen.pairs) == 7
        assert [state for _, (state, _) in states(context).items()].count("disagree") == 1
        assert work.ledger.count(ImportedLabel) == 14
    path = adjudication_packet(context)
    with Desk(path) as desk:
        assert desk.packet.items == 1
        shown = desk.reveal(1)
    assert shown is not None
    assert (shown.first.evidence, shown.first.reason) == ("unavailable", "")
    settle_packet(path)
    collect_packet(context, path, "D")
    assert ("adjudicated", "not_relevant") in states(context).values()


def test_an_assessor_labels_here_or_elsewhere_never_both(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    before = context.study.store.read_bytes()
    with pytest.raises(Refused, match="A, B labels in this tool"):
        columns(context, "query_id,record_id,one,two\nq1,pmid:1,yes,yes\n")
    assert context.study.store.read_bytes() == before
