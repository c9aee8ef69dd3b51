"""Files at the edge: read strictly, written whole or not at all.

Every text file of a study is UTF-8 with ``\\n`` line ends. Reading refuses anything else with the
line it was found on; writing goes to a temporary name, is synced, then renamed.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from judge.errors import Invalid, JudgeError, Problem, Refused


def read_bytes(path: Path) -> bytes:
    """The bytes of ``path``. Raises `Invalid` where it is missing, a folder, or not readable."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Invalid(f"{path}: no such file") from None
    except OSError as error:
        raise Invalid(f"{path}: cannot be read ({error.strerror})") from None


def decode_text(data: bytes, name: str, *, crlf: bool = False, empty: bool = False) -> str:
    """``data`` as text. Raises `Invalid` for an empty file, a byte not UTF-8, a NUL, a BOM.

    CRLF line ends are refused too unless ``crlf`` is true (files that come from other tools):
    a checkout that rewrote line ends would otherwise look like an edit.
    """
    if not data and not empty:
        raise Invalid(f"{name}: the file is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Invalid(f"{name}: the file is UTF-16; save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        if not crlf:
            raise Invalid(f"{name}: line 1 starts with a byte order mark; save without one")
        data = data[3:]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Invalid(
            f"{name}: line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save it as UTF-8"
        ) from None
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise Invalid(f"{name}: line {line}: a NUL character; the file is damaged or not text")
    if "\r\n" in text:
        if not crlf:
            line = text[: text.index("\r\n")].count("\n") + 1
            raise Invalid(
                f"{name}: line {line} ends in CRLF; write \\n line ends "
                "(git's core.autocrlf may have changed them)"
            )
        text = text.replace("\r\n", "\n")
    return text


def read_text(path: Path, *, crlf: bool = False) -> str:
    """The text of a file, strictly (`decode_text`)."""
    return decode_text(read_bytes(path), str(path), crlf=crlf)


def numbered_lines(text: str) -> Iterable[tuple[int, str]]:
    """Non-blank lines with their numbers, split on ``\\n`` alone (never U+2028 or ``\\x0b``)."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def cut_off(text: str, name: str) -> list[Problem]:
    """The problem of a text file whose last line has no end: it may have been cut there."""
    if not text or text.endswith("\n"):
        return []
    last = text.count("\n") + 1
    return [problem_line(name, last, "no line end: the file is cut off here")]


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice")
        found[key] = value
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def parse_json(text: str, *, floats_as_text: bool = False) -> Any:
    """JSON, strictly: duplicate keys, NaN, Infinity and endless nesting raise ``ValueError``.

    With ``floats_as_text`` a number with a point or an exponent stays the text it was written as.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_refuse_duplicate_keys,
            parse_constant=_refuse_constant,
            parse_float=str if floats_as_text else None,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write_atomic(path: Path, data: bytes) -> None:
    """Writes ``data`` to ``path``: a temporary file beside it, synced, renamed over it, synced.

    Raises `Refused` where the folder cannot be written; what was there before is then untouched.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> JudgeError:
    """The refusal for a path that cannot be written, with what to do about it."""
    return Refused(
        f"{path}: cannot be written ({error.strerror}); nothing was changed",
        hint="make the study folder writable (or free space on its disk), then run this again",
    )


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def nearest(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` for the known word closest to ``word``, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def problem_line(name: str, line: int, found: str, allowed: str = "") -> Problem:
    """A problem at a line of a file."""
    return Problem(f"{name}: line {line}", found, allowed)


def aside(path: Path, why: str) -> Path:
    """The first name beside ``path`` that no file put aside for ``why`` has yet."""
    number = 1
    while (found := path.with_name(f"{path.name}.{why}-{number}")).exists():
        number += 1
    return found
