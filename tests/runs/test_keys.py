"""Keys from the environment and ``.env``; addresses that may and may not carry them."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Invalid
from judge.runs.keys import based, check_address, read_env, surroundings, with_query
from judge.runs.providers.all import ADAPTERS

ROOT = Path(__file__).resolve().parents[2]


def test_lines_of_a_dot_env_file() -> None:
    text = (
        "# keys\n\nPLAIN=abc\nexport EXPORTED = spaced \nDOUBLE=\"a b\"\nSINGLE='c=d'\n"
        'EQUALS=sk+a/b=%"\\\nEMPTY=\nHASH=a#b\nDOLLAR=$HOME\nLAST=1\nLAST=2\n'
    )
    assert read_env(text.encode(), ".env") == {
        "PLAIN": "abc",
        "EXPORTED": "spaced",
        "DOUBLE": "a b",
        "SINGLE": "c=d",
        "EQUALS": 'sk+a/b=%"\\',
        "EMPTY": "",
        "HASH": "a#b",
        "DOLLAR": "$HOME",
        "LAST": "2",
    }


def test_every_line_that_cannot_be_read_is_named_and_none_is_shown() -> None:
    with pytest.raises(Invalid) as caught:
        read_env(b"OK=1\nsk-secret-key\n2BAD=secret\n", ".env")
    shown = "\n".join(caught.value.lines())
    assert "line 2" in shown
    assert "line 3" in shown
    assert "secret" not in shown


def test_the_process_comes_before_the_file_unless_it_is_blank_there(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=file\r\nB=file\r\nC=file\r\n")
    found = surroundings(tmp_path, {"A": "process", "B": "", "D": "process"})
    assert found == {"A": "process", "B": "file", "C": "file", "D": "process"}
    (tmp_path / ".env").unlink()
    assert surroundings(tmp_path, {"A": "x"}) == {"A": "x"}


@pytest.mark.parametrize(
    "url", ["https://a.example/x", "http://127.0.0.1:80", "http://localhost:1", "http://[::1]:9/a"]
)
def test_addresses_that_may_carry_a_key(url: str) -> None:
    check_address(url, "it")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example",
        "http://127.0.0.1.a.example",
        "http://localhost.a.example",
        "http://user@a.example",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "https://",
        "a.example/x",
        "",
    ],
)
def test_addresses_that_may_not(url: str) -> None:
    with pytest.raises(Invalid, match="neither https nor an address of this machine"):
        check_address(url, "FAKE_BASE_URL")


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", "https://a.example/v1/search"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1/search"),
        ("http://127.0.0.1:8000/mirror/", "http://127.0.0.1:8000/mirror/v1/search"),
    ],
)
def test_a_base_replaces_scheme_and_host(base: str, expected: str) -> None:
    assert based("https://a.example/v1/search", base) == expected


def test_parameters_are_encoded_whole_and_in_order() -> None:
    params = (("q", "a b+c&d=e/f?é"), ("page", "1"), ("q", ""))
    assert with_query("https://a.example/s", params) == (
        "https://a.example/s?q=a%20b%2Bc%26d%3De%2Ff%3F%C3%A9&page=1&q="
    )
    assert with_query("https://a.example/s", ()) == "https://a.example/s"


def test_the_example_file_names_every_key_and_base_address() -> None:
    text = (ROOT / ".env.example").read_text("utf-8")
    named = set(read_env(text.encode(), ".env.example"))
    for adapter in ADAPTERS.values():
        facts = adapter.facts
        assert {facts.key_env, facts.base_env} - {None} <= named, facts.name
    assert "JUDGE_CONTACT" in named
    # An example holds no key: every value is empty.
    assert set(read_env(text.encode(), ".env.example").values()) == {""}
