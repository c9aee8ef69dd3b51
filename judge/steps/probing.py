"""The services that can be asked, and one real request to see whether a service is as described."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from judge.clock import Clock
from judge.errors import Invalid, Refused
from judge.files import nearest
from judge.records.protocol import System
from judge.records.run import Hit
from judge.runs.classify import Verdict, classify, skew_s
from judge.runs.conversation import next_step
from judge.runs.exchange import Exchange
from judge.runs.outcome import Parsed
from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Adapter, Ask, Facts, Request
from judge.runs.providers.embedded.service import FACTS as EMBEDDED
from judge.runs.providers.registry import key_names
from judge.runs.redact import Redactor
from judge.steps.capturing import REAL_WIRE, Wire, shown

_RESULTS = 10


@dataclass(frozen=True)
class ServiceLine:
    """A service as `judge providers` lists it."""

    name: str
    adapter: str
    modes: tuple[str, ...]
    depth: int
    page_size: int
    calls: int
    """The most requests that one query takes to the full depth."""
    paid: bool
    pace_s: float
    """Least seconds between two requests."""
    concurrency: int
    key: str
    """``set``, ``missing``, ``not set (works without)`` or ``none needed``."""
    key_env: str
    base_env: str
    reads: dict[str, str]
    """By mode, what its documentation says it parses."""
    filters_year: bool
    unverified: tuple[str, ...]


def services(
    environment: Mapping[str, str], adapters: Mapping[str, Adapter] = ADAPTERS
) -> tuple[ServiceLine, ...]:
    """Every service, the embedded one first."""
    return tuple(
        _line(facts, environment)
        for facts in (EMBEDDED, *(adapter.facts for adapter in adapters.values()))
    )


def _line(facts: Facts, environment: Mapping[str, str]) -> ServiceLine:
    key = "none needed"
    if facts.key_env:
        unset = "missing" if facts.key_needed else "not set (works without)"
        key = "set" if environment.get(facts.key_env, "").strip() else unset
    return ServiceLine(
        name=facts.name,
        adapter=facts.adapter,
        modes=facts.modes,
        depth=facts.max_depth,
        page_size=facts.page_size,
        calls=facts.calls(facts.max_depth),
        paid=facts.paid,
        pace_s=facts.min_interval_s,
        concurrency=facts.concurrency,
        key=key,
        key_env=facts.key_env or "",
        base_env=facts.base_env,
        reads={
            mode: ", ".join(facts.operators.get(mode, ())) or "plain text" for mode in facts.modes
        },
        filters_year=facts.filters_year,
        unverified=facts.unverified,
    )


@dataclass(frozen=True)
class Checked:
    """One fact of an adapter beside what the service did."""

    fact: str
    found: str
    verdict: Literal["agrees", "differs", "not seen", "unverified"]


@dataclass(frozen=True)
class Probe:
    """What one request showed."""

    adapter: str
    asked: str
    checks: tuple[Checked, ...]


def probe(
    name: str,
    environment: Mapping[str, str],
    *,
    clock: Clock,
    mode: str | None = None,
    text: str = "aspirin",
    adapters: Mapping[str, Adapter] = ADAPTERS,
    wire: Wire = REAL_WIRE,
) -> Probe:
    """Sends one real request, paid where the service is paid, and compares. Nothing is stored.

    Raises `Invalid` for an unknown service or mode, `Refused` where its key is not set.
    """
    if name not in adapters:
        raise Invalid(f"no service {name!r}{nearest(name, adapters)}; one of {', '.join(adapters)}")
    adapter = adapters[name]
    facts = adapter.facts
    if mode is not None and mode not in facts.modes:
        raise Invalid(f"{name} has no mode {mode!r}; one of {', '.join(facts.modes)}")
    if facts.key_needed and facts.key_env and not environment.get(facts.key_env, "").strip():
        raise Refused(f"{facts.key_env} is not set; nothing was sent")
    ask = Ask(system=_system(facts, mode), text=text, requested=min(_RESULTS, facts.max_depth))
    request = adapter.step(ask, ())
    if not isinstance(request, Request):
        raise Invalid(f"{name} does not send such a query: {request.outcome}")
    names = {*key_names(adapters), *([facts.key_env] if facts.key_env else [])}
    redactor = Redactor(environment.get(one, "").strip() for one in names)
    exchange = asyncio.run(_send(adapter, request, environment, redactor, wire))
    verdict = classify(adapter, request, exchange, at_utc := clock(), wire.limits)
    good = verdict.kind == "good" and exchange.reply is not None
    step = next_step(adapter, ask, [exchange.reply]) if good and exchange.reply else None
    checks = (
        *_transport(facts, exchange, verdict, at_utc),
        *_reading(ask, step),
        *(Checked(fact, "one request does not tell", "unverified") for fact in facts.unverified),
    )
    return Probe(
        facts.adapter,
        shown(request),
        tuple(replace(one, found=redactor.clean_text(one.found)) for one in checks),
    )


def _system(facts: Facts, mode: str | None) -> System:
    return System(
        code="probe",
        service=facts.name,
        mode=mode or facts.modes[0],
        endpoint=facts.endpoint,
        operators=(),
        quotes_joined_by_and=False,
    )


async def _send(
    adapter: Adapter,
    request: Request,
    environment: Mapping[str, str],
    redactor: Redactor,
    wire: Wire,
) -> Exchange:
    from judge.runs.client import Client, HttpSender

    with redactor.guarding_logs():
        async with Client(environment, redactor, wire.limits, wire.transport) as client:
            return await HttpSender(client, adapter.facts, environment).send(request)


def _transport(facts: Facts, exchange: Exchange, verdict: Verdict, at_utc: str) -> list[Checked]:
    reply = exchange.reply
    if reply is None:
        return [Checked(f"{facts.endpoint} answers", exchange.text, "differs")]
    checks = [Checked(f"{facts.endpoint} answers", f"HTTP {reply.status}", "agrees")]
    if facts.key_env:
        refused = verdict.kind == "auth"
        found = verdict.text if refused else "not refused"
        checks.append(
            Checked(f"{facts.key_env} is accepted", found, "differs" if refused else "agrees")
        )
    good = verdict.kind == "good"
    found = "a list" if good else f"{verdict.kind}: {verdict.text}"
    checks.append(Checked("the reply is a list", found, "agrees" if good else "differs"))
    limits = [f"{k}: {v}" for k, v in reply.headers.items() if "limit" in k or k == "retry-after"]
    pace = f"at least {facts.min_interval_s:g} s between requests"
    checks.append(Checked(pace, "; ".join(limits) or "no header speaks of a limit", "not seen"))
    skew = skew_s(reply.headers.get("date"), at_utc)
    if skew is not None:
        checks.append(
            Checked("its clock is ours", f"{skew:+d} s", "agrees" if abs(skew) <= 5 else "differs")
        )
    return checks


def _reading(ask: Ask, step: Request | Parsed | None) -> list[Checked]:
    if step is None:
        return []
    if isinstance(step, Request):
        return [Checked("its results are read", f"next it would ask {shown(step)}", "not seen")]
    hits = step.hits or ()
    enough = len(hits) == ask.requested
    checks = [
        Checked(
            f"{ask.requested} results where so many are asked for",
            f"{len(hits)}, outcome {step.outcome}",
            "agrees" if enough else "differs",
        ),
        Checked("results name themselves", _names(hits), "agrees" if hits else "not seen"),
        Checked(
            "versions",
            f"service {step.service_version}, index {step.index_version}, "
            f"model {step.model_version}",
            "agrees",
        ),
    ]
    checks += [Checked(f"notice {one.kind}", one.text, "not seen") for one in step.notices]
    return checks


def _names(hits: tuple[Hit, ...]) -> str:
    counts = {
        "link": sum(hit.link is not None for hit in hits),
        "title": sum(hit.title is not None for hit in hits),
        "PMID": sum(hit.pmid is not None for hit in hits),
        "DOI": sum(hit.doi is not None for hit in hits),
        "PMCID": sum(hit.pmcid is not None for hit in hits),
        "year": sum(hit.year is not None for hit in hits),
    }
    return ", ".join(f"{name} {count} of {len(hits)}" for name, count in counts.items())
