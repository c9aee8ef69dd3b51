"""Canonical bytes and their digests: the one place that says what "the same record" means.

RFC 8785 (JSON Canonicalization Scheme) fixes key order, numbers and escapes, so that a record has
exactly one byte form on every machine. Floats are refused: their text differs between producers
and no frozen record needs one (shares are text such as ``"1/5"``).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import rfc8785

_LARGEST = 2**53 - 1


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
    try:
        if _ordinary(built):
            # The same bytes from the standard library's encoder, about eight times as fast.
            return json.dumps(
                built, sort_keys=True, separators=(",", ":"), ensure_ascii=False
            ).encode("utf-8")
        return bytes(rfc8785.dumps(built))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"no canonical form: {error}") from None


def digest(record: Any) -> str:
    """SHA-256 of a record's canonical bytes."""
    return sha256(canonical(record))


def _ordinary(value: Any) -> bool:
    """Whether the encoder of the standard library writes ``value`` as RFC 8785 does.

    It does for all but integers beyond 2**53 - 1, which RFC 8785 refuses, and keys that sort
    differently by code point than by UTF-16 unit. Raises ``ValueError`` for a float.
    """
    if isinstance(value, str) or value is None:
        return True
    if isinstance(value, dict):
        ordinary = True
        for key, item in value.items():
            if not (isinstance(key, str) and (key.isascii() or max(key) < "\ud800")):
                ordinary = False
            # Most fields are text or absent, and a call for each would cost more than the encoding.
            if type(item) is not str and item is not None and not _ordinary(item):
                ordinary = False
        return ordinary
    if isinstance(value, list | tuple):
        # Not all(): the rest may hold a float, which is an error wherever it stands.
        return not [item for item in value if not _ordinary(item)]
    if isinstance(value, float):
        raise ValueError(f"no canonical form: {value!r} is a float; write it as text")
    return isinstance(value, int) and -_LARGEST <= value <= _LARGEST
