"""Who imports whom, read from the source, and what a running interpreter has loaded.

Functions over a package under a root that is passed in, so that ``test_contracts.py`` can run each
of them on the project and on a small tree with a planted breach.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Import:
    """One import statement of one name: where it stands, what it brings in."""

    importer: str
    target: str
    path: str
    line: int
    # Not executed when the importer is: inside a function, or under TYPE_CHECKING.
    lazy: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.importer} imports {self.target}"


@dataclass(frozen=True)
class Contract:
    """Nothing under ``importers`` (less ``exempt``) imports anything under ``never`` (less
    ``allowed``). All four hold dotted names; a name stands for itself and what lies below it."""

    says: str
    importers: tuple[str, ...]
    never: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def within(name: str, prefixes: Iterable[str]) -> bool:
    """Is the dotted name one of the prefixes, or below one?"""
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


def modules(root: Path, package: str = "judge") -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(root: Path, package: str = "judge") -> list[Import]:
    """Every import in the package: top level, in functions, under TYPE_CHECKING, and by name
    (``importlib.import_module`` or ``__import__`` with a literal)."""
    known = modules(root, package)
    return [
        Import(name, target, path.relative_to(root).as_posix(), line, lazy)
        for name, path in known.items()
        for node, lazy in _walk(ast.parse(path.read_text("utf-8"), str(path)))
        for target, line in _targets(node, name, path.name == "__init__.py", known)
    ]


def _walk(node: ast.AST, lazy: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    yield node, lazy
    inside_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for field, value in ast.iter_fields(node):
        only_for_types = (
            isinstance(node, ast.If) and field == "body" and "TYPE_CHECKING" in ast.dump(node.test)
        )
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child, lazy or inside_function or only_for_types)


def _targets(
    node: ast.AST, importer: str, is_package: bool, known: Mapping[str, Path]
) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Import(names=names):
            yield from ((alias.name, node.lineno) for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            base = module or ""
            if level:
                parts = importer.split(".")
                up = parts[: len(parts) - level + is_package]
                base = ".".join([*up, *([module] if module else [])])
            for alias in names:
                submodule = f"{base}.{alias.name}"
                yield (submodule if submodule in known else base), node.lineno
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield name, node.lineno


def breaches(contract: Contract, found: Iterable[Import]) -> list[str]:
    """The imports that break the contract, each as a line a person can go to."""
    return [
        str(one)
        for one in found
        if within(one.importer, contract.importers)
        and not within(one.importer, contract.exempt)
        and within(one.target, contract.never)
        and not within(one.target, contract.allowed)
    ]


def reached(found: Iterable[Import], start: Iterable[str], *, lazy: bool = True) -> dict[str, str]:
    """Every name that the modules under ``start`` come to import, however many steps away, with
    the chain of modules that leads there.

    Importing ``a.b`` executes ``a`` too, so that a package is reached with its parts.
    ``lazy=False`` leaves out what is not executed when the modules are imported.
    """
    by_importer: dict[str, set[str]] = {}
    for one in found:
        if lazy or not one.lazy:
            by_importer.setdefault(one.importer, set()).add(one.target)
    chains = {name: name for name in by_importer if within(name, tuple(start))}
    queue = sorted(chains)
    while queue:
        here = queue.pop(0)
        for target in sorted(by_importer.get(here, ())):
            parts = target.split(".")
            for name in (".".join(parts[: n + 1]) for n in range(len(parts))):
                if name not in chains:
                    chains[name] = f"{chains[here]} -> {name}"
                    queue.append(name)
    return chains


_PROBE = """
import json, sys
try:
    exec(sys.argv.pop(1))
    code = 0
except SystemExit as stop:
    code = stop.code or 0
sys.stdout.flush()
print("\\n" + json.dumps([code, sorted(sys.modules)]))
"""


def loaded(code: str, root: Path) -> tuple[int, str, set[str]]:
    """Run code in a new interpreter that finds packages under root.

    Returns the exit code the code asked for, what it printed, and every module loaded at its end.
    """
    run = subprocess.run(
        [sys.executable, "-P", "-c", _PROBE, code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"},
    )
    printed, _, last = run.stdout.rstrip("\n").rpartition("\n")
    exit_code, names = json.loads(last)
    return exit_code, printed, set(names)
