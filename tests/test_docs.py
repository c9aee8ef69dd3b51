"""What docs/ and the README say is what the program does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate import PAGES
from judge.study import FOLDERS
from tests.command_lines import command_lines, fault

ROOT = Path(__file__).resolve().parents[1]
SHOWN = sorted(
    str(page.relative_to(ROOT))
    for pattern in ("*.md", "docs/*.md", *(f"{folder}/README.md" for folder in FOLDERS))
    for page in ROOT.glob(pattern)
)

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PATH = re.compile(r"`([\w.-]+/[\w./<>*-]*)`")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = frozenset(
    {
        "protocol/amendments.jsonl",  # where one was filed
        "packets/A.packet",
        "runs/services/",
        "runs/services/NAME.toml",
        "blindjudge/keys.toml",
        "judgements/losses.json",  # of a bundle
        "runs/trec",
    }
)
"""Files that a study or a machine has, and this one has not."""


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_program_says_today(name: str) -> None:
    made = PAGES[name]()
    assert (ROOT / name).read_text("utf-8") == made, "python -m docs.generate"


@pytest.mark.parametrize("name", SHOWN)
def test_every_command_line_is_one_that_the_program_takes(name: str) -> None:
    page = (ROOT / name).read_text("utf-8")
    wrong = [
        (line, why) for line, whole in command_lines(page) if (why := fault(line, whole=whole))
    ]
    assert wrong == []


def test_what_the_program_would_not_take_is_seen() -> None:
    page = "`judge frieze`\n```console\n$ judge unlock A\n$ judge pool --deep\n```\n`judge unlock`"
    found = [(line, bool(fault(line, whole=whole))) for line, whole in command_lines(page)]
    assert found == [
        ("judge unlock A", True),
        ("judge pool --deep", True),
        ("judge frieze", True),
        ("judge unlock", False),
    ]


@pytest.mark.parametrize("name", SHOWN)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    lost = []
    for target in _LINK.findall(_FENCE.sub("", page.read_text("utf-8"))):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in anchors(there.read_text("utf-8"))):
            lost.append(target)
    assert lost == []


def anchors(page: str) -> Iterator[str]:
    """The names that a heading gets in a page as it is shown on the web."""
    for heading in re.findall(r"^#+ (.+)$", _FENCE.sub("", page), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "CHANGELOG.md"])
def test_every_file_that_is_named_is_there(name: str) -> None:
    found = _PATH.findall(_FENCE.sub("", (ROOT / name).read_text("utf-8")))
    homes = (ROOT, ROOT / "judge", (ROOT / name).parent)
    lost = [
        path for path in found if path not in ELSEWHERE and not any(_at(h, path) for h in homes)
    ]
    assert lost == []


def _at(home: Path, path: str) -> bool:
    """Whether there is such a file, ``<…>`` and ``*`` standing for any name."""
    return any(home.glob(re.sub(r"<[^>]*>", "*", path.rstrip("/"))))


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(_LINK.findall(index)) == set()
