from __future__ import annotations

import msgspec
import pytest

from judge.errors import Refused
from judge.records.report import Report
from tests.reports.declared import QUERIES
from tests.reports.studies import report_of, run, study


def test_runs_are_all_counted_and_none_replaces_another() -> None:
    more = (
        run(QUERIES[0], "K", run_id="old", round="r0"),
        run(study().development[0], "K", run_id="dev"),
    )
    report = report_of(runs=(*study().runs, *more))
    assert (report.runs.scored_runs, report.runs.earlier_runs) == (14, 1)
    assert "development queries: 1, never scored" in report.runs.summary
    assert {line.run_id: line.scored for line in report.runs.runs}["old"] is False
    assert "dev" not in {line.run_id for line in report.runs.runs}
    assert "d1" not in {row.query_id for row in report.precision.per_query}


def test_a_run_of_a_query_that_is_not_frozen_is_refused() -> None:
    stray = msgspec.structs.replace(study().runs[0], query_id="q99", run_id="stray")
    with pytest.raises(Refused, match="q99"):
        report_of(runs=(*study().runs, stray))


def test_versions_are_printed_or_said_to_be_unavailable() -> None:
    runs = list(study().runs)
    runs[1] = msgspec.structs.replace(runs[1], index_version="2026-11", service_version=None)
    first, second = report_of(runs=tuple(runs)).runs.systems
    assert first.index_version == "unavailable (not exposed by the service)"
    assert second.index_version == "changed during the round: 2026-11, unavailable"
    assert second.service_version == "changed during the round: 2.1, not captured"


def test_translations_are_part_of_the_method(report: Report) -> None:
    lines = {(one.query_id, one.system): one for one in report.runs.translations}
    assert lines["q2", "S"].submitted == "about two"
    assert lines["q2", "S"].note == "S reads sentences"
    assert lines["q2", "K"].submitted == "two"
    assert lines["q7", "K"].submitted == '"open'
