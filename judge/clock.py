"""Time, passed in: UTC text to the second with a ``Z``, so that no naive time exists anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], str]
"""Returns the moment as ``YYYY-MM-DDTHH:MM:SSZ``."""

UTC_TEXT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
DATE_TEXT = re.compile(r"\d{4}-\d{2}-\d{2}")


def system_clock() -> str:
    """The machine's clock."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stepping_clock(start: str, seconds: int = 1) -> Clock:
    """A clock that starts at ``start`` and moves on by ``seconds`` at each call."""
    at = datetime.strptime(start, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)

    def tick() -> str:
        nonlocal at
        shown = at.strftime("%Y-%m-%dT%H:%M:%SZ")
        at += timedelta(seconds=seconds)
        return shown

    return tick


def is_utc(text: str) -> bool:
    """Whether ``text`` is a real moment written as ``YYYY-MM-DDTHH:MM:SSZ`` (R29)."""
    return bool(UTC_TEXT.fullmatch(text)) and _parses(text[:-1])


def is_date(text: str) -> bool:
    """Whether ``text`` is a real day written as ``YYYY-MM-DD``."""
    return bool(DATE_TEXT.fullmatch(text)) and _parses(text)


def _parses(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
