"""Two screeners and a final decision, as labels of two assessors and of an adjudicator."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from judge.judgements.importing import ImportedLabels, import_label_table
from judge.records.judgement import AgreementFreeze, FrozenPair
from judge.records.measured import AgreementSection
from judge.reports.agreement.section import agreement_section
from judge.reports.resampling import Resamples

ASSESSORS = {
    "Screener 1 Decision": "A",
    "Screener 2 Decision": "B",
    "Final Decision": "final",
}


@pytest.fixture(scope="module")
def imported(real_data: Path) -> ImportedLabels:
    """All three columns, records told apart by row: some DOIs stand twice, some not at all."""
    path = real_data / "screening" / "caim_covid_tiab.csv"
    numbered = io.StringIO()
    with path.open(encoding="utf-8-sig", newline="") as lines:
        for number, row in enumerate(csv.reader(lines)):
            csv.writer(numbered, lineterminator="\n").writerow(
                [f"r{number:03d}" if number else "row", *row]
            )
    return import_label_table(
        numbered.getvalue().encode(),
        path.name,
        mapping={"yes": "relevant", "no": "not_relevant", "maybe": "uncertain"},
        assessors=ASSESSORS,
        known=None,
        record="row",
        only_query="q1",
    )


@pytest.fixture(scope="module")
def labels(imported: ImportedLabels) -> dict[str, dict[str, str]]:
    """Labels by record and assessor."""
    found: dict[str, dict[str, str]] = {}
    for one in imported.labels:
        found.setdefault(one.record_id, {})[one.assessor] = one.label
    return found


@pytest.fixture(scope="module")
def section(labels: dict[str, dict[str, str]]) -> AgreementSection:
    pairs = tuple(
        FrozenPair(query_id="q1", record_id=record, labels=given)
        for record, given in labels.items()
    )
    return agreement_section(
        AgreementFreeze(number=1, at_utc="2026-12-02T10:00:00Z", packets={}, pairs=pairs),
        ("A", "B"),
        families={"q1": "screening"},
        items=(),
        deals=(),
        resamples=Resamples(("q1",), seed=1),
    )


def test_every_change_of_a_cell_is_counted_and_named(imported: ImportedLabels) -> None:
    assert len(imported.labels) == 3 * 671
    notices = {notice.kind: notice.text for notice in imported.notices}
    assert set(notices) == {"trimmed_cells", "case_folded_cells"}
    # Of 2013 cells all but four are capitalised, and nine have a blank behind the word.
    assert notices["case_folded_cells"].startswith("cells read without regard to case: 2009: ")
    assert notices["trimmed_cells"].startswith("cells read without the blanks around them: 9: ")


def test_agreement_of_the_two_screeners(section: AgreementSection) -> None:
    figures = {one.name: one.figure for one in section.coefficients}
    assert section.both_judged == 671
    raw = figures["raw agreement"]
    assert raw.lower is not None
    assert raw.lower.fraction == "539/671"
    assert round(float(raw.cell), 3) == 0.803
    assert round(float(figures["Cohen's kappa"].cell), 3) == 0.485
    assert section.coefficients[0].interval.cell == "no interval: 1 query, fewer than 5"
    assert "671 items resampled" in section.coefficients[0].of_these.method


def test_how_the_disagreements_were_settled(labels: dict[str, dict[str, str]]) -> None:
    disputed = [given for given in labels.values() if given["A"] != given["B"]]
    assert len(disputed) == 132
    assert Counter(given["final"] for given in disputed) == {
        "not_relevant": 71,
        "relevant": 55,
        "uncertain": 6,
    }
