"""The journal of a capture: what was sent and what came back, each on disk before the next step.

The journal is the study's own store; its writes happen in one thread of their own, because a
stalled event loop makes good replies look like timeouts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from judge.records.attempt import Attempt, Intent
from judge.records.base import Record
from judge.records.event import StudyEventKind
from judge.records.run import RunRecord
from judge.runs.providers.base import Reply
from judge.store.ledger import Ledger

MOMENT_S = 0.05
"""How long a write without hurry waits for more."""
GATHER_S = 0.003
"""How long any write waits for others that are about to come. A commit takes the disk and the
processor about as long, and a service far longer; what is sent is on disk before it is sent."""
TOGETHER = 24
"""Entries after which it waits no longer."""


@dataclass
class Past:
    """What a query's requests at one system came to before this capture began."""

    attempts: list[Attempt] = field(default_factory=list)
    intents: list[Intent] = field(default_factory=list)

    def sent(self, run_id: str) -> int:
        """The highest number that a request of an execution has."""
        both: Iterable[Attempt | Intent] = (*self.attempts, *self.intents)
        return max((one.number for one in both if one.run_id == run_id), default=0)

    def paid_for(self, run_id: str | None = None) -> dict[str, Attempt]:
        """Paid requests with a good reply by their key: of one execution, or of all."""
        return {
            one.request: one
            for one in self.attempts
            if one.paid and one.outcome == "good" and run_id in (None, one.run_id)
        }

    def paid_unread(self, run_id: str) -> dict[str, Attempt]:
        """Paid requests of an execution by their key whose reply arrived and gave no list."""
        return {
            one.request: one
            for one in self.attempts
            if one.paid and one.run_id == run_id and one.outcome in ("malformed", "bad_reply")
        }

    def unanswered(self, settled: int = 0) -> Intent | None:
        """A paid request that was to be sent, that nobody knows the end of, and that belongs to
        an execution after number ``settled``."""
        known = {(one.run_id, one.number) for one in self.attempts if one.outcome != "in_doubt"}
        return next(
            (
                one
                for one in self.intents
                if (one.run_id, one.number) not in known
                and int(one.run_id.rpartition("/")[2]) > settled
            ),
            None,
        )


def past_of(ledger: Ledger, round_name: str) -> dict[tuple[str, str], Past]:
    """By (system, query): everything that was sent in a round."""
    found: dict[tuple[str, str], Past] = {}
    for attempt in ledger.all(Attempt):
        if attempt.round == round_name:
            found.setdefault((attempt.system, attempt.query_id), Past()).attempts.append(attempt)
    for intent in ledger.all(Intent):
        if intent.round == round_name:
            found.setdefault((intent.system, intent.query_id), Past()).intents.append(intent)
    return found


def doubts_of(
    past: Mapping[tuple[str, str], Past], runs: Iterable[RunRecord], round_name: str
) -> dict[tuple[str, str], Intent]:
    """By (system, query): a paid request of a round that nobody knows the end of and that no
    record says to be in doubt."""
    settled: dict[tuple[str, str], int] = {}
    for run in runs:
        if run.round == round_name and run.outcome == "in_doubt":
            pair = (run.system, run.query_id)
            settled[pair] = max(run.attempt, settled.get(pair, 0))
    found = {pair: one.unanswered(settled.get(pair, 0)) for pair, one in past.items()}
    return {pair: intent for pair, intent in found.items() if intent is not None}


def stored_reply(ledger: Ledger, attempt: Attempt) -> Reply:
    """The reply of an attempt, from the store. Raises `Integrity` where its bytes changed."""
    body = b"" if attempt.body is None else ledger.blob(attempt.body)
    return Reply(status=attempt.status or 0, headers=attempt.headers, body=body)


@dataclass
class _Entry:
    """What one caller wants written, and whom to tell."""

    kind: StudyEventKind
    subject: str
    groups: tuple[Sequence[Record], ...]
    blobs: Mapping[str, bytes]
    written: asyncio.Future[None]


