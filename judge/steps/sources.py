"""Records checked at their sources: notices, types, dates, and the neutral text of packets."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from judge.errors import Incomplete, Refused
from judge.records.source import SourceCheck
from judge.runs.identity import doi_key, hit_key, pmcid_key, pmid_key
from judge.runs.keys import surroundings
from judge.runs.links import DOI, identifiers
from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.embedded.corpus import SERVICE as EMBEDDED
from judge.runs.providers.registry import key_names
from judge.runs.redact import Redactor, check_key
from judge.runs.sources.asking import Enquiry
from judge.runs.sources.base import Known, Source
from judge.runs.sources.checking import SOURCES, Looked, look_up
from judge.runs.sources.neutral import neutral
from judge.steps.capturing import REAL_WIRE, Wire
from judge.steps.context import Context, Work

TOGETHER = 50
"""Records that are looked up, and written down, together."""


@dataclass(frozen=True)
class CheckResult:
    """What a check of sources came to."""

    checked: int
    earlier: int
    """Records that had their verdicts already."""
    verdicts: dict[str, dict[str, int]]
    """By source: how many records have which verdict on a retraction."""
    retracted: tuple[str, ...]
    """Records that any source says are retracted."""
    texts: dict[str, int]
    """How many texts are new, by the source that they are from."""
    bare: tuple[str, ...]
    """Records checked now that still have no text to show."""


def check_sources(context: Context, *, again: bool = False, wire: Wire = REAL_WIRE) -> CheckResult:
    """Checks every pooled record, or before pooling every hit within pool depth (R36, R78).

    A record is checked once, and again where a source gave an error or with ``again``; every check
    stays on record and the newest counts. Records of the study's own corpus are left out: the
    corpus is their source. What is done is kept: raises `Incomplete` where Ctrl-C or a source ended
    it early, `Refused` where nothing has been run.
    """
    with context.frozen() as work:
        known = _targets(work)
        if not known:
            raise Refused("no hit of a service within pool depth is here yet", hint="judge capture")
        due = [one for one in known if again or _due(work.checks.get(one.record_id))]
        run = _Run(context, work, known)
        ends: dict[str, str] = {}
        try:
            ends = asyncio.run(run.check(due, wire))
        except KeyboardInterrupt:
            ends = {"check": "stopped by Ctrl-C"}
        if ends:
            reasons = "; ".join(f"{name}: {why}" for name, why in ends.items())
            raise Incomplete(
                f"stopped early ({reasons}); {len(run.written)} of {len(due)} records were looked "
                "up, and what was answered is kept",
                hint="judge check-sources goes on",
            )
        return _result(run.written, len(known) - len(due), Work(work.ledger))


def _due(check: SourceCheck | None) -> bool:
    return check is None or any(one.retraction == "error" for one in check.says)


def _targets(work: Work) -> list[Known]:
    """The records to check, with every identifier that a hit gave."""
    pooled = {record.record_id for record in work.pool}
    depth = work.protocol.depth.pool
    found: dict[str, Known] = {}
    for run in work.current.values():
        if run.service == EMBEDDED:
            continue
        for hit in run.raw_results or ():
            key = hit_key(hit, run.service)
            if key in pooled if pooled else hit.rank <= depth:
                before = found.get(key, Known(key))
                found[key] = Known(
                    key,
                    before.pmid or pmid_key(hit.pmid),
                    before.doi or raw_doi(hit.doi),
                    before.pmcid or pmcid_key(hit.pmcid),
                )
    return [found[key] for key in sorted(found)]


def raw_doi(given: str | None) -> str | None:
    """The DOI to send, as it came but without a resolver's address; None where it is none."""
    if not given:
        return None
    if DOI.fullmatch(given.strip()):
        return given.strip()
    return identifiers(given).doi or doi_key(given)


