"""Studies that can be released, their bundles, and what a forger does to one."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from judge.canonical import canonical, digest, sha256
from judge.records.base import Record
from judge.records.event import Batch, StudyEvent
from judge.steps.judging import adjudication_packet, collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study
from judge.steps.proving import Meta, opened, release_files
from judge.steps.recording import Checked
from judge.steps.releasing import Released, release_study
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.store.bundle import write_manifest
from judge.store.chain import sealed
from judge.store.ledger import GENESIS, KIND_OF, root_of
from judge.store.published import CHAIN, FILES
from judge.study import Study
from tests.steps.acts import CLOCK
from tests.steps.studies import (
    PROTOCOL,
    START,
    _place,
    context_of,
    label_packet,
    labels_of,
    settle_packet,
    worked,
    write_inputs,
)

SHARE_ALL = ("title", "abstract", "journal", "year", "type", "raw_results", "note")


def closed_study(
    root: Path,
    *,
    share: tuple[str, ...] = SHARE_ALL,
    later: bool = False,
    title: str = "A small study",
) -> Path:
    """The small study, labelled blind and settled, with its report."""
    sharing = "\n[sharing]\n" + "".join(f'{name} = "share"\n' for name in share)
    write_inputs(root, protocol=PROTOCOL.replace("A small study", title) + sharing)
    context = context_of(root, start="2026-11-30T10:00:00Z", entropy="release")
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    for code in "AB":
        make_packet(context, code)
    for who, code in enumerate("AB"):
        label_packet(Study(root).packet(code), labels_of(who))
        collect_packet(context, Study(root).packet(code), code)
    adjudication_packet(context)
    path = Study(root).packet("D", "adjudication")
    settle_packet(path, "relevant" if later else "not_relevant")
    collect_packet(context, path, "D")
    report_study(context)
    return root


def released(root: Path, target: Path | None, **environment: str) -> Released:
    return release_study(context_of(root, start="2026-12-02T08:00:00Z"), target, environment)


@cache
def worked_bundle() -> Path:
    """The release of the worked study, made once."""
    target = _place() / "worked-bundle"
    done = released(worked(), target)
    assert done.missing == ()
    assert done.folder == target
    return target


@cache
def small_bundle(*share: str) -> Path:
    """The release of the small study under a sharing decision, made once."""
    place = _place() / f"small-{len(share)}-{'-'.join(share)}"
    done = released(closed_study(place / "study", share=share), place / "bundle")
    assert done.missing == (), done.missing
    return place / "bundle"


def copied(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "bundle"))


def forge(folder: Path, name: str, change: Callable[[list[Record]], list[Record]]) -> None:
    """Changes the records of one kind, and then every digest that would tell: chain and manifest,
    and all files that follow from the records, written by the tool itself."""
    path = folder / FILES[name]
    records = [
        msgspec.json.decode(line, type=KIND_OF[name]) for line in path.read_bytes().splitlines()
    ]
    forged = change(records)
    path.write_bytes(b"".join(canonical(one) + b"\n" for one in forged))
    left = iter(forged)

    def batch(one: Batch) -> Batch:
        if one.kind != name:
            return one
        group = [*itertools.islice(left, one.count)]
        return msgspec.structs.replace(one, root=root_of(map(digest, group)))

    rechain(folder, batch)
    refile(folder)


def rechain(folder: Path, batch: Callable[[Batch], Batch]) -> None:
    """The chain anew, every batch as `batch` has it."""
    events, last = [], GENESIS
    for line in (folder / CHAIN).read_bytes().splitlines():
        event = msgspec.json.decode(line, type=StudyEvent)
        batches = tuple(batch(one) for one in event.batches)
        events.append(sealed(msgspec.structs.replace(event, batches=batches, prev_hash=last)))
        last = events[-1].hash
    (folder / CHAIN).write_bytes(b"".join(canonical(one) + b"\n" for one in events))


def rechain_reports(folder: Path) -> None:
    """The chain anew, for the reports that are there."""
    rechain(
        folder,
        lambda one: (
            msgspec.structs.replace(one, root=sha256((folder / one.kind).read_bytes()))
            if one.kind.startswith("reports/")
            else one
        ),
    )


def refile(folder: Path) -> None:
    """Every file that follows from the records anew, and the manifest."""
    told = msgspec.json.decode((folder / "release.json").read_bytes())
    meta = Meta(told["released_on"], told["report"], told["left_out"])
    with opened(folder, CLOCK) as (_, work):
        for name, data in release_files(Study(folder), work, meta).items():
            (folder / name).write_bytes(data)
    write_manifest(folder)


def proved(folder: Path) -> Checked:
    from judge.steps.proving import verify_bundle

    return verify_bundle(folder, lambda: START, {})
