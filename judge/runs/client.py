"""The one module that speaks HTTP. Keys enter a request here and leave with it.

No proxy from the environment, no redirect, no cookie, no cache: a reply is a dated observation of
the service that was asked. What comes back is cleaned of keys before anybody sees it, and every
error of the library becomes a sentence of ours.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import httpx

from judge import __version__
from judge.runs.exchange import Exchange, Limits, Trouble
from judge.runs.keys import CONTACT, based, check_address, with_query
from judge.runs.providers.base import Facts, Reply, Request
from judge.runs.redact import Redactor, check_key

KEPT_HEADERS = frozenset(
    {
        "content-encoding",
        "content-type",
        "date",
        "etag",
        "last-modified",
        "retry-after",
        "server",
        "x-api-pool",
        "x-concurrency-limit",
        "x-openalex-edge-reject",
        "x-request-id",
    }
)
"""Headers of a reply that are stored; any other may hold a cookie, a key or an account."""
CODINGS = frozenset({"", "identity", "gzip", "deflate"})
"""Content codings that are undone."""
KEPT_PREFIXES = ("x-ratelimit-", "x-rate-limit-", "ratelimit")


class Client:
    """Sends requests for every service of a capture. Use as an async context manager.

    ``environment`` holds keys and base addresses by variable; ``redactor`` learns every key that
    is used, before it is.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        redactor: Redactor,
        limits: Limits,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._environment = environment
        self._redactor = redactor
        self._limits = limits
        jar = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        self._http = httpx.AsyncClient(
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            cookies=jar,
            # The deadline of an attempt is set around it: a read timeout starts again with every
            # byte, and one for the pool would make waiting for a connection look like a timeout.
            timeout=httpx.Timeout(None, connect=limits.connect_s),
            headers={
                "Accept": "application/json",
                "Accept-Encoding": "gzip, deflate",
                "User-Agent": user_agent(environment.get(CONTACT, "")),
            },
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def send(self, request: Request, base: str = "") -> Exchange:
        """Sends one request once, with its keys; ``base`` replaces its scheme and host.

        Raises `Invalid` for an address or a key that must not be used, before anything is sent.
        """
        prepared = self._prepared(request, base)
        progress = _Progress()
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                return await self._received(prepared, progress)
        except TimeoutError:
            what = f"no whole reply within {self._limits.deadline_s:g} s"
            return self._lost(progress, "timeout", what)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.LocalProtocolError) as error:
            return self._lost(progress, "unsent", f"no connection: {error}")
        except httpx.HTTPError as error:
            cut = progress.status is not None
            what = "the reply broke off" if cut else "no reply"
            return self._lost(
                progress,
                "truncated" if cut else "transport",
                f"{what}: {type(error).__name__}: {error}",
            )

    def _prepared(self, request: Request, base: str) -> httpx.Request:
        url = based(request.url, base)
        check_address(url, "a request")
        params, headers = list(request.params), dict(request.headers)
        for secret in request.secrets:
            key = self._environment.get(secret.env, "").strip()
            if not key:
                continue
            if secret.env != CONTACT:  # an address to write to is no secret
                check_key(secret.env, key)
                self._redactor.learn(key)
            if secret.at == "header":
                headers[secret.name] = secret.prefix + key
            else:
                params.append((secret.name, secret.prefix + key))
        content = None
        if request.body is not None:
            content = request.body.encode("utf-8")
            if not any(name.lower() == "content-type" for name in headers):
                headers["Content-Type"] = "application/json"
        return self._http.build_request(
            request.method, with_query(url, params), headers=headers, content=content
        )

    async def _received(self, prepared: httpx.Request, progress: _Progress) -> Exchange:
        response = await self._http.send(prepared, stream=True)
        try:
            progress.begin(response, self._redactor)
            coding = response.headers.get("content-encoding", "").strip().lower()
            if coding not in CODINGS:
                return self._lost(progress, "packed", f"packed as {coding[:60]!r}; not unpacked")
            # Counted as it comes, so that no service can fill the memory.
            async for chunk in response.aiter_bytes():
                progress.body += chunk
                if len(progress.body) > self._limits.body_bytes:
                    progress.body = bytearray()
                    what = f"the reply is longer than {self._limits.body_bytes} bytes"
                    return self._lost(progress, "too_large", what)
        finally:
            await response.aclose()
        if response.is_redirect or 300 <= response.status_code < 400:
            host = urlsplit(response.headers.get("location", "")).hostname
            what = f"a redirect to {host or 'the same host'}; redirects are refused"
            return self._lost(progress, "redirect", what)
        return self._whole(progress)

    def _whole(self, progress: _Progress, trouble: Trouble = "", text: str = "") -> Exchange:
        body, redacted = self._redactor.clean(bytes(progress.body))
        return Exchange(
            Reply(status=progress.status or 0, headers=progress.headers, body=body),
            trouble,
            self._redactor.clean_text(text),
            progress.http_version,
            redacted,
        )

    def _lost(self, progress: _Progress, trouble: Trouble, text: str) -> Exchange:
        if progress.status is not None:
            return self._whole(progress, trouble, text)
        return Exchange(None, trouble, self._redactor.clean_text(text))


class _Progress:
    """How far a reply has come: what is left of it where it breaks off."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.headers: dict[str, str] = {}
        self.http_version: str | None = None
        self.body = bytearray()

    def begin(self, response: httpx.Response, redactor: Redactor) -> None:
        """Takes the head of a reply."""
        self.status = response.status_code
        self.http_version = response.http_version
        self.headers = {
            name: redactor.clean_text(value)
            for name, value in response.headers.items()
            if name in KEPT_HEADERS or name.startswith(KEPT_PREFIXES)
        }


class HttpSender:
    """A service over the network: a client, and the base address that its facts name."""

    def __init__(self, client: Client, facts: Facts, environment: Mapping[str, str]) -> None:
        self._client = client
        self._base = base_of(facts, environment)

    async def send(self, request: Request) -> Exchange:
        """`Client.send` at this service's address."""
        return await self._client.send(request, self._base)


def base_of(facts: Facts, environment: Mapping[str, str]) -> str:
    """The address that replaces a service's scheme and host; empty for its own.

    Raises `Invalid` for one that could carry a key in the clear.
    """
    base = environment.get(facts.base_env, "") if facts.base_env else ""
    if base:
        check_address(base, facts.base_env)
    return base


def user_agent(contact: str) -> str:
    """Who asks: honest, and reachable where the team gave an address."""
    reach = f" (+mailto:{contact})" if contact else ""
    return f"blindjudge/{__version__}{reach}"
