"""The ground: canonical bytes, text that is safe to show, strict files, decoding, time, errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import canonical, digest, sha256, text_digest
from judge.clock import is_date, is_utc, stepping_clock, system_clock
from judge.errors import Incomplete, Integrity, Invalid, JudgeError, Problem, Refused
from judge.files import parse_json
from judge.text import display_text, fold, id_fault, repair, shorten, unstorable

ANYTHING = st.text(st.characters(codec=None, categories=None))
"""Every code point, lone surrogates too."""


# --- canonical bytes ----------------------------------------------------------------------------


def test_the_published_serialisation_example_gives_the_published_bytes() -> None:
    # RFC 8785, 3.2.2 and 3.2.4, without its numbers, which are floats.
    found = parse_json(
        '{"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",'
        ' "literals": [null, true, false]}'
    )
    expected = bytes.fromhex(
        "7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c"
        "22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c"
        "5c 5c 22 2f 22 7d"
    )
    assert canonical(found) == expected


def test_keys_are_sorted_by_utf16_code_units_as_published() -> None:
    # RFC 8785, 3.2.3.
    names = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert list(json.loads(canonical(names)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_text_is_not_normalised() -> None:
    assert canonical("caf\u00e9") == b'"caf\xc3\xa9"'
    assert canonical("cafe\u0301") == b'"cafe\xcc\x81"'


PLAIN = st.text(st.characters(codec="utf-8"), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_the_bytes_are_those_of_the_reference_library(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)
    assert json.loads(canonical(value)) == value


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        10.0,
        float("nan"),
        float("inf"),
        {"share": [1, {"deep": 0.2}]},
        "\ud83d",
        {"\ud800": 1},
        2**53,
        -(2**53),
    ],
    ids=repr,
)
def test_what_has_no_single_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no canonical form"):
        canonical(value)


def test_the_largest_whole_number_is_2_to_the_53_less_one() -> None:
    assert canonical([2**53 - 1, -(2**53) + 1]) == b"[9007199254740991,-9007199254740991]"


def test_digests_are_sha256() -> None:
    # FIPS 180-2, appendix B.1, and the digest of nothing.
    assert sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256(b"") == empty
    assert text_digest("") == empty
    assert digest("abc") == sha256(b'"abc"')


# --- text ---------------------------------------------------------------------------------------

HOSTILE: list[tuple[str, str]] = [
    # Markup is text like any other.
    ("A [bold]trial[/bold] of X", "A [bold]trial[/bold] of X"),
    ("Effect of [/] on Y", "Effect of [/] on Y"),
    ("Foo [/b] bar", "Foo [/b] bar"),
    (
        "Synthesis of 3-[4-(1H)]pyridine [18F]FDG [Ca2+] PET",
        "Synthesis of 3-[4-(1H)]pyridine [18F]FDG [Ca2+] PET",
    ),
    ("[1] Retraction: [Corrected] article", "[1] Retraction: [Corrected] article"),
    ("[@click=app.bell]Click me[/]", "[@click=app.bell]Click me[/]"),
    ("[link=https://evil.example]Title[/link]", "[link=https://evil.example]Title[/link]"),
    ("path \\[bold] and trailing \\", "path \\[bold] and trailing \\"),
    ("open [ bracket and ] close [[x]]", "open [ bracket and ] close [[x]]"),
    ("cost $primary [$primary]theme[/]", "cost $primary [$primary]theme[/]"),
    ("[Efficacy of aspirin in children].", "[Efficacy of aspirin in children]."),
    ("benzo[a]pyrene", "benzo[a]pyrene"),
    ("Effect of [/ on Y", "Effect of [/ on Y"),
    ("[@click=app.quit]Aspirin[/]", "[@click=app.quit]Aspirin[/]"),
    # What a terminal would obey is made visible.
    ("red \x1b[31mTEXT\x1b[0m end", "red \ufffd[31mTEXT\ufffd[0m end"),
    (
        "\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\",
        "\ufffd]8;;https://evil\ufffd\\link\ufffd]8;;\ufffd\\",
    ),
    ("\x1b]52;c;ZXZpbA==\x07clip", "\ufffd]52;c;ZXZpbA==\ufffdclip"),
    ("ring\x07bell", "ring\ufffdbell"),
    ("start\rOVER", "start\nOVER"),
    ("abc\b\bXY", "abc\ufffd\ufffdXY"),
    ("line1\nline2", "line1\nline2"),
    ("a\tb", "a    b"),
    ("a\x00b", "a\ufffdb"),
    ("a\x9b31mb", "a\ufffd31mb"),
    ("safe \u202egnirts\u202c end", "safe \ufffdgnirts\ufffd end"),
    ("iso \u2067abc\u2069 end", "iso \ufffdabc\ufffd end"),
    ("zero\u200bwidth\ufeff", "zero\ufffdwidth"),
    ("a\x7fb", "a\ufffdb"),
    ("x\ud800y", "x\ufffdy"),
    ("a\u2028b", "a\ufffdb"),
]


@pytest.mark.parametrize(("raw", "shown"), HOSTILE, ids=[ascii(raw) for raw, _ in HOSTILE])
def test_hostile_text_is_shown_harmless(raw: str, shown: str) -> None:
    assert display_text(raw) == shown
    assert display_text(raw, one_line=True) == shown.replace("\n", " ")


@pytest.mark.parametrize(
    "text",
    [
        "Interleukin-6 (IL-6) in Müller glia: P<0.001, 5′-UTR, β₂, Ångström",
        "メトホルミンの用量",
        "نمی\u200cدانم",  # Persian needs its zero-width non-joiner
        "👩\u200d🔬 at work",
        "שלום\u200f!",
    ],
)
def test_what_people_write_is_shown_as_it_is(text: str) -> None:
    assert display_text(text) == text


@given(ANYTHING, st.booleans())
def test_nothing_that_a_screen_obeys_is_left(raw: str, one_line: bool) -> None:
    shown = display_text(raw, one_line=one_line)
    allowed = {"\u200c", "\u200d", "\u200e", "\u200f"} | (set() if one_line else {"\n"})
    odd = [
        char
        for char in shown
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and char not in allowed
    ]
    assert odd == []
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert unicodedata.is_normalized("NFC", shown)
    assert display_text(shown, one_line=one_line) == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cafe\u0301", "CAF\u00c9"),
        ("STRASSE", "straße"),
        ("  IL-6\t and\n TNF ", "il-6 and tnf"),
        ("ΔF508", "δf508"),
    ],
)
def test_fold_says_what_people_mean_by_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("IL-6", "IL-7"), ("10", "1 0"), ("µm", "nm")])
def test_fold_keeps_apart_what_differs(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_repair_replaces_and_counts_what_cannot_be_stored() -> None:
    title = 'Müller, "β-blocker"\nline 2 \u2028 \x0b \ud83d'
    assert repair(title) == ('Müller, "β-blocker"\nline 2 \u2028 \x0b \ufffd', 1)
    assert repair("a\x00b\udfffc\ud800") == ("a\ufffdb\ufffdc\ufffd", 3)


@given(ANYTHING)
def test_repaired_text_can_be_stored_and_nothing_else_changed(raw: str) -> None:
    text, count = repair(raw)
    assert unstorable(text) == ""
    assert len(text) == len(raw)
    assert sum(a != b for a, b in zip(raw, text, strict=True)) == count


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "an empty id"),
        ("NCT 0123", "the id 'NCT 0123' has a blank at character 4"),
        ("a\u200bb", "the id 'a\\u200bb' has an invisible character (U+200B) at 2"),
        ("cafe\u0301", "the id 'cafe\u0301' is not NFC-normalised"),
        ("00123456", ""),
        ("10.5070/x", ""),
        ("MET", ""),
    ],
)
def test_an_id_is_text_without_surprises(text: str, fault: str) -> None:
    assert id_fault(text) == fault


def test_shortened_text_keeps_to_its_width() -> None:
    assert shorten("one two\nthree", 9) == "one two …"
    assert shorten("one\ntwo", 9) == "one two"


# --- time and errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2026-11-30T09:02:00Z", True),
        ("2024-02-29T23:59:59Z", True),
        ("2026-11-30 09:02", False),
        ("2026-11-30T09:02:00", False),
        ("2026-11-30T09:02:00+01:00", False),
        ("2026-02-29T00:00:00Z", False),
        ("2026-11-30T24:00:00Z", False),
        ("2026-11-30T09:02:00Z\n", False),
        ("２０２６-11-30T09:02:00Z", False),
    ],
)
def test_time_is_utc_to_the_second(text: str, good: bool) -> None:
    assert is_utc(text) is good


def test_a_day_is_a_real_one() -> None:
    assert is_date("2024-02-29")
    assert not is_date("2025-02-29")
    assert not is_date("2025-2-9")


def test_the_clocks_tell_utc() -> None:
    assert is_utc(system_clock())
    clock = stepping_clock("2026-12-31T23:59:59Z", seconds=2)
    assert [clock(), clock()] == ["2026-12-31T23:59:59Z", "2027-01-01T00:00:01Z"]


def test_the_machines_time_zone_does_not_matter() -> None:
    code = "from judge.clock import system_clock; print(system_clock())"
    shown = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout[:13]
        for zone in ("Asia/Kolkata", "America/New_York")
    ]
    now = system_clock()[:13]
    assert set(shown) <= {now, shown[0]}
    assert abs(int(shown[0][-2:]) - int(shown[1][-2:])) in (0, 1, 23)


@pytest.mark.parametrize(
    ("kind", "code", "name"),
    [
        (JudgeError, 1, "ERROR"),
        (Invalid, 2, "INVALID"),
        (Refused, 3, "REFUSED"),
        (Integrity, 4, "INTEGRITY"),
        (Incomplete, 5, "INCOMPLETE"),
    ],
)
def test_each_kind_of_error_has_its_exit_code(kind: type[JudgeError], code: int, name: str) -> None:
    error = kind("what happened", hint="judge status")
    assert error.exit_code == code
    assert error.lines() == [f"{name}: what happened", "Next: judge status"]


def test_an_error_lists_all_problems_between_what_and_next() -> None:
    problems = [Problem("a", "x", "y"), Problem("b", "z")]
    assert Invalid("two problems", problems, hint="judge lint").lines() == [
        "INVALID: two problems",
        "  a: x; y",
        "  b: z",
        "Next: judge lint",
    ]
