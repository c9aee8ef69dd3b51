"""The journal: what is appended goes to disk in order, together, and never past a failure."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from judge.clock import stepping_clock
from judge.errors import Refused
from judge.records.attempt import Intent
from judge.runs.journal import Journal
from judge.store.ledger import Ledger

START = "2026-11-30T09:00:00Z"


def intent(number: int) -> Intent:
    return Intent(
        run_id="r1/b/q1/1",
        number=number,
        round="r1",
        system="b",
        query_id="q1",
        request="0" * 64,
        page=number,
        at_utc=START,
    )


def numbers(ledger: Ledger) -> list[int]:
    return [one.number for one in ledger.all(Intent)]


def test_what_is_waited_for_is_on_disk_with_all_before_it_in_one_event(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "study.db", stepping_clock(START), "t") as ledger:

        async def run() -> None:
            with Journal(ledger) as journal:
                journal.append("replied", "first", [intent(1)], blobs={"a" * 64: b"one"})
                journal.append("replied", "second", [intent(2)], blobs={})
                await journal.record("asked", "third", [intent(3)], blobs={})
                assert numbers(ledger) == [1, 2, 3]

        asyncio.run(run())
        assert [event.kind for event in ledger.events()] == ["created", "replied"]
        assert ledger.blobs() == ("a" * 64,)


def test_what_nobody_waits_for_is_on_disk_once_the_journal_is_drained(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "study.db", stepping_clock(START), "t") as ledger:

        async def run() -> None:
            with Journal(ledger) as journal:
                journal.append("replied", "first", [intent(1)], blobs={}, hurry=False)
                await journal.drained()

        asyncio.run(run())
        assert numbers(ledger) == [1]


def test_after_a_failed_write_nothing_later_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Ledger.record

    def full(ledger: Ledger, kind: Any, subject: str, *groups: Any, **more: Any) -> Any:
        if any(one.number == 2 for group in groups for one in group):
            raise Refused("the disk is full")
        return write(ledger, kind, subject, *groups, **more)

    with Ledger.create(tmp_path / "study.db", stepping_clock(START), "t") as ledger:
        monkeypatch.setattr(Ledger, "record", full)

        async def run() -> list[str]:
            said = []
            with Journal(ledger) as journal:
                together = [
                    journal.append("replied", str(number), [intent(number)], blobs={})
                    for number in (1, 2, 3)
                ]
                for one in together:
                    try:
                        await one
                        said.append("written")
                    except Refused as error:
                        said.append(error.message)
                with pytest.raises(Refused, match="disk is full"):
                    await journal.record("asked", "4", [intent(4)], blobs={})
                with pytest.raises(Refused, match="disk is full"):
                    await journal.drained()
            return said

        assert asyncio.run(run()) == ["written", "the disk is full", "the disk is full"]
        assert numbers(ledger) == [1]
