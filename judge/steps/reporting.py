"""The report: everything gathered, computed once, written in three forms that agree."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import judge
from judge.canonical import sha256
from judge.clock import is_utc
from judge.decode import read_toml
from judge.errors import Refused
from judge.files import read_bytes, write_atomic
from judge.judgements.asking import guess_pairs
from judge.judgements.collect import declarations, unlocks
from judge.judgements.repeats import repeat_labels
from judge.records.audit import LeakAudit
from judge.records.event import Batch
from judge.records.judgement import AgreementFreeze
from judge.records.report import Report
from judge.records.statement import Statement
from judge.reports.build import build
from judge.reports.material import Material
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.steps.context import Context, Work
from judge.steps.openness import openness_of, refuse_while_out
from judge.steps.reviewing import coded_of
from judge.study import Study


@dataclass(frozen=True)
class Written:
    """A report and the folder it was written to."""

    report: Report
    folder: Path
    new: bool
    """False where the same report was there already, byte for byte."""


def gather(study: Study, work: Work) -> Material:
    """The study as the report sees it."""
    statement = Statement()
    if study.statement.is_file():
        statement = read_toml(read_bytes(study.statement), "reports/statement.toml", Statement)
    frozen_at = next(event.at_utc for event in work.ledger.events() if event.kind == "frozen")
    returned = {event.packet_id for event in work.label_events}
    coded, coders_out = coded_of(work)
    return Material(
        frozen=work.frozen,
        freeze_id=work.freeze_id,
        frozen_at=frozen_at,
        evaluation=work.evaluation,
        development=work.development,
        runs=work.keyed_runs,
        documents=work.documents,
        pool=work.pool,
        items=work.items,
        deals=work.deals,
        agreement=work.ledger.all(AgreementFreeze),
        amendments=work.amendments,
        coded=coded,
        coders_out=coders_out,
        audits=tuple(one for one in work.ledger.all(LeakAudit) if one.packet_id in returned),
        checks=work.checks,
        repeats=repeat_labels(work.deals, work.label_events, work.items, work.protocol),
        guesses=guess_pairs(work.deals, work.label_events, work.found, work.protocol),
        declared=declarations(work.deals, work.label_events),
        unlocked=unlocks(work.deals, work.label_events),
        statement=statement,
        excused={(query, code): why for (code, query), why in work.excused.items()},
        closed=openness_of(work).closed,
        steps=work.steps,
    )


def report_study(context: Context) -> Written:
    """Computes the report and writes it to ``reports/<day>-<n>/`` (`_day`).

    A report is never overwritten: an equal one is left as it is, another gets the next number.
    Raises `Refused` while only some assessors have handed in (R51).
    """
    with context.frozen() as work:
        refuse_while_out(work, "a report")
        context.progress("report", 0, 4)
        material = gather(context.study, work)
        context.progress("report", 1, 4)
        report = build(material, version=judge.__version__)
        context.progress("report", 2, 4)
        files = report_files(report)
        context.progress("report", 3, 4)
        folder, new = _place(context.study.root / "reports", _day(work), files)
        if new:
            _write(folder, files)
        # Written and not recorded: an earlier call was stopped between the two.
        recorded = {event.subject for event in work.ledger.events() if event.kind == "reported"}
        if folder.name not in recorded:
            work.ledger.record(
                "reported",
                folder.name,
                outside=[
                    Batch(kind=f"reports/{folder.name}/{name}", count=1, root=sha256(data))
                    for name, data in files.items()
                ],
            )
        context.progress("report", 4, 4)
        return Written(report, folder, new)


def report_files(report: Report) -> dict[str, bytes]:
    """A report in its three forms, by file name."""
    return {
        "report.json": report_json(report),
        "report.md": render_markdown(report).encode(),
        "report.html": render_html(report).encode(),
    }


def _day(work: Work) -> str:
    """The day a report is named by: of the last retrieval, or, where no run says when it was
    made, of the last import of runs; `planned` where there is none."""
    moments = [run.retrieved_at_utc or "" for run in work.runs]
    if dated := [moment for moment in moments if is_utc(moment)]:
        return max(dated)[:10]
    imports = [event.at_utc for event in work.ledger.events() if event.kind == "imported_run"]
    return max(imports)[:10] if imports else "planned"


def _place(reports: Path, day: str, files: dict[str, bytes]) -> tuple[Path, bool]:
    number = 1
    while True:
        folder = reports / f"{day}-{number}"
        if not folder.exists():
            return folder, True
        if all(
            (folder / name).is_file() and (folder / name).read_bytes() == data
            for name, data in files.items()
        ):
            return folder, False
        number += 1


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """All files of a report or none: written beside, then renamed."""
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    for name, data in files.items():
        write_atomic(draft / name, data)
    try:
        draft.rename(folder)
    except OSError as error:
        raise Refused(f"{folder}: cannot be written ({error.strerror})") from None
