"""The commands around capture, as a user types them: what they print and how they exit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.cli import run
from judge.runs.providers.all import ADAPTERS
from tests.fakes.adapter import good, listed
from tests.fakes.described import described
from tests.fakes.server import Answer, FakeServer, Script, Seen
from tests.fakes.study import KEY, frozen_study

Run = Callable[..., tuple[int, str, str]]


@dataclass
class Scripted:
    """What the server does, which a test may change."""

    script: Script = good

    def __call__(self, seen: Seen) -> Answer:
        return self.script(seen)


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
def server(scripted: Scripted) -> Iterator[FakeServer]:
    with FakeServer(scripted) as found:
        yield found


@pytest.fixture
def judge(
    tmp_path: Path,
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Run:
    """Runs one command in a frozen study of three queries; exit code, stdout, stderr."""
    frozen_study(tmp_path, ["q1", "q2", "q3"], requested=2)
    services = tmp_path / "runs" / "services"
    services.mkdir(parents=True)
    (services / "fake.toml").write_text(described(), "utf-8")
    (tmp_path / ".env").write_text(f"FAKE_API_KEY={KEY}\nFAKE_BASE_URL={server.url}\n", "utf-8")
    for adapter in ADAPTERS.values():
        monkeypatch.delenv(adapter.facts.key_env or "NONE", raising=False)
    monkeypatch.setattr("judge.runs.asking.backoff", lambda *_: 0.001)
    monkeypatch.chdir(tmp_path)

    def typed(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run(list(arguments))
        shown = capfd.readouterr()
        return code, shown.out, shown.err

    return typed


def test_capture_says_what_came_and_what_is_next(judge: Run, server: FakeServer) -> None:
    code, out, err = judge("capture")
    assert (code, out) == (0, "b: 3 answered\n")
    assert "capture: 3 of 3 (3 answered, 0 refused, 0 failed)" in err
    assert "Next: judge pool" in err
    code, out, _ = judge("capture")
    assert (code, out) == (0, "every query has its outcome already; nothing was asked\n")
    assert len(server.seen) == 3


def test_a_pilot_says_how_many_are_left(judge: Run) -> None:
    code, out, err = judge("capture", "--limit", "1")
    assert (code, out) == (0, "b: 1 answered\n")
    assert "2 queries are left. Next: judge capture" in err


def test_a_dry_run_prints_requests_pages_paid_calls_and_time(judge: Run, tmp_path: Path) -> None:
    text = described(paid=True, interval="40.0")
    (tmp_path / "runs" / "services" / "fake.toml").write_text(text, "utf-8")
    code, out, _ = judge("capture", "--dry-run")
    assert code == 0
    assert "at most 3 requests (1 a query), 3 of them paid, at least 2 min 0 s" in out
    assert "first: GET https://fake.example/search?q=q1&page=1 [X-Api-Key: $FAKE_API_KEY]" in out
    assert "FAKE_API_KEY is set" in out
    code, out, _ = judge("capture", "--dry-run", "--json")
    assert json.loads(out)["paid"] == 3


def test_too_few_confirmed_is_refused_naming_the_number(judge: Run, tmp_path: Path) -> None:
    (tmp_path / "runs" / "services" / "fake.toml").write_text(described(paid=True), "utf-8")
    code, out, err = judge("capture", "b", "--confirm-paid", "2")
    assert (code, out) == (3, "")
    assert "REFUSED: up to 3 paid requests would be sent, 2 are allowed; nothing was sent" in err
    assert "judge capture b --confirm-paid 3" in err


def test_a_service_that_stops_exits_5_with_the_command_that_goes_on(
    judge: Run, scripted: Scripted
) -> None:
    scripted.script = lambda _: Answer(b'{"error":"no credits"}', status=402)
    code, _, err = judge("capture", "b", "--json")
    assert code == 5
    assert "INCOMPLETE: stopped after" in err
    assert "fake: quota: HTTP 402: no credits" in err
    assert "Next: judge capture b" in err


def test_requests_in_doubt_exit_5_and_are_listed(
    judge: Run, scripted: Scripted, tmp_path: Path
) -> None:
    (tmp_path / "runs" / "services" / "fake.toml").write_text(described(paid=True), "utf-8")
    scripted.script = lambda seen: Answer(drops=True) if seen.params["q"] == "q2" else good(seen)
    code, out, err = judge("capture")
    assert (code, out) == (5, "b: 2 answered, 1 in_doubt\n3 paid requests were sent\n")
    assert "in doubt: q2 at b" in err
    assert "--resend-in-doubt" in err
    scripted.script = good
    assert judge("capture", "--resend-in-doubt")[0] == 0


def test_a_missing_key_exits_3_with_its_name(judge: Run, tmp_path: Path) -> None:
    (tmp_path / ".env").unlink()
    code, _, err = judge("capture")
    assert code == 3
    assert "no key in FAKE_API_KEY (system b); nothing was sent" in err
    assert ".env" in err


def test_rounds_from_open_to_list(judge: Run) -> None:
    assert judge("round", "close")[0] == 3
    assert judge("capture", "--limit", "2")[0] == 0
    code, out, _ = judge("round", "close", "--reason", "q3 at b: not asked, a pilot")
    assert (code, out) == (0, "round r1 is closed: 2 answered; 1 with a reason\n")
    assert judge("capture")[0] == 3
    assert judge("round", "open", "r1")[0] == 3
    code, out, _ = judge("round", "open", "r2")
    assert (code, out) == (0, "round r2 is open: 3 queries are planned\n")
    assert judge("capture")[0] == 0
    code, out, _ = judge("round", "list", "--json")
    found = json.loads(out)
    assert [(one["name"], one["scored"], one["outcomes"]) for one in found] == [
        ("r1", True, {"answered": 2}),
        ("r2", False, {"answered": 3}),
    ]
    code, out, _ = judge("round", "list")
    assert "2 of 3 have an outcome (2 answered)" in out


def test_reparse_says_how_many_differ(judge: Run) -> None:
    judge("capture")
    code, out, _ = judge("reparse")
    assert (code, out) == (0, "round r1: 3 records read again, 0 differ\n")


def test_providers_lists_every_service_with_what_is_unverified(judge: Run) -> None:
    code, out, _ = judge("providers", "--json")
    assert code == 0
    found: dict[str, dict[str, Any]] = {one["name"]: one for one in json.loads(out)}
    assert set(found) == {"embedded", "fake", *ADAPTERS}
    assert (found["fake"]["key"], found["fake"]["unverified"]) == ("set", ["whether it exists"])
    assert (found["exa"]["key"], found["exa"]["paid"]) == ("missing", True)
    assert found["pubmed"]["key"] == "not set (works without)"
    assert found["europepmc"]["key"] == "none needed"
    assert (found["elicit"]["calls"], found["fake"]["calls"]) == (1, 50)
    code, out, _ = judge("providers")
    for name, adapter in ADAPTERS.items():
        assert f"{name} ({adapter.facts.adapter})" in out
        for fact in adapter.facts.unverified:
            assert f"unverified: {fact}" in out


def test_a_probe_sends_one_request_and_compares_fact_by_fact(
    judge: Run, server: FakeServer, scripted: Scripted, tmp_path: Path
) -> None:
    before = (tmp_path / "study.db").read_bytes()
    scripted.script = lambda seen: Answer(
        listed("a", "b"),
        headers={"X-RateLimit-Limit": "1", "Date": "Mon, 01 Jan 2001 00:00:00 GMT"},
    )
    code, out, _ = judge("providers", "probe", "fake", "--query", "zinc", "--json")
    assert code == 0
    assert [seen.params["q"] for seen in server.seen] == ["zinc"]
    checks = {one["fact"]: (one["verdict"], one["found"]) for one in json.loads(out)["checks"]}
    assert checks["FAKE_API_KEY is accepted"] == ("agrees", "not refused")
    assert checks["the reply is a list"] == ("agrees", "a list")
    assert checks["whether it exists"][0] == "unverified"
    assert checks["its clock is ours"][0] == "differs"
    assert "x-ratelimit-limit: 1" in checks["at least 0.001 s between requests"][1]
    assert (tmp_path / "study.db").read_bytes() == before


def test_a_probe_of_a_service_that_refuses_the_key_says_so(judge: Run, scripted: Scripted) -> None:
    scripted.script = lambda _: Answer(b'{"error":"unknown key"}', status=401)
    code, out, _ = judge("providers", "probe", "fake")
    assert code == 0
    assert "differs    FAKE_API_KEY is accepted: HTTP 401: unknown key" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere",), 2, "no service 'nowhere'"),
        (("fake", "--mode", "x"), 2, "fake has no mode 'x'; one of b"),
        (("exa",), 3, "EXA_API_KEY is not set; nothing was sent"),
    ],
)
def test_a_probe_that_cannot_be(
    arguments: tuple[str, ...], code: int, said: str, judge: Run
) -> None:
    found, _, err = judge("providers", "probe", *arguments)
    assert found == code
    assert said in err


def test_a_description_with_a_problem_stops_capture(judge: Run, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "services" / "fake.toml"
    path.write_text(described().replace("adapter =", "adaptor ="), "utf-8")
    code, _, err = judge("capture")
    assert code == 2
    assert "runs/services/fake.toml" in err
    assert "adaptor" in err
    path.write_text(described().replace('name = "fake"', 'name = "pubmed"'), "utf-8")
    assert judge("capture")[0] == 2
