"""Canonical bytes and their digests: the one place that says what "the same record" means.

RFC 8785 (JSON Canonicalization Scheme) fixes key order, numbers and escapes, so that a record has
exactly one byte form on every machine. Floats are refused: their text differs between producers
and no frozen record needs one (shares are text such as ``"1/5"``).
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import rfc8785


def sha256(data: bytes) -> str:
    """SHA-256 of ``data`` as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of ``text``, which must hold no lone surrogate."""
    return sha256(text.encode("utf-8"))


def canonical(record: Any) -> bytes:
    """RFC 8785 bytes of a record (msgspec struct, dict, list or scalar), without a final newline.

    Raises ``ValueError`` for a float, a lone surrogate or an integer beyond 2**53 - 1.
    """
    built = msgspec.to_builtins(record)
    _refuse_floats(built)
    try:
        return bytes(rfc8785.dumps(built))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"no canonical form: {error}") from None


def digest(record: Any) -> str:
    """SHA-256 of a record's canonical bytes."""
    return sha256(canonical(record))


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise ValueError(f"no canonical form: {value!r} is a float; write it as text")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)
