"""Labels from elsewhere and labels given here never mix, and a part of a set is not a set (R51)."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Refused
from judge.records.judgement import AgreementFreeze
from judge.steps.context import Context
from judge.steps.importing import import_columns, import_grades
from judge.steps.judging import collect_packet, export_labels, make_packet
from judge.steps.status import status_of
from tests.steps.acts import at
from tests.steps.studies import label_packet, labels_of


def import_for(context: Context, code: str, start: int, stop: int) -> None:
    """Labels of some of the pooled pairs, as qrels of one person."""
    with context.frozen() as work:
        pairs = [(one.query_id, one.record_id) for one in work.pool][start:stop]
    path = context.study.root / f"{code}-{start}.qrels"
    path.write_text("".join(f"{query} 0 {record} 1\n" for query, record in pairs))
    import_grades(context, path, relevant_from=1, assessor=code)


def test_one_imported_label_does_not_bring_an_assessor_in(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    import_for(context, "A", 0, 1)
    label_packet(make_packet(context, "B"), labels_of(1))
    taken = collect_packet(context, context.study.packet("B"), "B")
    assert (taken.waiting, taken.frozen) == (("A",), None)
    found = status_of(context)
    assert dict(found.lines)["assessor A"] == "labels of 1 of 7 items imported"
    assert found.next == "judge import-labels FILE, with the rest of the labels of A"
    with pytest.raises(Refused, match="A has not handed in; labels stay closed") as error:
        export_labels(context, tmp_path / "out")
    assert error.value.hint == "judge import-labels with the rest of the labels of A"
    import_for(context, "A", 1, 7)
    assert dict(status_of(context).lines)["assessor A"] == "labels imported"
    with context.frozen() as work:
        assert work.ledger.count(AgreementFreeze) == 1
        assert {len(item.labels) for item in work.items} == {2}


def test_imported_labels_stay_closed_while_the_other_assessor_has_none(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    import_for(context, "A", 0, 7)
    with pytest.raises(Refused, match="B has not handed in; labels stay closed"):
        export_labels(context, tmp_path / "out")


def test_nothing_is_dealt_to_an_assessor_whose_labels_were_imported(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    import_for(context, "A", 0, 1)
    before = context.study.store.read_bytes()
    with pytest.raises(Refused, match="labels of A were imported") as error:
        make_packet(context, "A")
    assert "judge import-labels" in error.value.hint
    assert context.study.store.read_bytes() == before
    assert not context.study.packet("A").exists()


def test_nothing_is_dealt_after_final_labels_were_imported(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    import_for(context, "final", 0, 3)
    with pytest.raises(Refused, match="final labels were imported") as error:
        make_packet(context, "A")
    assert "judge init DIR" in error.value.hint
    assert make_packet(context, "C").is_file()  # practice is in no score
    assert status_of(context).stage == "closed"  # nobody is out, whatever the qrels leave open


def test_final_labels_are_not_taken_over_labels_given_here(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    before = context.study.store.read_bytes()
    for importing in (
        lambda: import_for(context, "final", 0, 7),
        lambda: import_columns(
            context,
            context.study.root / "final-0.qrels",
            mapping={"yes": "relevant"},
            assessors={"one": "final"},
        ),
    ):
        with pytest.raises(Refused, match="A, B labels in this tool") as error:
            importing()
        assert "judge init DIR" in error.value.hint
    assert context.study.store.read_bytes() == before
