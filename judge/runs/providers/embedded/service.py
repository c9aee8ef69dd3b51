"""The embedded service as the rest of the code sees it: an adapter, and where its requests go.

It is asked and read like any service far away; only its sender stays inside this program.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from judge.canonical import digest
from judge.errors import Problem
from judge.files import nearest, parse_json
from judge.records.base import Record
from judge.records.protocol import System
from judge.records.run import Notice
from judge.runs.exchange import Exchange
from judge.runs.outcome import Parsed
from judge.runs.providers import base
from judge.runs.providers.embedded.corpus import SERVICE, Corpus
from judge.runs.providers.embedded.grammar import NoList, read_keyword, read_semantic
from judge.runs.providers.embedded.keyword import KeywordIndex
from judge.runs.providers.embedded.reply import Fault, Index, Reply, encode, result
from judge.runs.providers.embedded.reply import parse as parse_reply

if TYPE_CHECKING:
    from judge.runs.providers.embedded.semantic import SemanticIndex

VERSION = "1"
"""Raised with every change that could change an answer or its bytes."""
MODES = ("keyword", "semantic")
_DEEPEST = 10_000

FACTS: Final = base.Facts(
    name=SERVICE,
    version=VERSION,
    modes=MODES,
    endpoint=SERVICE,
    base_env="",
    key_env=None,
    key_needed=False,
    paid=False,
    max_depth=_DEEPEST,
    page_size=_DEEPEST,
    min_interval_s=0.0,
    # One at a time: the same queries in the same order give the same record of them.
    concurrency=1,
    operators={"keyword": ("AND", "OR", "NOT", "quotes"), "semantic": ("quotes",)},
)


class EmbeddedService:
    """Both modes over one corpus; each index is built when it is first asked."""

    facts: Final = FACTS

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def step(self, ask: base.Ask, replies: Sequence[base.Reply]) -> base.Request | Parsed:
        """One request, then what its reply says. See `judge.runs.providers.base.Adapter`."""
        if replies:
            return parse_reply(replies[0].body)
        return _request(ask.system, ask.text, ask.requested)

    def fault(self, request: base.Request, reply: base.Reply) -> base.Fault | None:
        """None: a reply of this service says in its body whether it is a list."""
        return None

    async def send(self, request: base.Request) -> Exchange:
        """Answers a request without a network. See `judge.runs.exchange.Sender`."""
        return Exchange(base.Reply(status=200, headers={}, body=self._answered(request)))

    def ask(self, system: System, text: str, requested: int) -> bytes:
        """The reply to one query: at most ``requested`` results. Never raises for a query.

        Scores are rounded to six decimals before anything is ordered by them, equal ones by id:
        the digits after those differ between processors.
        """
        return self._answered(_request(system, text, requested))

    def parse(self, reply: bytes) -> Parsed:
        """`judge.runs.providers.embedded.reply.parse`."""
        return parse_reply(reply)

    def _answered(self, request: base.Request) -> bytes:
        asked = msgspec.convert(parse_json(request.body or ""), _Asked)
        return encode(self._reply(asked))

    def _reply(self, asked: _Asked) -> Reply:
        wrong = [str(problem) for problem in unsupported(asked)]
        if asked.requested < 1:
            wrong.append(f"{asked.requested} results requested; at least 1")
        if wrong:
            reason = NoList("rejected", "bad_request", "; ".join(wrong))
            return self._no_list(asked.mode, reason)
        try:
            if asked.mode == "keyword":
                return self._keyword(asked.text, asked.requested)
            return self._semantic(asked.text, asked.requested)
        except NoList as reason:
            return self._no_list(asked.mode, reason)

    def _keyword(self, text: str, requested: int) -> Reply:
        query = read_keyword(text)
        found = self._keyword_index.search(query)
        return self._answer("keyword", found, requested, query.notices)

    def _semantic(self, text: str, requested: int) -> Reply:
        query = read_semantic(text)
        notices = query.notices
        if unknown := self._semantic_index.unknown(query):
            notices += (Notice(kind="interpretation", text=f"in no note: {', '.join(unknown)}"),)
        return self._answer("semantic", self._semantic_index.search(query), requested, notices)

    def _answer(
        self,
        mode: Literal["keyword", "semantic"],
        found: list[tuple[int, float]],
        requested: int,
        notices: tuple[Notice, ...],
    ) -> Reply:
        rounded = [(round(score * 1_000_000), position) for position, score in found]
        # Notes are in the order of their ids, so a position orders as its id does.
        rounded.sort(key=lambda pair: (-pair[0], pair[1]))
        return Reply(
            service=SERVICE,
            version=VERSION,
            mode=mode,
            index=self._index(mode),
            notices=notices,
            results=tuple(
                result(self._corpus.notes[position], f"{millionths / 1_000_000:.6f}")
                for millionths, position in rounded[:requested]
            ),
        )

    def _no_list(self, mode: str, reason: NoList) -> Reply:
        fault = Fault(code=reason.code, text=reason.text)
        return Reply(
            service=SERVICE,
            version=VERSION,
            mode=mode,
            index=self._index(mode),
            refusal=fault if reason.outcome == "refused" else None,
            error=fault if reason.outcome == "rejected" else None,
        )

    def _index(self, mode: str) -> Index | None:
        """What keyword mode exposes of its index. Semantic mode exposes nothing (R31)."""
        if mode != "keyword":
            return None
        value = digest({"corpus": self._corpus.digest, "service": SERVICE, "version": VERSION})
        return Index(version=value[:12], digest=value)

    @cached_property
    def _keyword_index(self) -> KeywordIndex:
        return KeywordIndex(self._corpus.notes)

    @cached_property
    def _semantic_index(self) -> SemanticIndex:
        from judge.runs.providers.embedded.semantic import SemanticIndex

        return SemanticIndex(self._corpus.notes)


class _Asked(Record, frozen=True, kw_only=True):
    """The body of a request."""

    code: str
    mode: str
    filters: tuple[str, ...]
    parameters: dict[str, str | int | bool]
    text: str
    requested: int


def _request(system: System, text: str, requested: int) -> base.Request:
    asked = _Asked(
        code=system.code,
        mode=system.mode,
        filters=system.filters,
        parameters=system.parameters,
        text=text,
        requested=requested,
    )
    # In ASCII, since a text may hold a lone surrogate, which no UTF-8 body can.
    body = json.dumps(msgspec.to_builtins(asked), sort_keys=True, separators=(",", ":"))
    return base.Request(method="POST", url=SERVICE, body=body)


def unsupported(system: System | _Asked) -> list[Problem]:
    """What ``system`` asks of the embedded service that it does not do."""
    where = f"system {system.code}"
    problems: list[Problem] = []
    if system.mode not in MODES:
        found = f"unknown mode {system.mode!r}{nearest(system.mode, MODES)}"
        problems.append(Problem(f"{where}: mode", found, f"one of {', '.join(MODES)}"))
    if system.filters:
        problems.append(Problem(f"{where}: filters", "the embedded service has none"))
    if system.parameters:
        problems.append(Problem(f"{where}: parameters", "the embedded service has none"))
    return problems