@asynccontextmanager
async def enquiry(
    context: Context, sources: Collection[Source], wire: Wire
) -> AsyncIterator[Enquiry]:
    """Something to ask ``sources`` with, over the network. Raises `Invalid` for a bad key or
    address before anything is sent."""
    from judge.runs.client import Client, HttpSender

    environment = wire.environment
    if environment is None:
        environment = surroundings(context.study.root, os.environ)
    redactor = Redactor()
    for name in sorted(key_names(ADAPTERS)):
        if key := environment.get(name, "").strip():
            check_key(name, key)
            redactor.learn(key)
    with redactor.guarding_logs():
        async with Client(environment, redactor, wire.limits, wire.transport) as client:
            yield Enquiry(
                senders={
                    one.facts.name: HttpSender(client, one.facts, environment) for one in sources
                },
                clock=context.clock,
                now=context.monotonic,
                sleep=wire.sleep,
                chance=wire.chance,
                limits=wire.limits,
                redactor=redactor,
            )


class _Run:
    """One check under way. ``written`` are the records that are on disk."""

    def __init__(self, context: Context, work: Work, known: Sequence[Known]) -> None:
        self._context = context
        self._work = work
        self.written: list[SourceCheck] = []
        self._dealt = {item.record_id for deal in work.deals for item in deal.items}
        self._keys: dict[str, str] = {}
        documents = work.documents.values()
        self._learn((one.doi, one.record_id) for one in documents)
        self._learn((one.doi, one.record_id) for one in known)

    def _learn(self, pairs: Iterable[tuple[str | None, str]]) -> None:
        for doi, record_id in pairs:
            if (name := doi_key(doi)) is not None:
                self._keys.setdefault(name, record_id)

    async def check(self, due: Sequence[Known], wire: Wire) -> dict[str, str]:
        """Looks records up and writes them down; why sources ended early."""
        self._context.progress("check-sources", 0, len(due))
        async with enquiry(self._context, SOURCES.values(), wire) as asking:
            for start in range(0, len(due), TOGETHER):
                looked = [Looked(one) for one in due[start : start + TOGETHER]]
                try:
                    await look_up(asking, looked)
                finally:  # Ctrl-C too: what every source has answered is not asked again
                    self._write(asking, [one for one in looked if one.whole])
                self._context.progress("check-sources", len(self.written), len(due))
                if asking.ends:
                    break
            return asking.ends

    def _write(self, asking: Enquiry, looked: Sequence[Looked]) -> None:
        if not looked:
            return
        self._learn((one.learned().doi, one.known.record_id) for one in looked)
        checks = [asking.redactor.clean_record(self._checked(one)) for one in looked]
        self._work.ledger.record(
            "checked", f"{len(checks)} records", checks, blobs=_taken(asking, checks)
        )
        self.written += checks

    def _checked(self, one: Looked) -> SourceCheck:
        record_id = one.known.record_id
        before = self._work.checks.get(record_id)
        return SourceCheck(
            record_id=record_id,
            number=before.number + 1 if before else 1,
            says=tuple(one.says[name] for name in SOURCES),
            document=neutral(
                one.learned(),
                one.found,
                one.says,
                self._work.documents.get(record_id),
                dealt=record_id in self._dealt,
                keys=self._keys,
            ),
        )


def _taken(asking: Enquiry, checks: Iterable[SourceCheck]) -> dict[str, bytes]:
    """The replies that verdicts rest on; the others are let go."""
    used = {said.body for check in checks for said in check.says}
    taken = {digest: body for digest, body in asking.bodies.items() if digest in used}
    asking.bodies.clear()
    return taken


def _result(written: Sequence[SourceCheck], earlier: int, work: Work) -> CheckResult:
    verdicts: dict[str, Counter[str]] = {name: Counter() for name in SOURCES}
    for check in work.checks.values():
        for said in check.says:
            verdicts[said.source][said.retraction] += 1
    texts = Counter(
        check.document.provenance.partition(",")[0] for check in written if check.document
    )
    return CheckResult(
        checked=len(written),
        earlier=earlier,
        verdicts={name: dict(sorted(counts.items())) for name, counts in verdicts.items()},
        retracted=tuple(
            check.record_id
            for check in work.checks.values()
            if any(said.retraction == "yes" for said in check.says)
        ),
        texts=dict(texts),
        bare=tuple(check.record_id for check in written if not _shown(work, check.record_id)),
    )


def _shown(work: Work, record_id: str) -> bool:
    document = work.documents.get(record_id)
    return document is not None and bool(document.title or document.abstract)
