"""A scripted HTTP server over real sockets, for what a well-behaved test server cannot do.

A script says for each request what comes back: an answer, a delay, a drip, nothing at all, half of
what was promised, or a closed connection. The server runs in a thread of its own and keeps a log
of every request and of what was wholly sent.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    target: str
    """Path and query, as sent."""
    headers: dict[str, str]
    body: bytes
    nth: int
    """1 for the first request with this method, target and body, 2 for the next, …"""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def params(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))


@dataclass(frozen=True)
class Answer:
    """What comes back."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    """Before the first byte."""
    drip_s: float = 0.0
    """Between single bytes of the body."""
    hangs: bool = False
    """Nothing comes until the server stops or the client goes away."""
    endless: bool = False
    """The body never ends."""
    cut: int | None = None
    """So many bytes of the body are sent, then the connection is closed."""
    drops: bool = False
    """The connection is closed before anything is sent."""
    good: bool = False
    """Counted when it was wholly sent."""


Script = Callable[[Seen], Answer]


class FakeServer:
    """Use as a context manager; ``url`` is where it listens."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()
        self._counts: Counter[tuple[str, str, bytes]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.seen: list[Seen] = []
        self.good: Counter[str] = Counter()
        """By target: good answers that were wholly sent."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        key = (method, target, body)
        self._counts[key] += 1
        seen = Seen(method, target, headers, body, self._counts[key])
        self.seen.append(seen)
        return await self._answer(self._script(seen), seen, reader, writer)

    async def _answer(
        self,
        answer: Answer,
        seen: Seen,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        if answer.drops:
            return False
        if answer.hangs:
            await reader.read()  # returns when the client goes away
            return False
        if answer.wait_s:
            await asyncio.sleep(answer.wait_s)
        fields = {"Content-Type": "application/json", **answer.headers}
        if not answer.endless:
            fields["Content-Length"] = str(len(answer.body))
        lines = [f"HTTP/1.1 {answer.status} Scripted", *(f"{k}: {v}" for k, v in fields.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        if answer.endless:
            while True:
                writer.write(b"x" * 65_536)
                await writer.drain()
        sent = answer.body if answer.cut is None else answer.body[: answer.cut]
        if answer.drip_s:
            for byte in sent:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(answer.drip_s)
        else:
            writer.write(sent)
        await writer.drain()
        if answer.good and answer.cut is None:
            self.good[seen.target] += 1
        return answer.cut is None
