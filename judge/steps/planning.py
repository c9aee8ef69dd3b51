"""Lint, freeze and amend: what a team declares, checked, then fixed in bytes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge.decode import decode, scan_toml
from judge.errors import Invalid, JudgeError, Problem, Refused
from judge.files import decode_text, parse_json, read_bytes, write_atomic
from judge.protocol import lint as protocol_lint
from judge.protocol.amend import Seen, effective, effective_query, propose
from judge.protocol.freeze import (
    freeze,
    freeze_id,
    frozen_bytes,
    planned_runs,
    protocol_changes,
)
from judge.queries.lint import Finding, lint_queries
from judge.queries.load import faults, load_queries
from judge.records.judgement import ImportedLabel, LabelEvent
from judge.records.life import UnitStep
from judge.records.protocol import Amendment, Frozen, Protocol
from judge.records.query import FrozenQuery, Query, QuerySet
from judge.records.run import RunRecord
from judge.runs.providers.base import Adapter
from judge.runs.providers.embedded.corpus import SERVICE as EMBEDDED
from judge.runs.providers.embedded.corpus import Corpus, load_corpus
from judge.runs.providers.registry import service_for
from judge.steps.context import Context, Work
from judge.steps.retracting import lapsing, unit_steps
from judge.steps.services import services_of
from judge.store.ledger import Ledger
from judge.study import FOLDERS, Study

TEMPLATE = Path(__file__).parent.parent / "protocol" / "template"
"""The files that `judge init` starts a study from."""

SETS: tuple[QuerySet, ...] = ("evaluation", "development")


@dataclass(frozen=True)
class Draft:
    """The files of a study before its freeze, read; what was wrong is in ``findings``."""

    protocol: Protocol | None
    queries: dict[QuerySet, tuple[Query, ...]]
    files: dict[str, bytes]
    """Query files by name."""
    rubric: bytes
    corpus: Corpus | None
    corpus_bytes: bytes | None
    findings: tuple[Finding, ...]

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What stops a freeze."""
        return tuple(one for one in self.findings if one.severity == "problem")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What a team may weigh; copied into the report."""
        return tuple(one for one in self.findings if one.severity == "warning")


def init(folder: Path) -> list[Path]:
    """Makes the five folders of a new study in ``folder``, with files to fill in."""
    taken = [name for name in FOLDERS if (folder / name).exists()]
    if taken:
        raise Refused(f"{folder} holds {', '.join(taken)} already; nothing was written")
    made = []
    for source in sorted(TEMPLATE.rglob("*")):
        if source.is_file():
            target = folder / source.relative_to(TEMPLATE)
            write_atomic(target, source.read_bytes())
            made.append(target)
    return made


def read_draft(study: Study) -> Draft:
    """Reads everything a freeze would fix and lists every problem of every file at once."""
    findings: list[Finding] = []
    protocol: Protocol | None = None
    wrong: list[Problem] = []
    try:
        protocol, wrong = scan_toml(read_bytes(study.protocol), study.protocol.name, Protocol)
        findings += [_problem(one) for one in wrong]
    except Invalid as error:
        findings += _problems(error)
    rubric = b""
    try:
        rubric = read_bytes(study.rubric)
        decode_text(rubric, "protocol/rubric.md")
    except Invalid as error:
        findings += _problems(error)
    queries: dict[QuerySet, tuple[Query, ...]] = {}
    files: dict[str, bytes] = {}
    for which in SETS:
        path = study.queries(which)
        try:
            data = read_bytes(path)
            queries[which] = load_queries(
                data, f"queries/{path.name}", empty=which == "development"
            )
            files[path.name] = data
        except Invalid as error:
            findings += _problems(error)
    corpus, corpus_bytes = None, None
    if study.corpus.is_file():
        corpus_bytes = read_bytes(study.corpus)
        try:
            corpus = load_corpus(corpus_bytes, "runs/corpus/notes.jsonl")
        except Invalid as error:
            findings += _problems(error)
    if protocol is not None:
        text = rubric.decode("utf-8", "replace")
        # What could not be read is said already, and empty in the record that is linted.
        said = {one.where for one in wrong}
        findings += [
            _problem(one) for one in protocol_lint.lint(protocol, text) if one.where not in said
        ]
        findings += [
            replace(_problem(one), severity="warning")
            for one in protocol_lint.hidden_keys(protocol)
        ]
        known: dict[str, Adapter] = {}
        try:
            known = services_of(study)
        except Invalid as error:
            findings += _problems(error)
        searching = [one.code for one in protocol.systems if one.service == EMBEDDED]
        if searching and corpus_bytes is None:
            findings.append(
                Finding(
                    "problem",
                    "runs/corpus/notes.jsonl",
                    f"missing, and the embedded service of {', '.join(searching)} searches it",
                    "one note a line, as JSON",
                )
            )
        for system in protocol.systems:
            if system.service == EMBEDDED and corpus is None:
                continue
            try:
                service_for(system, corpus, known)
            except Invalid as error:
                # Runs of this system can still be imported, so this stops no freeze.
                findings.append(Finding("warning", "systems", error.message, "or import its runs"))
        if len(queries) == len(SETS) and not wrong:
            findings += lint_queries(queries["evaluation"], queries["development"], protocol)
        if not wrong:
            findings += _since_frozen(study, protocol)
    return Draft(protocol, queries, files, rubric, corpus, corpus_bytes, tuple(findings))


def _since_frozen(study: Study, protocol: Protocol) -> list[Finding]:
    """In a frozen study: what the protocol's file says now and did not say at the freeze."""
    if not study.frozen.is_file():
        return []
    try:
        frozen, _ = decode(parse_json(read_bytes(study.frozen).decode("utf-8")), Frozen)
    except ValueError:
        frozen = None  # `judge verify` says what is wrong with it.
    changed = protocol_changes(protocol, frozen) if frozen is not None else []
    if not changed:
        return []
    text = f"no longer says what was frozen (changed: {', '.join(changed[:8])})"
    return [Finding("warning", "protocol.toml", text, "a wanted change goes through judge amend")]


