"""Stand-ins for search services: each takes exactly the request that its service documents.

A fake is a function from what goes over the wire to a reply. Any other method, address, parameter,
header or body is answered with 4xx and what is wrong with it, so that an adapter that asks wrongly
gets no list. `wire` makes out of an adapter's request what a client sends, keys and all; a server
may hand over the same. Everything that the fakes find is invented.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.runs.providers.base import Reply, Request

KEYS = {
    name: f"test+{name.lower()}/="
    for name in (
        "ELICIT_API_KEY",
        "CONSENSUS_API_KEY",
        "SEMANTIC_SCHOLAR_API_KEY",
        "OPENALEX_API_KEY",
        "SERPAPI_API_KEY",
        "EXA_API_KEY",
        "BRAVE_API_KEY",
        "PARALLEL_API_KEY",
        "PERPLEXITY_API_KEY",
        "NCBI_API_KEY",
    )
} | {"JUDGE_CONTACT": "team@example.org"}
"""The keys that the fakes know."""
BY_CLIENT = {"host", "user-agent", "accept-encoding", "connection", "content-length"}
"""Headers that every HTTP client adds."""


@dataclass(frozen=True)
class Wire:
    """A request as a service sees it."""

    method: str
    url: str
    """Scheme, host and path."""
    params: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    """Lower-case names."""
    body: str | None

    def value(self, name: str) -> str | None:
        """The one value of a parameter."""
        found = [value for key, value in self.params if key == name]
        return found[0] if len(found) == 1 else None


def wire(request: Request, keys: Mapping[str, str] = KEYS) -> Wire:
    """What a client sends for a request: with the keys that the environment holds."""
    params = list(request.params)
    headers = {name.lower(): value for name, value in request.headers.items()}
    for secret in request.secrets:
        if (key := keys.get(secret.env)) is None:
            continue
        if secret.at == "header":
            headers[secret.name.lower()] = secret.prefix + key
        else:
            params.append((secret.name, secret.prefix + key))
    return Wire(request.method, request.url, tuple(params), headers, request.body)


@dataclass
class Check:
    """Collects what differs between a request and what the service documents."""

    wire: Wire
    wrong: list[str] = field(default_factory=list)

    def need(self, holds: bool, what: str) -> None:
        """Notes ``what`` where it does not hold."""
        if not holds:
            self.wrong.append(what)

    def address(self, method: str, url: str) -> None:
        """Method and address, exactly."""
        self.need(self.wire.method == method, f"method {self.wire.method}, not {method}")
        self.need(self.wire.url == url, f"address {self.wire.url}, not {url}")

    def headers(self, **wanted: str) -> None:
        """Exactly these headers beside the client's own; ``_`` stands for ``-``."""
        names = {name.replace("_", "-"): value for name, value in wanted.items()}
        found = {k: v for k, v in self.wire.headers.items() if k not in BY_CLIENT}
        self.need(found == names, f"headers {sorted(found)}, not {sorted(names)}, or a value")

    def params(self, needed: Mapping[str, str], optional: Mapping[str, str] | None = None) -> None:
        """Exactly these parameters, each once, each matching its pattern."""
        allowed = {**needed, **(optional or {})}
        names = [name for name, _ in self.wire.params]
        self.need(len(names) == len(set(names)), f"a parameter stands twice: {names}")
        self.need(set(needed) <= set(names), f"missing: {sorted(set(needed) - set(names))}")
        for name, value in self.wire.params:
            pattern = allowed.get(name)
            self.need(pattern is not None, f"unknown parameter {name}")
            if pattern is not None:
                self.need(
                    re.fullmatch(pattern, value, re.ASCII | re.DOTALL) is not None,
                    f"{name}={value!r} does not match {pattern}",
                )

    def no_body(self) -> None:
        """A GET has none."""
        self.need(self.wire.body is None, "a body with a GET")

    def json(self, needed: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
        """The JSON object of the body, with exactly these keys."""
        self.need(self.wire.params == (), "parameters beside a body")
        try:
            found = json.loads(self.wire.body or "", object_pairs_hook=_once)
        except ValueError as error:
            self.wrong.append(f"body: {error}")
            return {}
        if not isinstance(found, dict):
            self.wrong.append("body: no object")
            return {}
        self.need(set(needed) <= set(found), f"missing in the body: {set(needed) - set(found)}")
        extra = set(found) - set(needed) - set(optional)
        self.need(not extra, f"unknown in the body: {sorted(extra)}")
        return found

    def refused(self, status: int = 400) -> Reply | None:
        """The refusal, where anything differs."""
        return answer({"error": "; ".join(self.wrong)}, status) if self.wrong else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def answer(body: Any, status: int = 200, **headers: str) -> Reply:
    """A JSON reply."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(
        status=status,
        headers={"content-type": "application/json", **names},
        body=json.dumps(body, ensure_ascii=False).encode("utf-8"),
    )


TEXT = r"\S.*"
WHOLE = r"0|[1-9][0-9]*"
YEAR = r"[12][0-9]{3}"
Fake = Callable[[Wire], Reply]


def pmid(number: int) -> str:
    """An invented PMID."""
    return str(90_000_000 + number)


def doi(number: int) -> str:
    """An invented DOI, of a prefix that is nobody's."""
    return f"10.5555/invented.{number}"


def name(number: int) -> str:
    """An invented title."""
    return f"Invented study {number}: sleep of zebrafish"
