"""Every packet is audited when it is made: what leaks is not dealt, what was found is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import judge.steps.auditing as steps
from judge.cli import run
from judge.errors import Invalid, Refused
from judge.judgements.audit import leak_audit
from judge.judgements.visible import Shown
from judge.records.audit import FeatureLine, LeakAudit
from judge.records.judgement import Packet
from judge.records.run import Document, FoundAt, PooledRecord
from judge.reports.render.markdown import render_markdown
from judge.steps.auditing import audit_packet
from judge.steps.context import Context
from judge.steps.judging import make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.store.packet_file import read_packet
from judge.study import FOLDERS
from tests.steps.acts import CLOCK, at
from tests.steps.studies import PROTOCOL, context_of, without_triggers, write_inputs


def tables(context: Context) -> tuple[LeakAudit, ...]:
    with context.frozen() as work:
        return work.ledger.all(LeakAudit)


def nothing_dealt(context: Context) -> bool:
    with context.frozen() as work:
        dealt = bool(work.deals or work.packets or work.ledger.count(LeakAudit))
    return not dealt and list(context.study.packet("A").parent.glob("*.packet*")) == []


def test_the_table_is_kept_with_the_deal_and_read_again(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    assert [table.assessor for table in tables(context)] == ["A", "B"]
    found = audit_packet(context, context.study.packet("A"))
    assert found.stored == found.table == tables(context)[0]
    assert found.leaks == ()
    assert (found.table.items, found.table.permutations) == (7, 0)


def test_one_systems_missing_abstracts_are_refused(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    with context.frozen() as work:
        documents, pool = [], []
        for number in range(40):
            key = f"pmid:{number + 100}"
            documents.append(
                Document(
                    record_id=key,
                    title=f"Paper {number}",
                    abstract="Text." if number % 2 else None,
                    provenance="test",
                )
            )
            found = FoundAt(system="KS"[number % 2], run_id="r1/x", rank=number + 1)
            pool.append(PooledRecord(query_id="q1", record_id=key, found_by=(found,)))
        work.ledger.record("pooled", "planted", documents, pool)
    with pytest.raises(Refused, match="packet leaks: field 'missing fields' tells the system") as e:
        make_packet(context, "A")
    assert "judge check-sources" in e.value.hint
    assert nothing_dealt(context)


def test_titles_of_one_systems_file_beside_neutral_text_are_refused_on_few_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two texts in nine: nothing that statistics could find, and read off at a glance (L6)."""
    context = at("pooled", tmp_path)
    with context.frozen() as work:
        documents, pool = [], []
        for number, (system, source) in enumerate([("K", "corpus"), ("S", "imported from S.csv")]):
            key = f"pmid:{number + 100}"
            documents.append(Document(record_id=key, title="Paper", provenance=source))
            found = FoundAt(system=system, run_id="r1/x", rank=1)
            pool.append(PooledRecord(query_id="q1", record_id=key, found_by=(found,)))
        work.ledger.record("pooled", "planted", documents, pool)
    with pytest.raises(Invalid, match="texts came with the run of one system") as error:
        make_packet(context, "A")
    assert [str(problem) for problem in error.value.problems] == [
        "imported from S.csv: its 1 texts are all of items that S alone found; text from one "
        "source for every system"
    ]
    assert "judge check-sources" in error.value.hint
    assert nothing_dealt(context)
    assert run(["packet", "make", "A", "--study", str(context.study.root)]) == 2
    assert "imported from S.csv" in capsys.readouterr().err


def test_a_title_that_names_a_mode_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "study"
    protocol = PROTOCOL.replace("A small study", "A study of keyword search")
    write_inputs(root, protocol=protocol)
    context = context_of(root)
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    with pytest.raises(Refused) as error:
        make_packet(context, "A")
    assert error.value.message == "packet leaks: the study title names 'keyword'"
    assert "judge amend" in error.value.hint
    assert nothing_dealt(context)


