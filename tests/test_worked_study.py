"""The five folders are the worked study, published: what the tool writes today is what lies there.

Run with a fixed clock and fixed chance, the study gives the same bytes on every machine. After a
wanted change of a format or a figure, ``UPDATE_WORKED_STUDY=1`` writes the folders anew; the change
then shows in the diff.
"""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path

import pytest

from judge.clock import stepping_clock
from judge.judgements.packet import fixed_entropy
from judge.steps.context import Context
from judge.steps.demo import SOURCE, run_demo
from judge.steps.recording import publish_study, rebuild_study, verify_study
from judge.steps.reporting import report_study
from judge.study import FOLDERS, Study

UPDATE = "UPDATE_WORKED_STUDY" in os.environ


def fixed(root: Path) -> Context:
    """Surroundings in which nothing varies: a second passes with every look at the clock."""
    ticks = itertools.count()
    return Context(
        Study(root),
        clock=stepping_clock("2026-11-30T09:00:00Z"),
        monotonic=lambda: next(ticks) / 4,
        entropy=fixed_entropy("the worked study"),
    )


def files(root: Path) -> dict[str, bytes]:
    """The files of the five folders by their path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """The worked study, run from its inputs."""
    context = fixed(tmp_path_factory.mktemp("worked") / "study")
    run_demo(context)
    return context.study


def test_the_folders_hold_what_the_tool_writes(made: Study) -> None:
    today = files(made.root)
    if UPDATE:
        for name in FOLDERS:
            shutil.rmtree(SOURCE / name)
            shutil.copytree(made.root / name, SOURCE / name)
    there = files(SOURCE)
    assert sorted(there) == sorted(today)
    assert [name for name in today if there[name] != today[name]] == []


def test_the_folders_verify_as_they_lie_there() -> None:
    found = verify_study(Study(SOURCE), stepping_clock("2026-12-01T00:00:00Z"))
    assert found.problems == ()
    assert any("withheld: 1" in one for one in found.passed)


def test_a_store_made_from_the_folders_publishes_and_reports_the_same_bytes(
    tmp_path: Path,
) -> None:
    for name in FOLDERS:
        shutil.copytree(SOURCE / name, tmp_path / name)
    study = rebuild_study(tmp_path, stepping_clock("2026-12-01T00:00:00Z"))
    context = Context(study, clock=stepping_clock("2026-12-01T00:00:00Z"))
    before = files(SOURCE)
    assert publish_study(context) == []
    written = report_study(context)
    assert not written.new, "the report of the rebuilt study differs from the one that lies there"
    assert files(tmp_path) == before


def test_nothing_of_the_untouched_packet_is_published() -> None:
    for name in ("judgements/deals.jsonl", "judgements/packets.jsonl", "judgements/labels.jsonl"):
        assert b'"assessor":"C"' not in (SOURCE / name).read_bytes()
