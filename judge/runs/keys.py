"""Keys and addresses from the environment or the study's ``.env``; nothing else holds any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from judge.errors import Invalid
from judge.files import decode_text, numbered_lines, problem_line, read_bytes

CONTACT = "JUDGE_CONTACT"
"""Environment variable with an e-mail address that services may write to."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")


def surroundings(folder: Path, process: Mapping[str, str]) -> dict[str, str]:
    """The environment of a study: that of the process, then what its ``.env`` adds to it.

    Raises `Invalid` with every line of ``.env`` that cannot be read; no message shows a value.
    """
    path = folder / ".env"
    found = read_env(read_bytes(path), path.name) if path.is_file() else {}
    return {**found, **{name: value for name, value in process.items() if value}}


def read_env(data: bytes, name: str) -> dict[str, str]:
    """``NAME=value`` lines. Quotes around a value are taken off, nothing in it is expanded."""
    found: dict[str, str] = {}
    problems = []
    for number, line in numbered_lines(decode_text(data, name, crlf=True, empty=True)):
        text = line.strip()
        if text.startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            problems.append(problem_line(name, number, "not NAME=value"))
            continue
        value = match[2].strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        found[match[1]] = value
    if problems:
        raise Invalid(f"{name} has lines that cannot be read", problems)
    return found


def with_query(url: str, params: Sequence[tuple[str, str]]) -> str:
    """``url`` with its parameters, each percent-encoded whole."""
    return f"{url}?{urlencode(params, quote_via=quote, safe='')}" if params else url


def based(url: str, base: str) -> str:
    """``url`` with its scheme and host replaced by ``base``, or as it is where that is empty."""
    if not base:
        return url
    return base.rstrip("/") + urlsplit(url).path


def check_address(url: str, what: str) -> None:
    """Raises `Invalid` for an address that could carry a key in the clear."""
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme == "http" and parts.hostname in LOOPBACK:
        return
    raise Invalid(f"{what}: {url!r} is neither https nor an address of this machine")
