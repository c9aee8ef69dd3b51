"""A page of docs/ as a list of things to do: files to write, commands to run, what they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^File `([^`]+)`:\s*\Z", re.MULTILINE)
ELISION = "…"


@dataclass(frozen=True)
class File:
    """A file that the reader is told to write."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command line, and the lines that stand below it."""

    line: str
    printed: tuple[str, ...]


def acts(page: str) -> Iterator[File | Command]:
    """What a page asks its reader to do, in order."""
    for found in _FENCE.finditer(page):
        form, text = found[1], found[2]
        named = _FILE.search(page[: found.start()])
        if named:
            yield File(named[1], text)
        elif form == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                line, *printed = part.rstrip("\n").split("\n")
                yield Command(line, tuple(printed))


def is_printed(shown: tuple[str, ...], real: str) -> bool:
    """Whether ``real`` is what the page shows. `ELISION` in a line is any text, alone any lines."""
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line == ELISION else ".*".join(map(re.escape, line.split(ELISION)))
        for line in shown
    )
    lines = (one.rstrip() for one in real.rstrip().split("\n"))
    return re.fullmatch(pattern, "\n".join(lines)) is not None
