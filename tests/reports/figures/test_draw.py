"""Pictures: what is drawn where, and that words in them are words and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judge.reports.figures.draw import draw
from judge.reports.figures.drawings import (
    DIFFERENCES,
    SHARES,
    Dot,
    Drawing,
    Flow,
    Grid,
    Matrix,
    Row,
    Step,
    counts_scale,
)
from judge.text import display_text
from tests.contracts import loaded

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "$x^2$ and $\\undefined{",
    "a_b^c \\alpha",
    '<script>alert("1")</script> & "quotes"',
    "受容体α の名前 🧬",
    "\u202eevil\x1b[31m\x00",
    "{{ 7 * 7 }}",
    "]]> <!-- --> &lt;",
    "",
)


def picture(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(draw(drawing, "f-x", "A title", "A description"))


def words(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def column(*dots: Dot, **look: bool) -> Grid:
    """A grid of one panel, a row for each dot."""
    rows = tuple(Row(f"r{at}", (one,)) for at, one in enumerate(dots))
    return Grid(("P",), rows, SHARES, **look)


def marks(root: ElementTree.Element) -> list[tuple[float, float, str]]:
    """Place and fill of every mark."""
    return [
        (float(one.attrib["x"]), float(one.attrib["y"]), one.attrib["fill"])
        for one in root.iter(f"{SVG}use")
    ]


def test_marks_stand_where_their_values_are() -> None:
    root = picture(column(*(Dot(value, value) for value in (0.0, 0.5, 1.0))))
    (left, top, fill), (middle, lower, _), (right, _, _) = marks(root)
    assert middle - left == pytest.approx(right - middle, abs=0.02)
    assert right - left > 400
    assert lower > top
    assert fill.lower() == "#0072b2"


def test_bounds_are_two_hollow_marks_joined_and_no_value_is_no_mark() -> None:
    root = picture(column(Dot(0.2, 0.6), Dot(words="refused")))
    (left, y, fill), (right, same, _) = marks(root)
    assert (y, fill) == (same, "#ffffff")
    lines = [one.attrib["d"] for one in root.iter(f"{SVG}path") if "d" in one.attrib]
    assert f"M {left:g} {y:g} L {right:g} {y:g}" in lines
    assert "refused" in words(root)


def test_an_interval_is_a_line_with_ends_through_a_filled_mark() -> None:
    root = picture(column(Dot(0.5, 0.5, interval=(0.4, 0.7))))
    ((x, y, fill),) = marks(root)
    assert fill != "#ffffff"
    numbers = [
        [float(part) for part in path.attrib["d"].split() if part not in "ML"]
        for path in root.iter(f"{SVG}path")
        if path.attrib.get("stroke", "").lower() == "#0072b2" and "id" not in path.attrib
    ]
    through = [one for one in numbers if len(one) == 4 and one[1] == one[3] == y]
    ((start, _, end, _),) = through
    assert (x - start) * 2 == pytest.approx(end - x, abs=0.05)
    assert len([one for one in numbers if len(one) == 4 and one[0] == one[2]]) == 2


def test_every_series_has_a_shape_of_its_own() -> None:
    grid = Grid(tuple("ABCDEF"), (Row("q", (Dot(0.5, 0.5),) * 6),), SHARES)
    shapes = {
        one.attrib["d"]
        for one in picture(grid).iter(f"{SVG}path")
        if "id" in one.attrib and one.attrib["id"].startswith("f-x-m")
    }
    assert len(shapes) == 6


def test_bars_are_as_long_as_their_counts_and_differ_in_hatch() -> None:
    rows = (Row("refused", (Dot(4, 4, words="4"), Dot(2, 2, words="2"))),)
    root = picture(Grid(("K", "S"), rows, counts_scale(4), bars=True))
    bars = [
        one
        for one in root.iter(f"{SVG}path")
        if one.attrib.get("d", "").endswith("z") and "stroke" in one.attrib
    ]
    across = [sorted({float(part) for part in one.attrib["d"].split()[1::3]}) for one in bars]
    lengths = [max(xs) - min(xs) for xs in across]
    assert lengths[0] == pytest.approx(2 * lengths[1], abs=0.05)
    assert [one.attrib["fill"].startswith("url(#f-x-") for one in bars] == [False, True]
    assert {"4", "2"} <= set(words(root))


@pytest.mark.parametrize(
    ("most", "high"), [(0, 1), (1, 1), (5, 5), (6, 6), (11, 15), (51, 60), (1_000_001, 1_500_000)]
)
def test_an_axis_of_counts_has_whole_ticks_and_holds_the_largest(most: int, high: int) -> None:
    scale = counts_scale(most)
    assert scale.high == high
    assert len(scale.ticks) <= 7
    assert all(at == int(at) for at, _ in scale.ticks)


def test_a_matrix_shows_every_count_and_frames_agreement() -> None:
    counts = ((8, 1, 0), (2, 4, 3), (0, 5, 6))
    root = picture(Matrix("A", "B", ("yes", "no", "unsure"), counts))
    assert [one for one in words(root) if one.isdigit()] == [
        str(count) for row in counts for count in row
    ]
    framed = [one for one in root.iter(f"{SVG}path") if one.attrib.get("stroke-width") == "2"]
    assert len(framed) == 3


def test_a_flow_shows_its_steps_from_top_to_bottom() -> None:
    flow = Flow((Step("queries", 30), Step("lists", 55, "5 gave no list"), Step("judged", 50)))
    root = picture(flow)
    places = {one.text: float(one.attrib["y"]) for one in root.iter(f"{SVG}text")}
    assert places["30"] < places["queries"] < places["55"] < places["lists"] < places["50"]
    assert places["55"] - 20 < places["5 gave no list"] < places["lists"] + 20


@pytest.mark.parametrize("text", HOSTILE)
def test_words_from_outside_are_shown_as_they_are(text: str) -> None:
    shown = display_text(text, one_line=True)
    rows = (Row(text, (Dot(0.5, 0.5), Dot(words=text)), note=text, group=text),)
    for drawing in (
        Grid((text, text), rows, SHARES),
        Grid((text, text), rows, counts_scale(3), bars=True),
        Matrix(text, text, (text, text), ((1, 2), (3, 4))),
        Flow((Step(text, 1, text), Step(text, 2))),
    ):
        root = picture(drawing)
        found = " ".join(words(root))
        start = shown.split()[0][:4] if shown.split() else ""
        assert start in found
        assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
            *("svg", "title", "desc", "g", "path", "text", "use", "defs", "pattern", "rect"),
        }


def test_a_long_name_is_cut_and_nothing_leaves_the_sheet() -> None:
    name = "very long name of a system or query " * 5
    rows = tuple(Row(name, (Dot(0.1, 0.9),) * 6, note=name) for _ in range(3))
    root = picture(Grid((name,) * 6, rows, DIFFERENCES))
    assert max(map(len, words(root))) < 40
    assert any(one.endswith("…") for one in words(root))
    assert all(0 <= x <= 720 for x, _, _ in marks(root))


def test_the_title_and_the_description_are_the_text_alternative() -> None:
    root = ElementTree.fromstring(draw(column(Dot(0, 0)), "f-x", "a < b", "c & d"))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"] == "f-x-title f-x-desc"
    found = {one.attrib.get("id"): one.text for one in root.iter()}
    assert (found["f-x-title"], found["f-x-desc"]) == ("a < b", "c & d")


_DRAW = """
import hashlib
from judge.reports.figures.draw import draw
from judge.reports.figures.drawings import *
dots = tuple(Dot(n / 7, n / 7, (n / 9, n / 6)) for n in range(6))
grid = Grid(tuple("ABCDEF"), tuple(Row(f"r{n}", dots, note="n") for n in range(5)), SHARES)
bars = Grid(("A", "B"), (Row("r", dots[:2]),), SHARES, bars=True)
flow = Flow((Step("a", 1, "b"), Step("c", 2)))
matrix = Matrix("A", "B", ("x", "y"), ((1, 2), (3, 4)))
drawn = "".join(draw(one, "f", "t", "d") for one in (grid, bars, flow, matrix))
print(hashlib.sha256(drawn.encode()).hexdigest())
"""


def test_every_process_draws_the_same_bytes_whatever_its_settings(tmp_path: Path) -> None:
    """Hash seed, matplotlib's own settings, a home that cannot be written to, zone and language
    are nothing to a figure, and nothing is said of them on stderr."""
    settings = tmp_path / "matplotlibrc"
    tmp_path.joinpath("no-such-home").write_text("a file: no folder can be made under it")
    settings.write_text("font.size: 31\nlines.linewidth: 9\nsvg.fonttype: path\n")
    found = set()
    for seed, more in (
        ("1", {}),
        ("2", {"MATPLOTLIBRC": str(settings), "TZ": "Asia/Tokyo", "LC_ALL": "C"}),
        ("3", {"HOME": str(tmp_path / "no-such-home"), "TMPDIR": str(tmp_path)}),
    ):
        run = subprocess.run(
            [sys.executable, "-P", "-c", _DRAW],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, **more},
        )
        assert run.stderr == ""
        found.add(run.stdout)
    assert len(found) == 1


def test_matplotlib_is_loaded_by_drawing_alone() -> None:
    _, _, modules = loaded("import judge.steps.reporting, judge.reports.render.html", ROOT)
    assert "judge.reports.figures.drawings" in modules
    assert not {one for one in modules if one.startswith("matplotlib")}
