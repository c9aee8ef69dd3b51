"""The worked study, run from its inputs to its report, asking nothing.

Its labels are scripted: replayed through the desk by need and record. They exercise the tool;
nobody judged, and nothing is evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from judge.decode import read_jsonl
from judge.errors import Refused
from judge.files import read_bytes
from judge.judgements.packet import fixed_entropy
from judge.judgements.replay import replay, replay_codes
from judge.records.failure import FailureScript
from judge.records.judgement import Deal, Script
from judge.steps.context import Context, Work
from judge.steps.judging import (
    adjudication_packet,
    collect_packet,
    make_packet,
    pool_study,
)
from judge.steps.planning import copy_inputs, freeze_study
from judge.steps.recording import publish_study
from judge.steps.reporting import Written, report_study
from judge.steps.reviewing import failure_packet
from judge.steps.running import capture_study
from judge.store.packet_file import read_packet
from judge.study import Study

SOURCE = Path(__file__).parent.parent.parent
"""The checkout, whose five folders are the worked study."""


CODERS = ("A", "D")
"""Who codes the failures of the worked study."""


@dataclass(frozen=True)
class Demo:
    """What a run of the worked study left behind."""

    study: Study
    written: Written
    practice: tuple[str, ...]
    """Codes with a packet that nobody has touched."""


def free_folder(parent: Path) -> Path:
    """``demo-study``, or the next free name: an earlier one may hold somebody's labels."""
    number = 1
    while True:
        folder = parent / ("demo-study" if number == 1 else f"demo-study-{number}")
        if not folder.exists():
            return folder
        number += 1


def run_demo(context: Context, source: Path = SOURCE) -> Demo:
    """Runs every stage of the worked study of ``source`` in the new folder of ``context``.

    Packets of the two assessors, the adjudicator and the coders of failures are dealt as scripted,
    with a fixed order, so that the same inputs and the same clock give the same bytes. A practice
    packet is dealt with the context's own entropy and left untouched.
    """
    if not (source / "protocol" / "protocol.toml").is_file():
        raise Refused(
            "the worked study's five folders are not beside this installation",
            hint="run it from a checkout of the project",
        )
    copy_inputs(source, context.study.root)
    capture_study(context, development=True)
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    scripted = replace(context, entropy=fixed_entropy("worked study"))
    with context.frozen() as work:
        people = work.protocol.people
    for code in people.assessors:
        path = make_packet(scripted, code, scripted=True)
        _replay(context, path, code)
        collect_packet(context, path, code)
    path = adjudication_packet(scripted, scripted=True)
    _replay(context, path, people.adjudicator)
    collect_packet(context, path, people.adjudicator)
    for code in CODERS:
        path = failure_packet(scripted, code, scripted=True)
        _replay_codes(context, path, code)
        collect_packet(context, path, code)
    for code in people.practice:
        make_packet(context, code)
    written = report_study(context)
    publish_study(context)
    return Demo(context.study, written, people.practice)


def _replay(context: Context, path: Path, code: str) -> None:
    name = context.study.root / "judgements" / "script" / f"{code}.jsonl"
    scripts = [line for _, line in read_jsonl(read_bytes(name), name.name, Script)]
    with context.frozen() as work:
        deal = _deal_of(work, read_packet(path).packet.packet_id)
    replay(
        path,
        deal,
        scripts,
        monotonic=context.monotonic,
        today=context.today,
        progress=lambda done: context.progress(f"replay {code}", done, len(deal.items)),
    )


def _replay_codes(context: Context, path: Path, code: str) -> None:
    name = context.study.root / "judgements" / "script" / f"{code}.failures.jsonl"
    scripts = [line for _, line in read_jsonl(read_bytes(name), name.name, FailureScript)]
    with context.frozen() as work:
        deal = _deal_of(work, read_packet(path).packet.packet_id)
        systems = {run.run_id: run.system for run in work.runs}
    replay_codes(
        path,
        deal,
        scripts,
        systems,
        monotonic=context.monotonic,
        today=context.today,
        progress=lambda done: context.progress(f"failures {code}", done, len(deal.items)),
    )


def _deal_of(work: Work, packet_id: str) -> Deal:
    return next(deal for deal in work.deals if deal.packet_id == packet_id)
