"""Every leak of docs/blinding.md has a test that exists, or a sentence in the report."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from judge.records.judgement import Packet, View
from judge.store.packet_file import read_shown
from judge.study import Study
from tests.reports.studies import report_of
from tests.steps.repeated import repeated
from tests.steps.studies import copy_of

ROOT = Path(__file__).parents[2]
LEAKS = [f"L{number}" for number in range(1, 21)]
_NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def table() -> dict[str, str]:
    """The last cell of each row, by leak."""
    rows = {}
    for line in (ROOT / "docs" / "blinding.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"L[0-9]+", cells[0]):
            assert cells[0] not in rows
            rows[cells[0]] = cells[-1]
    return rows


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def test_the_table_holds_every_leak_once_in_order() -> None:
    assert list(table()) == LEAKS


@pytest.mark.parametrize("leak", LEAKS)
def test_every_leak_has_a_test_that_exists(leak: str) -> None:
    named = _NAMED.findall(table()[leak])
    assert named, f"{leak} names no test"
    missing = [f"{file}::{name}" for file, name in named if name not in names_in(file)]
    assert missing == []


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_that_no_rule_stops_is_said_in_the_report(leak: str) -> None:
    blinding = report_of().blinding
    said = [one for one in (*blinding.said, blinding.guesses_note) if f"({leak})" in one]
    assert len(said) == ("*report*" in table()[leak])


# --- those that no other module holds -----------------------------------------------------------


def test_no_packet_states_how_many_items_a_need_has() -> None:
    """L10: the head has one number, of the whole packet, and a view has none."""
    numbers = [name for name, kind in Packet.__annotations__.items() if "int" in str(kind)]
    assert numbers == ["items"]
    assert {str(kind) for kind in View.__annotations__.values()} == {"str", "str | None"}


def test_nothing_in_the_folder_of_packets_names_a_system(tmp_path: Path) -> None:
    """L17: after a whole labelling, locks and logs included; no file is open to others."""
    root = copy_of(repeated("shallow"), tmp_path)
    packets = sorted((root / "packets").iterdir())
    assert {path.name for path in packets} >= {"A.packet", "B.packet"}
    for path in packets:
        data = path.read_bytes().lower()
        for name in (b"keyword", b"semantic", b"embedded", b"r1/k", b"r1/s", b'does late"'):
            assert name not in data, (path.name, name)
        assert path.stat().st_mode & 0o077 == 0, path.name
    _, rows = read_shown(Study(root).packet("A"))
    assert len(rows) == 14
