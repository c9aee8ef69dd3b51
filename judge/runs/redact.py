"""Keys taken out of everything that is kept or shown, in every spelling that a service may use.

A key that is echoed in an error page comes percent-encoded, JSON-escaped, HTML-escaped or inside
base64 at any alignment. Each byte of a key is therefore matched in all its spellings at once. What
is searched are bytes; bytes are cleaned before anything touches the disk (R39).
"""

from __future__ import annotations

import base64
import logging
import re
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from html.entities import html5
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from judge.errors import Invalid
from judge.records.base import Record

R = TypeVar("R", bound=Record)

REMOVED = "[removed]"
SHORTEST = 8
"""Characters. Anything shorter would be found by chance in ordinary text."""
_LEAST = 3
_ALPHANUMERIC = re.compile(rb"[A-Za-z0-9]+")
_NAMES = {
    char: sorted({name.rstrip(";") for name, value in html5.items() if value == char})
    for char in "\"&'<>+/=%\\"
}


@dataclass(frozen=True)
class _Spelling:
    """One way to look for a key: ``anchor`` stands in every text that ``pattern`` matches."""

    anchor: bytes
    source: bytes

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """Made when the anchor is first seen: most keys are never echoed."""
        return re.compile(self.source)


class Redactor:
    """Knows keys and takes them out. `learn` may be called at any time."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._known: set[str] = set()
        self._spellings: tuple[_Spelling, ...] = ()
        for key in keys:
            self.learn(key)

    def learn(self, key: str) -> None:
        """Adds a key."""
        if key and key not in self._known:
            self._known.add(key)
            self._spellings += _spellings(key.encode("utf-8"))

    def clean(self, data: bytes) -> tuple[bytes, bool]:
        """``data`` without any key, and whether there was one."""
        found = False
        for spelling in self._spellings:
            if spelling.anchor in data:
                data, count = spelling.pattern.subn(REMOVED.encode(), data)
                found = found or count > 0
        return data, found

    def clean_text(self, text: str) -> str:
        """``text`` without any key."""
        return self.clean(text.encode("utf-8", "surrogatepass"))[0].decode("utf-8", "surrogatepass")

    def clean_record(self, record: R) -> R:
        """``record`` without any key in its texts.

        Its texts were read from clean bytes; but reading undoes escapes, and what was escaped
        more often than any pattern expects may be a key only then.
        """
        data, found = self.clean(msgspec.json.encode(record))
        return msgspec.json.decode(data, type=type(record)) if found else record

    @contextmanager
    def guarding_logs(self) -> Iterator[None]:
        """While the block runs, no log record of any library can carry a key, to any handler.

        Libraries log addresses with their parameters, and errors that quote headers.
        """
        make = logging.getLogRecordFactory()

        def made(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = make(*args, **kwargs)
            record.msg, record.args = self.clean_text(record.getMessage()), None
            if record.exc_info and record.exc_info[0] is not None:
                record.exc_text = self.clean_text(
                    "".join(traceback.format_exception(*record.exc_info)).rstrip()
                )
                record.exc_info = None
            return record

        logging.setLogRecordFactory(made)
        try:
            yield
        finally:
            logging.setLogRecordFactory(make)


def leaks(root: Path, redactor: Redactor) -> list[Path]:
    """The files under ``root`` that hold a key in any spelling; ``.env`` itself is left out."""
    return [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".env" and redactor.clean(path.read_bytes())[1]
    ]


def check_key(name: str, key: str) -> None:
    """Raises `Invalid` for a key that no header can carry or that is too short to be found again.

    ``name`` is its environment variable; the message never shows the key.
    """
    if len(key) < SHORTEST:
        raise Invalid(f"{name} is too short for a key; at least {SHORTEST} characters")
    if max(map(len, _ALPHANUMERIC.findall(key.encode())), default=0) < _LEAST:
        raise Invalid(f"{name} is no key: {_LEAST} letters or digits stand nowhere in a row")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise Invalid(f"{name} holds a blank or a character that no request can carry")


@cache
def _spellings(key: bytes) -> tuple[_Spelling, ...]:
    found = [_spelling(key, _char)]
    # Base64 of any text with the key in it, such as Basic's user:key. Where the key starts decides
    # which of three spellings it gets; characters that neighbours share in are left out.
    for offset, skipped in ((0, 0), (1, 2), (2, 3)):
        encoded = base64.b64encode(b"\x00" * offset + key)
        whole = (offset + len(key)) * 8 // 6
        found.append(_spelling(encoded[skipped:whole], _char64))
    return tuple(found)


def _spelling(text: bytes, char: Any) -> _Spelling:
    pattern = b"".join(char(byte) for byte in _collapsed(text))
    # Letters and digits are left alone by every escaping, so that a plain search comes first.
    anchor = max(_ALPHANUMERIC.findall(text), key=len, default=b"")
    return _Spelling(anchor, pattern)


def _collapsed(text: bytes) -> bytes:
    """Runs of backslashes as one, since the pattern of one matches a run."""
    return re.sub(rb"\\+", rb"\\", text)


# An escape may be escaped once more on its way (HTML in JSON, percent twice over), so that the
# signs that start and end one have spellings too. Bounded, since a reply may be hostile.
_PERCENT = rb"%(?:25){0,4}"
_BACKSLASHES = rb"(?:\\|" + _PERCENT + rb"5[cC]){1,16}"
_END = rb"(?:;|" + _PERCENT + rb"3[bB])"
_NUMBER = rb"(?:#|" + _PERCENT + rb"23)"
_AMPERSAND = (
    rb"(?:&|" + _PERCENT + rb"26|" + _BACKSLASHES + rb"u0026)(?:amp" + _END + rb"){0,4}"
)  # fmt: skip


def _char(byte: int) -> bytes:
    """A pattern of one byte of a key in all its spellings."""
    literal, escaped = re.escape(bytes([byte])), _escaped(byte)
    if chr(byte).isalnum():
        return b"(?:" + literal + b"|" + escaped + b")"
    if byte == ord("\\"):
        return b"(?:" + _BACKSLASHES + b"|" + escaped + b")"
    return b"(?:" + _BACKSLASHES + b")?(?:" + literal + b"|" + escaped + b")"


def _char64(byte: int) -> bytes:
    """A pattern of one base64 character, which may be of the alphabet for addresses."""
    same = {ord("+"): ord("-"), ord("/"): ord("_")}
    if byte in same:
        return b"(?:" + _char(byte) + b"|" + _char(same[byte]) + b")"
    return _char(byte)


def _escaped(byte: int) -> bytes:
    """Percent, JSON and HTML escapes of one byte, in both cases of the digits."""
    digits = b"".join(
        b"[" + bytes([digit]).lower() + bytes([digit]).upper() + b"]" for digit in b"%02x" % byte
    )
    entities = [rb"[xX]0{0,6}" + digits, rb"0{0,6}%d" % byte]
    names = [_NUMBER + b"(?:" + b"|".join(entities) + b")"]
    names += [name.encode() for name in _NAMES.get(chr(byte), ())]
    return b"|".join(
        (
            _PERCENT + digits,
            _BACKSLASHES + rb"(?:u00|x)" + digits,
            _AMPERSAND + b"(?:" + b"|".join(names) + b")" + _END + b"?",
        )
    )
