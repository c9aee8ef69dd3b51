"""The layout holds: who may import whom, what a command loads, what may not stand in a file.

Every contract is run twice: on the project, where it finds nothing, and on a tree with one planted
breach, which it finds. A check that cannot fail proves nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts import (
    Contract,
    Import,
    breaches,
    imports,
    loaded,
    modules,
    reached,
    within,
)
from tests.lints import markup_risks, project_files, strays, too_long

ROOT = Path(__file__).resolve().parents[1]

STAGES = tuple(f"judge.{name}" for name in ("protocol", "queries", "runs", "judgements", "reports"))
ABOVE_STORE = ("judge.study", *STAGES)
GROUND = tuple(
    f"judge.{name}" for name in ("canonical", "clock", "decode", "errors", "files", "text")
)
FACES = ("judge.cli", "judge.tui", "judge.__main__")

# Each contract with a breach of it: a module and the line in it.
CONTRACTS: list[tuple[Contract, str, str]] = [
    (
        Contract("only store imports sqlalchemy", ("judge",), ("sqlalchemy",), ("judge.store",)),
        "judge.judgements.pool",
        "from sqlalchemy import select",
    ),
    (
        Contract("only runs.client imports httpx", ("judge",), ("httpx",), ("judge.runs.client",)),
        "judge.runs.capture",
        "import httpx",
    ),
    (
        Contract(
            "only reports.agreement imports krippendorff",
            ("judge",),
            ("krippendorff",),
            ("judge.reports.agreement",),
        ),
        "judge.judgements.agreement",
        "import krippendorff",
    ),
    (
        Contract("only tui imports textual", ("judge",), ("textual",), ("judge.tui",)),
        "judge.cli.label",
        "from textual.app import App",
    ),
    (
        Contract("tui does not import runs", ("judge.tui",), ("judge.runs",)),
        "judge.tui.app",
        "from judge.runs.outcome import outcome",
    ),
    (
        Contract("tui does not import reports", ("judge.tui",), ("judge.reports",)),
        "judge.tui.app",
        "from judge import reports",
    ),
    (
        Contract(
            "of the store, tui imports desk alone",
            ("judge.tui",),
            ("judge.store", "judge.study"),
            allowed=("judge.store.desk",),
        ),
        "judge.tui.app",
        "from judge.store import desk, ledger",
    ),
    (
        Contract(
            "records import nothing of ours",
            ("judge.records",),
            ("judge",),
            allowed=("judge.records",),
        ),
        "judge.records.run",
        "from judge.errors import Invalid",
    ),
    (
        Contract("the ground imports nothing above it", GROUND, ("judge.store", *ABOVE_STORE)),
        "judge.files",
        "from judge.study import Study",
    ),
    (
        Contract("store imports no stage", ("judge.store",), ABOVE_STORE),
        "judge.store.ledger",
        "from judge.judgements import pool",
    ),
    *(
        (
            Contract(f"{stage} imports no later stage", (stage,), STAGES[place + 1 :]),
            f"{stage}.one",
            f"from {STAGES[place + 1]} import anything",
        )
        for place, stage in enumerate(STAGES[:-1])
    ),
    (
        Contract("nothing below the faces imports a face", ("judge",), FACES, FACES),
        "judge.reports.report",
        "from judge.cli import main",
    ),
    (
        Contract("tui does not import cli", ("judge.tui",), ("judge.cli",)),
        "judge.tui.app",
        "import judge.cli.label",
    ),
]
IDS = [contract.says.replace(" ", "-") for contract, _, _ in CONTRACTS]

# What some modules may not even come to import by way of others: (from, what, why in one line).
FAR: list[tuple[str, str, str]] = [
    ("judge.tui", "judge.runs", "a process that labels could see which system found a hit"),
    ("judge.tui", "judge.reports", "a process that labels could see a score"),
    ("judge.tui", "judge.store.ledger", "the open half of the store is not for the desk"),
    *(
        (stage, library, "works without a terminal and without a network")
        for stage in ("judge.protocol", "judge.queries", "judge.reports")
        for library in ("textual", "httpx")
    ),
    *(
        (stage, later, "a stage rests on earlier stages only")
        for place, stage in enumerate(STAGES)
        for later in STAGES[place + 1 :]
    ),
]


@pytest.fixture(scope="module")
def found() -> list[Import]:
    return imports(ROOT)


def plant(root: Path, module: str, source: str) -> None:
    """Write a module, and an empty ``__init__`` for each package above it."""
    path = root.joinpath(*module.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    for folder in path.relative_to(root).parents[:-1]:
        (root / folder / "__init__.py").touch()
    path.write_text(source + "\n", "utf-8")


# --- who imports whom ---------------------------------------------------------------------------


@pytest.mark.parametrize("contract", [row[0] for row in CONTRACTS], ids=IDS)
def test_contract_holds(contract: Contract, found: list[Import]) -> None:
    assert breaches(contract, found) == []


@pytest.mark.parametrize(("contract", "module", "line"), CONTRACTS, ids=IDS)
def test_contract_finds_a_breach(
    contract: Contract, module: str, line: str, tmp_path: Path
) -> None:
    for name in ("judge.store.desk", "judge.store.ledger", "judge.reports.one", "judge.cli.label"):
        plant(tmp_path, name, "")
    plant(tmp_path, module, f"from __future__ import annotations\n\n{line}")
    (breach,) = breaches(contract, imports(tmp_path))
    assert breach.startswith(f"{module.replace('.', '/')}.py:3: {module} imports ")


def test_contracts_speak_of_modules_that_exist() -> None:
    known = modules(ROOT)
    named = {name for contract, _, _ in CONTRACTS for name in contract.importers}
    assert {name for name in named if name not in known} == set()
    # The walk sees the project, not an empty folder.
    assert {"judge.errors", "judge.records.run", "judge.store", "judge.tui", *STAGES} <= set(known)


def test_an_exempt_module_is_free_to_import(tmp_path: Path) -> None:
    plant(tmp_path, "judge.store.engine", "import sqlalchemy")
    plant(tmp_path, "judge.storehouse", "import sqlalchemy")
    (breach,) = breaches(CONTRACTS[0][0], imports(tmp_path))
    assert breach == "judge/storehouse.py:1: judge.storehouse imports sqlalchemy"


@pytest.mark.parametrize(
    "source",
    [
        "import judge.runs.capture as c",
        "from judge.runs.capture import run",
        "from judge.runs import capture",
        "from ..runs import capture",
        "from ..runs.capture import run",
        "from .. import runs",
        "def label():\n    from judge.runs import capture",
        "async def label():\n    import judge.runs.capture",
        "class Screen:\n    from judge.runs import capture",
        "if TYPE_CHECKING:\n    from judge.runs.capture import Run",
        "try:\n    import judge.runs\nexcept ImportError:\n    pass",
        "import importlib\nrun = importlib.import_module('judge.runs.capture')",
        "from importlib import import_module\nrun = import_module('judge.runs')",
        "run = __import__('judge.runs')",
    ],
)
def test_every_way_to_import_is_seen(source: str, tmp_path: Path) -> None:
    plant(tmp_path, "judge.runs.capture", "")
    plant(tmp_path, "judge.tui.app", source)
    assert any(within(one.target, ("judge.runs",)) for one in imports(tmp_path))


# --- what is reached by way of others -----------------------------------------------------------


@pytest.mark.parametrize(("start", "never", "why"), FAR)
def test_far_contract_holds(start: str, never: str, why: str, found: list[Import]) -> None:
    chains = [chain for name, chain in reached(found, [start]).items() if within(name, [never])]
    assert chains == [], why


def test_far_contract_finds_a_breach_two_steps_away(tmp_path: Path) -> None:
    plant(tmp_path, "judge.store.ledger", "")
    plant(tmp_path, "judge.judgements.life", "def later():\n    from judge.store import ledger")
    plant(tmp_path, "judge.tui.app", "import judge.judgements.life")
    found = imports(tmp_path)
    assert reached(found, ["judge.tui"])["judge.store.ledger"] == (
        "judge.tui.app -> judge.judgements.life -> judge.store.ledger"
    )
    assert "judge.store.ledger" not in reached(found, ["judge.tui"], lazy=False)


def test_a_package_is_reached_with_its_parts(tmp_path: Path) -> None:
    plant(tmp_path, "judge.queries.load", "from judge.protocol.lint import lint")
    plant(tmp_path, "judge.protocol.lint", "")
    (tmp_path / "judge/protocol/__init__.py").write_text("import httpx\n", "utf-8")
    assert "httpx" in reached(imports(tmp_path), ["judge.queries"])


# --- what is loaded when it runs ----------------------------------------------------------------

HEAVY = ("textual", "sqlalchemy", "httpx", "krippendorff")


@pytest.mark.parametrize(("option", "shown"), [("--help", "Usage"), ("--version", "0.")])
def test_help_and_version_load_no_heavy_library(option: str, shown: str) -> None:
    code, printed, names = loaded(
        f"import sys; sys.argv = ['judge', {option!r}]\nfrom judge.cli import main; main()", ROOT
    )
    assert (code, shown in printed) == (0, True)
    assert {name for name in names if within(name, HEAVY)} == set()


def test_the_app_loads_nothing_that_could_unblind() -> None:
    names = [name for name in modules(ROOT) if within(name, ("judge.tui",))]
    code, _, seen = loaded(f"import {', '.join(names)}", ROOT)
    assert code == 0
    assert set(names) <= seen
    closed = ("judge.runs", "judge.reports", "judge.store.ledger", "judge.study", "judge.cli")
    assert {name for name in seen if within(name, closed)} == set()


def test_loaded_sees_what_was_loaded(tmp_path: Path) -> None:
    plant(tmp_path, "mine.heavy", "")
    plant(tmp_path, "mine.app", "import mine.heavy\n\n\ndef main():\n    raise SystemExit(3)")
    code, printed, names = loaded("import mine.app; print('hello'); mine.app.main()", tmp_path)
    assert (code, printed) == (3, "hello\n")
    assert "mine.heavy" in names


# --- what may not stand in a file ---------------------------------------------------------------


def test_no_text_reaches_the_terminal_as_markup() -> None:
    assert markup_risks(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "Static(title)",
        "Static(f'{title}')",
        "Static('[b]Saved[/b]')",
        "Static()",
        "Static(id='abstract')",
        "Label(content=title)",
        "widgets.Label(title)",
        "Static(title, markup=True)",
        "Static(title, markup=on)",
        "Button(title)",
        "Button(label=title)",
        "OptionList(id='reasons')",
        "self.app.notify(message)",
        "self.border_title = need",
        "Content.from_markup(title)",
        "class Plain(Static):\n    pass\n\n\nPlain(title)",
        "class Box(Static):\n    def __init__(self, title):\n        super().__init__(title)",
        "Content.from_text(title) and Static(Content.from_text(title))",
    ],
)
def test_text_that_could_be_markup_is_found(line: str, tmp_path: Path) -> None:
    plant(tmp_path, "judge.tui.screen", line)
    (risk,) = markup_risks(tmp_path)
    assert risk.startswith("judge/tui/screen.py:")


@pytest.mark.parametrize(
    "line",
    [
        "Static(title, markup=False)",
        "Static(id='abstract', markup=False)",
        "Static(Content(title))",
        "Label('Saved')",
        "Label(Text(title))",
        "Button(Content(title), id='go')",
        "Button('Hand in', id='go')",
        "self.notify(message, title='Saved', markup=False)",
        "self.border_title = Content(need)",
        "self.border_title = None",
        "Static(Content.from_markup('[b]$t[/b]', t=title))",
        "class Box(Static):\n    def __init__(self):\n        super().__init__(markup=False)",
    ],
)
def test_plain_text_is_let_through(line: str, tmp_path: Path) -> None:
    plant(tmp_path, "judge.tui.screen", line)
    assert markup_risks(tmp_path) == []


def test_no_file_names_a_folder_of_one_machine_or_a_package_index() -> None:
    files = project_files(ROOT)
    assert {ROOT / "pyproject.toml", ROOT / "judge/errors.py", ROOT / ".ci/run"} <= set(files)
    assert [stray for path in files for stray in strays(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        "data = '" + "/".join(["", "tmp", "study"]) + "'",
        "see " + "/".join(["", "home", "somebody", "notes.md"]),
        "https" + "://pypi.example/simple/textual/",
        "pip install -" + "-index-url x textual",
        "textual==8.2.8 -" + "-hash=sha256:00",
    ],
)
def test_a_stray_is_found(line: str, tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(f"# Title\n{line}\n", "utf-8")
    assert strays(path) == [f"{path}:2: {line}"]


def test_addresses_and_relative_paths_are_no_strays(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("https://www.example.org/home/x\n./tmp/study\nand/or ~/work/x\n", "utf-8")
    assert strays(path) == []


def test_project_files_leave_out_what_git_ignores(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("# made here\n__pycache__/\n*.lock\nstudy.db\n", "utf-8")
    for name in (".ci/run", "a/b.py", "a/__pycache__/b.pyc", "a.lock", "study.db", ".venv/x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    names = {path.relative_to(tmp_path).as_posix() for path in project_files(tmp_path)}
    assert names == {".gitignore", ".ci/run", "a/b.py"}


def test_no_module_is_longer_than_one_subject() -> None:
    modules = [path for path in project_files(ROOT) if path.suffix == ".py"]
    assert ROOT / "judge/errors.py" in modules
    assert [line for path in modules for line in too_long(path)] == []


def test_a_long_module_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("x = 1\n" * 400, "utf-8")
    assert too_long(path) == []
    path.write_text("x = 1\n" * 401, "utf-8")
    assert too_long(path) == [f"{path}: 401 lines"]
