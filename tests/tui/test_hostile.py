"""Text from outside: shown letter for letter, and nothing of it obeyed."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from judge.records.judgement import View
from judge.records.protocol import Reason
from tests.tui.support import Bench, bench, make_packet

pytestmark = pytest.mark.anyio

# What comes in, and what a person sees of it. The replacement character stands for what a terminal
# would obey.
HOSTILE = [
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
    ("red \x1b[31mTEXT\x1b[0m end", "red \ufffd[31mTEXT\ufffd[0m end"),
    (
        "\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\",
        "\ufffd]8;;https://evil\ufffd\\link\ufffd]8;;\ufffd\\",
    ),
    ("\x1b]52;c;ZXZpbA==\x07clip", "\ufffd]52;c;ZXZpbA==\ufffdclip"),
    ("ring\x07bell", "ring\ufffdbell"),
    ("abc\b\bXY", "abc\ufffd\ufffdXY"),
    ("a\tb", "a    b"),
    ("a\x00b", "a\ufffdb"),
    ("a\x9b31mb", "a\ufffd31mb"),
    ("safe \u202egnirts\u202c end", "safe \ufffdgnirts\ufffd end"),
    ("iso \u2067abc\u2069 end", "iso \ufffdabc\ufffd end"),
    ("zero\u200bwidth\ufeff", "zero\ufffdwidth"),
    ("a\x7fb", "a\ufffdb"),
    ("[Efficacy of aspirin in children].", "[Efficacy of aspirin in children]."),
    ("a\u2028b", "a\ufffdb"),
    ("benzo[a]pyrene", "benzo[a]pyrene"),
    ("Effect of [/ on Y", "Effect of [/ on Y"),
    ("[@click=app.quit]Aspirin[/]", "[@click=app.quit]Aspirin[/]"),
    ("P<0.001, α-синуклеин, 中文 and e\u0301", "P<0.001, α-синуклеин, 中文 and \u00e9"),
]
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def harmless(b: Bench) -> str:
    """The screen, after a check that no cell of it holds anything a terminal obeys."""
    text = b.text()
    bad = [c for c in text if (unicodedata.category(c) in ("Cc", "Cs") and c != "\n") or c in BIDI]
    assert bad == []
    return text


def hostile_view(text: str) -> View:
    return View(need=text, title=text, journal=text, year=text, type=text, abstract=text, link=text)


async def test_every_field_of_a_record_is_shown_letter_for_letter(tmp_path: Path) -> None:
    views = [hostile_view(raw) for raw, _ in HOSTILE]
    async with bench(make_packet(tmp_path / "A.packet", views), size=(120, 40)) as b:
        for number, (raw, shown) in enumerate(HOSTILE, 1):
            lines = harmless(b).split("\n")
            assert f"item {number} of {len(HOSTILE)}" in lines[2]
            assert lines[1] == f" Need  {shown}"
            assert lines[3] == f" {shown}"
            # The title, the link and the abstract; where year and type wrap, a part of them too.
            assert lines.count(f" {shown}") >= 3, raw
            await b.press("]", after=0.5)
        assert b.kinds() == []


async def test_a_line_end_of_any_kind_is_a_line_end(tmp_path: Path) -> None:
    views = [hostile_view("line1\nline2"), hostile_view("start\rOVER")]
    async with bench(make_packet(tmp_path / "A.packet", views)) as b:
        assert harmless(b).split("\n")[1:3] == [" Need  line1", "       line2"]
        await b.press("]")
        assert harmless(b).split("\n")[1:3] == [" Need  start", "       OVER"]


async def test_protocol_rubric_reasons_and_notes_are_as_harmless(tmp_path: Path) -> None:
    everything = " ".join(raw for raw, _ in HOSTILE)
    reason = Reason(code="r", key="a", labels=("relevant",), text=everything, clause="[/] \x1b[0m")
    made = make_packet(
        tmp_path / "A.packet",
        2,
        study_title=everything,
        rubric=f"# {everything}\n\n{everything}\n",
        reasons=(reason,),
    )
    async with bench(made) as b:
        b.sitting.note(everything.replace("\x00", ""))
        await b.press("1")
        assert "benzo[a]pyrene" in harmless(b)
        await b.press("g")
        assert "[bold]trial[/bold]" in harmless(b)
        await b.press("escape", "a", "[", "n")
        assert "benzo[a]pyrene" in harmless(b)
        await b.press("escape", "e")
        harmless(b)
        await b.press("k")
        harmless(b)
        assert b.labels() == [(1, "relevant", "r")]
