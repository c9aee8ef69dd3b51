"""The release: the gate's list, and a bundle that is written only when all of it holds."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

import judge
from judge.errors import Integrity, JudgeError, Refused
from judge.files import read_bytes, unwritable, write_atomic
from judge.records.release import GateLine, Release, ReleaseKind
from judge.reports.build import amended, build
from judge.reports.gate import Facts, gate, kind_of, sharing_of
from judge.reports.material import Material
from judge.runs.keys import surroundings
from judge.runs.providers.registry import key_names
from judge.runs.redact import Redactor, check_key, leaks
from judge.steps.context import Context, Work
from judge.steps.proving import Meta, opened, release_files, verify_bundle
from judge.steps.recording import verify_study
from judge.steps.reporting import gather, report_files
from judge.steps.services import DESCRIPTIONS, services_of
from judge.store.bundle import RELEASE, leave_out, that_show, with_address, write_manifest
from judge.store.published import publish
from judge.study import Study

_WORD = re.compile(rb"benchmark", re.IGNORECASE)
_OWN_WORDS = (
    "protocol/protocol.toml",
    "protocol/rubric.md",
    "reports/statement.toml",
    "release.json",
    "CITATION.cff",
    "NOTICE.md",
    "HOW-TO-CHECK.md",
)
"""Files in the words of the team or of this tool: not what records and replies say."""


@dataclass(frozen=True)
class Released:
    """What the gate says, and where the bundle is; no folder where none was asked for."""

    kind: ReleaseKind
    gate: tuple[GateLine, ...]
    left_out: dict[str, int]
    folder: Path | None = None
    checked: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[GateLine, ...]:
        return tuple(line for line in self.gate if not line.held)


def release_study(
    context: Context, target: Path | None = None, environment: Mapping[str, str] | None = None
) -> Released:
    """Passes the study through the gate and, where all holds, writes it to the new ``target``.

    ``environment`` is that of the process and the study's `.env` without it: every key in it is
    searched for. The bundle is verified as a stranger would before it gets its name. Raises
    `Refused` for a target that exists or lies in the study; a gate that does not hold is returned,
    and nothing is written.
    """
    root = context.study.root
    if target is not None and os.path.lexists(target):
        raise Refused(f"{target} exists; a release never replaces one", hint="name a new folder")
    if target is not None and target.resolve().is_relative_to(root.resolve()):
        raise Refused(f"{target} lies in the study itself", hint="name a folder outside it")
    given = surroundings(root, os.environ) if environment is None else environment
    with context.frozen() as work:
        material = gather(context.study, work)
        facts = Facts(problems=verify_study(context.study, context.clock, given).problems)
        facts = replace(facts, report=current_report(context.study, work, material))
        material = amended(material)
        lines = gate(material, facts)
        kind = kind_of(material)
        if any(not line.held for line in lines):  # nothing to scan: labels may still be closed
            return Released(kind, lines, {})
        parent = target.parent if target is not None else None
        try:
            if parent is not None:
                parent.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(dir=parent, prefix=".release."))
        except OSError as error:
            raise unwritable(target or Path(tempfile.gettempdir()), error) from None
        try:
            return _written(context, work, material, facts, draft, target, given)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _written(
    context: Context,
    work: Work,
    material: Material,
    facts: Facts,
    draft: Path,
    target: Path | None,
    environment: Mapping[str, str],
) -> Released:
    sharing = sharing_of(material.frozen.protocol.sharing)
    _copy(context.study, work, draft)
    context.progress("release", 1, 4)
    fields = {name for name, decision in sharing.items() if decision == "leave_out"}
    left_out, texts = leave_out(draft, fields, Study(draft).corpus)
    meta = Meta(context.today(), facts.report, left_out)
    whole = release_files(context.study, work, meta)
    with opened(draft, context.clock) as (_, again):
        files = release_files(Study(draft), again, meta)
    for name, data in files.items():
        write_atomic(draft / name, data)
    context.progress("release", 2, 4)
    kind = kind_of(material)
    facts = replace(
        facts,
        keys=_with_key(draft, environment, context.study),
        addresses=with_address(draft),
        shown=that_show(draft, texts),
        lists_rest_on_left_out=_lists(whole) != _lists(files),
        claims=_claims(draft, facts.report) if kind != "benchmark" else (),
    )
    found = Released(kind, gate(material, facts), left_out)
    if found.missing:
        return found
    write_manifest(draft)
    context.progress("release", 3, 4)
    proof = verify_bundle(draft, context.clock, environment)
    if proof.problems:
        raise Integrity(
            f"the bundle does not verify, so it was not written: {proof.problems[0]}",
            hint="judge verify says what is wrong with the study",
        )
    context.progress("release", 4, 4)
    if target is None:
        return found
    draft.chmod(0o755)
    try:
        os.rename(draft, target)
    except OSError as error:
        raise unwritable(target, error) from None
    return replace(found, folder=target, checked=proof.passed)


def _lists(files: Mapping[str, bytes]) -> list[object]:
    """The ranked lists and the means that are made of them, which must not rest on a text that is
    left out: nobody could compute them again."""
    told = msgspec.json.decode(files[RELEASE], type=Release)
    return [
        *sorted((name, data) for name, data in files.items() if name.endswith(".run")),
        told.trec,
    ]


def current_report(study: Study, work: Work, material: Material) -> str:
    """The recorded report that says what the study amounts to now; empty where there is none."""
    try:
        files = report_files(build(material, version=judge.__version__))
    except JudgeError:
        return ""
    for event in reversed(work.ledger.events()):
        folder = study.root / "reports" / event.subject
        if event.kind == "reported" and all(
            (folder / name).is_file() and read_bytes(folder / name) == data
            for name, data in files.items()
        ):
            return f"reports/{event.subject}"
    return ""


def _copy(study: Study, work: Work, draft: Path) -> None:
    """The published form, and every file of the team's that it rests on. Never a key or packet."""
    publish(work.ledger, draft)
    reported = [event for event in work.ledger.events() if event.kind == "reported"]
    paths = [
        study.protocol,
        study.rubric,
        study.frozen,
        study.statement,
        study.corpus,
        *(study.root / "queries" / name for name in work.frozen.queries_sha256),
        *sorted((study.root / DESCRIPTIONS).glob("*.toml")),
        *(study.root / batch.kind for event in reported for batch in event.batches),
    ]
    for path in paths:
        if path.is_file():
            write_atomic(draft / path.relative_to(study.root), read_bytes(path))


