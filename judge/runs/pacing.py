"""How fast a service is asked: an even pace, and one gate that closes for all who ask it.

Nothing here reads a clock or sleeps by itself; both are passed in.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

Now = Callable[[], float]
"""Seconds of a clock that never goes back."""
Sleep = Callable[[float], Awaitable[None]]
Chance = Callable[[], float]
"""A number from 0 up to 1."""

JITTER = 0.25
"""Largest share by which a wait is lengthened; it is never shortened."""
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


class Pacer:
    """Turns at sending that are at least ``interval_s`` apart.

    Even spacing, without a burst: a limiter that lets a full bucket through at the start breaks
    the rate in its first window. A rate of n per t seconds is kept in every window of t seconds
    by an interval of t/n.
    """

    def __init__(self, interval_s: float, *, now: Now, sleep: Sleep) -> None:
        self._interval = interval_s
        self._now = now
        self._sleep = sleep
        self._next = -math.inf
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for a turn, which lasts until the block is left: send straight after it.

        What must be on disk before sending is written inside the block, so that a slow disk
        delays the turns behind it and never brings two sends closer together.
        """
        if not self._interval:
            yield
            return
        async with self._lock:
            # A sleep may end early by the grain of the clock, hence a loop.
            while (wait := self._next - self._now()) > 0:
                await self._sleep(wait)
            try:
                yield
            finally:
                self._next = self._now() + self._interval


class Gate:
    """Closed for everybody who uses one key at one service, for as long as the service asks."""

    def __init__(self, *, now: Now, chance: Chance) -> None:
        self._now = now
        self._chance = chance
        self._opens = -math.inf
        self._spread = 0.0

    def close(self, seconds: float) -> None:
        """Closes for at least ``seconds``; a longer closing that is under way stands."""
        until = self._now() + seconds
        if until >= self._opens:
            self._opens, self._spread = until, seconds * JITTER

    async def passed(self, sleep: Sleep) -> None:
        """Returns once the gate is open. Each who waited adds a wait of their own, so that not
        all of them set out in the same instant."""
        while (wait := self._opens - self._now()) > 0:
            await sleep(wait + self._chance() * self._spread)

    def wait(self) -> float:
        """Seconds until it opens; 0 while it is open."""
        return max(0.0, self._opens - self._now())


def retry_after(value: str | None, server_date: str | None, now_utc: str) -> float | None:
    """Seconds that a ``Retry-After`` header asks for; None for garbage.

    Digits, decimals, or an HTTP date, which is read against the server's own ``Date`` where there
    is one: its clock may differ from ours.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until = http_date(text)
    if until is None:
        return None
    since = http_date(server_date or "") or datetime.fromisoformat(now_utc)
    return max(0.0, (until - since).total_seconds())


def http_date(text: str) -> datetime | None:
    """An HTTP date as a moment in UTC, or None."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def later(at_utc: str, seconds: float) -> str:
    """The moment ``seconds`` after ``at_utc``, rounded up to a second, as UTC text."""
    try:
        moment = datetime.fromisoformat(at_utc) + timedelta(seconds=math.ceil(seconds))
    except OverflowError:
        return "unavailable"
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def backoff(sent: int, first_s: float, longest_s: float) -> float:
    """The wait after the ``sent``-th send that met a passing trouble: doubling, up to a cap."""
    return float(min(longest_s, first_s * 2 ** (sent - 1)))
