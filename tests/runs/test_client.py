"""The one module that speaks HTTP, against a real server that misbehaves on request."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from judge import __version__
from judge.errors import Invalid
from judge.runs.client import Client, HttpSender, base_of
from judge.runs.exchange import Exchange, Limits
from judge.runs.providers.base import Request, Secret
from judge.runs.redact import REMOVED, Redactor
from tests.fakes.adapter import BASE_ENV, FACTS
from tests.fakes.server import Answer, FakeServer, Seen

KEY = 'sk+Ab1/cd2=ef3%gh4"ij5\\kl6'
LIMITS = Limits(deadline_s=20.0, connect_s=5.0, body_bytes=100_000)
NOWHERE = "https://fake.example/v1/search"


def ask(
    server: FakeServer | str,
    *,
    times: int = 1,
    limits: Limits = LIMITS,
    environment: Mapping[str, str] | None = None,
    **changes: Any,
) -> list[Exchange]:
    """What comes back from a request, sent so many times by one client."""
    request = Request(**{"method": "GET", "url": NOWHERE, **changes})
    base = server if isinstance(server, str) else server.url

    async def run() -> list[Exchange]:
        async with Client(environment or {}, Redactor(), limits) as client:
            return [await client.send(request, base) for _ in range(times)]

    return asyncio.run(run())


def answering(**answer: Any) -> Callable[[Seen], Answer]:
    return lambda _: Answer(**answer)


def test_a_request_goes_out_as_it_was_built() -> None:
    with FakeServer(answering(body=b"{}")) as server:
        (found,) = ask(
            server,
            environment={"JUDGE_CONTACT": "team@example.org", "FAKE_KEY": KEY},
            method="POST",
            params=(("q", "a b&c"), ("page", "1")),
            headers={"X-Other": "1"},
            body='{"query":"é"}',
            secrets=(
                Secret(at="header", name="Authorization", env="FAKE_KEY", prefix="Bearer "),
                Secret(at="param", name="api_key", env="FAKE_KEY"),
                Secret(at="param", name="token", env="NOT_SET"),
            ),
        )
    (seen,) = server.seen
    assert (seen.method, seen.path, seen.body) == ("POST", "/v1/search", '{"query":"é"}'.encode())
    assert seen.target.startswith("/v1/search?q=a%20b%26c&page=1&api_key=")
    assert seen.params == {"q": "a b&c", "page": "1", "api_key": KEY}
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["user-agent"] == f"blindjudge/{__version__} (+mailto:team@example.org)"
    assert seen.headers["accept"] == "application/json"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["x-other"] == "1"
    assert (found.trouble, found.http_version) == ("", "HTTP/1.1")


def test_a_request_may_say_what_it_accepts_and_nobody_need_give_a_contact() -> None:
    with FakeServer(answering(body=b"<xml/>")) as server:
        ask(server, headers={"Accept": "application/xml"})
    assert server.seen[0].headers["accept"] == "application/xml"
    assert server.seen[0].headers["user-agent"] == f"blindjudge/{__version__}"
    assert "content-type" not in server.seen[0].headers


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with FakeServer(answering(body=b"{}")) as server:
        (found,) = ask(server)
    assert found.reply is not None
    assert found.reply.status == 200


def test_a_cookie_is_neither_kept_nor_sent_back() -> None:
    with FakeServer(answering(body=b"{}", headers={"Set-Cookie": "session=1; Path=/"})) as server:
        found = ask(server, times=2)
    assert [seen.headers.get("cookie") for seen in server.seen] == [None, None]
    assert all("set-cookie" not in one.reply.headers for one in found if one.reply)


def test_headers_are_kept_by_an_allow_list() -> None:
    sent = {
        "Date": "Mon, 30 Nov 2026 09:00:00 GMT",
        "Retry-After": "3",
        "X-RateLimit-Remaining": "1, 14999",
        "X-Api-Key": "echo",
        "Set-Cookie": "a=b",
        "X-Account": "team@example.org",
    }
    with FakeServer(answering(body=b"{}", headers=sent)) as server:
        (found,) = ask(server)
    assert found.reply is not None
    assert found.reply.headers == {
        "content-type": "application/json",
        "date": "Mon, 30 Nov 2026 09:00:00 GMT",
        "retry-after": "3",
        "x-ratelimit-remaining": "1, 14999",
    }


def test_a_redirect_is_refused_and_the_key_stays_here() -> None:
    with (
        FakeServer(answering(body=b"{}")) as other,
        FakeServer(answering(status=302, headers={"Location": f"{other.url}/x?key=1"})) as server,
    ):
        (found,) = ask(
            server,
            environment={"FAKE_KEY": KEY},
            secrets=(Secret(at="header", name="X-Api-Key", env="FAKE_KEY"),),
        )
    assert other.seen == []
    assert found.trouble == "redirect"
    assert found.text == "a redirect to 127.0.0.1; redirects are refused"
    assert found.reply is not None
    assert found.reply.status == 302


def test_a_drip_does_not_outlive_the_deadline() -> None:
    # Each byte comes well within any read timeout; all of them would take 1,000 seconds.
    with FakeServer(answering(body=b"x" * 10_000, drip_s=0.1)) as server:
        (found,) = ask(server, limits=Limits(deadline_s=0.5))
    assert (found.trouble, found.text) == ("timeout", "no whole reply within 0.5 s")
    assert found.reply is not None
    assert found.reply.status == 200


def test_a_hang_ends_with_the_deadline() -> None:
    with FakeServer(answering(hangs=True)) as server:
        (found,) = ask(server, limits=Limits(deadline_s=0.3))
    assert (found.trouble, found.reply) == ("timeout", None)


def test_a_reply_that_breaks_off_is_kept_as_far_as_it_came() -> None:
    with FakeServer(answering(body=b'{"results": []}', cut=5)) as server:
        (found,) = ask(server)
    assert found.trouble == "truncated"
    assert found.text.startswith("the reply broke off: RemoteProtocolError")
    assert found.reply is not None
    assert (found.reply.status, found.reply.body) == (200, b'{"res')


def test_a_connection_that_closes_without_a_word_may_have_been_heard() -> None:
    with FakeServer(answering(drops=True)) as server:
        (found,) = ask(server)
    assert (found.trouble, found.reply) == ("transport", None)


def test_where_nobody_listens_nothing_was_sent() -> None:
    with FakeServer(answering()) as server:
        url = server.url
    (found,) = ask(url)
    assert (found.trouble, found.reply) == ("unsent", None)


def test_an_endless_body_is_cut_at_the_cap() -> None:
    with FakeServer(answering(endless=True)) as server:
        (found,) = ask(server)
    assert (found.trouble, found.text) == ("too_large", "the reply is longer than 100000 bytes")


def test_a_small_reply_that_grows_when_it_is_unpacked_is_cut_too() -> None:
    body = gzip.compress(b"0" * 5_000_000)
    with FakeServer(answering(body=body, headers={"Content-Encoding": "gzip"})) as server:
        (found,) = ask(server)
    assert found.trouble == "too_large"


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd", "gzip,deflate"])
def test_a_coding_that_nobody_asked_for_is_not_undone(coding: str) -> None:
    """Packed twice, 3 KB become gigabytes in a single step, before a cap can count them."""
    body = gzip.compress(gzip.compress(bytes(50_000_000)))
    with FakeServer(answering(body=body, headers={"Content-Encoding": coding})) as server:
        (found,) = ask(server)
    assert (found.trouble, found.text) == ("packed", f"packed as {coding!r}; not unpacked")
    assert found.reply is not None
    assert (found.reply.status, found.reply.body) == (200, b"")


def test_the_body_is_what_was_sent_with_its_coding_undone() -> None:
    body = gzip.compress(b'{"results":[]}')
    with FakeServer(answering(body=body, headers={"Content-Encoding": "gzip"})) as server:
        (found,) = ask(server)
    assert found.reply is not None
    assert found.reply.body == b'{"results":[]}'
    assert found.reply.headers["content-encoding"] == "gzip"


def test_a_coding_that_is_none_is_no_whole_reply() -> None:
    with FakeServer(answering(body=b"not gzip", headers={"Content-Encoding": "gzip"})) as server:
        (found,) = ask(server)
    assert found.trouble == "truncated"


@pytest.mark.parametrize("where", ["body", "header"])
def test_an_echoed_key_is_gone_from_what_comes_back(where: str) -> None:
    def echo(seen: Seen) -> Answer:
        key = seen.params["api_key"]
        if where == "body":
            return Answer(f"bad key {key}".encode(), status=401)
        return Answer(b"{}", status=401, headers={"X-Request-Id": f"1-{key}"})

    with FakeServer(echo) as server:
        (found,) = ask(
            server,
            environment={"FAKE_KEY": KEY},
            secrets=(Secret(at="param", name="api_key", env="FAKE_KEY"),),
        )
    assert found.reply is not None
    assert server.seen[0].params["api_key"] == KEY
    assert found.redacted == (where == "body")
    if where == "body":
        assert found.reply.body == f"bad key {REMOVED}".encode()
    else:
        assert found.reply.headers["x-request-id"] == f"1-{REMOVED}"


def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_sent() -> None:
    with FakeServer(answering(body=b"{}")) as server, pytest.raises(Invalid, match="FAKE_KEY"):
        ask(
            server,
            environment={"FAKE_KEY": "line\nbreak-in-it"},
            secrets=(Secret(at="header", name="X-Api-Key", env="FAKE_KEY"),),
        )
    assert server.seen == []


def test_no_request_goes_in_the_clear_to_another_machine() -> None:
    with pytest.raises(Invalid, match="neither https nor an address of this machine"):
        ask("http://192.0.2.1")
    with pytest.raises(Invalid, match="neither https"):
        ask("", url="http://fake.example/search")
    with pytest.raises(Invalid, match=BASE_ENV):
        base_of(FACTS, {BASE_ENV: "http://192.0.2.1"})


def test_a_sender_asks_at_the_address_of_the_environment() -> None:
    with FakeServer(answering(body=b"{}")) as server:
        environment = {BASE_ENV: server.url}

        async def run() -> Exchange:
            async with Client(environment, Redactor(), LIMITS) as client:
                sender = HttpSender(client, FACTS, environment)
                return await sender.send(Request(method="GET", url=NOWHERE))

        found = asyncio.run(run())
    assert found.reply is not None
    assert server.seen[0].path == "/v1/search"


def test_the_log_of_the_library_holds_no_key(caplog: pytest.LogCaptureFixture) -> None:
    environment = {"FAKE_KEY": KEY}
    request = Request(
        method="GET",
        url=NOWHERE,
        secrets=(Secret(at="param", name="api_key", env="FAKE_KEY"),),
    )
    redactor = Redactor()

    async def run(url: str) -> None:
        async with Client(environment, redactor, LIMITS) as client:
            await client.send(request, url)

    with FakeServer(answering(body=b"{}")) as server, caplog.at_level(logging.DEBUG):
        with redactor.guarding_logs():
            asyncio.run(run(server.url))
        sent = server.seen[0].target
    text = caplog.text
    assert "HTTP Request: GET" in text
    assert f"api_key={REMOVED}" in text
    assert sent.partition("api_key=")[2] not in text
    assert KEY not in text