def _with_key(draft: Path, environment: Mapping[str, str], study: Study) -> tuple[str, ...]:
    """The files that hold a key of the environment, or any value of `.env` that may be one."""
    names = set(key_names(services_of(study)))
    own = set(surroundings(study.root, {}))
    redactor = Redactor()
    for name in sorted(names | own):
        value = environment.get(name, "").strip() or surroundings(study.root, {}).get(name, "")
        if value and (name in names or "://" not in value):
            try:
                check_key(name, value)
            except JudgeError:
                continue  # too short or too plain to be found again: a word, not a key
            redactor.learn(value)
    return tuple(path.relative_to(draft).as_posix() for path in leaks(draft, redactor))


def _claims(draft: Path, report: str) -> tuple[str, ...]:
    names = (*_OWN_WORDS, *(f"{report}/report.{form}" for form in ("md", "html", "json")))
    return tuple(
        name
        for name in names
        if (draft / name).is_file() and _WORD.search(read_bytes(draft / name))
    )


def gate_json(found: Released) -> dict[str, object]:
    """The gate for a program."""
    return {
        "kind": found.kind,
        "released": str(found.folder) if found.folder else None,
        "missing": len(found.missing),
        "gate": msgspec.to_builtins(found.gate),
        "left_out": found.left_out,
        "checked": list(found.checked),
    }