def leaking(table: LeakAudit) -> LeakAudit:
    line = FeatureLine(
        name="position",
        kind="deal",
        tells="system",
        values=10,
        accuracy="0.900",
        threshold="0.600",
        flagged=True,
    )
    return msgspec.structs.replace(table, lines=(line,))


def test_a_position_that_tells_is_dealt_again_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("pooled", tmp_path)
    seen: list[str] = []

    def twice(packet: Packet, items: Sequence[Shown]) -> LeakAudit:
        seen.append(packet.packet_id)
        table = leak_audit(packet, items)
        return leaking(table) if len(seen) < 3 else table

    monkeypatch.setattr(steps, "leak_audit", twice)
    path = make_packet(context, "A")
    assert len(set(seen)) == 3
    assert read_packet(path).packet.packet_id == seen[-1]
    assert [table.packet_id for table in tables(context)] == [seen[-1]]


def test_a_position_that_always_tells_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = at("pooled", tmp_path)
    seen: list[str] = []

    def always(packet: Packet, items: Sequence[Shown]) -> LeakAudit:
        seen.append(packet.packet_id)
        return leaking(leak_audit(packet, items))

    monkeypatch.setattr(steps, "leak_audit", always)
    with pytest.raises(Refused) as error:
        make_packet(context, "A")
    assert error.value.message == (
        "packet leaks: field 'position' tells the system (balanced accuracy 0.900, threshold 0.600)"
    )
    assert len(set(seen)) == 5
    assert nothing_dealt(context)


def test_the_command_prints_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    context = at("dealt", tmp_path)
    monkeypatch.chdir(context.study.root)
    assert run(["packet", "audit", "A"]) == 0
    out, err = capsys.readouterr()
    assert "link host" in out
    assert "term overlap with the need" in out
    assert "The audit has no power" in out
    assert "not the table of the day" not in out
    assert "Next: judge label A" in err
    assert run(["packet", "audit", "A", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["table"]["items"], told["leaks"]) == (7, [])
    assert run(["packet", "audit", "D"]) == 3
    assert "no packet of D is here" in capsys.readouterr().err


def test_a_packet_file_that_was_changed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    context = at("dealt", tmp_path)
    monkeypatch.chdir(context.study.root)
    without_triggers(
        context.study.packet("A"),
        ("UPDATE item SET item_id = 'keyword-1' WHERE position = 2", ()),
    )
    assert run(["packet", "audit", "A"]) == 3
    assert "packet leaks: item 2: field 'id' names 'keyword'" in capsys.readouterr().err


def test_a_packet_of_another_study_is_refused(tmp_path: Path) -> None:
    context = at("dealt", tmp_path / "one")
    other = at("pooled", tmp_path / "two")
    path = make_packet(other, "A")
    with pytest.raises(Refused, match="not a packet that this study dealt"):
        audit_packet(context, path)


def test_the_report_prints_the_tables_of_packets_that_came_back(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    make_packet(context, "C")  # stays out
    written = report_study(context).report
    assert [table.assessor for table in written.blinding.audits] == ["A", "B", "D"]
    page = render_markdown(written)
    assert "Leak audit of the packet of A: 0 items found by one system only" in page
    assert "Leak audit of the adjudication packet of D" in page
    assert "The audit has no power" in page
    assert "What a record says cannot be blinded" in page


def test_tables_are_published_with_their_deals_and_come_back(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    make_packet(context, "C")
    publish_study(context)
    file = context.study.root / "judgements" / "audits.jsonl"
    assert [json.loads(line)["assessor"] for line in file.read_text().splitlines()] == list("ABD")
    before = file.read_bytes()
    other = tmp_path / "other"
    for name in FOLDERS:
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (context.study.root / name).rename(other / name)
    again = Context(rebuild_study(other, CLOCK), clock=CLOCK)
    assert publish_study(again) == []
    assert file.parent.exists() is False
    assert (other / "judgements" / "audits.jsonl").read_bytes() == before
