"""Capture from every service over real sockets: adapter, client and store together.

Each stand-in takes exactly the request that its service documents; anything else gets no list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from judge.records.attempt import Attempt
from judge.records.run import RunRecord
from judge.runs.providers.all import ADAPTERS
from judge.steps.capturing import Wire as Outside
from judge.steps.running import capture_study
from tests.fakes.server import Answer, FakeServer, Seen
from tests.fakes.study import FAST, frozen_study
from tests.runs.providers.fakes import KEYS, Fake, Wire
from tests.runs.providers.test_conversations import LISTS


def over_sockets(fake: Fake, endpoint: str) -> Callable[[Seen], Answer]:
    """The stand-in, at the place that the endpoint names."""
    home = urlsplit(endpoint)

    def script(seen: Seen) -> Answer:
        body = seen.body.decode() if seen.method == "POST" else None
        query = urlsplit(seen.target).query
        reply = fake(
            Wire(
                seen.method,
                f"{home.scheme}://{home.netloc}{seen.path}",
                tuple(parse_qsl(query, keep_blank_values=True)),
                seen.headers,
                body,
            )
        )
        return Answer(reply.body, status=reply.status, headers=reply.headers)

    return script


@pytest.mark.parametrize("service", LISTS)
def test_the_list_is_captured_whole_and_no_key_is_kept(service: str, tmp_path: Path) -> None:
    fake, depth, pages, wanted = LISTS[service]
    adapter = ADAPTERS[service]
    facts = adapter.facts
    context = frozen_study(
        tmp_path, ["zebrafish"], systems=((facts.modes[0], service),), requested=depth
    )
    slept: list[float] = []
    now = [0.0]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with FakeServer(over_sockets(fake, facts.endpoint)) as server:
        outside = Outside(
            environment={**KEYS, facts.base_env: server.url}, limits=FAST, sleep=sleep
        )
        capture_study(replace(context, monotonic=lambda: now[0]), wire=outside)
        assert len(server.seen) == pages
    # Its pace is kept between the pages of a query too.
    assert sum(slept) == pytest.approx((pages - 1) * facts.min_interval_s)
    with context.study.ledger(context.clock) as ledger:
        (run,) = [one for one in ledger.all(RunRecord) if one.status == "executed"]
        sent = ledger.all(Attempt)
        stored = b"".join(ledger.blob(key) for key in ledger.blobs())
    assert run.outcome == "answered", run.errors_and_notices
    assert [hit.record_id for hit in run.raw_results or ()] == wanted
    assert [hit.rank for hit in run.raw_results or ()] == list(range(1, len(wanted) + 1))
    assert (run.adapter, len(run.raw_replies)) == (facts.adapter, pages)
    kept = msgspec.json.encode((run, sent)) + stored
    assert [name for name, key in KEYS.items() if key.encode() in kept] == []
    assert {one.paid for one in sent} == {facts.paid}
