"""Publish, rebuild, verify: the folders and the store, each checked against the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.canonical import sha256
from judge.clock import Clock
from judge.errors import Integrity, JudgeError, Refused
from judge.files import read_bytes, write_atomic
from judge.judgements import export as forms
from judge.protocol.freeze import check_frozen, check_protocol, frozen_bytes
from judge.records.event import StudyEvent
from judge.records.protocol import Frozen
from judge.runs.keys import surroundings
from judge.runs.providers.all import ADAPTERS
from judge.runs.providers.base import Adapter
from judge.runs.providers.registry import key_names
from judge.runs.redact import Redactor, check_key, leaks
from judge.steps.context import Context, Work
from judge.steps.openness import refuse_while_out
from judge.steps.reviewing import refuse_while_coding
from judge.steps.services import services_of
from judge.store.ledger import Ledger
from judge.store.published import (
    CHAIN,
    Published,
    label_chain_problems,
    publish,
    raw_problems,
    read_published,
    rebuild,
    withheld_packets,
)
from judge.study import Study, check_frozen_files


def publish_study(context: Context) -> list[Path]:
    """Writes the store out into the five folders; returns what changed.

    Raises `Refused` while only some assessors have handed in.
    """
    with context.frozen() as work:
        refuse_while_out(work, "publishing")
        refuse_while_coding(work, "publishing")
        changed = publish(work.ledger, context.study.root)
        for name, data in derived_files(work).items():
            path = context.study.root / name
            if not path.is_file() or path.read_bytes() != data:
                write_atomic(path, data)
                changed.append(path)
        return changed


def derived_files(work: Work) -> dict[str, bytes]:
    """The published files that follow from the records: for people and for other tools."""
    if not any(item.labels or item.final for item in work.items):
        return {}
    codes = work.protocol.people.assessors
    return {
        "judgements/items.csv": forms.table(work.items, codes),
        **{
            f"judgements/qrels/{code or 'final'}.qrels": forms.qrels(work.items, code)[0]
            for code in (None, *codes)
        },
    }


def rebuild_study(folder: Path, clock: Clock) -> Study:
    """Makes the store of a published study again, in its own folder. Refuses to replace one."""
    study = Study(folder)
    if study.store.exists():
        raise Refused(
            f"{study.store} exists; a store is never replaced",
            hint="move it away, then run this again",
        )
    published = read_published(folder)
    if published.partial:
        raise Refused(
            f"{folder}: texts were left out of this release, so its records do not match their "
            "own digests and a study cannot be made of them",
            hint="judge verify checks what is there; HOW-TO-CHECK.md says what cannot be",
        )
    draft = study.store.with_name("study.db.rebuilding")
    draft.unlink(missing_ok=True)
    try:
        with Ledger.empty(draft, clock) as ledger:
            rebuild(published, ledger)
            frozen = ledger.find(Frozen, "frozen")
            problems = [
                *ledger.problems(withheld=published.withheld),
                *label_chain_problems(ledger, published.withheld),
            ]
        if problems:
            raise Integrity(f"the folders do not hold together: {'; '.join(problems[:5])}")
        if frozen is not None:
            check_frozen_files(study, frozen)
        draft.rename(study.store)
    finally:
        draft.unlink(missing_ok=True)
    return study


@dataclass(frozen=True)
class Checked:
    """What a verification found: each check in words, and every problem."""

    passed: tuple[str, ...]
    problems: tuple[str, ...]


def verify_study(
    study: Study, clock: Clock, environment: Mapping[str, str] | None = None
) -> Checked:
    """Re-reads everything and checks every digest, chain and trigger.

    The store, where there is one, and the folders are checked each by itself and against each
    other. The folders are rebuilt in a temporary place, so that a stranger needs them alone. Every
    file of the study is searched for every key of ``environment`` (that of the process and the
    study's ``.env`` without it) in every spelling (R39).
    """
    passed: list[str] = []
    problems: list[str] = []
    events: tuple[StudyEvent, ...] | None = None
    try:
        if study.store.is_file():
            with Ledger.open(study.store, clock) as ledger:
                passed.append("store: kind, schema version and append-only triggers")
                events = _check(study, ledger, passed, problems)
        if (study.root / CHAIN).is_file():
            _check_folders(study, clock, events, passed, problems)
        elif events is None:
            raise Refused(
                f"{study.root}: neither a store nor published folders are here",
                hint="judge freeze starts the record",
            )
    except Integrity as error:
        problems.append(error.message)
    _check_keys(study, environment, passed, problems)
    return Checked(tuple(passed), tuple(dict.fromkeys(problems)))


def _check_keys(
    study: Study, environment: Mapping[str, str] | None, passed: list[str], problems: list[str]
) -> None:
    """Searches the study's files for the keys that are set; names files, never keys."""
    given = surroundings(study.root, os.environ) if environment is None else environment
    services: Mapping[str, Adapter] = ADAPTERS
    try:
        services = services_of(study)
    except JudgeError as error:
        problems.append(error.message)
    redactor, names = Redactor(), []
    for name in sorted(key_names(services)):
        if key := given.get(name, "").strip():
            try:
                check_key(name, key)
            except JudgeError as error:
                passed.append(f"keys: not searched for, since {error.message}")
                continue
            redactor.learn(key)
            names.append(name)
    if not names:
        passed.append("keys: none is set here, so none was searched for")
        return
    found = leaks(study.root, redactor)
    problems += [f"{path.relative_to(study.root)}: holds a key of a service" for path in found]
    passed.append(f"keys: every file searched for {', '.join(names)}")


def _check_folders(
    study: Study,
    clock: Clock,
    events: tuple[StudyEvent, ...] | None,
    passed: list[str],
    problems: list[str],
) -> None:
    """``events`` is the chain of the store; None where the folders are all there is."""
    published = read_published(study.root)
    passed.append("folders: every line canonical, every record in its event")
    chain = tuple(event for event, _ in published.steps)
    if events is not None and events[: len(chain)] != chain:
        problems.append(f"{CHAIN}: tells another history than the store")
    with (
        tempfile.TemporaryDirectory() as place,
        Ledger.empty(Path(place) / "study.db", clock) as ledger,
    ):
        rebuild(published, ledger)
        if events is None:
            _check(study, ledger, passed, problems, published)
        else:  # what the store has, the folders must have too
            problems += raw_problems(ledger, published.blobs)
        for name, data in derived_files(Work(ledger)).items():
            path = study.root / name
            if not path.is_file():
                problems.append(f"{name}: missing; `judge publish` writes it")
            elif path.read_bytes() != data:
                problems.append(f"{name}: is not what the labels amount to")
    passed.append("tables and qrels: what the labels amount to")
    if published.withheld:
        passed.append(f"withheld: {len(published.withheld)} packets that have not come back")


def _check(
    study: Study,
    ledger: Ledger,
    passed: list[str],
    problems: list[str],
    published: Published | None = None,
) -> tuple[StudyEvent, ...]:
    """Checks a store and what lies beside it; returns its chain.

    ``published`` is what the store was made from; where texts were left out of that, its records
    were checked against the chain when they were read, and do not match their own digests.
    """
    partial = published is not None and published.partial
    if damage := ledger.damage():
        raise Integrity("; ".join(damage))
    events = ledger.events()
    withheld = withheld_packets(ledger)
    if not partial:
        problems += ledger.problems(withheld=withheld)
    passed.append(f"chain: {len(events)} events, each holding the one before")
    problems += label_chain_problems(ledger, withheld, published.notes if published else None)
    passed.append("labels: the chain of every packet that came back")
    blobs = ledger.blobs()
    if partial and not blobs:
        passed.append("raw replies: left out of this release")
    else:
        problems += raw_problems(ledger, blobs)
        passed.append(f"raw replies: {len(blobs)}, each under its own digest")
    frozen = ledger.find(Frozen, "frozen")
    if frozen is not None:
        found = read_bytes(study.frozen) if study.frozen.is_file() else b""
        checks: tuple[Callable[[], None], ...] = (
            lambda: check_frozen(found, frozen),
            lambda: check_frozen_files(study, frozen, corpus=not partial),
            lambda: check_protocol(read_bytes(study.protocol), frozen),
        )
        for check in checks:
            try:
                check()
            except JudgeError as error:
                problems.append(error.message)
        passed.append(f"frozen bytes: {len(frozen_bytes(frozen))} bytes and the files they name")
    problems += _report_problems(study, events)
    passed.append("reports: the bytes that were written")
    return events


def _report_problems(study: Study, events: tuple[StudyEvent, ...]) -> list[str]:
    found = []
    for event in events:
        for batch in event.batches if event.kind == "reported" else ():
            path = study.root / batch.kind
            if not path.is_file():
                found.append(f"{batch.kind}: missing since {event.at_utc}")
            elif sha256(path.read_bytes()) != batch.root:
                found.append(f"{batch.kind}: changed since {event.at_utc}")
    return found
