"""What the tests of the desk share."""

from __future__ import annotations

import pytest
from textual import _wait, screen


@pytest.fixture
def anyio_backend() -> str:
    """Textual runs on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot waits for 20 ms of idleness, twice a key, and the screen paints 60 times a second.

    Both are for people and for applications whose state nobody knows; `Bench.rest` knows it.
    """
    monkeypatch.setattr(screen, "UPDATE_PERIOD", 0.001)
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 0.0005)


@pytest.fixture(autouse=True)
def _plain_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The colours and keys of whoever runs the tests are not those of the tests."""
    for name in ("NO_COLOR", "JUDGE_THEME", "JUDGE_KEYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
