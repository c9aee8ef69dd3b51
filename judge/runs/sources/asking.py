"""Asking sources: one polite pace for each, passing trouble repeated, everything else told.

Nothing here is paid, so that a request is simply sent again; what ends a source's run (a used-up
quota, a refused key, silence) is said in every answer from then on, never taken for "not found".
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.canonical import sha256
from judge.clock import Clock
from judge.runs.classify import PASSING, Verdict, classify
from judge.runs.exchange import Limits, Sender
from judge.runs.pacing import JITTER, Chance, Gate, Now, Pacer, Sleep, backoff
from judge.runs.providers.base import Reply, Request
from judge.runs.redact import Redactor
from judge.runs.sources.base import Source


@dataclass(frozen=True)
class Answer:
    """What a request to a source came to."""

    kind: str
    """The class of the reply; ``good`` alone is read."""
    said: str
    at_utc: str
    reply: Reply | None
    body: str | None
    """SHA-256 of the reply."""

    @property
    def good(self) -> bool:
        return self.kind == "good" and self.reply is not None

    @property
    def absent(self) -> bool:
        """Whether the source says that it has no such record."""
        return self.reply is not None and self.reply.status == 404


@dataclass
class _Line:
    """One source: its pace, its gate and its end."""

    source: Source
    sender: Sender
    pacer: Pacer
    gate: Gate
    room: asyncio.Semaphore
    ended: str = ""
    misses: int = 0


@dataclass
class Enquiry:
    """Asks several sources. ``senders`` are by the name of the source's facts.

    ``bodies`` collects every reply by its digest; whoever stores them takes them out.
    """

    senders: Mapping[str, Sender]
    clock: Clock
    now: Now
    sleep: Sleep
    chance: Chance
    limits: Limits
    redactor: Redactor
    bodies: dict[str, bytes] = field(default_factory=dict)
    _lines: dict[str, _Line] = field(default_factory=dict)

    @property
    def ends(self) -> dict[str, str]:
        """By source: why nothing more is sent to it."""
        return {name: line.ended for name, line in self._lines.items() if line.ended}

    async def ask(self, source: Source, request: Request) -> Answer:
        """Sends a request until its reply is settled."""
        line = self._line(source)
        async with line.room:
            sent = 0
            while True:
                await line.gate.passed(self.sleep)
                async with line.pacer.turn():
                    if line.ended:
                        return Answer("error", line.ended, self.clock(), None, None)
                    if line.gate.wait() > 0:
                        continue
                exchange = await line.sender.send(request)
                at_utc = self.clock()
                sent += 1
                verdict = classify(source, request, exchange, at_utc, self.limits)
                if self._settled(line, verdict, sent):
                    break
        reply = exchange.reply
        digest = sha256(reply.body) if reply is not None else None
        if reply is not None and digest is not None:
            self.bodies[digest] = reply.body
        return Answer(verdict.kind, self.redactor.clean_text(verdict.text), at_utc, reply, digest)

    def _settled(self, line: _Line, verdict: Verdict, sent: int) -> bool:
        """Whether no further send is made; closes the gate or ends the source where it must."""
        if verdict.rule.stops:
            resets = f"; it resets at {verdict.resets_at}" if verdict.resets_at else ""
            text = self.redactor.clean_text(f"{verdict.kind}: {verdict.text}{resets}")
            line.ended = line.ended or text
            return True
        if verdict.kind not in PASSING:
            line.misses = 0
            return True
        wait = max(
            backoff(sent, self.limits.backoff_s, self.limits.longest_wait_s),
            verdict.retry_after_s or 0.0,
        )
        line.gate.close(wait * (1 + JITTER * self.chance()))
        most = {"once": 1, "twice": 2, "limit": self.limits.sends}[verdict.rule.sends]
        if sent < min(most, self.limits.sends):
            return False
        line.misses += 1
        if line.misses >= self.limits.misses:
            line.ended = line.ended or f"{line.misses} requests in a row came to nothing"
        return True

    def _line(self, source: Source) -> _Line:
        facts = source.facts
        if facts.name not in self._lines:
            self._lines[facts.name] = _Line(
                source=source,
                sender=self.senders[facts.name],
                pacer=Pacer(facts.min_interval_s, now=self.now, sleep=self.sleep),
                gate=Gate(now=self.now, chance=self.chance),
                room=asyncio.Semaphore(facts.concurrency),
            )
        return self._lines[facts.name]
