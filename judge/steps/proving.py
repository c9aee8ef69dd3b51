"""Proof for a stranger: a bundle read again, and every number in it computed again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

import judge
from judge.canonical import canonical, digest
from judge.clock import Clock
from judge.errors import JudgeError
from judge.files import parse_json, read_bytes
from judge.judgements import export as forms
from judge.judgements.packet import view_of
from judge.judgements.pool import pool
from judge.records.judgement import AgreementFreeze
from judge.records.protocol import Amendment
from judge.records.release import Loss, Release
from judge.records.report import Report
from judge.records.run import Document
from judge.records.source import ImportedText, SourceCheck
from judge.reports.build import amended, build
from judge.reports.gate import Facts, gate, kind_of, sharing_of
from judge.reports.papers import citation, how_to_check, notice
from judge.reports.released import trec_means, trec_runs
from judge.runs.conversation import same_reading
from judge.runs.identity import hit_key
from judge.runs.merging import merged_records
from judge.steps.context import Work
from judge.steps.recording import Checked, derived_files, verify_study
from judge.steps.reporting import gather, report_files
from judge.steps.rereading import read_again
from judge.store.bundle import RELEASE, differences, manifest_problems, read_release_file
from judge.store.ledger import Ledger
from judge.store.published import Published, read_published, rebuild
from judge.store.sharing import read_left_out
from judge.study import Study, anchor

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Meta:
    """What a release says of itself that does not follow from its records."""

    released_on: str
    report: str
    left_out: dict[str, int]


@contextmanager
def opened(folder: Path, clock: Clock) -> Iterator[tuple[Published, Work]]:
    """A published folder as a study at work, made again in a temporary place."""
    published = read_published(folder)
    with (
        tempfile.TemporaryDirectory() as place,
        Ledger.empty(Path(place) / "study.db", clock) as ledger,
    ):
        rebuild(published, ledger)
        yield published, Work(ledger)


def release_files(study: Study, work: Work, meta: Meta) -> dict[str, bytes]:
    """Every file of a bundle that follows from its records and from ``meta``, by name."""
    material = amended(gather(study, work))
    files = derived_files(work)
    runs, losses = trec_runs(material)
    files |= runs
    for code in (None, *work.protocol.people.assessors):
        name = code or "final"
        rows = forms.of_assessor(work.items, code)
        given = [row for row in rows if row["label"] is not None]
        files[f"judgements/csv/{name}.csv"] = forms.sheet(rows)
        files[f"judgements/jsonl/{name}.jsonl"] = b"".join(canonical(row) + b"\n" for row in rows)
        losses += _losses(name, rows, len(given), forms.qrels(work.items, code)[1])
    release = Release(
        schema_version=SCHEMA_VERSION,
        kind=kind_of(material),
        title=material.frozen.protocol.title,
        freeze_id=work.freeze_id,
        released_on=meta.released_on,
        report=meta.report,
        chain_head=anchor(work.ledger.events()),
        sharing=sharing_of(material.frozen.protocol.sharing),  # type: ignore[arg-type]
        left_out=meta.left_out,
        losses=losses,
        trec=trec_means(material),
        gate=gate(material, Facts(report=meta.report)),
    )
    return files | {
        "judgements/losses.json": _pretty(release.losses),
        RELEASE: _pretty(release),
        "CITATION.cff": citation(material, release),
        "NOTICE.md": notice(material, release),
        "HOW-TO-CHECK.md": how_to_check(material, release),
    }


def _losses(
    name: str, rows: list[dict[str, object]], given: int, ungraded: dict[str, int]
) -> tuple[Loss, ...]:
    graded = len(rows) - sum(ungraded.values())
    lost = {"no_grade_" + kind: count for kind, count in ungraded.items()}
    lost |= {
        f"no_{field}": count
        for field in ("reason", "note", "evidence")
        if (count := sum(bool(row[field]) for row in rows))
    }
    guarded = sum(forms.guarded(str(row["note"])) != row["note"] for row in rows)
    return (
        Loss(
            file=f"judgements/csv/{name}.csv",
            format="csv",
            carried=given,
            lost={"notes_with_an_apostrophe_in_front": guarded} if guarded else {},
            said="An empty cell is null or an empty text alike; acts before the last label of an "
            "item are in judgements/labels.jsonl.",
        ),
        Loss(
            file=f"judgements/jsonl/{name}.jsonl",
            format="jsonl",
            carried=given,
            lost={},
            said="Acts before the last label of an item are in judgements/labels.jsonl.",
        ),
        Loss(
            file=f"judgements/qrels/{name}.qrels",
            format="qrels",
            carried=graded,
            lost=lost,
            said="A qrels file has grades for relevant and not relevant alone.",
        ),
    )


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def verify_bundle(
    folder: Path, clock: Clock, environment: Mapping[str, str] | None = None
) -> Checked:
    """Checks a bundle by its manifest, then as a study, then by computing all of it again.

    Where the manifest does not hold, its problems are all that is told: what would be computed
    from other files is not what was released.
    """
    if problems := manifest_problems(folder):
        return Checked((), tuple(problems))
    passed = ["manifest: every file is the one released, and no other file is there"]
    found: list[str] = []
    try:
        study = verify_study(Study(folder), clock, environment)
        passed += study.passed
        found += study.problems
        if not found:
            _recompute(folder, clock, passed, found)
    except JudgeError as error:
        found.append(error.message)
    except (LookupError, StopIteration, ValueError) as error:
        # Records of a forger may name what is not there: no fault of this program.
        found.append(f"cannot be computed again: the records do not fit together ({error!r})")
    return Checked(tuple(passed), tuple(dict.fromkeys(found)))


def _recompute(folder: Path, clock: Clock, passed: list[str], found: list[str]) -> None:
    """Adds to ``found`` as it goes: a report that refuses to be built hides nothing before it."""
    study = Study(folder)
    try:
        told = msgspec.convert(
            parse_json(read_release_file(folder).decode("utf-8")), Release, strict=True
        )
    except (ValueError, msgspec.ValidationError) as error:
        found.append(f"{RELEASE}: is no release of this tool: {error}")
        return
    with opened(folder, clock) as (published, work):
        found += _sharing_problems(folder, work, told)

        def check(problems: list[str], said: str) -> None:
            found.extend(problems)
            if not problems:
                passed.append(said)

        if published.blobs or not published.partial:
            found += _reading_problems(study, work, passed)
        else:
            passed.append("cannot: read the lists from replies again, which are left out")
        check(_pool_problems(work), "pool: every hit within the declared depth is in it")
        check(_agreement_problems(work), "agreement: frozen on labels that are here")
        if published.partial:
            passed.append("cannot: make again what assessors saw, since texts are left out")
        else:
            found += _view_problems(work, passed)
        files = release_files(study, work, Meta(told.released_on, told.report, told.left_out))
        check(
            differences(folder, files),
            f"recomputed: {len(files)} files of labels, run lists and pages, the same to the byte",
        )
        if published.partial:
            check(
                _score_problems(study, work, told.report),
                "recomputed: precision and comparisons of the report, whose three forms agree",
            )
            passed.append(f"cannot: compute the rest of {told.report}, which rests on all texts")
        else:
            check(
                _report_problems(study, work, told.report),
                f"recomputed: {told.report}, every number, the same to the byte",
            )


def _sharing_problems(folder: Path, work: Work, told: Release) -> list[str]:
    """A text may be gone by the protocol's decision alone, or anything could hide behind it."""
    allowed = {
        name
        for name, decision in sharing_of(work.protocol.sharing).items()
        if decision == "leave_out"
    }
    found = [
        f"{one.file}: line {one.line} lacks {', '.join(sorted(set(one.fields) - allowed))}, which "
        "the protocol shares"
        for one in read_left_out(folder).values()
        if set(one.fields) - allowed
    ]
    if not allowed and told.left_out:
        found.append(f"{RELEASE}: says that texts are left out, and the protocol shares all")
    return found