def _problem(found: Problem) -> Finding:
    """A problem of the protocol, with the file it is in."""
    where = f"protocol.toml: {found.where}" if found.where != "rubric.md" else found.where
    return Finding("problem", where, found.found, found.allowed)


def _problems(error: Invalid) -> list[Finding]:
    listed = error.problems or (Problem("", error.message),)
    return [Finding("problem", one.where, one.found, one.allowed) for one in listed]


@dataclass(frozen=True)
class FreezeResult:
    """What a freeze fixed."""

    freeze_id: str
    queries: int
    planned: int
    warnings: tuple[Finding, ...]


def freeze_study(context: Context) -> FreezeResult:
    """Freezes protocol, rubric, queries and corpus together, and writes the planned run records.

    Raises `Refused` for a second freeze, and while lint has problems, naming each (R23).
    """
    study = context.study
    if study.frozen.exists():
        raise Refused(
            "this study is frozen already; frozen files do not change",
            hint="a change goes through `judge amend`",
        )
    draft = read_draft(study)
    if draft.problems or draft.protocol is None:
        raise _NotReady(draft.problems)
    frozen = freeze(draft.protocol, draft.rubric, draft.files, draft.corpus_bytes)
    planned = planned_runs(draft.protocol, draft.queries["evaluation"])
    queries = [
        FrozenQuery(set=which, query=query) for which in SETS for query in draft.queries[which]
    ]
    with _store(context, draft.protocol.title) as ledger:
        found = ledger.find(Frozen, "frozen")
        if found is None:
            ledger.record("frozen", freeze_id(frozen), [frozen], queries, planned)
        elif found != frozen:
            raise Refused("this study was frozen before, with other files; nothing was written")
        write_atomic(study.frozen, frozen_bytes(frozen))
    return FreezeResult(freeze_id(frozen), len(queries), len(planned), draft.warnings)


def before_freeze(problems: Sequence[Finding]) -> str:
    """How many problems stop a freeze, in words."""
    stand = "problem stands" if len(problems) == 1 else "problems stand"
    return f"{len(problems)} {stand} before a freeze"


class _NotReady(Refused):
    def __init__(self, problems: Sequence[Finding]) -> None:
        super().__init__(
            f"{before_freeze(problems)}; nothing was written",
            hint="mend them, then `judge lint`",
        )
        self._problems = problems

    def lines(self) -> list[str]:
        head, *rest = super().lines()
        return [head, *(f"  {problem}" for problem in self._problems), *rest]


def _store(context: Context, title: str) -> Ledger:
    """The store, made at the first step that needs one."""
    if context.study.store.is_file():
        return Ledger.open(context.study.store, context.clock)
    return Ledger.create(context.study.store, context.clock, title)


