"""A study with hidden repeats from packet to report: they are measured, and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from judge.cli import run
from judge.judgements.repeats import repeat_labels
from judge.records.report import Report
from judge.reports.render.blocks import Table
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.middle import judging
from judge.reports.render.terminal import print_summary
from judge.steps.auditing import audit_packet
from judge.steps.judging import collect_packet, export_labels, unlock_packet
from judge.steps.recording import publish_study, rebuild_study
from judge.steps.reporting import report_study
from judge.store.desk import Desk
from judge.study import Study
from tests.steps.acts import CLOCK, folders, problems, strangers_copy
from tests.steps.repeated import repeated
from tests.steps.studies import context_of, copy_of, give, sitting_at


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    found = {}
    for name in ("repeated", "plain"):
        root = copy_of(repeated(name), tmp_path_factory.mktemp(name))
        found[name] = report_study(context_of(root)).report
    return found


def test_six_of_36_items_come_again_and_the_person_sees_42(tmp_path: Path) -> None:
    path = Study(copy_of(repeated("repeated", labelled=False), tmp_path)).packet("A")
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        assert sitting.progress().total == sitting.packet.items == 42
        shown = []
        for position in range(1, 43):
            sitting.go(position)
            shown.append((sitting.view().need, sitting.view().title))
    assert len(set(shown[:36])) == 36
    assert len(set(shown[36:])) == 6
    assert set(shown[36:]) < set(shown[:36])
    needs = [need for need, _ in shown]
    assert needs[:36] == 18 * [needs[0]] + 18 * [needs[18]]
    assert b"repeat" not in path.read_bytes()


def test_both_assessors_are_measured_apart(reports: dict[str, Report]) -> None:
    """A said the same six times, B never."""
    rows = {row.assessor: row for row in reports["repeated"].judging.repeats}
    assert [(code, row.repeats, row.same.cell) for code, row in rows.items()] == [
        ("A", 6, "1.00"),
        ("B", 6, "0.00"),
    ]
    # Wilson: 6 of 6 is from 6/(6 + 1.96²) = 0.6097 on, 0 of 6 the mirror of it.
    assert round(float(rows["A"].interval.lower), 4) == 0.6097
    assert round(float(rows["B"].interval.upper), 4) == 0.3903


def test_every_other_figure_is_that_of_the_study_without(reports: dict[str, Report]) -> None:
    """The same first labels, other packets: the same agreement, precision and comparison."""
    one, other = reports["repeated"], reports["plain"]
    assert one.precision == other.precision
    assert one.comparison == other.comparison
    assert one.judging.blindness == other.judging.blindness
    assert one.judging.gaps == other.judging.gaps
    for mine, theirs in zip(one.judging.agreement, other.judging.agreement, strict=True):
        assert mine.table == theirs.table
        assert mine.coefficients == theirs.coefficients
        assert sum(row.items for row in mine.drift) == sum(row.items for row in theirs.drift)
    assert other.judging.repeats == ()
    assert other.judging.repeats_note.startswith("The protocol declares no hidden repeats")


def test_every_form_of_the_report_says_how_often(
    reports: dict[str, Report], capsys: pytest.CaptureFixture[str]
) -> None:
    report = reports["repeated"]
    print_summary(report, Console(width=80))
    for text in (render_markdown(report), render_html(report), capsys.readouterr().out):
        assert "Self-consistency on items shown twice" in " ".join(text.split())
    assert "1/6 of each assessor's items came again" in render_markdown(report)


def test_self_consistency_closes_the_agreement_section(reports: dict[str, Report]) -> None:
    """Coverage, counts, coefficients, needs and families, drift; what was shown twice is last."""
    sections = judging(reports["repeated"].judging)
    blocks = [block for part in sections for block in part.blocks]
    names = [block.id for block in blocks if isinstance(block, Table)]
    start, end = names.index("coverage-1"), names.index("repeats")
    assert names[start : end + 1] == [
        "coverage-1",
        "counts-1",
        "coefficients-1",
        "agreement-per-query-1",
        "agreement-per-family-1",
        "drift-1",
        "repeats",
    ]


def test_exports_hold_first_labels_alone(tmp_path: Path) -> None:
    files = {}
    for name in ("repeated", "plain"):
        root = copy_of(repeated(name), tmp_path / name)
        export_labels(context_of(root), root / "out")
        files[name] = {path.name: path.read_bytes() for path in (root / "out/qrels").iterdir()}
        assert b"uncertain" not in (root / "out" / "items.csv").read_bytes()
    assert files["repeated"] == files["plain"]
    assert len(files["plain"]) == 3


def test_published_rebuilt_and_published_again_is_the_same(tmp_path: Path) -> None:
    root = copy_of(repeated("repeated"), tmp_path)
    publish_study(context_of(root))
    copy = strangers_copy(root, tmp_path / "copy")
    rebuild_study(copy, CLOCK)
    assert problems(copy) == ()
    publish_study(context_of(copy))
    assert folders(copy) == folders(root)
    with context_of(copy).frozen() as work:
        kept = repeat_labels(work.deals, work.label_events, work.items, work.protocol)
    assert {code: len(pairs) for code, pairs in kept.items()} == {"A": 6, "B": 6}


def test_the_audit_finds_nothing_in_the_block(tmp_path: Path) -> None:
    context = context_of(copy_of(repeated("repeated", labelled=False), tmp_path))
    found = audit_packet(context, context.study.packet("A"))
    assert (found.leaks, found.table.items, found.table == found.stored) == ((), 42, True)
    assert "comes again" in {line.name for line in found.table.lines}


def test_a_sitting_goes_on_over_the_boundary(tmp_path: Path) -> None:
    """Left at the last item of the first pass: resumed, undone and taken up again in the block."""
    path = Study(copy_of(repeated("repeated", labelled=False), tmp_path)).packet("A")
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        for _ in range(36):
            give(sitting, "relevant")
        assert (sitting.position, sitting.progress().left) == (37, 6)
    with Desk(path) as desk:
        sitting = sitting_at(desk)
        assert sitting.position == 37
        give(sitting, "uncertain")
        assert [(act.position, act.label) for act in sitting.history()] == [(37, "uncertain")]
        sitting.undo()
        sitting.undo()
        assert (sitting.position, sitting.progress().done) == (36, 35)
        give(sitting, "not_relevant")
        assert sitting.position == 37
        for _ in range(6):
            assert not sitting.handed_in
            give(sitting, "relevant")
        assert sitting.progress().left == 0
        sitting.hand_in("I judged alone.")


def test_a_packet_without_its_block_is_not_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(repeated("repeated", labelled=False), tmp_path)
    with Desk(Study(root).packet("A")) as desk:
        sitting = sitting_at(desk)
        for _ in range(36):
            give(sitting, "relevant")
    assert run(["collect", "A", "--study", str(root)]) == 3
    assert "A has not handed in" in capsys.readouterr().err


def test_a_first_label_changed_after_an_unlock_is_what_the_second_is_compared_with(
    tmp_path: Path,
) -> None:
    context = context_of(copy_of(repeated("repeated"), tmp_path), start="2026-12-01T08:00:00Z")
    with context.frozen() as work:
        deal = next(one for one in work.deals if one.assessor == "A")
        first = next(one.repeat_of for one in deal.items if one.repeat_of)
    unlock_packet(context, "A", "a slip")
    with Desk(context.study.packet("A")) as desk:
        sitting = sitting_at(desk)
        sitting.go(first)
        give(sitting, "uncertain")
        sitting.hand_in("I judged alone.")
    collect_packet(context, context.study.packet("A"), "A")
    with context.frozen() as work:
        pairs = repeat_labels(work.deals, work.label_events, work.items, work.protocol)["A"]
    assert sum(one != other for one, other in pairs) == 1