def _reading_problems(study: Study, work: Work, passed: list[str]) -> list[str]:
    found, read, unread = [], 0, 0
    for name in sorted({run.round for run in work.runs if run.status == "executed"}):
        for run, again in read_again(work, study, name):
            read += 1
            if again is None:
                unread += 1
            elif not same_reading(again, run):
                found.append(f"runs/records.jsonl: {run.run_id} is not what its raw reply says")
    imported = sum(run.form == "imported" for run in work.runs)
    if not found:
        passed.append(f"raw replies: {read - unread} read again, each giving its run record")
    if unread:
        passed.append(f"cannot: read {unread} replies with the adapters of this version")
    if imported:
        passed.append(
            f"cannot: read {imported} imported lists again; the files they came in are there"
        )
    return found


def _pool_problems(work: Work) -> list[str]:
    """What the pool lacks, and hits that it holds as another record than their list says."""
    pooled = {(one.query_id, one.record_id) for one in work.pool}
    depth = work.protocol.depth.pool
    again = pool(work.evaluation, work.current, depth, frozenset(), work.merged)
    missing = [
        f"judgements/pool.jsonl: {one.record_id} of {one.query_id} is missing"
        for one in again
        if (one.query_id, one.record_id) not in pooled
    ]
    if work.ledger.count(SourceCheck) or work.ledger.count(ImportedText):
        return missing  # what joined two identifiers then may be known otherwise now
    joined = merged_records(work.current, work.documents, work.protocol.choices.same_record, ())
    holds = {
        (run.run_id, hit.rank): hit_key(hit, run.service)
        for run in work.current.values()
        for hit in run.raw_results or ()
    }
    foreign = [
        f"judgements/pool.jsonl: {one.record_id} of {one.query_id} is not what {place.run_id} "
        f"holds at rank {place.rank}"
        for one in work.pool
        for place in one.found_by
        for key in (holds.get((place.run_id, place.rank)),)
        for known in (joined.get(one.query_id, {}),)
        if key is not None and known.get(key, key) != known.get(one.record_id, one.record_id)
    ]
    return missing + foreign


