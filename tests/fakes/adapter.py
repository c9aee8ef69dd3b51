"""A small service for tests: pages of numbered results, and every way to fail."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from judge.records.run import Hit, Notice
from judge.runs.outcome import Parsed
from judge.runs.providers.base import Ask, Facts, Fault, Reply, Request, Secret
from tests.fakes.server import Answer, Seen

KEY_ENV = "FAKE_API_KEY"
BASE_ENV = "FAKE_BASE_URL"
ENDPOINT = "https://fake.example/search"
FACTS = Facts(
    name="fake",
    version="1",
    modes=("plain",),
    endpoint=ENDPOINT,
    base_env=BASE_ENV,
    key_env=KEY_ENV,
    key_needed=True,
    paid=False,
    max_depth=100,
    page_size=2,
    min_interval_s=0.0,
    concurrency=4,
    unverified=("whether it exists",),
)


@dataclass(frozen=True)
class FakeAdapter:
    """Asks ``?q=&page=`` until the reply says that there is no more, or deep enough."""

    facts: Facts = FACTS
    secret_at: Literal["header", "param"] | None = "header"

    def step(self, ask: Ask, replies: Sequence[Reply]) -> Request | Parsed:
        pages = [json.loads(reply.body) for reply in replies]
        rows = [row for page in pages for row in page["results"]]
        if not pages or (pages[-1]["more"] and len(rows) < ask.requested):
            return self._request(ask.text, len(pages) + 1)
        hits = tuple(
            Hit(rank=rank, record_id=row["id"], title=row["title"])
            for rank, row in enumerate(rows[: ask.requested], 1)
        )
        notices = tuple(
            Notice(kind="warning", text=page["said"]) for page in pages if "said" in page
        )
        return Parsed(outcome="answered" if hits else "empty", hits=hits, notices=notices)

    def _request(self, text: str, page: int) -> Request:
        names = {"header": "X-Api-Key", "param": "api_key"}
        return Request(
            method="GET",
            url=ENDPOINT,
            params=(("q", text), ("page", str(page))),
            secrets=(Secret(at=self.secret_at, name=names[self.secret_at], env=KEY_ENV),)
            if self.secret_at
            else (),
            page=page,
            paid=self.facts.paid,
        )

    def fault(self, request: Request, reply: Reply) -> Fault | None:
        words = reply.body.decode("utf-8", "replace")
        if reply.status == 422:
            return Fault(kind="refused", text=words) if "too broad" in words else None
        if reply.status == 429 and "run out" in words:
            return Fault(kind="quota", text=words, resets_at="2026-12-01T00:00:00Z")
        if reply.status != 200:
            return None
        try:
            found = json.loads(reply.body)
        except ValueError:
            return Fault(kind="malformed", text="not whole JSON")
        if "results" not in found:
            return Fault(kind="bad_reply", text=str(found.get("error", "no list")))
        return None


def paid(adapter: FakeAdapter = FakeAdapter()) -> FakeAdapter:
    """The same service, for money."""
    return replace(adapter, facts=replace(adapter.facts, paid=True))


def listed(*ids: str, more: bool = False, **extra: object) -> bytes:
    """The body of a reply with a list."""
    results = [{"id": one, "title": f"Title of {one}"} for one in ids]
    return json.dumps({"results": results, "more": more, **extra}).encode()


def good(seen: Seen) -> Answer:
    """One page with one result, named after the query."""
    return Answer(listed(f"{seen.params['q']}-1"), good=True)