def capture_ready(context: Context) -> tuple[Ledger, Draft]:
    """For development queries before the freeze: the store and the files as they stand (R12)."""
    draft = read_draft(context.study)
    if draft.problems or draft.protocol is None:
        raise _NotReady(draft.problems)
    return _store(context, draft.protocol.title), draft


def amend_study(
    context: Context, *, target: str, after: str, author: str, reason: str, seen: Seen
) -> Amendment:
    """Files an amendment: what changes, who, why, and what had been seen (R25)."""
    with context.frozen() as work:
        queries = {query.id: query for query in (*work.evaluation, *work.development)}
        if target.startswith("protocol.depth.cutoffs") and (work.label_events or work.imported):
            reason = reason.strip() and f"post hoc: {reason.strip()}"
        amendment = propose(
            work.frozen,
            queries,
            work.amendments,
            target=target,
            after=after,
            author=author,
            reason=reason,
            seen=seen,
            least_seen=least_seen(work.ledger, work.runs),
            at_utc=context.clock(),
        )
        rubric = context.rubric(work)
        amended = effective(work.frozen, (*work.amendments, amendment))
        codes, now = ([one.code for one in p.systems] for p in (work.protocol, amended))
        if sorted(codes) != sorted(now):
            raise Refused(
                "an amendment cannot add, remove or rename a system: its runs were planned at the "
                f"freeze ({', '.join(codes)} then, {', '.join(now) or 'none'} now); nothing was "
                "written",
                hint="another set of systems is another study: judge init DIR",
            )
        evaluation, development = (
            [effective_query(query, [amendment]) for query in queries]
            for queries in (work.evaluation, work.development)
        )
        known = amended_faults(work.protocol, work.evaluation, work.development, rubric)
        found = amended_faults(amended, evaluation, development, rubric)
        problems = [one for one in found if one not in known]
        if problems:
            raise Invalid(f"{target} cannot take this value; nothing was written", problems)
        work.ledger.record("amended", target, [amendment], _need_changed(context, work, amendment))
        return amendment


def _need_changed(context: Context, work: Work, amendment: Amendment) -> list[UnitStep]:
    """A need that changed makes new units: labels given under the old one do not follow."""
    query = amendment.target.removeprefix("queries.").removesuffix(".need")
    if amendment.target != f"queries.{query}.need":
        return []
    keys = [(one.query_id, one.record_id) for one in work.pool if one.query_id == query]
    lapsed = {key: lapsing(work, key, "need_changed") for key in keys}
    return unit_steps(
        context,
        work,
        [key for key in keys if lapsed[key]],
        "need_changed",
        by=amendment.author,
        reason=amendment.reason,
        lapsed=lapsed,
    )


def amended_faults(
    protocol: Protocol, evaluation: Sequence[Query], development: Sequence[Query], rubric: str
) -> list[Problem]:
    """What would stop a freeze of these."""
    found = protocol_lint.lint(protocol, rubric)
    for query in (*evaluation, *development):
        where = f"query {query.id}"
        found += [Problem(f"{where}: {p.where}", p.found, p.allowed) for p in faults(query)]
    for one in lint_queries(evaluation, development, protocol):
        if one.severity == "problem":
            found.append(Problem(one.where, one.text, one.allowed))
    return found


def least_seen(ledger: Ledger, runs: Sequence[RunRecord]) -> Seen:
    """What the store knows to have been seen."""
    reported = any(event.kind == "reported" for event in ledger.events())
    if reported or ledger.count(LabelEvent) or ledger.count(ImportedLabel):
        return "results_seen"
    executed = any(run.status == "executed" for run in runs)
    return "run_results_not_seen" if executed else "nothing_run"


def copy_inputs(source: Path, target: Path) -> None:
    """Copies the inputs of a study (never its store, packets or derived files) to a new folder."""
    for name in (
        "protocol/protocol.toml",
        "protocol/rubric.md",
        "queries/evaluation.jsonl",
        "queries/development.jsonl",
        "runs/corpus",
        "judgements/script",
        "reports/statement.toml",
    ):
        found = source / name
        if not found.exists():
            raise JudgeError(f"{found} is missing; the worked study is not whole")
        goal = target / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        if found.is_dir():
            shutil.copytree(found, goal)
        else:
            shutil.copyfile(found, goal)
    for name in FOLDERS:
        readme = source / name / "README.md"
        if readme.is_file():
            shutil.copyfile(readme, target / name / "README.md")
