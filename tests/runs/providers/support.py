"""What the tests of adapters share: asks, replies, and the loop that capture runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from judge.records.protocol import System
from judge.records.run import Notice
from judge.runs.outcome import Parsed
from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Adapter, Ask, Fault, Reply, Request
from tests.runs.providers.fakes import Wire, wire


def ask(
    service: str,
    text: str = "sleep of zebrafish",
    requested: int = 10,
    *,
    max_year: int | None = None,
    mode: str = "",
    **parameters: str,
) -> Ask:
    """An ask of a service in its first mode."""
    adapter = ADAPTERS[service]
    return asked(adapter, text, requested, max_year=max_year, mode=mode, **parameters)


def asked(
    adapter: Adapter,
    text: str = "sleep of zebrafish",
    requested: int = 10,
    *,
    max_year: int | None = None,
    mode: str = "",
    **parameters: str,
) -> Ask:
    """An ask of any adapter."""
    system = System(
        code="S",
        service=adapter.facts.name,
        mode=mode or adapter.facts.modes[0],
        endpoint=adapter.facts.endpoint,
        operators=(),
        quotes_joined_by_and=False,
        parameters=dict(parameters),
    )
    return Ask(system=system, text=text, requested=requested, max_year=max_year)


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    """A reply; anything but bytes is sent as JSON, and ``retry_after`` is a header."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode("utf-8")
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, headers=names, body=data)


def converse(
    adapter: Adapter, fake: Callable[[Wire], Reply], given: Ask
) -> tuple[Parsed, list[Request]]:
    """The whole conversation with a service that takes every request; what was asked on the way."""
    replies: list[Reply] = []
    requests: list[Request] = []
    for _ in range(200):
        step = adapter.step(given, replies)
        if isinstance(step, Parsed):
            return step, requests
        requests.append(step)
        answer = fake(wire(step))
        assert (answer.status, answer.body[:500]) == (200, answer.body[:500])
        assert adapter.fault(step, answer) is None
        replies.append(answer)
    raise AssertionError("the conversation does not end")


def read(service: str, *bodies: Any, **given: Any) -> Parsed:
    """What the adapter reads out of whole replies, asked for no more than they hold."""
    step = ADAPTERS[service].step(ask(service, **given), [reply(body) for body in bodies])
    assert isinstance(step, Parsed), f"the adapter asks for more: {step}"
    return step


def fault(
    service: str, body: Any, status: int = 200, page: int = 1, **headers: str
) -> Fault | None:
    """What the adapter says of one reply to its first request."""
    adapter = ADAPTERS[service]
    request = adapter.step(ask(service), [])
    assert isinstance(request, Request)
    if page != 1:
        request = Request(method=request.method, url=request.url, page=page)
    return adapter.fault(request, reply(body, status, **headers))


def said(parsed: Parsed, kind: str) -> list[str]:
    """The texts of the notices of a kind."""
    return [notice.text for notice in parsed.notices if notice.kind == kind]


def kinds(notices: tuple[Notice, ...]) -> set[str]:
    """The kinds of notices."""
    return {notice.kind for notice in notices}


def ids(parsed: Parsed) -> list[str]:
    """The record ids of a list, in order."""
    assert parsed.hits is not None
    assert [hit.rank for hit in parsed.hits] == list(range(1, len(parsed.hits) + 1))
    return [hit.record_id for hit in parsed.hits]
