"""What a source is: facts, and pure functions between a record's identifiers and its replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from judge.records.source import Verdict
from judge.runs.providers.base import Facts, Fault, Reply, Request
from judge.runs.providers.reading import NoListError


@dataclass(frozen=True)
class Known:
    """The identifiers of a record, as its hits and sources gave them; each may be missing."""

    record_id: str
    pmid: str | None = None
    doi: str | None = None
    """As it came: comparing is for keys, sending for raw names."""
    pmcid: str | None = None


@dataclass(frozen=True)
class Found:
    """What one source says of one record it has."""

    retraction: Verdict = "not_checked"
    correction: Verdict = "not_checked"
    concern: Verdict = "not_checked"
    preprint: Verdict = "not_checked"
    signals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    updated: str | None = None
    title: str | None = None
    journal: str | None = None
    year: str | None = None
    abstract: str | None = None
    pmid: str | None = None
    doi: str | None = None
    pmcid: str | None = None
    article_doi: str | None = None
    """The DOI of the article that this preprint became."""


@dataclass(frozen=True)
class Source:
    """A source, as the shared client and the shared classes of replies need it."""

    facts: Facts
    read: Callable[[bytes], object]
    """Raises `NoListError` for a body that is no answer."""

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        """Why a reply with status 200 is no answer; None for a good one and other statuses."""
        if reply.status != 200:
            return None
        try:
            self.read(reply.body)
        except NoListError as error:
            return error.fault()
        return None


def facts(
    name: str,
    endpoint: str,
    base_env: str,
    min_interval_s: float,
    *,
    key_env: str | None = None,
    concurrency: int = 1,
    unverified: tuple[str, ...] = (),
) -> Facts:
    """The facts of a source: free, without modes or depth."""
    return Facts(
        name=name,
        version="1",
        modes=(),
        endpoint=endpoint,
        base_env=base_env,
        key_env=key_env,
        key_needed=False,
        paid=False,
        max_depth=1,
        page_size=1,
        min_interval_s=min_interval_s,
        concurrency=concurrency,
        unverified=unverified,
    )


def seen(signal: bool) -> Verdict:
    """``yes``, or ``no_signal`` of a source that has the record."""
    return "yes" if signal else "no_signal"
