"""The embedded service as the rest of the code sees it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from judge.canonical import digest
from judge.errors import Problem
from judge.files import nearest
from judge.records.protocol import System
from judge.records.run import Notice
from judge.runs.outcome import Parsed
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


class EmbeddedService:
    """Both modes over one corpus; each index is built when it is first asked."""

    adapter: Final = f"{SERVICE}@{VERSION}"

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def ask(self, system: System, text: str, requested: int) -> bytes:
        """The reply to one query: at most ``requested`` results. Never raises for a query.

        Scores are rounded to six decimals before anything is ordered by them, equal ones by id:
        the digits after those differ between processors.
        """
        return encode(self._reply(system, text, requested))

    def parse(self, reply: bytes) -> Parsed:
        """`judge.runs.providers.embedded.reply.parse`."""
        return parse_reply(reply)

    def _reply(self, system: System, text: str, requested: int) -> Reply:
        wrong = [str(problem) for problem in unsupported(system)]
        if requested < 1:
            wrong.append(f"{requested} results requested; at least 1")
        if wrong:
            return self._no_list(system, NoList("rejected", "bad_request", "; ".join(wrong)))
        try:
            if system.mode == "keyword":
                return self._keyword(text, requested)
            return self._semantic(text, requested)
        except NoList as reason:
            return self._no_list(system, reason)

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

    def _no_list(self, system: System, reason: NoList) -> Reply:
        fault = Fault(code=reason.code, text=reason.text)
        return Reply(
            service=SERVICE,
            version=VERSION,
            mode=system.mode,
            index=self._index(system.mode),
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


def unsupported(system: System) -> list[Problem]:
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