def _agreement_problems(work: Work) -> list[str]:
    """A freeze of first labels names the last act of each packet that it counted."""
    acts = {event.hash for event in work.label_events}
    return [
        f"judgements/agreement.jsonl: freeze {one.number} rests on acts of {code} that are not here"
        for one in work.ledger.all(AgreementFreeze)
        for code, last in one.packets.items()
        if last not in acts and code not in {label.assessor for label in work.imported}
    ]


def _view_problems(work: Work, passed: list[str]) -> list[str]:
    """Compares what each assessor saw with the texts that are here, by digest."""
    queries = {query.id: query for query in (*work.evaluation, *work.development)}
    replaced = any(work.ledger.count(kind) for kind in (Amendment, SourceCheck, ImportedText))
    if replaced or len(work.documents) != work.ledger.count(Document):
        passed.append("cannot: tell what assessors saw by today's texts, since texts were replaced")
        return []
    found, seen = [], 0
    for deal in work.deals:
        for item in deal.items if deal.kind in ("label", "adjudication") else ():
            seen += 1
            view = view_of(queries[item.query_id], work.documents[item.record_id])
            if digest(view) != item.view_sha256:
                found.append(
                    f"judgements/deals.jsonl: {deal.assessor} saw another text of "
                    f"{item.record_id} than is here"
                )
    if not found:
        passed.append(f"views: {seen} items, each the text that its assessor saw")
    return found


def _stored_report(study: Study, name: str) -> Report | str:
    """The report of a bundle, or what is wrong with it."""
    path = study.root / name / "report.json"
    if not path.is_file():
        return f"{name}: there is no report here"
    try:
        return msgspec.json.decode(read_bytes(path), type=Report)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        return f"{name}/report.json: is no report of this tool: {error}"


def _score_problems(study: Study, work: Work, name: str) -> list[str]:
    """What of a report does not rest on texts: scores and comparisons; and its three forms."""
    there = _stored_report(study, name)
    if isinstance(there, str):
        return [there]
    again = build(gather(study, work), version=judge.__version__)
    found = [
        f"{name}/report.json: {part} is not what the records amount to"
        for part in ("precision", "comparison")
        if getattr(there, part) != getattr(again, part)
    ]
    forms_of = {f"{name}/{form}": data for form, data in report_files(there).items()}
    return found + differences(study.root, forms_of)


def _report_problems(study: Study, work: Work, name: str) -> list[str]:
    """The report built again; the versions that it names are taken from it, and only those."""
    there = _stored_report(study, name)
    if isinstance(there, str):
        return [there]
    again = build(gather(study, work), version=judge.__version__)
    ours = (again.tool, again.computation.libraries)
    theirs = (there.tool, there.computation.libraries)
    again = msgspec.structs.replace(
        again,
        tool=there.tool,
        computation=msgspec.structs.replace(again.computation, libraries=theirs[1]),
    )
    files = {f"{name}/{form}": data for form, data in report_files(again).items()}
    problems = differences(study.root, files)
    if problems and ours != theirs:
        problems.append(
            f"{name}: was written by {there.tool} with other libraries than are here, which may "
            "be all there is to it; use the versions that it names"
        )
    return problems
