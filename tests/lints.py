"""What no linter looks for: text that may turn into markup, strays of one machine, long modules.

Functions over files under a root that is passed in, so that ``test_contracts.py`` can run each of
them on the project and on a small tree with a planted breach.
"""

from __future__ import annotations

import ast
import fnmatch
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# Surfaces of textual that read a str as markup unless told otherwise: those that can be told with
# markup=False, and those that cannot and need a Content.
_TOLD = {"Static", "Label", "OptionList", "notify"}
_NOT_TOLD = {"Button", "RadioButton", "Checkbox"}
_ATTRIBUTES = {"border_title", "border_subtitle", "tooltip"}


def markup_risks(root: Path, folder: str = "judge/tui") -> list[str]:
    """Places where text might be read as markup: a call of a surface (or of a subclass that the
    folder defines) without ``markup=False`` and without ``Content(...)`` or ``Text(...)``, a
    title set to anything else, a template of ``from_markup`` that is not a literal."""
    trees = {
        path: ast.parse(path.read_text("utf-8")) for path in sorted((root / folder).rglob("*.py"))
    }
    told = _with_subclasses(trees.values(), _TOLD)
    not_told = _with_subclasses(trees.values(), _NOT_TOLD)
    return [
        f"{path.relative_to(root).as_posix()}:{line}: {what}"
        for path, tree in trees.items()
        for line, what in sorted(_risks(tree, told, not_told))
    ]


def _with_subclasses(trees: Iterable[ast.AST], names: set[str]) -> set[str]:
    """The names, and those of classes built on them that take the same arguments."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    grown = set(names)
    while True:
        more = {
            node.name
            for node in classes
            if _bases(node) & grown and not any(_is_init(child) for child in node.body)
        }
        if more <= grown:
            return grown
        grown |= more


def _bases(node: ast.ClassDef) -> set[str]:
    return {_last_name(base) for base in node.bases}


def _is_init(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last_name(value)
    return ""


def _risks(tree: ast.AST, told: set[str], not_told: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef() if _bases(node) & (told | not_told):
                # Its own __init__ passes the text on: the rule holds for that call.
                surface = min(_bases(node) & (told | not_told))
                for call in (c for child in node.body if _is_init(child) for c in ast.walk(child)):
                    if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                        yield from _call_risk(call, surface, told)
            case ast.Call() if _last_name(node.func) in told | not_told:
                yield from _call_risk(node, _last_name(node.func), told)
            case ast.Call(func=ast.Attribute(attr="from_markup"), args=[template, *_]):
                if not isinstance(template, ast.Constant):
                    yield node.lineno, "from_markup() of a text that is not a literal"
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
                if name in _ATTRIBUTES and not _is_plain(value):
                    yield node.lineno, f"{name} set to a text that is read as markup"


def _call_risk(call: ast.Call, surface: str, told: set[str]) -> Iterator[tuple[int, str]]:
    for keyword in call.keywords:
        if keyword.arg == "markup":
            if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False):
                yield call.lineno, f"{surface}() with markup on"
            return
    shown = [*call.args[:1], *(k.value for k in call.keywords if k.arg in {"content", "label"})]
    if not shown and surface in told:
        yield call.lineno, f"{surface}() without markup=False, for the text it gets later"
    elif not all(_is_plain(value) for value in shown):
        yield call.lineno, f"{surface}() of a text that is read as markup"


def _is_plain(value: ast.expr) -> bool:
    """Never read as markup: a Content or rich Text made here, a literal without a bracket."""
    match value:
        case ast.Constant(value=constant):
            return not (isinstance(constant, str) and "[" in constant)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_plain(body) and _is_plain(orelse)
        case ast.Call(func=ast.Name(id="Content" | "Text")):
            return True
        case ast.Call(
            func=ast.Attribute(
                value=ast.Name(id="Content" | "Text"),
                attr="assemble" | "styled" | "from_markup" | "empty" | "blank",
            )
        ):
            return True
    return False


def project_files(root: Path) -> list[Path]:
    """Every file of the project, tracked or soon to be: all but hidden folders (other than .ci)
    and what .gitignore names. Needs no git, so that it works on an unpacked archive."""
    ignored = [
        line.rstrip("/")
        for line in (root / ".gitignore").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]

    def kept(name: str) -> bool:
        return not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)

    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if kept(f) and (f == ".ci" or f[0] != "."))
        found.extend(Path(folder, name) for name in sorted(names) if kept(name))
    return [path for path in found if path.name != ".git"]


# A folder of one machine; a package index, by the shape of its address or by pip's options for it.
_MACHINE = re.compile(r"(?<![\w.~-])/(?:tmp|home|root|Users|work|mnt|opt|farm)/\w")
_INDEX = re.compile(
    r"https?://\S*(?:pypi|pythonhosted|npmjs|/simple\b)"
    r"|--(?:(?:extra-)?index-url|find-links|trusted-host|hash)\b"
)


def strays(path: Path) -> list[str]:
    """Lines of a text file that name a folder of one machine or a package index."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError:
        return []
    return [
        f"{path}:{number}: {line.strip()[:100]}"
        for number, line in enumerate(lines, 1)
        if _MACHINE.search(line) or _INDEX.search(line)
    ]


def too_long(path: Path, limit: int = 400) -> list[str]:
    """The module, if it has more lines than the limit: then it has two subjects."""
    count = path.read_text("utf-8").count("\n")
    return [f"{path}: {count} lines"] if count > limit else []
