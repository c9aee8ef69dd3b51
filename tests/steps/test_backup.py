"""A backup is a study, proven before it has its name; what was saved at the desk is in it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from judge.cli import run
from judge.errors import Integrity, Refused
from judge.steps.backup import back_up
from judge.steps.recording import verify_study
from judge.store.desk import Desk
from judge.store.packet_file import open_packet, read_events
from judge.study import Study
from tests.steps.acts import at, folders
from tests.steps.studies import START, give, sitting_at, without_triggers


def acts(path: Path) -> int:
    with closing(open_packet(path)) as database, database.read() as connection:
        return len(read_events(connection))


def test_a_backup_is_a_study_of_its_own(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    (context.study.root / ".env").write_text("KEY=secret\n")
    done = back_up(context, tmp_path / "elsewhere" / "copy")
    assert verify_study(Study(done.folder), lambda: START).problems == ()
    assert folders(done.folder) == folders(context.study.root)
    with Study(done.folder).ledger(lambda: START) as copy, context.frozen() as work:
        assert copy.events() == work.ledger.events()
        assert done.events == len(copy.events())
    assert not (done.folder / ".env").exists()
    assert done.folder.stat().st_mode & 0o077 == 0
    assert [path.name for path in done.folder.parent.iterdir()] == ["copy"]


def test_labels_of_a_desk_that_is_open_are_in_it(tmp_path: Path) -> None:
    context = at("dealt", tmp_path)
    packet = context.study.packet("A")
    with Desk(packet) as desk:
        sitting = sitting_at(desk)
        give(sitting, "relevant")
        done = back_up(context, tmp_path / "copy")
        sitting.go(2)
        give(sitting, "relevant")
    assert dict(done.packets)["A.packet"] == 1
    assert acts(done.folder / "packets" / "A.packet") == 1
    assert acts(packet) == 2


def test_nothing_is_replaced_and_no_copy_lies_in_the_study(tmp_path: Path) -> None:
    context = at("frozen", tmp_path)
    there = tmp_path / "there"
    there.mkdir()
    with pytest.raises(Refused, match="never replaces"):
        back_up(context, there)
    with pytest.raises(Refused, match="in the study itself"):
        back_up(context, context.study.root / "copy")
    assert list(there.iterdir()) == []


def test_a_study_that_does_not_hold_is_told_and_no_copy_pretends(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    change = "UPDATE label SET body = replace(body, '\"relevant\"', '\"uncertain\"')"
    without_triggers(context.study.store, (change, ()))
    with pytest.raises(Integrity, match="the copy does not verify, so it was removed"):
        back_up(context, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".copy")] == []


def test_the_command_says_what_it_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = at("dealt", tmp_path)
    target = tmp_path / "copy"
    assert run(["backup", str(target), "--study", str(context.study.root)]) == 0
    shown = capsys.readouterr()
    assert "  A.packet: 0 acts" in shown.out
    assert f"judge verify {target}" in shown.err
