"""What is built is what is in the tree, and what is installed is what was declared."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.contracts import loaded

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy (so that no build folder is left in the tree) with the pinned
    backend of this environment (so that nothing is downloaded)."""
    copy = tmp_path_factory.mktemp("source")
    shutil.copytree(ROOT / "judge", copy / "judge", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("protocol", "queries", "runs", "judgements", "reports"):
        (copy / folder).mkdir()
        (copy / folder / "not_a_package.py").touch()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, copy)
    out = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "-qq", "--wheel-dir", str(out))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(copy)], check=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def metadata(unpacked: Path) -> Message:
    (path,) = unpacked.glob("*.dist-info/METADATA")
    return Parser().parsestr(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def files_of(package: Path) -> set[str]:
    return {
        path.relative_to(package).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_package_is_all_that_a_wheel_holds(unpacked: Path) -> None:
    tops = {path.name for path in unpacked.iterdir()}
    assert {re.sub(r"-.*\.dist-info$", "-*.dist-info", name) for name in tops} == {
        "judge",
        "blindjudge-*.dist-info",
    }


def test_every_file_of_the_package_is_in_the_wheel(unpacked: Path) -> None:
    # Modules, templates, style sheets, the marker of types: a kind of file that
    # [tool.setuptools.package-data] does not name would be missing here.
    in_tree = files_of(ROOT / "judge")
    assert "py.typed" in in_tree
    assert files_of(unpacked / "judge") == in_tree


def test_the_wheel_works_away_from_the_tree(unpacked: Path) -> None:
    code = "import sys; sys.argv = ['judge', '--version']\nfrom judge.cli import main; main()"
    exit_code, printed, names = loaded(f"import judge; print(judge.__file__)\n{code}", unpacked)
    assert exit_code == 0
    assert printed.startswith(str(unpacked))
    assert "judge.cli" in names


def test_the_command_and_the_licences_are_in_the_wheel(unpacked: Path, metadata: Message) -> None:
    (info,) = unpacked.glob("*.dist-info")
    assert "judge = judge.cli:main" in (info / "entry_points.txt").read_text("utf-8")
    assert metadata["License-Expression"] == "MIT"
    assert {path.name for path in (info / "licenses").iterdir()} == {"LICENSE", "NOTICE"}
    assert "GPL-3.0-or-later" in (info / "licenses" / "NOTICE").read_text("utf-8")


def test_the_version_is_the_one_of_the_package(metadata: Message) -> None:
    source = (ROOT / "judge" / "__init__.py").read_text("utf-8")
    assert f'__version__ = "{metadata["Version"]}"' in source


def pins() -> dict[str, str]:
    """constraints.txt by normalised name. Raises ValueError for a line that is not a plain pin."""
    found: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        pin = re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.!+]+)", line)
        if not pin:
            raise ValueError(f"constraints.txt: {line!r} is not NAME==VERSION")
        found[canonicalize_name(pin[1])] = pin[2]
    return found


def test_every_dependency_is_pinned_within_its_range(project: dict[str, Any]) -> None:
    declared = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
    ]
    pinned = pins()
    outside = [
        text
        for text in declared
        if (need := Requirement(text))
        and not need.specifier.contains(pinned.get(canonicalize_name(need.name), "0"))
    ]
    assert len(declared) > 10
    assert outside == []


def test_the_build_backend_is_one_exact_version(project: dict[str, Any]) -> None:
    (backend,) = project["build-system"]["requires"]
    assert re.fullmatch(r"setuptools==[0-9.]+", backend)
    assert backend in project["project"]["optional-dependencies"]["dev"]
