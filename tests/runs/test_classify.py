"""One row for each signal of a service: what it is, and what it does to the query and the run."""

from __future__ import annotations

import pytest

from judge.records.attempt import AttemptClass
from judge.records.run import LIST_OUTCOMES, OUTCOMES
from judge.runs.classify import PASSING, RULES, classify, skew_s
from judge.runs.exchange import Exchange, Limits, Trouble
from judge.runs.providers.base import Fault, Reply, Request
from tests.fakes.adapter import FakeAdapter, listed

NOW = "2026-11-30T09:00:00Z"
PAGE = b"<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>"


def request(*, paid: bool = False) -> Request:
    return Request(method="GET", url="https://fake.example/search", paid=paid)


def of(
    status: int, body: bytes = b"", *, paid: bool = False, **headers: str
) -> tuple[AttemptClass, str | None]:
    reply = Reply(
        status=status,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        body=body,
    )
    found = classify(FakeAdapter(), request(paid=paid), Exchange(reply), NOW, Limits())
    return found.kind, found.resets_at


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, listed("a"), "good"),
        (200, listed(), "good"),
        (401, b'{"error":"bad key"}', "auth"),
        (403, b'{"error":"plan"}', "auth"),
        (403, PAGE, "blocked"),
        (402, b'{"error":"no credits"}', "quota"),
        (429, b'{"error":"slow down"}', "transient"),
        (429, b'{"error":"Your account has run out of searches."}', "quota"),
        (408, b"", "transient"),
        (425, b"", "transient"),
        (500, b"", "transient"),
        (502, PAGE, "transient"),
        (503, b"", "transient"),
        (599, b"", "transient"),
        (400, b'{"error":"unknown parameter"}', "rejected"),
        (404, b"", "rejected"),
        (422, b'{"detail":[]}', "rejected"),
        (422, b'{"error":"query too broad"}', "refused"),
        (200, b'{"error":"internal"}', "bad_reply"),
        (200, b'{"version":"6.9"}', "bad_reply"),
        (200, listed("a")[:-5], "malformed"),
        (200, b"", "malformed"),
        (204, b"", "bad_reply"),
        (206, listed("a"), "bad_reply"),
        (301, b"", "bad_reply"),
        (101, b"", "bad_reply"),
    ],
)
@pytest.mark.parametrize("paid", [False, True])
def test_a_reply_is(status: int, body: bytes, kind: str, paid: bool) -> None:
    assert of(status, body, paid=paid)[0] == kind


def test_a_page_is_no_answer_even_where_the_adapter_finds_no_fault() -> None:
    class Trusting(FakeAdapter):
        def fault(self, request: Request, reply: Reply) -> Fault | None:
            return None

    reply = Reply(status=200, headers={}, body=PAGE)
    found = classify(Trusting(), request(), Exchange(reply), NOW, Limits())
    assert found.kind == "bad_reply"
    assert "Attention Required" in found.text


def test_an_adapter_that_fails_on_a_reply_makes_it_a_bad_one_not_an_empty_one() -> None:
    class Failing(FakeAdapter):
        def fault(self, request: Request, reply: Reply) -> Fault | None:
            raise KeyError("results")

    reply = Reply(status=200, headers={}, body=b"{}")
    found = classify(Failing(), request(), Exchange(reply), NOW, Limits())
    assert (found.kind, found.text) == ("bad_reply", "the adapter could not read it (KeyError)")


def test_a_refusal_without_a_notice_is_a_rejection() -> None:
    class Silent(FakeAdapter):
        def fault(self, request: Request, reply: Reply) -> Fault | None:
            return Fault(kind="refused", text=" ")

    reply = Reply(status=422, headers={}, body=b'{"error":"no"}')
    found = classify(Silent(), request(), Exchange(reply), NOW, Limits())
    assert (found.kind, found.text) == ("rejected", "HTTP 422: no")


@pytest.mark.parametrize(
    ("trouble", "free", "paid"),
    [
        ("timeout", "timeout", "in_doubt"),
        ("transport", "transient", "in_doubt"),
        # No connection was ever made: nothing can have been charged.
        ("unsent", "transient", "transient"),
        # The service answered and was counted; half of it was lost on the way.
        ("truncated", "malformed", "malformed"),
        ("too_large", "bad_reply", "bad_reply"),
        ("packed", "bad_reply", "bad_reply"),
        ("redirect", "bad_reply", "bad_reply"),
    ],
)
def test_without_a_whole_reply_it_is(trouble: Trouble, free: str, paid: str) -> None:
    exchange = Exchange(None, trouble, "what happened")
    for request_, kind in ((request(), free), (request(paid=True), paid)):
        found = classify(FakeAdapter(), request_, exchange, NOW, Limits())
        assert found.kind == kind
        assert "what happened" in found.text


def test_a_wait_up_to_the_cap_is_waited_and_a_longer_one_is_a_quota_with_its_end() -> None:
    assert of(429, retry_after="120") == ("transient", None)
    assert of(429, retry_after="121") == ("quota", "2026-11-30T09:02:01Z")
    assert of(503, retry_after="5339") == ("quota", "2026-11-30T10:28:59Z")
    later = "Mon, 30 Nov 2026 10:00:00 GMT"
    assert of(429, retry_after=later) == ("quota", "2026-11-30T10:00:00Z")
    assert of(429, retry_after="garbage") == ("transient", None)
    # The service's own words about the reset come before what the header says.
    assert of(429, b"run out", retry_after="9999") == ("quota", "2026-12-01T00:00:00Z")


def test_what_each_class_does() -> None:
    assert {kind for kind, rule in RULES.items() if rule.stops} == {"auth", "quota", "blocked"}
    assert {kind for kind, rule in RULES.items() if rule.sends != "once"} == PASSING
    assert {kind: rule.outcome for kind, rule in RULES.items()} == {
        "good": None,
        "auth": "auth",
        "quota": "quota",
        "blocked": "unavailable",
        "transient": "unavailable",
        "timeout": "timeout",
        "malformed": "bad_reply",
        "bad_reply": "bad_reply",
        "rejected": "rejected",
        "refused": "refused",
        "in_doubt": "in_doubt",
    }


def test_no_class_but_a_good_reply_can_end_as_a_list() -> None:
    ends = {rule.outcome for rule in RULES.values() if rule.outcome is not None}
    assert ends <= set(OUTCOMES) - LIST_OUTCOMES - {"empty_reported"}


@pytest.mark.parametrize(
    ("date", "skew"),
    [
        ("Mon, 30 Nov 2026 09:00:12 GMT", 12),
        ("Mon, 30 Nov 2026 08:59:57 GMT", -3),
        ("no date", None),
        (None, None),
    ],
)
def test_skew_is_the_servers_clock_less_ours(date: str | None, skew: int | None) -> None:
    assert skew_s(date, NOW) == skew