class Journal:
    """Appends to the study's store from the event loop. Use as a context manager."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._waiting: list[_Entry] = []
        self._wanted = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._broken: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.shutdown(wait=True)

    async def record(
        self,
        kind: StudyEventKind,
        subject: str,
        *groups: Sequence[Record],
        blobs: Mapping[str, bytes],
        hurry: bool = True,
    ) -> None:
        """Appends records as `Ledger.record` does. When it returns, they are on disk, with all
        that was appended before them.

        What comes while a write is under way goes to disk together in the next one: waiting for
        the disk is most of the work. Without ``hurry`` a write waits a moment for more.
        """
        await self.append(kind, subject, *groups, blobs=blobs, hurry=hurry)

    def append(
        self,
        kind: StudyEventKind,
        subject: str,
        *groups: Sequence[Record],
        blobs: Mapping[str, bytes],
        hurry: bool = True,
    ) -> asyncio.Future[None]:
        """`record` without waiting: what is appended later is on disk never without this.

        After a write that failed nothing is written any more, so that a later record cannot stand
        there without an earlier one; every waiting and later caller gets the error.
        """
        written = asyncio.get_running_loop().create_future()
        written.add_done_callback(_looked_at)
        self._waiting.append(_Entry(kind, subject, groups, blobs, written))
        if hurry or len(self._waiting) >= TOGETHER:
            self._wanted.set()
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return written

    async def drained(self) -> None:
        """Returns once everything that was appended is on disk. Raises what a write raised."""
        while self._writer is not None:
            self._wanted.set()
            await asyncio.shield(self._writer)
        if self._broken is not None:
            raise self._broken

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                await self._gathered()
                entries, self._waiting = self._waiting, []
                count = 0
                if self._broken is None:
                    count, self._broken = await loop.run_in_executor(
                        self._thread, _kept, self.ledger, entries
                    )
                for number, entry in enumerate(entries):
                    if entry.written.done():
                        continue
                    if number < count or self._broken is None:
                        entry.written.set_result(None)
                    else:
                        entry.written.set_exception(self._broken)
        finally:
            self._writer = None

    async def _gathered(self) -> None:
        """Returns once the next write should begin."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT_S):
                await self._wanted.wait()
        self._wanted.clear()
        await asyncio.sleep(GATHER_S)  # for those that are about to wait too

    async def reply(self, attempt: Attempt) -> Reply:
        """`stored_reply`, in the thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, stored_reply, self.ledger, attempt
        )


def _looked_at(written: asyncio.Future[None]) -> None:
    """Marks an error as seen: whoever appends next meets it."""
    if not written.cancelled():
        written.exception()


_ORDER: tuple[StudyEventKind, ...] = ("captured", "replied", "asked")
"""Of several entries in one event, the kind that says most names it."""


def _kept(ledger: Ledger, entries: Sequence[_Entry]) -> tuple[int, Exception | None]:
    """How many entries are on disk, from the first on, and what kept the next one from it.

    Where all together cannot be written, each is tried: a reply that was paid for is not lost
    because the record after it is.
    """
    try:
        _written(ledger, entries)
    except Exception as error:
        if len(entries) == 1:
            return 0, error
        for number, entry in enumerate(entries):
            count, why = _kept(ledger, [entry])
            if not count:
                return number, why
    return len(entries), None


def _written(ledger: Ledger, entries: Sequence[_Entry]) -> None:
    """Writes entries as one event in one transaction."""
    groups: dict[type[Record], list[Record]] = {}
    blobs: dict[str, bytes] = {}
    for entry in entries:
        for group in entry.groups:
            for record in group:
                groups.setdefault(type(record), []).append(record)
        blobs.update(entry.blobs)
    kind = min((entry.kind for entry in entries), key=_ORDER.index)
    subject = next(entry.subject for entry in entries if entry.kind == kind)
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    ledger.record(kind, subject + more, *groups.values(), blobs=blobs)
