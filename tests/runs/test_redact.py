"""Keys taken out of bytes, text and logs, in every spelling that a service or a library uses."""

from __future__ import annotations

import base64
import html
import io
import json
import logging
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.errors import Invalid
from judge.records.run import Hit
from judge.runs.redact import REMOVED, Redactor, check_key, leaks

# Each character that an encoding somewhere spells otherwise: + / = % " \ and & < > '
KEY = "sk+Ab1/cd2=ef3%gh4\"ij5\\kl6&mn7<op8>q'r9"


def spellings(key: str) -> dict[str, str]:
    """How a key may come back, each made by the library that makes it."""
    raw = key.encode()
    percent = quote(key, safe="")
    return {
        "raw": key,
        "percent, upper": percent,
        "percent, lower": "".join(
            piece.lower() if piece.startswith("%") else piece for piece in _pieces(percent)
        ),
        "percent, slash kept": quote(key),
        "form": quote_plus(key),
        "percent twice": quote(percent, safe=""),
        "JSON": json.dumps(key)[1:-1],
        "JSON in JSON": json.dumps(json.dumps(key))[1:-1],
        "JSON, slash escaped": json.dumps(key)[1:-1].replace("/", "\\/"),
        "JSON, all escaped": "".join(
            char if char.isalnum() else f"\\u{ord(char):04X}" for char in key
        ),
        "HTML": html.escape(key),
        "HTML, decimal": "".join(c if c.isalnum() else f"&#{ord(c)};" for c in key),
        "HTML, hexadecimal": "".join(c if c.isalnum() else f"&#x{ord(c):x};" for c in key),
        "HTML twice": html.escape(html.escape(key)),
        "HTML in JSON": json.dumps(html.escape(key)).replace("&", "\\u0026")[1:-1],
        "HTML, percent": quote(html.escape(key), safe=""),
        "JSON, percent": quote(json.dumps(key)[1:-1], safe=""),
        "repr": repr(key)[1:-1],
        "repr of bytes": repr(raw)[2:-1],
        "base64": base64.b64encode(raw).decode(),
        "base64 for addresses": base64.urlsafe_b64encode(raw).decode(),
        "base64 without padding": base64.b64encode(raw).decode().rstrip("="),
        "base64, percent": quote(base64.b64encode(raw).decode(), safe=""),
        "Basic, as the user": base64.b64encode(raw + b":").decode(),
        "Basic, as the password": base64.b64encode(b"user:" + raw).decode(),
        "Basic, one more letter": base64.b64encode(b"users:" + raw + b"x").decode(),
        "Basic, two more letters": base64.b64encode(b"another:" + raw + b"xy").decode(),
    }


def _pieces(text: str) -> list[str]:
    pieces, at = [], 0
    while at < len(text):
        size = 3 if text[at] == "%" else 1
        pieces.append(text[at : at + size])
        at += size
    return pieces


@pytest.mark.parametrize("how", list(spellings(KEY)))
def test_every_spelling_is_taken_out(how: str) -> None:
    spelled = spellings(KEY)[how]
    body = f'{{"error": "bad key {spelled}; try again"}}'.encode()
    clean, found = Redactor([KEY]).clean(body)
    assert found
    assert REMOVED.encode() in clean
    for form in spellings(KEY).values():
        assert form.encode() not in clean
    assert clean.startswith(b'{"error": "bad key ')
    assert clean.endswith(b'; try again"}')


@settings(max_examples=40)
@given(
    key=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60),
    data=st.data(),
)
def test_no_key_survives_in_any_spelling(key: str, data: st.DataObject) -> None:
    how = data.draw(st.sampled_from(sorted(spellings(key))))
    spelled = spellings(key)[how]
    clean, found = Redactor([key]).clean(f"before {spelled} after".encode())
    assert found
    assert spelled.encode() not in clean


@given(st.binary(max_size=500))
def test_without_a_key_in_it_nothing_changes(body: bytes) -> None:
    assert Redactor(["sk-live-0123456789"]).clean(body) == (body, False)


def test_several_keys_several_times_and_keys_learnt_later() -> None:
    redactor = Redactor(["first-key-111"])
    redactor.learn("second-key-22")
    redactor.learn("second-key-22")
    text = "first-key-111, second-key-22, first-key-111"
    assert redactor.clean_text(text) == f"{REMOVED}, {REMOVED}, {REMOVED}"


def test_a_record_that_was_read_into_a_key_is_cleaned() -> None:
    hit = Hit(rank=1, record_id="a", title=f'say "{KEY}"\n', score="0.5")
    redactor = Redactor([KEY])
    assert redactor.clean_record(hit) == Hit(
        rank=1, record_id="a", title=f'say "{REMOVED}"\n', score="0.5"
    )
    other = Hit(rank=1, record_id="a", title="plain")
    assert redactor.clean_record(other) is other


def test_text_with_a_lone_surrogate_is_cleaned_too() -> None:
    assert Redactor(["first-key-111"]).clean_text("\ud83d first-key-111") == f"\ud83d {REMOVED}"


def logged(act: str) -> str:
    """What a handler that formats in its own way, and one that was there before, print."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    logger = logging.getLogger("a.library")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        with Redactor([KEY]).guarding_logs():
            if act == "message":
                logger.info("HTTP Request: GET https://x.example/?key=%s", quote(KEY, safe=""))
            elif act == "argument":
                logger.debug("headers %r", {"x-api-key": KEY})
            else:
                try:
                    raise ValueError(f"Illegal header value {KEY.encode()!r}")
                except ValueError:
                    logger.exception("request failed")
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
    return stream.getvalue()


@pytest.mark.parametrize("act", ["message", "argument", "traceback"])
def test_no_library_can_log_a_key(act: str) -> None:
    found = logged(act)
    assert REMOVED in found
    assert [form for form in spellings(KEY).values() if form in found] == []
    if act == "traceback":
        assert "ValueError: Illegal header value" in found


def test_logging_is_as_before_afterwards() -> None:
    before = logging.getLogRecordFactory()
    logged("message")
    assert logging.getLogRecordFactory() is before


@pytest.mark.parametrize(
    "key",
    [
        "abcdefg",
        "1234567",
        "with a blank",
        "line\nbreak1",
        "tab\tstop1",
        "Schlüssel-1234",
        "a+/=%b-+",
    ],
)
def test_a_key_that_cannot_be_sent_or_found_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(Invalid) as caught:
        check_key("FAKE_API_KEY", key)
    assert "FAKE_API_KEY" in str(caught.value)
    assert key not in str(caught.value)


def test_leaks_names_the_files_that_hold_a_key(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "raw").write_bytes(b"\x00" + quote(KEY, safe="").encode())
    (tmp_path / "clean.json").write_text("{}", "utf-8")
    (tmp_path / ".env").write_text(f"FAKE_API_KEY={KEY}\n", "utf-8")
    assert leaks(tmp_path, Redactor([KEY])) == [tmp_path / "runs" / "raw"]
