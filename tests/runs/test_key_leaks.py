"""A key with every awkward character is nowhere but in the requests, whatever a service does.

The whole way a user goes: the command line, a service described in a file, a real server that
echoes the key in every place and spelling it can think of.
"""

from __future__ import annotations

import base64
import html
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from judge.cli import run
from tests.fakes.described import described
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import frozen_study

KEY = 'sk+Ab1/cd2=ef3%gh4"ij5\\kl6'


def echoes() -> list[str]:
    """The key as a service, or a library on the way, may spell it."""
    raw = KEY.encode()
    percent = quote(KEY, safe="")
    return [
        KEY,
        percent,
        "".join(f"%{ord(c):02x}" if f"%{ord(c):02X}" in percent else c for c in KEY),
        quote(KEY),
        quote_plus(KEY),
        json.dumps(KEY)[1:-1],
        json.dumps(json.dumps(KEY))[1:-1],
        html.escape(KEY),
        repr(KEY)[1:-1],
        repr(raw)[2:-1],
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
        base64.b64encode(raw + b":").decode(),
        base64.b64encode(b"user:" + raw).decode(),
    ]


ALL = " | ".join(echoes())
HOW: dict[str, Callable[[Seen], Answer]] = {
    "auth": lambda _: Answer(f"bad key: {ALL}".encode(), status=401),
    "plan": lambda _: Answer(json.dumps({"error": ALL}).encode(), status=403),
    "quota": lambda _: Answer(f"no credits for {ALL}".encode(), status=402),
    "rejected": lambda _: Answer(json.dumps({"detail": [ALL]}).encode(), status=422),
    "refused": lambda _: Answer(json.dumps({"error": f"too broad: {ALL}"}).encode(), status=422),
    "limit": lambda _: Answer(ALL.encode(), status=429, headers={"Retry-After": "0.001"}),
    "broken": lambda _: Answer(f"trace {ALL}".encode(), status=500),
    "page": lambda _: Answer(f"<html><title>{html.escape(ALL)}</title></html>".encode()),
    "error": lambda _: Answer(json.dumps({"error": ALL}).encode()),
    "cut": lambda _: Answer(json.dumps({"results": [{"id": ALL}]}).encode(), cut=len(ALL)),
    "half": lambda _: Answer(json.dumps({"results": [{"id": ALL}]}).encode()[:-4]),
    "drop": lambda _: Answer(drops=True),
    "redirect": lambda seen: Answer(status=307, headers={"Location": f"https://x{seen.target}"}),
    "listed": lambda _: Answer(
        json.dumps({"results": [{"id": KEY, "title": ALL}], "warnings": [ALL]}).encode()
    ),
    "headers": lambda _: Answer(
        b'{"results":[]}', headers={"X-Request-Id": KEY, "ETag": quote(KEY, safe="")}
    ),
}


def found_in(data: bytes) -> list[str]:
    return [echo for echo in echoes() if echo.encode() in data]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """A log of everything that any library has to say."""
    path = tmp_path / "everything.log"
    handler = logging.FileHandler(path, encoding="utf-8")
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.setLevel(level)
    root.removeHandler(handler)
    handler.close()


@pytest.mark.parametrize("at", ["header", "param"])
@pytest.mark.parametrize("how", list(HOW))
def test_the_key_is_nowhere(
    how: str,
    at: str,
    tmp_path: Path,
    log: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    study = tmp_path / "study"
    frozen_study(study, ["q1"])
    (study / "runs" / "services").mkdir(parents=True)
    (study / "runs" / "services" / "fake.toml").write_text(described(at), "utf-8")
    monkeypatch.setattr("judge.runs.asking.backoff", lambda *_: 0.001)
    monkeypatch.setenv("FAKE_API_KEY", KEY)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with FakeServer(HOW[how]) as server:
        monkeypatch.setenv("FAKE_BASE_URL", server.url)
        run(["capture", "--study", str(study), "--json"])
        run(["capture", "--study", str(study), "--dry-run"])
        run(["providers", "probe", "fake", "--study", str(study)])
        assert server.seen
        seen = server.seen[0]
        sent = seen.headers.get("x-api-key") or seen.params.get("api_key")
    assert sent == KEY
    shown = capfd.readouterr()
    assert found_in(shown.out.encode()) == []
    assert found_in(shown.err.encode()) == []
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            assert found_in(path.read_bytes()) == [], path
    assert b"httpcore" in log.read_bytes()
    assert (study / "study.db").stat().st_size > 0


def test_the_search_for_the_key_finds_it() -> None:
    for echo in echoes():
        assert echo in found_in(f"before {echo} after".encode())
