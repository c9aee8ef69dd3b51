"""Verify: whatever byte changed, wherever it lies, it is found and named."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from judge.errors import JudgeError, Refused
from judge.steps.recording import publish_study
from judge.store.published import CHAIN, FILES
from tests.steps.acts import at, folders, problems, strangers_copy
from tests.steps.studies import (
    copy_of,
    stage,
    without_triggers,
    worked,
)

# --- verify -------------------------------------------------------------------------------------

INPUTS = ("README.md", "script/", "statement.toml", "protocol.toml")


def test_every_published_byte_is_checked(tmp_path: Path) -> None:
    """One byte changed in every file that the tool wrote: found in each, and named."""
    root = copy_of(worked(), tmp_path)
    source = random.Random(20261130)
    files = {
        name: data
        for name, data in folders(root).items()
        if not any(part in name for part in INPUTS)
    }
    assert len(files) > 30
    raw = [name for name in files if name.startswith("runs/raw/")]
    for name, data in files.items():
        if name in raw[2:]:
            continue  # the same check as the first two
        place = source.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= 1 << source.randrange(8)
        (root / name).write_bytes(changed)
        found = problems(root)
        (root / name).write_bytes(data)
        assert any(Path(name).name in problem for problem in found), (name, place, found)
    assert problems(root) == ()


def test_a_stranger_who_has_the_folders_alone_finds_it_too(tmp_path: Path) -> None:
    root = strangers_copy(worked(), tmp_path / "copy")
    for name in (
        "judgements/items.csv",
        "judgements/qrels/A.qrels",
        "judgements/labels.jsonl",
        "runs/records.jsonl",
        "protocol/rubric.md",
    ):
        data = (root / name).read_bytes()
        (root / name).write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
        assert any(name in problem for problem in problems(root)), name
        (root / name).write_bytes(data)
    assert problems(root) == ()


@pytest.mark.parametrize("name", ["judgements/items.csv", "judgements/qrels/final.qrels"])
def test_a_file_that_is_gone_is_named(tmp_path: Path, name: str) -> None:
    root = copy_of(worked(), tmp_path)
    (root / name).unlink()
    assert problems(root) == (f"{name}: missing; `judge publish` writes it",)
    report = next((root / "reports").glob("*/report.html"))
    report.unlink()
    assert any("report.html: missing since" in one for one in problems(root))


def test_a_reply_that_is_gone_is_named(tmp_path: Path) -> None:
    root = strangers_copy(worked(), tmp_path / "copy")
    reply = next((root / "runs" / "raw").iterdir())
    reply.unlink()
    assert any(f"raw reply {reply.name[:12]}… is missing" in one for one in problems(root))


def test_another_history_beside_the_store_is_found(tmp_path: Path) -> None:
    # Whole in itself, and not this study's: published before something was done differently.
    context = at("settled", tmp_path / "1")
    other = at("judged", tmp_path / "2")
    with other.frozen() as work:
        work.ledger.record("round_closed", "one thing more")
    publish_study(other)
    for name, data in folders(other.study.root).items():
        (context.study.root / name).parent.mkdir(parents=True, exist_ok=True)
        (context.study.root / name).write_bytes(data)
    assert f"{CHAIN}: tells another history than the store" in problems(context.study.root)


def test_folders_may_be_older_than_the_store(tmp_path: Path) -> None:
    context = at("judged", tmp_path)
    publish_study(context)
    with context.frozen() as work:
        work.ledger.record("round_closed", "one thing more")
    assert problems(context.study.root) == ()


@pytest.mark.parametrize("page", range(0, 60, 4))
def test_a_page_of_zeros_is_found_wherever_it_lies(tmp_path: Path, page: int) -> None:
    root = copy_of(stage("settled"), tmp_path)
    data = bytearray((root / "study.db").read_bytes())
    page %= len(data) // 4096
    data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    (root / "study.db").write_bytes(data)
    assert problems(root)


def test_a_flipped_bit_is_never_a_fault_of_the_program(tmp_path: Path) -> None:
    """Whatever it hits, the answer is words: a problem, a refusal, or nothing that matters."""
    root = copy_of(stage("settled"), tmp_path)
    data = (root / "study.db").read_bytes()
    source = random.Random(20261130)
    rows = rows_of(root / "study.db")
    found = 0
    for _ in range(60):
        changed = bytearray(data)
        changed[source.randrange(len(data))] ^= 1 << source.randrange(8)
        (root / "study.db").write_bytes(changed)
        try:
            said: Any = problems(root)
        except JudgeError as error:
            said = error.message
        if said:
            found += 1
        else:
            assert rows_of(root / "study.db") == rows
    assert found


def rows_of(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            str(name): connection.execute(f"SELECT * FROM {name.decode()}").fetchall()
            for (name,) in names
        }


def test_a_trigger_that_is_gone_is_found(tmp_path: Path) -> None:
    root = copy_of(stage("settled"), tmp_path)
    with closing(sqlite3.connect(root / "study.db")) as connection:
        connection.execute("DROP TRIGGER label_no_update")
    (found,) = problems(root)
    assert "append-only triggers are gone: label_no_update" in found


def test_a_label_that_was_changed_in_the_store_is_found(tmp_path: Path) -> None:
    root = copy_of(stage("settled"), tmp_path)
    without_triggers(
        root / "study.db",
        (
            "UPDATE label SET body = replace(body, 'not_relevant', 'uncertain') "
            "WHERE body LIKE '%not_relevant%'",
            (),
        ),
    )
    found = problems(root)
    assert found
    assert all(one.startswith("label ") for one in found)


def test_a_frozen_field_that_was_changed_is_named(tmp_path: Path) -> None:
    root = copy_of(stage("settled"), tmp_path)
    path = root / "protocol" / "frozen.json"
    path.write_bytes(path.read_bytes().replace(b'"cutoffs":[2,4]', b'"cutoffs":[2,3]'))
    assert any("changed: protocol.depth.cutoffs" in one for one in problems(root))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "A small study"', 'title = "Another"', "(changed: title)"),
        ("cutoffs = [2, 4]", "cutoffs = [2, 3]", "(changed: depth.cutoffs)"),
        ('ties = "none"', "", "(changed: protocol.toml"),
        ('title = "A small study"', "title = ", "(changed: protocol.toml: not TOML"),
    ],
)
def test_a_protocol_that_was_edited_after_the_freeze_is_found(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    root = copy_of(stage("settled"), tmp_path)
    path = root / "protocol" / "protocol.toml"
    text = path.read_text()
    path.write_text("# A comment says nothing.\n" + text)
    assert problems(root) == ()
    path.write_text(text.replace(old, new))
    (found,) = problems(root)
    assert found.startswith("protocol/protocol.toml no longer says what was frozen")
    assert said in found
    assert found.endswith("a wanted change goes through judge amend")


def test_all_problems_are_listed(tmp_path: Path) -> None:
    root = copy_of(worked(), tmp_path)
    for name in ("protocol/rubric.md", "judgements/items.csv"):
        (root / name).write_bytes((root / name).read_bytes() + b"\n")
    report = next((root / "reports").glob("*/report.md"))
    report.write_bytes(report.read_bytes() + b"\n")
    found = "\n".join(problems(root))
    for name in ("protocol/rubric.md", "judgements/items.csv", "report.md: changed since"):
        assert name in found


def test_a_folder_without_a_study_has_nothing_to_verify(tmp_path: Path) -> None:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "protocol" / "protocol.toml").write_text("")
    with pytest.raises(Refused, match="neither a store nor published folders are here"):
        problems(tmp_path)


def test_published_records_carry_no_time_of_day_of_a_label(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    publish_study(context)
    for line in (context.study.root / FILES["label"]).read_text().splitlines():
        label = json.loads(line)
        assert label["on"] == "2026-11-30"
        assert "at_utc" not in label
