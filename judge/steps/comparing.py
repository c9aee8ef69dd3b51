"""`judge diff`: two reports read where they lie, each with the runs of its own study."""

from __future__ import annotations

from pathlib import Path

from judge.clock import Clock
from judge.decode import decode, read_jsonl
from judge.errors import Integrity, Refused
from judge.files import parse_json, read_bytes
from judge.records.difference import Difference
from judge.records.report import SCHEMA_VERSION, Report
from judge.records.run import RunRecord
from judge.reports.difference import difference
from judge.store.published import FILES
from judge.study import Study


def compare_reports(before: Path, after: Path, clock: Clock) -> Difference:
    """What differs between two reports; each is a `report.json` or the folder that holds it."""
    first, second = _report(before), _report(after)
    return difference(first, second, _runs(before, clock), _runs(after, clock))


def _report(place: Path) -> Report:
    path = place / "report.json" if place.is_dir() else place
    if not path.is_file():
        raise Refused(f"{path}: there is no report here", hint="ls reports/ names the dated ones")
    try:
        found = parse_json(read_bytes(path).decode("utf-8"))
    except ValueError as error:
        raise Integrity(f"{path} is no report: {error}") from None
    version = found.get("schema_version") if isinstance(found, dict) else None
    if version != SCHEMA_VERSION:
        raise Refused(
            f"{path} has schema {version}; this version reads {SCHEMA_VERSION}",
            hint="judge report in its study writes it anew",
        )
    report, problems = decode(found, Report, path.name)
    if report is None:
        raise Integrity(f"{path} is no report of this tool: {problems[0]}")
    return report


def _runs(place: Path, clock: Clock) -> dict[str, RunRecord]:
    """The run records of the study that a report lies in, by run id."""
    study = Study.locate(place.resolve())
    published = study.root / FILES["run"]
    if study.store.is_file():
        with study.ledger(clock) as ledger:
            runs = ledger.all(RunRecord)
    elif published.is_file():
        lines = read_jsonl(read_bytes(published), published.name, RunRecord)
        runs = tuple(run for _, run in lines)
    else:
        runs = ()
    return {run.run_id: run for run in runs}
