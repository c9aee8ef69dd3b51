"""Capture: what services answered, each answer kept the moment it is there."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace

from judge.errors import Incomplete, Refused
from judge.records.run import Document, Notice, RunRecord
from judge.runs.asking import Asking
from judge.runs.exchange import Sender
from judge.runs.identity import hit_key
from judge.runs.journal import Journal, doubts_of, past_of
from judge.runs.lanes import Service, Surroundings
from judge.runs.providers.base import Adapter
from judge.runs.providers.embedded.corpus import documents
from judge.runs.providers.embedded.service import EmbeddedService
from judge.runs.providers.registry import key_names
from judge.runs.redact import Redactor, check_key
from judge.steps.capturing import ASKS_FROM, NO_WISH, REAL_WIRE, Target, Wire, Wish, target
from judge.steps.context import Context

REFUSALS = frozenset({"refused", "rejected"})


@dataclass
class Tally:
    """How far a capture is, for whoever watches."""

    total: int
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    """By system code: how many queries ended with which outcome."""
    stopping: bool = False
    """Whether only the requests under way are still waited for."""

    def add(self, run: RunRecord) -> None:
        """Counts one more."""
        counts = self.outcomes.setdefault(run.system, {})
        counts[str(run.outcome)] = counts.get(str(run.outcome), 0) + 1

    @property
    def done(self) -> int:
        return sum(sum(counts.values()) for counts in self.outcomes.values())

    def count(self, *outcomes: str) -> int:
        """How many queries ended with one of ``outcomes``."""
        return sum(counts.get(name, 0) for counts in self.outcomes.values() for name in outcomes)

    @property
    def words(self) -> str:
        """``12 answered, 1 refused, 2 failed``."""
        answered, refused = self.count("answered", "empty"), self.count(*REFUSALS)
        failed = self.done - answered - refused
        words = f"{answered} answered, {refused} refused, {failed} failed"
        return f"{words}; stopping after the requests under way" if self.stopping else words


Watch = Callable[[Tally], None]


@dataclass(frozen=True)
class CaptureResult:
    """What a capture did: outcomes by system, and how many (query, system) are still open."""

    outcomes: dict[str, dict[str, int]]
    captured: int
    left: int
    round: str = ""
    scored: bool = False
    """Whether it is the round that the protocol scores."""
    paid: int = 0
    """Paid requests that were sent."""
    in_doubt: tuple[str, ...] = ()
    """Queries with a paid request that nobody knows the end of."""
    ends: dict[str, str] = field(default_factory=dict)
    """By service: why its run ended early."""


class StoppedEarly(Incomplete):
    """A capture that did not ask everything; ``result`` says what it did."""

    def __init__(self, message: str, result: CaptureResult, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.result = result

    def lines(self) -> list[str]:
        head, *rest = super().lines()
        ends = [f"  {service}: {why}" for service, why in self.result.ends.items()]
        doubt = [f"  in doubt: {pair}" for pair in self.result.in_doubt]
        return [head, *ends, *doubt, *rest]


def capture_study(
    context: Context,
    codes: Sequence[str] = (),
    *,
    development: bool = False,
    wish: Wish = NO_WISH,
    wire: Wire = REAL_WIRE,
    watch: Watch | None = None,
) -> CaptureResult:
    """Asks every open query of the chosen systems (all without ``codes``) and keeps each reply.

    Goes on where an earlier capture stopped. Development queries may be captured before the
    freeze. Raises `StoppedEarly` (an `Incomplete`) where it was stopped by the keyboard, by a
    service or by the number of paid requests, and while requests are in doubt: what was answered
    is kept. Raises `Refused`, with nothing sent, for a missing key and for more paid requests than
    were confirmed.
    """
    with target(context, codes, development, wish, wire) as found:
        _check(found, codes, development, wish)
        if found.doubtful:
            found.ledger.record("captured", f"{len(found.doubtful)} in doubt", found.doubtful)
        redactor = Redactor()
        for name in {*key_names(found.services), *_keys_of(found)}:
            if key := found.environment.get(name, "").strip():
                check_key(name, key)
                redactor.learn(key)
        tally = Tally(len(found.jobs))

        def told() -> None:
            context.progress("capture", tally.done, tally.total)
            if watch is not None:
                watch(tally)

        told()
        ends: dict[str, str] = {}
        cut_off = False
        with redactor.guarding_logs(), Journal(found.ledger) as journal:
            asking = _Run(context, found, wire, wish, tally, told)
            try:
                ends = asyncio.run(asking.run(journal, redactor))
            except (KeyboardInterrupt, asyncio.CancelledError):
                ends, cut_off = {"capture": "stopped by Ctrl-C"}, True
        doubts = asking.in_doubt() if cut_off else asking.doubts
        command = command_of(codes, development, wish)
        return _result(found, tally, ends, asking.paid, doubts, command)


def _check(found: Target, codes: Sequence[str], development: bool, wish: Wish) -> None:
    missing = found.missing_keys()
    if missing:
        names = ", ".join(f"{name} (system {code})" for code, name in missing.items())
        raise Refused(
            f"no key in {names}; nothing was sent",
            hint="set it in the environment or in the study's .env file, which git ignores",
        )
    most = found.paid_requests()
    allowed = ASKS_FROM if wish.confirm_paid is None else wish.confirm_paid
    if most > allowed:
        command = command_of(codes, development, replace(wish, confirm_paid=None))
        if wish.resend_in_doubt:
            command += " --resend-in-doubt"
        raise Refused(
            f"up to {most} paid requests would be sent, {allowed} are allowed; nothing was sent",
            hint=f"{command} --limit 10 for a pilot, or {command} --confirm-paid {most}",
        )


def _keys_of(found: Target) -> set[str]:
    return {one.facts.key_env for one in found.adapters.values() if one.facts.key_env}


def command_of(codes: Sequence[str], development: bool, wish: Wish) -> str:
    """The command that goes on as the user began; to send again what is in doubt, or to stop at
    a pilot once more, is for the user to say anew."""
    words = ["judge capture", *codes]
    words += ["--development"] if development else []
    words += ["--retry-failed"] if wish.retry_failed else []
    words += [] if wish.confirm_paid is None else [f"--confirm-paid {wish.confirm_paid}"]
    return " ".join(words)


def _result(
    found: Target,
    tally: Tally,
    ends: Mapping[str, str],
    paid: int,
    doubts: Sequence[tuple[str, str]],
    command: str,
) -> CaptureResult:
    doubtful = tuple(f"{query} at {system}" for system, query in (*found.in_doubt, *doubts))
    result = CaptureResult(
        outcomes=tally.outcomes,
        captured=tally.done,
        left=tally.total - tally.done + found.left_out,
        round=found.round,
        scored=found.scored,
        paid=paid,
        in_doubt=doubtful,
        ends=dict(ends),
    )
    if ends:
        message = (
            f"stopped after {tally.done} of {tally.total} queries; every answer so far is kept"
        )
        raise StoppedEarly(message, result, hint=command)
    if doubtful:
        raise StoppedEarly(
            f"{len(doubtful)} paid requests are in doubt: sent, and no reply on record",
            result,
            hint=f"{command} --resend-in-doubt (they may be paid twice), or leave them so",
        )
    return result


@dataclass
class _Run:
    """One capture under way."""

    context: Context
    found: Target
    wire: Wire
    wish: Wish
    tally: Tally
    told: Callable[[], None]
    doubts: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        corpus = self.found.corpus
        self._neutral = {one.record_id: one for one in documents(corpus)} if corpus else {}
        self._known = set(self.found.ledger.keys(Document))
        self._asking: Asking | None = None

    @property
    def paid(self) -> int:
        """Paid requests that were sent."""
        return self._asking.paid if self._asking else 0

    def in_doubt(self) -> list[tuple[str, str]]:
        """The (system, query) pairs that this capture leaves in doubt, as the store has it: one
        that did not wait for its requests has heard of none of their ends."""
        ledger, name = self.found.ledger, self.found.round
        open_ends = doubts_of(past_of(ledger, name), ledger.all(RunRecord), name)
        asked = {(job.plan.system, job.plan.query_id) for job in self.found.jobs}
        return [*self.doubts, *(pair for pair in open_ends if pair in asked)]

    async def run(self, journal: Journal, redactor: Redactor) -> dict[str, str]:
        """Asks; returns why services ended early."""
        wish, wire, context = self.wish, self.wire, self.context
        async with AsyncExitStack() as stack:
            services = await self._services(redactor, stack)
            asking = self._asking = Asking(
                journal,
                services,
                Surroundings(
                    clock=context.clock,
                    now=context.monotonic,
                    sleep=wire.sleep,
                    chance=wire.chance,
                    limits=wire.limits,
                    redactor=redactor,
                    budget=ASKS_FROM if wish.confirm_paid is None else wish.confirm_paid,
                    done=self._done,
                    texts=self._texts,
                ),
            )
            with _interruptible(self._pressed):
                await asking.run(self.found.jobs)
            return asking.ends

    async def _services(self, redactor: Redactor, stack: AsyncExitStack) -> dict[str, Service]:
        found: dict[str, Service] = {}
        remote: dict[str, Adapter] = {}
        for code, adapter in self.found.adapters.items():
            if isinstance(adapter, EmbeddedService):
                found[code] = Service(adapter, adapter)
            else:
                remote[code] = adapter
        if remote:
            # Here, so that a study without a network never loads the HTTP library.
            from judge.runs.client import Client, HttpSender, base_of

            environment, wire = self.found.environment, self.wire
            client = await stack.enter_async_context(
                Client(environment, redactor, wire.limits, wire.transport)
            )
            for code, adapter in remote.items():
                sender: Sender = HttpSender(client, adapter.facts, environment)
                base = base_of(adapter.facts, environment)
                text = f"asked at {base} in place of {adapter.facts.endpoint}"
                notices = (Notice(kind="base_replaced", text=text),) if base else ()
                found[code] = Service(adapter, sender, notices)
        return found

    def _done(self, run: RunRecord) -> None:
        self.tally.add(run)
        if run.outcome == "in_doubt":
            self.doubts.append((run.system, run.query_id))
        try:
            self.told()
        except KeyboardInterrupt:
            self._stop()

    def _stop(self) -> None:
        if self._asking is not None:
            self._asking.stop("stopped by Ctrl-C")
        self.tally.stopping = True

    def _pressed(self) -> None:
        self._stop()
        self.told()

    def _texts(self, run: RunRecord) -> list[Document]:
        """The neutral text of records that this run is the first to find."""
        if not self._neutral:
            return []
        keys = dict.fromkeys(hit_key(hit, run.service) for hit in run.raw_results or ())
        new = [self._neutral[k] for k in keys if k in self._neutral and k not in self._known]
        self._known |= {document.record_id for document in new}
        return new


@contextmanager
def _interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C lets requests under way come back, a second one does not wait for them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    pressed = False

    def interrupt() -> None:
        nonlocal pressed
        if pressed and task is not None:
            task.cancel()
        pressed = True
        stop()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
